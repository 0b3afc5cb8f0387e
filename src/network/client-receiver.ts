import { CelebornError, ProtocolError } from '../errors'
import {
  decodeFields,
  FrameParser,
  type FrameSink,
  MessageType,
  messageTypeName,
  readRequestId,
  type WireId,
} from '../protocol/framing'
import { type ChunkFetch } from './chunk-fetch'
import { flushAtEndOfTurn } from './flush-queue'
import { MAX_FIELDS_BYTES } from './options'
import { monotonicMs } from './outbound'

const EMPTY = new Uint8Array(0)
const FIRST_ASSEMBLY_BYTES = 64 * 1024

/** What a client connection does with what arrives. */
export interface ReceiverHost {
  readonly closed: boolean
  expectsAnswer(requestId: number): boolean
  answered(requestId: number, body: Uint8Array): void
  rpcFailed(requestId: WireId, error: string): void
  findChunk(fields: Uint8Array): ChunkFetch | undefined
  chunkFailed(fields: Uint8Array): void
  /** `allocate` threw or gave too little; the chunk is skipped. */
  allocationFailed(fetch: ChunkFetch, thrown: unknown): void
  heartbeat(): void
  /** The peer asks us something; clients answer nothing but this refusal. */
  refuse(requestId: WireId): void
  strayAnswer(): void
}

/**
 * The receiving half of a client connection. Acknowledgements and message heads are read into one small buffer that is
 * used again for each read; the body of a chunk is read by the socket straight into the memory of its request.
 *
 * A socket keeps a pointer to its read buffer even while it is idle, so a chunk's memory is reported as released
 * only after the socket was given another buffer, or is closed.
 */
export class ClientReceiver implements FrameSink {
  readonly #host: ReceiverHost
  readonly #parser: FrameParser
  readonly #small: Buffer
  #mode: 'skip' | 'answer' | 'chunk' | 'refuse' = 'skip'
  #bodySize = 0
  #answerId = 0
  #refuseId: WireId = 0
  #body: Uint8Array = EMPTY
  #assembly: Buffer | null = null
  #assembled = 0
  #fetch: ChunkFetch | null = null
  #fetched = 0
  /** Whose message is arriving, also when its bytes are dropped. */
  #arriving: ChunkFetch | null = null
  /** Whose memory the socket's current read buffer is. */
  #held: ChunkFetch | null = null
  /** Whose memory it was: released at the end of this turn, when the socket surely has its next buffer. */
  readonly #leaving: ChunkFetch[] = []
  bytesRead = 0
  lastReadMs = monotonicMs()

  constructor(host: ReceiverHost, maxBodyBytes: number, readBufferBytes: number) {
    this.#host = host
    this.#small = Buffer.allocUnsafeSlow(readBufferBytes)
    this.#parser = new FrameParser(this, { maxFieldsBytes: MAX_FIELDS_BYTES, maxBodyBytes })
  }

  /** A chunk that nobody wants any more, while the rest of its bytes is still to come. */
  get abandoned(): ChunkFetch | null {
    const arriving = this.#arriving
    return arriving !== null && arriving.settled ? arriving : null
  }

  /** Part of a message has arrived, and nothing since: behind it nothing else can. */
  stalled(nowMs: number, limitMs: number): boolean {
    return !this.#parser.atBoundary && nowMs - this.lastReadMs >= limitMs
  }

