import {
  CHUNK_FETCH_SUCCESS_HEADER_BYTES,
  chunkFetchFailureLength,
  HEARTBEAT_BYTES,
  ONE_WAY_MESSAGE_HEADER_BYTES,
  RPC_REQUEST_HEADER_BYTES,
  RPC_RESPONSE_HEADER_BYTES,
  rpcFailureLength,
  type StreamChunkSlice,
  type WireId,
  writeChunkFetchFailure,
  writeChunkFetchSuccessHeader,
  writeHeartbeat,
  writeOneWayMessageHeader,
  writeRpcFailure,
  writeRpcRequestHeader,
  writeRpcResponseHeader,
} from '../protocol/framing'
import { type GatherWriter } from './gather'
import { type Outbound } from './outbound'

/** Called when a message's memory is no longer read. */
export type OnWritten = () => void

/** A message with a fixed head and a body that is sent from where it lies. */
abstract class BodyMessage implements Outbound {
  readonly byteLength: number
  protected readonly bodySize: number
  readonly #headBytes: number
  readonly #parts: readonly Uint8Array[]
  readonly #onWritten: OnWritten | undefined

  constructor(headBytes: number, parts: readonly Uint8Array[], onWritten?: OnWritten) {
    let size = 0
    for (const part of parts) size += part.length
    this.bodySize = size
    this.byteLength = headBytes + size
    this.#headBytes = headBytes
    this.#parts = parts
    this.#onWritten = onWritten
  }

  encode(w: GatherWriter): void {
    const at = w.reserve(this.#headBytes)
    this.writeHead(w.buffer, at)
    for (const part of this.#parts) w.append(part)
  }

  writeStarted(): void {}

  writeEnded(): void {
    this.#onWritten?.()
  }

  protected abstract writeHead(buffer: Buffer, at: number): void
}

/** RPC_RESPONSE: answers RPCs and pushes. */
export class RpcResponseMessage extends BodyMessage {
  readonly #requestId: WireId

  constructor(requestId: WireId, parts: readonly Uint8Array[] = [], onWritten?: OnWritten) {
    super(RPC_RESPONSE_HEADER_BYTES, parts, onWritten)
    this.#requestId = requestId
  }

  protected writeHead(buffer: Buffer, at: number): void {
    writeRpcResponseHeader(buffer, at, this.#requestId, this.bodySize)
  }
}

/** CHUNK_FETCH_SUCCESS; `slice` repeats the request's. */
export class ChunkSuccessMessage extends BodyMessage {
  readonly #slice: StreamChunkSlice

  constructor(slice: StreamChunkSlice, parts: readonly Uint8Array[], onWritten?: OnWritten) {
    super(CHUNK_FETCH_SUCCESS_HEADER_BYTES, parts, onWritten)
    this.#slice = slice
  }

  protected writeHead(buffer: Buffer, at: number): void {
    writeChunkFetchSuccessHeader(buffer, at, this.#slice, this.bodySize)
  }
}

/** RPC_REQUEST that nobody answers. */
export class RpcRequestMessage extends BodyMessage {
  readonly #requestId: WireId

  constructor(requestId: WireId, parts: readonly Uint8Array[], onWritten?: OnWritten) {
    super(RPC_REQUEST_HEADER_BYTES, parts, onWritten)
    this.#requestId = requestId
  }

  protected writeHead(buffer: Buffer, at: number): void {
    writeRpcRequestHeader(buffer, at, this.#requestId, this.bodySize)
  }
}

/** ONE_WAY_MESSAGE. */
export class OneWayMessage extends BodyMessage {
  constructor(parts: readonly Uint8Array[], onWritten?: OnWritten) {
    super(ONE_WAY_MESSAGE_HEADER_BYTES, parts, onWritten)
  }

  protected writeHead(buffer: Buffer, at: number): void {
    writeOneWayMessageHeader(buffer, at, this.bodySize)
  }
}

/** RPC_FAILURE. */
export class RpcFailureMessage implements Outbound {
  readonly byteLength: number
  readonly #requestId: WireId
  readonly #error: string
  readonly #onWritten: OnWritten | undefined

  constructor(requestId: WireId, error: string, onWritten?: OnWritten) {
    this.#requestId = requestId
    this.#error = error
    this.#onWritten = onWritten
    this.byteLength = rpcFailureLength(error)
  }

  encode(w: GatherWriter): void {
    const at = w.reserve(this.byteLength)
    writeRpcFailure(w.buffer, at, this.#requestId, this.#error)
  }

  writeStarted(): void {}

  writeEnded(): void {
    this.#onWritten?.()
  }
}

/** CHUNK_FETCH_FAILURE. */
export class ChunkFailureMessage implements Outbound {
  readonly byteLength: number
  readonly #slice: StreamChunkSlice
  readonly #error: string

  constructor(slice: StreamChunkSlice, error: string) {
    this.#slice = slice
    this.#error = error
    this.byteLength = chunkFetchFailureLength(error)
  }

  encode(w: GatherWriter): void {
    const at = w.reserve(this.byteLength)
    writeChunkFetchFailure(w.buffer, at, this.#slice, this.#error)
  }

  writeStarted(): void {}
  writeEnded(): void {}
}

/** HEARTBEAT. */
export class HeartbeatMessage implements Outbound {
  readonly byteLength = HEARTBEAT_BYTES
  readonly #onWritten: OnWritten | undefined

  constructor(onWritten?: OnWritten) {
    this.#onWritten = onWritten
  }

  encode(w: GatherWriter): void {
    const at = w.reserve(HEARTBEAT_BYTES)
    writeHeartbeat(w.buffer, at)
  }

  writeStarted(): void {}

  writeEnded(): void {
    this.#onWritten?.()
  }
}
