import { ProtocolError } from '../errors'
import { type FramePool } from '../memory'
import { type Connection, type ConnectionPool, RpcClient } from '../network'
import { hostPort, partitionFileName } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import * as messages from '../protocol/messages'
import { ControlMessageType } from '../protocol/messages'
import { ChunkFetch } from './chunk'

/** What reading one location takes. */
export interface StreamSettings {
  readonly shuffleKey: string
  readonly startMapIndex: number
  readonly endMapIndex: number
  readonly fetchTimeoutMs: number
  /** Chunks asked for ahead. */
  readonly window: number
  readonly maxChunkBytes: number
}

/** One location's file, read chunk by chunk with a window of requests in flight. */
export class LocationStream {
  readonly hostPort: string
  private readonly rpc: RpcClient
  private handler: messages.StreamHandler | null = null
  private readonly inFlight: { fetch: ChunkFetch; connection: Connection }[] = []
  /** The chunk that {@link next} gave last: its reader may be gone before it had it. */
  private current: ChunkFetch | null = null
  private nextIndex = 0

  constructor(
    private readonly location: PartitionLocation,
    private readonly settings: StreamSettings,
    private readonly connections: ConnectionPool,
    private readonly frames: FramePool,
  ) {
    this.hostPort = hostPort(location.host, location.fetchPort)
    this.rpc = new RpcClient(connections)
  }

  /** Chunks of the file; known after {@link open}. */
  get numChunks(): number {
    return this.handler?.numChunks ?? 0
  }

  async open(signal: AbortSignal): Promise<void> {
    try {
      this.handler = await this.askOpen(signal)
    } catch (error) {
      // What a connection finds wrong names its peer; what an answer's decoder does, not.
      if (!(error instanceof ProtocolError) || error.context.hostPort !== undefined) throw error
      throw this.badAnswer(
        `answered an open stream with bytes that are no valid message: ${error.message}`,
        error,
      )
    }
    this.fill()
  }

  private async askOpen(signal: AbortSignal): Promise<messages.StreamHandler> {
    const { location, settings } = this
    const payload = messages.encodeOpenStream({
      shuffleKey: settings.shuffleKey,
      fileName: partitionFileName(location.id, location.epoch, location.mode),
      startIndex: settings.startMapIndex,
      endIndex: settings.endMapIndex,
      initialCredit: 0,
      readLocalShuffle: false,
    })
    const answer = await this.rpc.askBare(
      location.host,
      location.fetchPort,
      ControlMessageType.OPEN_STREAM,
      payload,
      { timeoutMs: settings.fetchTimeoutMs, signal },
    )
    if (answer.type !== ControlMessageType.STREAM_HANDLER)
      throw this.badAnswer(`answered an open stream with message ${answer.type}`)
    const handler = messages.decodeStreamHandler(answer.payload)
    if (handler.numChunks < 0) throw this.badAnswer(`opened a stream of ${handler.numChunks} chunks`)
    return handler
  }

  private badAnswer(what: string, cause?: unknown): ProtocolError {
    return new ProtocolError(`${this.hostPort} ${what}`, { hostPort: this.hostPort }, cause)
  }

  /** The next chunk in order, or null at the end. Its bytes are valid until the next call. */
  async next(): Promise<Uint8Array | null> {
    this.releaseCurrent()
    const head = this.inFlight[0]
    if (head === undefined) return null
    const bytes = await head.fetch.arrived
    // Closed meanwhile: it was released with the others.
    if (this.inFlight[0] !== head) return null
    this.inFlight.shift()
    this.current = head.fetch
    this.fill()
    return bytes
  }

  /** The reader is done with the chunk that it has. */
  releaseCurrent(): void {
    this.current?.release()
    this.current = null
  }

  /** Ends the stream at the worker, and lets go of chunks on their way. */
  close(): void {
    this.releaseCurrent()
    for (const { fetch, connection } of this.inFlight.splice(0)) {
      connection.cancelChunk(fetch)
      fetch.release()
    }
    const handler = this.handler
    if (handler === null) return
    this.handler = null
    this.rpc.sendBare(
      this.location.host,
      this.location.fetchPort,
      ControlMessageType.BUFFER_STREAM_END,
      messages.encodeBufferStreamEnd({ streamType: messages.StreamType.CHUNK, streamId: handler.streamId }),
    )
  }

  private fill(): void {
    const handler = this.handler
    if (handler === null) return
    while (this.inFlight.length < this.settings.window && this.nextIndex < handler.numChunks) {
      const fetch = new ChunkFetch(
        handler.streamId,
        this.nextIndex++,
        this.settings.fetchTimeoutMs,
        this.frames,
        this.settings.maxChunkBytes,
        this.hostPort,
      )
      const connection = this.connections.connection(this.location.host, this.location.fetchPort)
      this.inFlight.push({ fetch, connection })
      connection.fetchChunk(fetch)
    }
  }
}
