import { type Socket } from 'node:net'
import { formatHostPort } from '../conf'
import { ProtocolError } from '../errors'
import {
  type DecodedMessage,
  decodeFields,
  FrameParser,
  type FrameSink,
  MessageType,
  type StreamChunkSlice,
  type WireId,
} from '../protocol/framing'
import { Body } from './body'
import { reportThrown } from './callbacks'
import { MessageWriter, type WriterHost } from './message-writer'
import { MAX_FIELDS_BYTES } from './options'
import { monotonicMs, type Outbound, type PendingRequest } from './outbound'
import { type BudgetMember, type ReceiveBudget } from './receive-budget'
import {
  ChunkFailureMessage,
  ChunkSuccessMessage,
  HeartbeatMessage,
  type OnWritten,
  RpcFailureMessage,
  RpcResponseMessage,
} from './replies'
import { SendEntry } from './send-entry'

export interface ServerConnectionLimits {
  readonly maxMessageBytes: number
  readonly maxReceivedBytesPerConnection: number
  readonly maxUnsentBytes: number
  readonly maxGatherBytes: number
  readonly writeStallMs: number
}

/** The server that accepted the connection. */
export interface ServerConnectionHost {
  readonly limits: ServerConnectionLimits
  readonly budget: ReceiveBudget
  message(conn: ServerConnection, message: DecodedMessage, body: Body): void
  /** Bytes that are no valid message; the connection is being closed. */
  protocolError(conn: ServerConnection, error: Error): void
  received(bytes: number): void
  gone(conn: ServerConnection): void
}

/** What a message costs beside its body while its handler has not released it. */
const MESSAGE_OVERHEAD_BYTES = 256

/** A part that is a small piece of what the socket delivered is copied, so as not to hold all of that. */
const SLAB_SHARE = 4

/**
 * One accepted connection. It reads only while little enough of what it has read is unreleased, and while its peer takes
 * the replies.
 */
export class ServerConnection implements FrameSink, WriterHost, BudgetMember {
  /** `host:port` of the peer. */
  readonly hostPort: string
  readonly remoteHost: string
  readonly remotePort: number
  /** Free for the handler's own state. */
  attachment: unknown = undefined
  readonly #socket: Socket
  readonly #host: ServerConnectionHost
  readonly #parser: FrameParser
  readonly #writer: MessageWriter
  #closed = false
  #settled = false
  #message: DecodedMessage | null = null
  #parts: Uint8Array[] = []
  #assembled = 0
  /** Received and unreleased bytes of this connection. */
  #held = 0
  #chunkLength = 0
  #pauses = 0
  #unsentTooMuch = false
  #reading = true
  readonly #drainWaiters: (() => void)[] = []
  lastReadMs = monotonicMs()

