import { type PartitionLocation, type StorageInfo } from '../locations'
import { type UserIdentifier } from './structures'

/** Messages between the LifecycleManager and a worker. */

export const SplitMode = { SOFT: 0, HARD: 1 } as const
export const PartitionType = { REDUCE: 0, MAP: 1, MAPGROUP: 2 } as const

export interface ReserveSlots {
  readonly applicationId: string
  readonly shuffleId: number
  readonly primaryLocations: readonly PartitionLocation[]
  readonly replicaLocations: readonly PartitionLocation[]
  /** Bytes. */
  readonly splitThreshold: number
  /** {@link SplitMode}. */
  readonly splitMode: number
  /** {@link PartitionType}. */
  readonly partitionType: number
  readonly rangeReadFilter: boolean
  readonly userIdentifier: UserIdentifier
  /** Milliseconds, for replication; 0 or less: the worker's own. */
  readonly pushDataTimeout: number
  readonly partitionSplitEnabled: boolean
  readonly availableStorageTypes: number
  readonly isSegmentGranularityVisible: boolean
}

export interface ReserveSlotsResponse {
  readonly status: number
  readonly reason: string
}

export interface CommitFiles {
  readonly applicationId: string
  readonly shuffleId: number
  /** Locations' unique ids. */
  readonly primaryIds: readonly string[]
  readonly replicaIds: readonly string[]
  /** Index mapId; -1 where the map task has not ended. */
  readonly mapAttempts: readonly number[]
  /** With the shuffle key, what makes a repeated request the same one. */
  readonly epoch: number
  readonly mockFailure: boolean
}

export interface CommitFilesResponse {
  readonly status: number
  readonly committedPrimaryIds: readonly string[]
  readonly committedReplicaIds: readonly string[]
  readonly failedPrimaryIds: readonly string[]
  readonly failedReplicaIds: readonly string[]
  readonly committedPrimaryStorageInfos: ReadonlyMap<string, StorageInfo>
  readonly committedReplicaStorageInfos: ReadonlyMap<string, StorageInfo>
  readonly totalWritten: number
  readonly fileCount: number
  /** RoaringBitmaps by unique id. */
  readonly mapIdBitmap: ReadonlyMap<string, Uint8Array>
}

/** DESTROY. */
export interface DestroyWorkerSlots {
  readonly shuffleKey: string
  readonly primaryIds: readonly string[]
  readonly replicaIds: readonly string[]
  readonly mockFailure: boolean
}

/** DESTROY_RESPONSE. */
export interface DestroyWorkerSlotsResponse {
  readonly status: number
  readonly failedPrimaries: readonly string[]
  readonly failedReplicas: readonly string[]
}
