import { type CelebornError } from '../errors'
import { type WireId } from '../protocol/framing'
import { type GatherWriter } from './gather'

/**
 * A message to be sent. It stays the caller's object; the connection only calls it back. The methods run on the
 * connection's event loop turn and never inside the call that sent the message. What they throw is reported as a
 * warning and changes nothing else.
 */
export interface Outbound {
  /** Upper estimate of the bytes of the whole message on the wire, for queue accounting. */
  readonly byteLength: number
  /** Lays the message out; called at most once per send, right before its bytes are handed to the system. */
  encode(w: GatherWriter): void
  /**
   * Its first bytes are handed to the system and nothing older is waiting. Not called for a message that is never
   * written.
   * @param nowMs monotonic milliseconds ({@link monotonicMs})
   */
  writeStarted(nowMs: number): void
  /**
   * The memory that `encode` appended is no longer read by the socket. Exactly once per send, also for a message
   * that was never written. It says nothing about delivery: after a destroyed socket it comes all the same.
   */
  writeEnded(): void
}

/**
 * A message that wants an answer. Exactly one of `onResponse`, `onRpcFailure` and `onError` is called, exactly once
 * per send, and never inside the call that sent it. An answer and `writeEnded` may come in either order. When a
 * connection dies, `writeEnded` of everything it held comes first, then the `onError` calls, and before both the
 * connection has left its pool.
 */
export interface PendingRequest extends Outbound {
  /** Unique on the connection; see {@link nextRequestId}. */
  readonly requestId: number
  /** Milliseconds the peer may take to answer; 0 or Infinity waits for ever. */
  readonly timeoutMs: number
  /**
   * When the time-out's clock starts. `write` (default): with `writeStarted`, and anew when its last byte has been
   * handed to the system, so that waiting behind a slow socket does not count; a socket that takes no byte for
   * `timeoutMs` is destroyed. `send`: at once, as for RPCs, whose caller waits from there.
   */
  readonly timeoutClock?: 'write' | 'send'
  /** @param body the answer's body, valid during the call only: it lies in a buffer that is read into again. */
  onResponse(body: Uint8Array): void
  /** The peer answered with a failure. @param message its own words. */
  onRpcFailure(message: string): void
  /** No answer: timed out, connection lost, or never sent. */
  onError(error: CelebornError): void
}

/**
 * One whole chunk of a stream, read straight into the caller's memory. Exactly one of `onChunk`, `onFailure` and
 * `onError` is called, exactly once, unless the request is cancelled before.
 */
export interface ChunkRequest {
  readonly streamId: StreamId
  readonly chunkIndex: number
  /** Milliseconds without a byte of the answer after which the fetch fails. */
  readonly timeoutMs: number
  /**
   * Memory for the chunk, of at least `size` bytes, of which the first `size` are filled. It may throw: the chunk
   * is then skipped and `onError` called. Not called for an empty chunk.
   */
  allocate(size: number): Uint8Array
  /** The chunk is complete in the memory that `allocate` gave. */
  onChunk(size: number): void
  /** The peer could not serve the chunk. @param message its own words. */
  onFailure(message: string): void
  /** No answer: timed out, connection lost, or never sent. */
  onError(error: CelebornError): void
  /**
   * The socket holds no pointer to the memory any more; exactly once if `allocate` was called and returned. Until
   * then the memory must not be freed or used for anything else, whatever else was called.
   */
  targetReleased(): void
}

/** A stream's id: an int64 of the worker's choosing. */
export type StreamId = WireId

/** Monotonic clock of this layer, in milliseconds. */
export function monotonicMs(): number {
  return performance.now()
}
