import { type CelebornError } from '../errors'
import { encodeBare } from '../protocol/transport-message'
import { ControlMessageType } from '../protocol/control-message-type'
import {
  RPC_REQUEST_HEADER_BYTES,
  sliceKey,
  type StreamChunkSlice,
  WHOLE_CHUNK,
  writeRpcRequestHeader,
} from '../protocol/framing'
import { encodeChunkFetchRequest } from '../protocol/messages'
import { reportThrown } from './callbacks'
import { type GatherWriter } from './gather'
import { type ChunkRequest, monotonicMs, type PendingRequest } from './outbound'
import { nextRequestId } from './request-id'

/**
 * A chunk request under way. On the wire it is an RPC whose answer is a chunk; only a peer that cannot serve RPCs at
 * all answers it with RPC_FAILURE, which is why it also stands in the table of requests.
 */
export class ChunkFetch implements PendingRequest {
  readonly request: ChunkRequest
  readonly slice: StreamChunkSlice
  readonly key: string
  readonly requestId = nextRequestId()
  /** The chunk's own clock, which moves with its bytes, is in {@link ChunkTable}. */
  readonly timeoutMs = 0
  readonly timeoutClock = 'send'
  readonly byteLength: number
  readonly #body: Buffer
  readonly #table: ChunkTable
  /** When it was sent, then when its last bytes came. */
  clockMs = monotonicMs()
  /** One of the three answers was given, or nobody wants one. */
  settled = false
  /** Its bytes are arriving. */
  receiving = false
  /** The caller's memory, from `allocate` to `targetReleased`. */
  target: Uint8Array | null = null

  constructor(request: ChunkRequest, table: ChunkTable) {
    this.request = request
    this.#table = table
    this.slice = {
      streamId: request.streamId,
      chunkIndex: request.chunkIndex,
      offset: 0,
      length: WHOLE_CHUNK,
    }
    this.key = sliceKey(this.slice)
    this.#body = encodeBare(ControlMessageType.CHUNK_FETCH_REQUEST, encodeChunkFetchRequest(this.slice))
    this.byteLength = RPC_REQUEST_HEADER_BYTES + this.#body.length
  }

  encode(w: GatherWriter): void {
    const at = w.reserve(this.byteLength)
    const end = writeRpcRequestHeader(w.buffer, at, this.requestId, this.#body.length)
    w.buffer.set(this.#body, end)
  }

  writeStarted(): void {}
  writeEnded(): void {}

  onResponse(): void {
    this.fail('the peer answered a chunk request as if it were a plain RPC')
  }

  onRpcFailure(message: string): void {
    this.fail(message)
  }

  onError(error: CelebornError): void {
    if (!this.#settle()) return
    try {
      this.request.onError(error)
    } catch (thrown) {
      reportThrown('onError of a chunk request', thrown)
    }
  }

  /** The peer's own failure. */
  fail(message: string): void {
    if (!this.#settle()) return
    try {
      this.request.onFailure(message)
    } catch (thrown) {
      reportThrown('onFailure of a chunk request', thrown)
    }
  }

  complete(size: number): void {
    if (!this.#settle()) return
    try {
      this.request.onChunk(size)
    } catch (thrown) {
      reportThrown('onChunk', thrown)
    }
  }

  /** Nobody wants the answer any more. */
  cancel(): void {
    this.#settle()
  }

  /** The socket does not know the target any more. */
  releaseTarget(): void {
    if (this.target === null) return
    this.target = null
    try {
      this.request.targetReleased()
    } catch (thrown) {
      reportThrown('targetReleased', thrown)
    }
  }

  #settle(): boolean {
    if (this.settled) return false
    this.settled = true
    this.#table.forget(this)
    return true
  }
}

/** The chunk requests of one connection that wait for their answer. */
export class ChunkTable {
  readonly #byKey = new Map<string, ChunkFetch>()
  readonly #byRequest = new Map<ChunkRequest, ChunkFetch>()
  readonly #onForget: (fetch: ChunkFetch) => void

  /** @param onForget called when a fetch is settled or cancelled, before its callback */
  constructor(onForget: (fetch: ChunkFetch) => void) {
    this.#onForget = onForget
  }

  get size(): number {
    return this.#byKey.size
  }

  /** False if the same chunk is already being fetched. */
  add(fetch: ChunkFetch): boolean {
    if (this.#byKey.has(fetch.key) || this.#byRequest.has(fetch.request)) return false
    this.#byKey.set(fetch.key, fetch)
    this.#byRequest.set(fetch.request, fetch)
    return true
  }

  find(slice: StreamChunkSlice): ChunkFetch | undefined {
    return this.#byKey.get(sliceKey(slice))
  }

  findRequest(request: ChunkRequest): ChunkFetch | undefined {
    return this.#byRequest.get(request)
  }

  forget(fetch: ChunkFetch): void {
    if (this.#byKey.get(fetch.key) !== fetch) return
    this.#byKey.delete(fetch.key)
    this.#byRequest.delete(fetch.request)
    this.#onForget(fetch)
  }

  /** Those that have not moved for their time-out. They stay in the table. */
  expired(nowMs: number): ChunkFetch[] {
    let expired: ChunkFetch[] | null = null
    for (const fetch of this.#byKey.values()) {
      const { timeoutMs } = fetch.request
      if (!(timeoutMs > 0) || nowMs - fetch.clockMs < timeoutMs) continue
      expired ??= []
      expired.push(fetch)
    }
    return expired ?? NONE
  }
}

const NONE: ChunkFetch[] = []
