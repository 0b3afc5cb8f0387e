import { type PartitionLocation } from '../protocol/locations'
import { type ReadReducerPartitionEnd } from '../protocol/messages'

/** Where the committed data of a shuffle is, and which attempts of its map tasks count. */
export interface FileGroups {
  /** Partition id to its committed locations, one or more epochs; a partition without data is missing. */
  readonly locations: ReadonlyMap<number, readonly PartitionLocation[]>
  /** Index: map id; value: the attempt whose batches count. */
  readonly attempts: readonly number[]
}

/** What the read path asks of a LifecycleManager. */
export interface ReadLifecycle {
  /** Waits until the stage has ended. */
  reducerFileGroups(shuffleId: number, signal?: AbortSignal): Promise<FileGroups>
  /**
   * Has what was read of a partition compared with what was written to it.
   * @returns null when they agree, otherwise the driver's words
   */
  partitionRead(read: ReadReducerPartitionEnd, signal?: AbortSignal): Promise<string | null>
}
