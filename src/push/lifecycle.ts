import { type PartitionLocation } from '../protocol/locations'
import { type AttemptSums } from './sums'
import { type MapAttempt } from './types'

/** One partition that needs a new location. */
export interface ReviveRequest {
  readonly partitionId: number
  /** Epoch of the location that failed or split; -1 when there was none. */
  readonly epoch: number
  /** The location itself, if there was one. */
  readonly location: PartitionLocation | null
  /** StatusCode that says why. */
  readonly cause: number
}

/** What became of one partition. */
export interface ReviveResult {
  readonly partitionId: number
  readonly status: number
  readonly location: PartitionLocation | null
}

/** Answer to a batch of revive requests. */
export interface ReviveAnswer {
  /** Map tasks that another attempt has finished: their data is not needed any more. */
  readonly endedMapIds: readonly number[]
  readonly partitions: readonly ReviveResult[]
}

/** A map task attempt whose data has arrived. */
export interface EndedAttempt extends MapAttempt {
  /** What it has written, where the integrity check is on; otherwise null. */
  readonly sums: AttemptSums | null
}

/** What the push path asks of a LifecycleManager. */
export interface PushLifecycle {
  /** Registers the shuffle (idempotent on the other side) and returns the primaries of all partitions. */
  registerShuffle(shuffleId: number, numMappers: number, numPartitions: number): Promise<PartitionLocation[]>
  revive(
    shuffleId: number,
    mapIds: readonly number[],
    requests: readonly ReviveRequest[],
  ): Promise<ReviveAnswer>
  /** Reports a map task attempt as finished. @param signal ends retries of the report */
  mapperEnd(attempt: EndedAttempt, signal: AbortSignal): Promise<void>
}
