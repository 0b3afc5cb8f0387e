import { type TransportConf } from '../buffer'
import { CelebornError, ProtocolError } from '../errors'
import { type FramePool } from '../memory'
import { type ConnectionPool, RpcClient } from '../network'
import { hostPort, partitionFileName } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import * as messages from '../protocol/messages'
import { ControlMessageType } from '../protocol/messages'
import { type BudgetHolder, type Charge, type ReadBudget } from './budget'
import { ChunkFetch } from './chunk'
import { areOffsets, LocalChunk, type LocalFile, localFile } from './local-chunk'

/** What reading one location takes. */
export interface StreamSettings {
  readonly shuffleKey: string
  readonly startMapIndex: number
  readonly endMapIndex: number
  readonly fetchTimeoutMs: number
  /** Chunks asked for ahead. */
  readonly window: number
  readonly maxChunkBytes: number
  /** What a chunk of unknown size is thought to have at most. */
  readonly likelyChunkBytes: number
}

/** What the streams of one reader share. */
export interface StreamParts {
  readonly settings: StreamSettings
  readonly connections: ConnectionPool
  readonly frames: FramePool
  readonly budget: ReadBudget
  /** Who is charged. */
  readonly holder: BudgetHolder
  /** How files of this host are read; null where they are fetched as all others. */
  readonly local: TransportConf | null
  readonly signal: AbortSignal
  /** The next chunk finds no room: what was fetched ahead elsewhere is in its way. */
  readonly onStarved: () => void
  readonly onBudgetWait: (ms: number) => void
}

/** A chunk that was asked for. */
interface PendingChunk {
  readonly chunkIndex: number
  readonly arrived: Promise<Uint8Array>
  /** Its true size, if it came and there was no room for it. */
  readonly refusedBytes: number
  release(): void
  /** Nobody wants it any more. */
  cancel(): void
}

/** One location's file, read chunk by chunk with a window of requests in flight. */
export class LocationStream {
  readonly hostPort: string
  private readonly rpc: RpcClient
  private opening: Promise<void> | null = null
  private handler: messages.StreamHandler | null = null
  private file: LocalFile | null = null
  private opened = false
  private closed = false
  private readonly inFlight: PendingChunk[] = []
  /** The chunk that {@link next} gave last: its reader may be gone before it had it. */
  private current: PendingChunk | null = null
  private nextIndex = 0
  /** Sizes of chunks that were larger than thought. */
  private readonly trueSizes = new Map<number, number>()

  /** @param askedLocal whether the worker is asked for its file's path */
  constructor(
    readonly location: PartitionLocation,
    private readonly parts: StreamParts,
    readonly askedLocal: boolean,
  ) {
    this.hostPort = hostPort(location.host, location.fetchPort)
    this.rpc = new RpcClient(parts.connections)
  }

  /** Whether a file of this host is read. */
  get isLocal(): boolean {
    return this.file !== null
  }

  /** It is open, and its chunks come from the worker. */
  get isFetched(): boolean {
    return this.opened && this.file === null
  }

  /** Chunks asked for that {@link next} has not given. */
  get pending(): number {
    return this.inFlight.length
  }

  /** It is open, and all of its chunks were asked for. */
  get allAsked(): boolean {
    return this.handler !== null && this.nextIndex >= this.handler.numChunks
  }

  /** Once, however often it is called. */
  open(): Promise<void> {
    this.opening ??= this.openNow()
    return this.opening
  }

  private async openNow(): Promise<void> {
    let handler: messages.StreamHandler
    try {
      handler = await this.askOpen()
    } catch (error) {
      // What a connection finds wrong names its peer; what an answer's decoder does, not.
      if (!(error instanceof ProtocolError) || error.context.hostPort !== undefined) throw error
      throw this.badAnswer(
        `answered an open stream with bytes that are no valid message: ${error.message}`,
        error,
      )
    }
    this.handler = handler
    if (this.closed) this.end(handler)
    if (this.askedLocal) this.file = this.fileOf(handler)
    this.opened = true
  }

