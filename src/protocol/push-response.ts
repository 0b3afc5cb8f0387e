/** What a worker's answer to a PUSH_DATA means for its batch. */
export interface PushAnswer {
  readonly kind: PushAnswerKind
  /** The status byte; 0 for an empty answer. */
  readonly status: number
}

/**
 * - `success`: written.
 * - `congested`: written, but the primary or replica wants a slower client.
 * - `soft-split`: written; the partition wants a new location for later batches.
 * - `hard-split`: not written; must go to a new location.
 * - `map-ended`: another attempt of this map task has won; not needed.
 * - `stage-ended`: the stage is over; not needed.
 * - `unknown`: a byte that means nothing here. A failure, to be tried again: readers drop duplicates.
 */
export type PushAnswerKind =
  | 'success'
  | 'congested'
  | 'soft-split'
  | 'hard-split'
  | 'map-ended'
  | 'stage-ended'
  | 'unknown'

/** What a worker's answer to a PUSH_MERGED_DATA means for its batches. */
export interface PushMergedAnswer {
  /** `split` when it differs from batch to batch: see the two lists; batches in neither were written. */
  readonly kind: 'success' | 'congested' | 'split' | 'map-ended' | 'stage-ended' | 'unknown'
  readonly status: number
  /** Indexes of batches that were not written and must go to a new location; ascending. */
  readonly hardSplit: readonly number[]
  /** Indexes of batches that were written but whose partition wants a new location; ascending. */
  readonly softSplit: readonly number[]
}

/** Classifies the body of an answer to a PUSH_DATA. Does not allocate. */
export declare function classifyPushData(body: Uint8Array): PushAnswer
/** Classifies the body of an answer to a PUSH_MERGED_DATA of `batchCount` batches. Throws a ProtocolError. */
export declare function classifyPushMerged(body: Uint8Array, batchCount: number): PushMergedAnswer
/** Encodes the answer of a worker that has split some partitions of a PUSH_MERGED_DATA. */
export declare function encodePushMergedSplit(
  hardSplit: readonly number[],
  softSplit: readonly number[],
): Buffer
/** The cause that a client derives from the text of an RPC_FAILURE to a push. */
export declare function causeOfFailure(text: string | null | undefined): number