  constructor(socket: Socket, host: ServerConnectionHost) {
    this.#socket = socket
    this.#host = host
    this.remoteHost = socket.remoteAddress ?? 'unknown'
    this.remotePort = socket.remotePort ?? 0
    this.hostPort = formatHostPort({ host: this.remoteHost, port: this.remotePort })
    const { maxMessageBytes, maxGatherBytes, writeStallMs } = host.limits
    this.#parser = new FrameParser(this, { maxFieldsBytes: MAX_FIELDS_BYTES, maxBodyBytes: maxMessageBytes })
    this.#writer = new MessageWriter(this, { maxGatherBytes, arenaBytes: 16 * 1024, writeStallMs })
    this.#writer.open(socket)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('end', () => this.close())
    socket.on('error', () => this.close())
    socket.on('close', () => this.#settle())
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Bytes of replies that the system has not taken yet. */
  get unsentBytes(): number {
    return this.#writer.unsentBytes
  }

  get midMessage(): boolean {
    return this.#message !== null
  }

  /** Sends a message. On a closed connection only `writeEnded` follows, and never inside this call. */
  send(message: Outbound): void {
    const entry = SendEntry.take(message, null)
    if (this.#closed) {
      setImmediate(() => entry.end())
      return
    }
    this.#writer.enqueue(entry)
    if (!this.#unsentTooMuch && this.unsentBytes > this.#host.limits.maxUnsentBytes) {
      this.#unsentTooMuch = true
      this.reconsider()
    }
  }

  /** RPC_RESPONSE. `parts` are sent from where they lie; `onWritten` runs once they are no longer read. */
  reply(requestId: WireId, parts: readonly Uint8Array[] = [], onWritten?: OnWritten): void {
    this.send(new RpcResponseMessage(requestId, parts, onWritten))
  }

  /** RPC_FAILURE. */
  replyFailure(requestId: WireId, error: string): void {
    this.send(new RpcFailureMessage(requestId, error))
  }

  /** CHUNK_FETCH_SUCCESS; `slice` is the request's. As with {@link reply}, nothing is copied. */
  replyChunk(slice: StreamChunkSlice, parts: readonly Uint8Array[], onWritten?: OnWritten): void {
    this.send(new ChunkSuccessMessage(slice, parts, onWritten))
  }

  /** CHUNK_FETCH_FAILURE. */
  replyChunkFailure(slice: StreamChunkSlice, error: string): void {
    this.send(new ChunkFailureMessage(slice, error))
  }

  /** Resolves when less than half of the unsent limit is waiting, or the connection is closed. */
  async drained(): Promise<void> {
    while (!this.#settled && this.unsentBytes * 2 > this.#host.limits.maxUnsentBytes) {
      await new Promise<void>((resolve) => this.#drainWaiters.push(resolve))
    }
  }

  /** Stops reading until as many `resume` calls. A message or two that have already arrived may still come. */
  pause(): void {
    this.#pauses++
    this.reconsider()
  }

  resume(): void {
    if (this.#pauses > 0) this.#pauses--
    this.reconsider()
  }

  /** Destroys the socket at once. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#parser.stop()
    this.#socket.destroy()
  }

  /** @internal Whether the peer has not taken a byte of what is being written for too long. */
  stalled(nowMs: number): boolean {
    return this.#writer.stalled(nowMs)
  }

  /** @internal Decides whether to read. */
  reconsider(): void {
    if (this.#closed) return
    const stopped = this.#pauses > 0 || this.#unsentTooMuch
    if (stopped) this.#host.budget.leave(this)
    const read = !stopped && !this.#holdsTooMuch()
    if (read === this.#reading) return
    this.#reading = read
    if (read) this.#socket.resume()
    else this.#socket.pause()
  }

  #holdsTooMuch(): boolean {
    // What only the message that is arriving holds cannot shrink by waiting.
    const handed = this.#held - this.#assembled
    if (handed > 0 && this.#held > this.#host.limits.maxReceivedBytesPerConnection) return true
    return this.#host.budget.mustWait(this)
  }

  #received(chunk: Buffer): void {
    if (this.#closed) return
    this.lastReadMs = monotonicMs()
    this.#chunkLength = chunk.length
    this.#host.received(chunk.length)
    try {
      this.#parser.push(chunk)
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new ProtocolError(String(thrown))
      this.close()
      if (error instanceof ProtocolError) this.#host.protocolError(this, error)
      else reportThrown('a message handler', thrown)
      return
    }
    this.reconsider()
  }

  /** @internal */
  onHeader(type: number, fields: Uint8Array, bodySize: number): void {
    const message = decodeFields(type, fields)
    if (message.type === MessageType.HEARTBEAT && bodySize > 0)
      throw new ProtocolError('a heartbeat with a body')
    this.#message = message
  }

  /** @internal */
  onBody(piece: Uint8Array): void {
    const lasting = piece.length * SLAB_SHARE < this.#chunkLength ? new Uint8Array(piece) : piece
    this.#parts.push(lasting)
    this.#assembled += piece.length
    this.#held += piece.length
    this.#host.budget.received(piece.length)
  }

  /** @internal */
  onEnd(): void {
    const message = this.#message
    const parts = this.#parts
    const length = this.#assembled
    this.#message = null
    this.#parts = []
    this.#assembled = 0
    if (message === null) return
    if (message.type === MessageType.HEARTBEAT) {
      this.send(new HeartbeatMessage())
      return
    }
    const { budget } = this.#host
    const charge = length + MESSAGE_OVERHEAD_BYTES
    this.#held += MESSAGE_OVERHEAD_BYTES
    budget.received(MESSAGE_OVERHEAD_BYTES)
    budget.handed(this, charge)
    const body = new Body(parts, length, () => this.#released(charge))
    try {
      this.#host.message(this, message, body)
    } catch (thrown) {
      body.release()
      throw thrown
    }
  }

  #released(bytes: number): void {
    this.#held -= bytes
    this.#host.budget.released(bytes)
    this.reconsider()
  }

  #settle(): void {
    if (this.#settled) return
    this.#closed = true
    this.#settled = true
    this.#parser.stop()
    this.#host.budget.leave(this)
    this.#held -= this.#assembled
    this.#host.budget.dropped(this.#assembled)
    this.#assembled = 0
    this.#parts = []
    this.#message = null
    this.#writer.abandon()
    this.#wakeDrained()
    this.#host.gone(this)
  }

  #wakeDrained(): void {
    for (const resolve of this.#drainWaiters.splice(0)) resolve()
  }

  /** @internal */
  encodeFailed(_request: PendingRequest | null, thrown: unknown): void {
    reportThrown('encode', thrown)
  }

  /** @internal */
  writeFailed(): void {
    this.close()
  }

  /** @internal */
  writerProgressed(): void {
    if (this.unsentBytes * 2 > this.#host.limits.maxUnsentBytes) return
    if (this.#drainWaiters.length > 0) this.#wakeDrained()
    if (!this.#unsentTooMuch) return
    this.#unsentTooMuch = false
    this.reconsider()
  }
}
