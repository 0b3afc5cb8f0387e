import { celeborn as pb } from '../generated/celeborn'
import { type PartitionLocation, type StorageInfo } from '../locations'
import { packLocations, unpackLocations } from '../packed-locations'
import { byMode, fromPbResource, fromPbStorage, fromPbUser, toPbStorage } from './convert'
import { decodeWith, encodeWith, fromMap, list, ownBytes, same, toMap, toNumber } from './pb'
import { type UserIdentifier, type WithOptional } from './structures'

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

export function encodeReserveSlots(
  value: WithOptional<ReserveSlots, 'isSegmentGranularityVisible'>,
): Uint8Array {
  return encodeWith(pb.PbReserveSlots, {
    applicationId: value.applicationId,
    shuffleId: value.shuffleId,
    splitThreshold: value.splitThreshold,
    splitMode: value.splitMode,
    partitionType: value.partitionType,
    rangeReadFilter: value.rangeReadFilter,
    userIdentifier: value.userIdentifier,
    pushDataTimeout: value.pushDataTimeout,
    partitionSplitEnabled: value.partitionSplitEnabled,
    availableStorageTypes: value.availableStorageTypes,
    partitionLocationsPair: packLocations([...value.primaryLocations, ...value.replicaLocations]),
    isSegmentGranularityVisible: value.isSegmentGranularityVisible ?? false,
  })
}

export function decodeReserveSlots(bytes: Uint8Array): ReserveSlots {
  return decodeWith('ReserveSlots', pb.PbReserveSlots, bytes, (message) => {
    const { primaryLocations, replicaLocations } = message
    const unpacked = primaryLocations.length > 0 || replicaLocations.length > 0
    const { primaries, replicas } = unpacked
      ? fromPbResource({ primaryPartitions: primaryLocations, replicaPartitions: replicaLocations })
      : byMode(unpackLocations(message.partitionLocationsPair))
    return {
      applicationId: message.applicationId,
      shuffleId: message.shuffleId,
      primaryLocations: primaries,
      replicaLocations: replicas,
      splitThreshold: toNumber(message.splitThreshold, 'splitThreshold'),
      splitMode: message.splitMode,
      partitionType: message.partitionType,
      rangeReadFilter: message.rangeReadFilter,
      userIdentifier: fromPbUser(message.userIdentifier),
      pushDataTimeout: toNumber(message.pushDataTimeout, 'pushDataTimeout'),
      partitionSplitEnabled: message.partitionSplitEnabled,
      availableStorageTypes: message.availableStorageTypes,
      isSegmentGranularityVisible: message.isSegmentGranularityVisible,
    }
  })
}

export function encodeReserveSlotsResponse(value: ReserveSlotsResponse): Uint8Array {
  return encodeWith(pb.PbReserveSlotsResponse, value)
}

export function decodeReserveSlotsResponse(bytes: Uint8Array): ReserveSlotsResponse {
  return decodeWith('ReserveSlotsResponse', pb.PbReserveSlotsResponse, bytes, ({ status, reason }) => ({
    status,
    reason,
  }))
}

export function encodeCommitFiles(value: WithOptional<CommitFiles, 'mockFailure'>): Uint8Array {
  return encodeWith(pb.PbCommitFiles, {
    applicationId: value.applicationId,
    shuffleId: value.shuffleId,
    primaryIds: list(value.primaryIds),
    replicaIds: list(value.replicaIds),
    mapAttempts: list(value.mapAttempts),
    epoch: value.epoch,
    mockFailure: value.mockFailure ?? false,
  })
}

export function decodeCommitFiles(bytes: Uint8Array): CommitFiles {
  return decodeWith('CommitFiles', pb.PbCommitFiles, bytes, (message) => ({
    applicationId: message.applicationId,
    shuffleId: message.shuffleId,
    primaryIds: message.primaryIds,
    replicaIds: message.replicaIds,
    mapAttempts: message.mapAttempts,
    epoch: toNumber(message.epoch, 'epoch'),
    mockFailure: message.mockFailure,
  }))
}

export function encodeCommitFilesResponse(
  value: WithOptional<CommitFilesResponse, 'mapIdBitmap'>,
): Uint8Array {
  return encodeWith(pb.PbCommitFilesResponse, {
    status: value.status,
    committedPrimaryIds: list(value.committedPrimaryIds),
    committedReplicaIds: list(value.committedReplicaIds),
    failedPrimaryIds: list(value.failedPrimaryIds),
    failedReplicaIds: list(value.failedReplicaIds),
    committedPrimaryStorageInfos: fromMap(value.committedPrimaryStorageInfos, toPbStorage),
    committedReplicaStorageInfos: fromMap(value.committedReplicaStorageInfos, toPbStorage),
    totalWritten: value.totalWritten,
    fileCount: value.fileCount,
    mapIdBitmap: fromMap(value.mapIdBitmap, same),
  })
}

export function decodeCommitFilesResponse(bytes: Uint8Array): CommitFilesResponse {
  return decodeWith('CommitFilesResponse', pb.PbCommitFilesResponse, bytes, (message) => ({
    status: message.status,
    committedPrimaryIds: message.committedPrimaryIds,
    committedReplicaIds: message.committedReplicaIds,
    failedPrimaryIds: message.failedPrimaryIds,
    failedReplicaIds: message.failedReplicaIds,
    committedPrimaryStorageInfos: toMap(message.committedPrimaryStorageInfos, fromPbStorage),
    committedReplicaStorageInfos: toMap(message.committedReplicaStorageInfos, fromPbStorage),
    totalWritten: toNumber(message.totalWritten, 'totalWritten'),
    fileCount: message.fileCount,
    mapIdBitmap: toMap(message.mapIdBitmap, ownBytes),
  }))
}

export function encodeDestroyWorkerSlots(value: WithOptional<DestroyWorkerSlots, 'mockFailure'>): Uint8Array {
  return encodeWith(pb.PbDestroyWorkerSlots, {
    shuffleKey: value.shuffleKey,
    primaryLocations: list(value.primaryIds),
    replicaLocation: list(value.replicaIds),
    mockFailure: value.mockFailure ?? false,
  })
}

export function decodeDestroyWorkerSlots(bytes: Uint8Array): DestroyWorkerSlots {
  return decodeWith('DestroyWorkerSlots', pb.PbDestroyWorkerSlots, bytes, (message) => ({
    shuffleKey: message.shuffleKey,
    primaryIds: message.primaryLocations,
    replicaIds: message.replicaLocation,
    mockFailure: message.mockFailure,
  }))
}

export function encodeDestroyWorkerSlotsResponse(value: DestroyWorkerSlotsResponse): Uint8Array {
  return encodeWith(pb.PbDestroyWorkerSlotsResponse, {
    status: value.status,
    failedPrimaries: list(value.failedPrimaries),
    failedReplicas: list(value.failedReplicas),
  })
}

export function decodeDestroyWorkerSlotsResponse(bytes: Uint8Array): DestroyWorkerSlotsResponse {
  return decodeWith(
    'DestroyWorkerSlotsResponse',
    pb.PbDestroyWorkerSlotsResponse,
    bytes,
    ({ status, failedPrimaries, failedReplicas }) => ({ status, failedPrimaries, failedReplicas }),
  )
}