  private async askOpen(): Promise<messages.StreamHandler> {
    const { location } = this
    const { settings } = this.parts
    const payload = messages.encodeOpenStream({
      shuffleKey: settings.shuffleKey,
      fileName: partitionFileName(location.id, location.epoch, location.mode),
      startIndex: settings.startMapIndex,
      endIndex: settings.endMapIndex,
      initialCredit: 0,
      readLocalShuffle: this.askedLocal,
    })
    const answer = await this.rpc.askBare(
      location.host,
      location.fetchPort,
      ControlMessageType.OPEN_STREAM,
      payload,
      // Not with the reader's signal: the stream is ended when its answer comes, however late, or stays open at the worker.
      { timeoutMs: settings.fetchTimeoutMs },
    )
    if (answer.type !== ControlMessageType.STREAM_HANDLER)
      throw this.badAnswer(`answered an open stream with message ${answer.type}`)
    const handler = messages.decodeStreamHandler(answer.payload)
    if (handler.numChunks < 0) throw this.badAnswer(`opened a stream of ${handler.numChunks} chunks`)
    return handler
  }

  /** The file that the worker names; null where it names none, and serves the chunks itself. */
  private fileOf(handler: messages.StreamHandler): LocalFile | null {
    if (handler.fullPath === '' || handler.numChunks === 0) return null
    const file = localFile(handler, this.parts.settings.maxChunkBytes)
    if (file !== null) return file
    // A stream that was opened for its file's path has no chunks to fetch.
    throw this.badAnswer(`named the file ${handler.fullPath} with bounds of chunks that cannot be`)
  }

  private badAnswer(what: string, cause?: unknown): ProtocolError {
    return new ProtocolError(`${this.hostPort} ${what}`, { hostPort: this.hostPort }, cause)
  }

  /**
   * The next chunk in order, or null at the end. Its bytes are valid until the next call.
   * @throws whatever the chunk's fetch or file deserves; CelebornError CELEBORN_ADMISSION_TIMEOUT
   */
  async next(): Promise<Uint8Array | null> {
    this.releaseCurrent()
    for (;;) {
      if (this.inFlight.length === 0) {
        if (this.closed || this.handler === null || this.allAsked) return null
        await this.askForHead(this.handler)
      }
      const head = this.inFlight[0]
      if (head === undefined) return null
      try {
        const bytes = await head.arrived
        // Closed meanwhile: it was released with the others.
        if (this.inFlight[0] !== head) return null
        this.inFlight.shift()
        this.current = head
        return bytes
      } catch (error) {
        if (head.refusedBytes === 0 || this.inFlight[0] !== head) throw error
        this.askAgain(head)
      }
    }
  }

  /** A chunk came that was larger than thought: it is asked for again when there is room for all of it. */
  private askAgain(chunk: PendingChunk): void {
    const { chunkIndex, refusedBytes } = chunk
    if (this.trueSizes.has(chunkIndex)) {
      throw new CelebornError(
        'CELEBORN_CORRUPT_DATA',
        `chunk ${chunkIndex} had ${this.trueSizes.get(chunkIndex)} bytes, and now ${refusedBytes}`,
        { hostPort: this.hostPort },
      )
    }
    this.trueSizes.set(chunkIndex, refusedBytes)
    // What comes behind it would hold room while it waits for more.
    this.shed()
  }

  /** Asks for further chunks, as many as may be pending and as there is room for. */
  fill(window: number): void {
    const { handler } = this
    if (handler === null || this.closed) return
    while (this.inFlight.length < window && this.nextIndex < handler.numChunks) {
      const charge = this.parts.budget.tryTakeAhead(this.parts.holder, this.sizeOf(this.nextIndex))
      if (charge === undefined) return
      this.ask(handler, charge)
    }
  }

  /** The reader is done with the chunk that it has. */
  releaseCurrent(): void {
    this.current?.release()
    this.current = null
  }

