/**
 * Every error this package throws or reports. One base class with a stable `code`; a subclass only where
 * callers are expected to tell the cause apart with `instanceof`.
 */

/** Stable machine-readable causes. A code never changes its meaning between releases. */
export type ErrorCode =
  | 'CELEBORN_CONFIG' // a configuration value is wrong, or an argument of ours is
  | 'CELEBORN_FRAME_STATE' // a frame was touched by somebody who does not own it
  | 'CELEBORN_POOL_EXHAUSTED' // the frame pool's cap is reached
  | 'CELEBORN_OUT_OF_MEMORY' // the system refused memory
  | 'CELEBORN_NATIVE_UNAVAILABLE' // the addon is missing or was built for another runtime
  | 'CELEBORN_PROTOCOL' // a peer sent bytes that are no valid message
  | 'CELEBORN_CONNECT' // no connection could be made
  | 'CELEBORN_CONNECTION_LOST' // an established connection died
  | 'CELEBORN_TIMEOUT' // the peer did not answer in time
  | 'CELEBORN_RPC' // the peer answered a request with a failure
  | 'CELEBORN_ADMISSION_TIMEOUT' // waiting for room in flight took too long
  | 'CELEBORN_ABORTED' // an AbortSignal or an abort of the attempt ended the operation
  | 'CELEBORN_CLOSED' // the client, pool or cluster is closed
  | 'CELEBORN_PUSH_FAILED' // a batch could not be delivered
  | 'CELEBORN_REVIVE_FAILED' // no new location for a partition could be had
  | 'CELEBORN_REGISTER_FAILED' // the shuffle could not be registered
  | 'CELEBORN_COMMIT_FAILED' // mapper end or commit failed
  | 'CELEBORN_DATA_LOST' // committed data of a shuffle is gone
  | 'CELEBORN_CORRUPT_DATA' // data read back fails its checks
  | 'CELEBORN_FETCH_FAILED' // a partition's data could not be read
  | 'CELEBORN_IO' // a local file or disk failed
  | 'CELEBORN_INTERNAL' // an invariant of this package is broken: a bug of ours

/** What an error is about. Only fields that are known are set. */
export interface ErrorContext {
  /** `host:port` of the peer. */
  readonly hostPort?: string | undefined
  readonly applicationId?: string | undefined
  readonly shuffleId?: number | undefined
  readonly partitionId?: number | undefined
  readonly mapId?: number | undefined
  readonly attemptId?: number | undefined
  readonly batchId?: number | undefined
  /** The partition's location, `<partitionId>-<epoch>`. */
  readonly location?: string | undefined
  /** The peer's own words. */
  readonly peerMessage?: string | undefined
  /** A Celeborn status code, where the peer gave one. */
  readonly status?: number | undefined
  /** Earlier tries of the same operation, oldest first, each in one line. */
  readonly attempts?: readonly string[] | undefined
  readonly path?: string | undefined
  /** Of a part of a file, in bytes. */
  readonly offset?: number | undefined
  readonly length?: number | undefined
}

/** Base of all errors of this package. */
export class CelebornError extends Error {
  /** Stable cause; see {@link ErrorCode}. */
  readonly code: ErrorCode
  /** What the error is about: peer, shuffle, partition, map task, batch. */
  readonly context: Readonly<ErrorContext>

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.context = context
  }
}

/** A configuration key or an argument has a wrong value; the message names it, its value and what is accepted. */
export class ConfigError extends CelebornError {
  constructor(message: string, cause?: unknown) {
    super('CELEBORN_CONFIG', message, {}, cause)
  }
}

/** A frame was used by somebody who does not own it; the message says who does. */
export class FrameStateError extends CelebornError {
  constructor(message: string) {
    super('CELEBORN_FRAME_STATE', message)
  }
}

/** The frame pool's cap is reached: release frames, raise the cap, or wait with `acquireAsync`. */
export class PoolExhaustedError extends CelebornError {
  constructor(message: string) {
    super('CELEBORN_POOL_EXHAUSTED', message)
  }
}

/** A peer sent bytes that are no valid message of the protocol. The connection they came on is closed. */
export class ProtocolError extends CelebornError {
  constructor(message: string, context: ErrorContext = {}, cause?: unknown) {
    super('CELEBORN_PROTOCOL', message, context, cause)
  }
}

/** No connection could be made, or an established one died. */
export class ConnectionError extends CelebornError {
  constructor(
    code: 'CELEBORN_CONNECT' | 'CELEBORN_CONNECTION_LOST',
    message: string,
    context: ErrorContext = {},
    cause?: unknown,
  ) {
    super(code, message, context, cause)
  }
}

/** The peer did not answer in time. */
export class TimeoutError extends CelebornError {
  constructor(message: string, context: ErrorContext = {}) {
    super('CELEBORN_TIMEOUT', message, context)
  }
}

/** The peer answered a request with a failure; `context.peerMessage` has its words. */
export class RpcError extends CelebornError {
  constructor(message: string, context: ErrorContext = {}, cause?: unknown) {
    super('CELEBORN_RPC', message, context, cause)
  }
}

/** The client, pool, server or cluster is closed. */
export class ClosedError extends CelebornError {
  constructor(message: string) {
    super('CELEBORN_CLOSED', message)
  }
}

/** An AbortSignal or an abort of the map attempt ended the operation. */
export class AbortedError extends CelebornError {
  constructor(message: string, context: ErrorContext = {}, cause?: unknown) {
    super('CELEBORN_ABORTED', message, context, cause)
  }
}
