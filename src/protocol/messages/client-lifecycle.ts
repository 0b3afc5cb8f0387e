import { type PartitionLocation } from '../locations'

/** Messages between a ShuffleClient and the LifecycleManager. */

export interface RegisterShuffle {
  readonly shuffleId: number
  readonly numMappers: number
  readonly numPartitions: number
}

export interface RegisterShuffleResponse {
  readonly status: number
  /** Primaries with their peers, the newest epoch of each partition. */
  readonly locations: readonly PartitionLocation[]
}

export interface RevivePartitionInfo {
  readonly partitionId: number
  /** Of the location that fails; -1 when none is known. */
  readonly epoch: number
  readonly location?: PartitionLocation | undefined
  /** StatusCode. */
  readonly cause: number
}

/** CHANGE_LOCATION. */
export interface Revive {
  readonly shuffleId: number
  /** Map tasks that need it. */
  readonly mapIds: readonly number[]
  readonly partitions: readonly RevivePartitionInfo[]
}

export interface ChangeLocationPartitionInfo {
  /** -1 when the answer is about the whole shuffle. */
  readonly partitionId: number
  readonly status: number
  /** The new location with its peer. */
  readonly location?: PartitionLocation | undefined
  readonly oldAvailable: boolean
}

export interface ChangeLocationResponse {
  readonly endedMapIds: readonly number[]
  readonly partitions: readonly ChangeLocationPartitionInfo[]
}

/** Location's unique id -> `<mapId>-<attemptId>` -> batch ids. */
export type PushFailedBatches = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

export interface MapperEnd {
  readonly shuffleId: number
  readonly mapId: number
  readonly attemptId: number
  readonly numMappers: number
  /** -1 for reduce partitions. */
  readonly partitionId: number
  readonly pushFailedBatches: PushFailedBatches
  readonly numPartitions: number
  /** Empty unless the integrity check is on. */
  readonly crc32PerPartition: readonly number[]
  readonly bytesWrittenPerPartition: readonly number[]
}

export interface MapperEndResponse {
  readonly status: number
}

export interface GetReducerFileGroup {
  readonly shuffleId: number
  readonly isSegmentGranularityVisible: boolean
}

export interface GetReducerFileGroupResponse {
  readonly status: number
  /** Partition id -> its committed locations; partitions without data are missing. */
  readonly fileGroups: ReadonlyMap<number, readonly PartitionLocation[]>
  /** Index mapId, value the attempt whose data counts. */
  readonly attempts: readonly number[]
  /** Map partitions only. */
  readonly partitionIds: readonly number[]
  readonly pushFailedBatches: PushFailedBatches
  /** A Spark broadcast of this answer; empty unless enabled. */
  readonly broadcast: Uint8Array
}

export interface GetShuffleId {
  readonly appShuffleId: number
  readonly appShuffleIdentifier: string
  readonly isShuffleWriter: boolean
  readonly isBarrierStage: boolean
}

export interface GetShuffleIdResponse {
  /** -1 when there is none. */
  readonly shuffleId: number
  /** 0.5 does not send it and means true. */
  readonly success: boolean
}

export interface ReportShuffleFetchFailure {
  readonly appShuffleId: number
  readonly shuffleId: number
  readonly taskId: number
}

export interface ReportShuffleFetchFailureResponse {
  readonly success: boolean
}

export interface GetStageEnd {
  readonly shuffleId: number
}

export interface GetStageEndResponse {
  readonly stageEnd: boolean
}

export interface ReadReducerPartitionEnd {
  readonly shuffleId: number
  readonly partitionId: number
  readonly startMapIndex: number
  readonly endMapIndex: number
  readonly crc32: number
  readonly bytesWritten: number
}

export interface ReadReducerPartitionEndResponse {
  readonly status: number
  readonly errorMsg: string
}

export interface ApplicationMetaRequest {
  readonly appId: string
}

export interface ApplicationMeta {
  readonly appId: string
  readonly secret: string
}