  /** Where the socket reads next. Called before it connects and after each read. */
  nextBuffer(): Uint8Array {
    const fetch = this.#fetch
    if (fetch !== null && fetch.target !== null && !fetch.settled && !this.#host.closed) {
      this.#held = fetch
      return fetch.target.subarray(this.#fetched, this.#bodySize)
    }
    if (this.#held !== null) {
      if (this.#leaving.length === 0) flushAtEndOfTurn(this)
      this.#leaving.push(this.#held)
      this.#held = null
    }
    return this.#small
  }

  /**
   * `count` bytes were read into what {@link nextBuffer} gave last.
   * @throws what the peer's bytes deserve
   */
  received(count: number): void {
    this.bytesRead += count
    this.lastReadMs = monotonicMs()
    const held = this.#held
    if (held === null) {
      this.#parser.push(count === this.#small.length ? this.#small : this.#small.subarray(0, count))
      return
    }
    held.clockMs = this.lastReadMs
    this.#fetched += count
    if (held.settled) this.#abandonChunk()
    this.#parser.skipBody(count)
  }

  /** Nothing more is to be delivered, though the socket may still hold a buffer. */
  stop(): void {
    this.#parser.stop()
  }

  /** The socket is closed. */
  closed(): void {
    this.flush()
    this.#held?.releaseTarget()
    this.#fetch?.releaseTarget()
    this.#held = null
    this.#fetch = null
    this.#arriving = null
    this.#assembly = null
  }

  /** Reports the memory that the socket has let go of. */
  flush(): void {
    for (const fetch of this.#leaving.splice(0)) fetch.releaseTarget()
  }

  onHeader(type: number, fields: Uint8Array, bodySize: number): void {
    this.#mode = 'skip'
    this.#bodySize = bodySize
    switch (type) {
      case MessageType.RPC_RESPONSE:
        this.#startAnswer(readRequestId(fields))
        return
      case MessageType.CHUNK_FETCH_SUCCESS:
        this.#startChunk(fields)
        return
      case MessageType.RPC_FAILURE: {
        const message = decodeFields(type, fields)
        if (message.type === MessageType.RPC_FAILURE) this.#host.rpcFailed(message.requestId, message.error)
        return
      }
      case MessageType.CHUNK_FETCH_FAILURE:
        this.#host.chunkFailed(fields)
        return
      case MessageType.HEARTBEAT:
        this.#host.heartbeat()
        return
      case MessageType.RPC_REQUEST:
        this.#refuseId = readRequestId(fields)
        this.#mode = 'refuse'
        return
      case MessageType.ONE_WAY_MESSAGE:
        return
      default:
        throw new ProtocolError(`${messageTypeName(type)} is nothing that a server sends`)
    }
  }

  onBody(piece: Uint8Array): void {
    switch (this.#mode) {
      case 'answer':
        if (piece.length === this.#bodySize) this.#body = piece
        else this.#assemble(piece)
        return
      case 'chunk': {
        const fetch = this.#fetch
        if (fetch === null || fetch.target === null) return
        fetch.target.set(piece, this.#fetched)
        fetch.clockMs = this.lastReadMs
        this.#fetched += piece.length
        return
      }
      case 'refuse':
      case 'skip':
        return
    }
  }

  onEnd(): void {
    const mode = this.#mode
    this.#mode = 'skip'
    this.#arriving = null
    if (mode === 'answer') this.#finishAnswer()
    else if (mode === 'chunk') this.#finishChunk()
    else if (mode === 'refuse') this.#host.refuse(this.#refuseId)
  }

  #startAnswer(id: WireId): void {
    if (typeof id !== 'number' || !this.#host.expectsAnswer(id)) {
      this.#host.strayAnswer()
      return
    }
    this.#mode = 'answer'
    this.#answerId = id
    this.#body = EMPTY
  }

  /** Puts an answer together that does not lie in one piece; grows with what came, not with what was announced. */
  #assemble(piece: Uint8Array): void {
    const size = this.#assembled + piece.length
    let assembly = this.#assembly
    if (assembly === null || assembly.length < size) {
      const wanted = Math.max(size, FIRST_ASSEMBLY_BYTES, 2 * (assembly?.length ?? 0))
      const grown = Buffer.allocUnsafeSlow(Math.min(wanted, this.#bodySize))
      if (assembly !== null) grown.set(assembly.subarray(0, this.#assembled))
      assembly = this.#assembly = grown
    }
    assembly.set(piece, this.#assembled)
    this.#assembled = size
    if (size === this.#bodySize) this.#body = assembly
  }

  #finishAnswer(): void {
    const body = this.#body
    this.#body = EMPTY
    this.#assembly = null
    this.#assembled = 0
    this.#host.answered(this.#answerId, body)
  }

  #startChunk(fields: Uint8Array): void {
    const fetch = this.#host.findChunk(fields)
    if (fetch === undefined || fetch.receiving) {
      this.#host.strayAnswer()
      return
    }
    fetch.receiving = true
    this.#arriving = fetch
    fetch.clockMs = this.lastReadMs
    const size = this.#bodySize
    if (size > 0) {
      try {
        const target = fetch.request.allocate(size)
        fetch.target = target
        if (!(target.length >= size)) {
          throw new CelebornError(
            'CELEBORN_INTERNAL',
            `allocate(${size}) gave ${target.length} bytes for chunk ${fetch.slice.chunkIndex}`,
          )
        }
      } catch (thrown) {
        this.#host.allocationFailed(fetch, thrown)
        fetch.releaseTarget()
        return
      }
    }
    this.#mode = 'chunk'
    this.#fetch = fetch
    this.#fetched = 0
  }

  #finishChunk(): void {
    const fetch = this.#fetch
    this.#fetch = null
    if (fetch === null) return
    fetch.complete(this.#bodySize)
    // If the socket never read into it, everything came by way of the small buffer.
    if (this.#held !== fetch) fetch.releaseTarget()
  }

  /** The chunk's request is gone while its bytes arrive: the rest is read into the small buffer and dropped. */
  #abandonChunk(): void {
    this.#mode = 'skip'
    this.#fetch = null
  }
}