  /** Gives up what was asked for and not given; it is asked for anew. */
  shed(): void {
    const [first] = this.inFlight
    if (first === undefined) return
    this.nextIndex = first.chunkIndex
    for (const chunk of this.inFlight.splice(0)) chunk.cancel()
  }

  /** Ends the stream at the worker, and lets go of chunks on their way. */
  close(): void {
    this.closed = true
    this.releaseCurrent()
    this.shed()
    if (this.handler !== null) this.end(this.handler)
  }

  private end({ streamId }: messages.StreamHandler): void {
    this.handler = null
    this.rpc.sendBare(
      this.location.host,
      this.location.fetchPort,
      ControlMessageType.BUFFER_STREAM_END,
      messages.encodeBufferStreamEnd({ streamType: messages.StreamType.CHUNK, streamId }),
    )
  }

  private async askForHead(handler: messages.StreamHandler): Promise<void> {
    const { budget, holder, settings, signal, onStarved, onBudgetWait } = this.parts
    const size = this.sizeOf(this.nextIndex)
    let charge = budget.tryTake(holder, size)
    if (charge === undefined) {
      onStarved()
      const since = performance.now()
      try {
        charge = await budget.take(holder, size, { timeoutMs: settings.fetchTimeoutMs, signal })
      } finally {
        onBudgetWait(performance.now() - since)
      }
    }
    if (this.closed) charge.release()
    else this.ask(handler, charge)
  }

  private ask(handler: messages.StreamHandler, charge: Charge): void {
    const { settings, connections, frames, local } = this.parts
    const { host, fetchPort } = this.location
    const chunkIndex = this.nextIndex
    try {
      if (this.file !== null && local !== null) {
        this.inFlight.push(new LocalChunk(local, this.file, chunkIndex, charge))
      } else {
        const connection = connections.connection(host, fetchPort)
        const fetch = new ChunkFetch(
          handler.streamId,
          chunkIndex,
          settings.fetchTimeoutMs,
          frames,
          settings.maxChunkBytes,
          this.hostPort,
          charge,
        )
        this.inFlight.push(
          cancellable(fetch, () => {
            connection.cancelChunk(fetch)
          }),
        )
        connection.fetchChunk(fetch)
      }
    } catch (error) {
      charge.release()
      throw error
    }
    this.nextIndex++
  }

  /** Bytes that a chunk is charged at until its true size is known. */
  private sizeOf(chunkIndex: number): number {
    const known = this.trueSizes.get(chunkIndex)
    if (known !== undefined) return known
    const { storage } = this.location
    const { startMapIndex, endMapIndex, likelyChunkBytes, maxChunkBytes } = this.parts.settings
    const numChunks = this.handler?.numChunks ?? 0
    const whole = startMapIndex === 0 && endMapIndex === messages.ALL_MAPS
    const offsets =
      this.file?.offsets ??
      (whole && areOffsets(storage.chunkOffsets, numChunks, maxChunkBytes) ? storage.chunkOffsets : null)
    if (offsets !== null) return (offsets[chunkIndex + 1] ?? 0) - (offsets[chunkIndex] ?? 0)
    return likelyBytes(this.location, likelyChunkBytes, maxChunkBytes)
  }
}

/** What a chunk of a location has at most, if its worker cuts them as usual. */
export function likelyBytes(
  { storage }: PartitionLocation,
  likelyChunkBytes: number,
  maxChunkBytes: number,
): number {
  const { fileSize } = storage
  return Math.min(fileSize > 0 ? fileSize : Number.MAX_SAFE_INTEGER, likelyChunkBytes, maxChunkBytes)
}

function cancellable(fetch: ChunkFetch, cancel: () => void): PendingChunk {
  return {
    chunkIndex: fetch.chunkIndex,
    arrived: fetch.arrived,
    get refusedBytes() {
      return fetch.refusedBytes
    },
    release: () => fetch.release(),
    cancel: () => {
      cancel()
      fetch.release()
    },
  }
}
