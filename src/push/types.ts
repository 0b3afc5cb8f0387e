import { type CelebornError } from '../errors'

/** One map task attempt of one shuffle. */
export interface MapAttempt {
  readonly shuffleId: number
  readonly mapId: number
  /** Distinguishes retries and speculative copies of one map task. */
  readonly attemptId: number
  readonly numMappers: number
  readonly numPartitions: number
}

/** Where a batch belongs: a partition, written by one map task attempt. */
export interface PushTarget extends MapAttempt {
  readonly partitionId: number
}

/**
 * What the pushed bytes are.
 * - `compress` (default): raw bytes; the client applies the configured codec. With codec NONE they go out as they are.
 * - `stored`: raw bytes, sent uncopied behind the codec's stored-block header and checksum.
 * - `encoded`: the bytes already are one complete block of the configured codec.
 *
 * With codec NONE the three are the same.
 */
export type PushEncoding = 'compress' | 'stored' | 'encoded'

export interface PushOptions {
  readonly encoding?: PushEncoding | undefined
  /** Ends the wait for admission. It has no effect once the batch is admitted. */
  readonly signal?: AbortSignal | undefined
}

export interface PushBufferOptions extends PushOptions {
  /**
   * Runs exactly once, when the client no longer reads the bytes, and never while the push call is still on the
   * stack. It does not run for a push that was rejected: then the bytes were never the client's.
   */
  readonly onRelease: (reason: ReleaseReason) => void
}

/**
 * Why memory came back: how its batch ended, or `encoded` when the codec's output replaced it and the batch
 * goes on without it (its end is in {@link PushReceipt.settled}).
 */
export type ReleaseReason = 'acked' | 'failed' | 'dropped' | 'encoded'

/** Why an admitted batch was dropped without being an error. */
export type DropReason = 'map-ended' | 'stage-ended' | 'attempt-ended' | 'aborted' | 'closed'

/** How a batch ended. */
export type PushSettlement =
  | { readonly outcome: 'acked'; readonly batchId: number }
  | { readonly outcome: 'failed'; readonly batchId: number; readonly error: CelebornError }
  | { readonly outcome: 'dropped'; readonly batchId: number; readonly reason: DropReason }

/** Given at admission: from here on the client owns the batch's memory. */
export interface PushReceipt {
  /** Unique within the map task attempt; starts at 1; has gaps. 0 for an empty push, which sends nothing. */
  readonly batchId: number
  /** Payload bytes as given by the caller. */
  readonly bytes: number
  /** Resolves when the batch has ended, and never rejects. A failure is also thrown by the attempt's next call. */
  readonly settled: Promise<PushSettlement>
}
