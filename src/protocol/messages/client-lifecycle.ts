import { celeborn as pb } from '../generated/celeborn'
import { type PartitionLocation } from '../locations'
import { packLocations, unpackLocations } from '../packed-locations'
import { fromPbLocation, toPbLocation } from './convert'
import { decodeWith, encodeWith, fromMap, list, ownBytes, toMap, toNumber, toNumbers } from './pb'
import { type WithOptional } from './structures'

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
  /** Of this package's LifecycleManager: why it failed. Celeborn's own sends none. */
  readonly errorMsg: string
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
  /** Of this package's LifecycleManager: why data is lost. Celeborn's own sends none. */
  readonly errorMsg: string
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

export interface ReportBarrierStageAttemptFailure {
  readonly appShuffleId: number
  readonly appShuffleIdentifier: string
}

export interface ReportBarrierStageAttemptFailureResponse {
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

export function encodeRegisterShuffle(value: RegisterShuffle): Uint8Array {
  return encodeWith(pb.PbRegisterShuffle, value)
}

export function decodeRegisterShuffle(bytes: Uint8Array): RegisterShuffle {
  return decodeWith(
    'RegisterShuffle',
    pb.PbRegisterShuffle,
    bytes,
    ({ shuffleId, numMappers, numPartitions }) => ({ shuffleId, numMappers, numPartitions }),
  )
}

export function encodeRegisterShuffleResponse(
  value: WithOptional<RegisterShuffleResponse, 'errorMsg'>,
): Uint8Array {
  return encodeWith(pb.PbRegisterShuffleResponse, {
    status: value.status,
    packedPartitionLocationsPair: packLocations(value.locations),
    errorMsg: textOrNone(value.errorMsg),
  })
}

export function decodeRegisterShuffleResponse(bytes: Uint8Array): RegisterShuffleResponse {
  return decodeWith('RegisterShuffleResponse', pb.PbRegisterShuffleResponse, bytes, (message) => ({
    status: message.status,
    locations: unpackLocations(message.packedPartitionLocationsPair),
    errorMsg: message.errorMsg,
  }))
}

export function encodeRevive(value: Revive): Uint8Array {
  return encodeWith(pb.PbRevive, {
    shuffleId: value.shuffleId,
    mapId: list(value.mapIds),
    partitionInfo: value.partitions.map(({ partitionId, epoch, location, cause }) => ({
      partitionId,
      epoch,
      partition: location === undefined ? null : toPbLocation(location),
      status: cause,
    })),
  })
}

export function decodeRevive(bytes: Uint8Array): Revive {
  return decodeWith('Revive', pb.PbRevive, bytes, (message) => ({
    shuffleId: message.shuffleId,
    mapIds: message.mapId,
    partitions: message.partitionInfo.map(({ partitionId, epoch, partition, status }) => ({
      partitionId: partitionId ?? 0,
      epoch: epoch ?? 0,
      location: partition ? fromPbLocation(partition) : undefined,
      cause: status ?? 0,
    })),
  }))
}

export function encodeChangeLocationResponse(value: ChangeLocationResponse): Uint8Array {
  return encodeWith(pb.PbChangeLocationResponse, {
    endedMapId: list(value.endedMapIds),
    partitionInfo: value.partitions.map(({ partitionId, status, location, oldAvailable }) => ({
      partitionId,
      status,
      partition: location === undefined ? null : toPbLocation(location),
      oldAvailable,
    })),
  })
}

export function decodeChangeLocationResponse(bytes: Uint8Array): ChangeLocationResponse {
  return decodeWith('ChangeLocationResponse', pb.PbChangeLocationResponse, bytes, (message) => ({
    endedMapIds: message.endedMapId,
    partitions: message.partitionInfo.map(({ partitionId, status, partition, oldAvailable }) => ({
      partitionId: partitionId ?? 0,
      status: status ?? 0,
      location: partition ? fromPbLocation(partition) : undefined,
      oldAvailable: oldAvailable ?? false,
    })),
  }))
}

export function encodeMapperEnd(
  value: WithOptional<
    MapperEnd,
    'partitionId' | 'pushFailedBatches' | 'numPartitions' | 'crc32PerPartition' | 'bytesWrittenPerPartition'
  >,
): Uint8Array {
  return encodeWith(pb.PbMapperEnd, {
    shuffleId: value.shuffleId,
    mapId: value.mapId,
    attemptId: value.attemptId,
    numMappers: value.numMappers,
    partitionId: value.partitionId ?? -1,
    pushFailureBatches: toPbFailedBatches(value.pushFailedBatches),
    numPartitions: value.numPartitions ?? 0,
    crc32PerPartition: list(value.crc32PerPartition),
    bytesWrittenPerPartition: list(value.bytesWrittenPerPartition),
  })
}

export function decodeMapperEnd(bytes: Uint8Array): MapperEnd {
  return decodeWith('MapperEnd', pb.PbMapperEnd, bytes, (message) => ({
    shuffleId: message.shuffleId,
    mapId: message.mapId,
    attemptId: message.attemptId,
    numMappers: message.numMappers,
    partitionId: message.partitionId,
    pushFailedBatches: fromPbFailedBatches(message.pushFailureBatches),
    numPartitions: message.numPartitions,
    crc32PerPartition: message.crc32PerPartition,
    bytesWrittenPerPartition: toNumbers(message.bytesWrittenPerPartition, 'bytesWrittenPerPartition'),
  }))
}

export function encodeMapperEndResponse(value: MapperEndResponse): Uint8Array {
  return encodeWith(pb.PbStatusResponse, value)
}

export function decodeMapperEndResponse(bytes: Uint8Array): MapperEndResponse {
  return decodeWith('MapperEndResponse', pb.PbStatusResponse, bytes, ({ status }) => ({ status }))
}

export function encodeGetReducerFileGroup(
  value: WithOptional<GetReducerFileGroup, 'isSegmentGranularityVisible'>,
): Uint8Array {
  return encodeWith(pb.PbGetReducerFileGroup, {
    shuffleId: value.shuffleId,
    isSegmentGranularityVisible: value.isSegmentGranularityVisible ?? false,
  })
}

export function decodeGetReducerFileGroup(bytes: Uint8Array): GetReducerFileGroup {
  return decodeWith(
    'GetReducerFileGroup',
    pb.PbGetReducerFileGroup,
    bytes,
    ({ shuffleId, isSegmentGranularityVisible }) => ({ shuffleId, isSegmentGranularityVisible }),
  )
}

export function encodeGetReducerFileGroupResponse(
  value: WithOptional<
    GetReducerFileGroupResponse,
    'partitionIds' | 'pushFailedBatches' | 'broadcast' | 'errorMsg'
  >,
): Uint8Array {
  return encodeWith(pb.PbGetReducerFileGroupResponse, {
    status: value.status,
    fileGroups: fromMap(value.fileGroups, (locations) => ({
      partitionLocationsPair: packLocations(locations),
    })),
    attempts: list(value.attempts),
    partitionIds: list(value.partitionIds),
    pushFailedBatches: toPbFailedBatches(value.pushFailedBatches),
    broadcast: value.broadcast ?? null,
    errorMsg: textOrNone(value.errorMsg),
  })
}

export function decodeGetReducerFileGroupResponse(bytes: Uint8Array): GetReducerFileGroupResponse {
  return decodeWith('GetReducerFileGroupResponse', pb.PbGetReducerFileGroupResponse, bytes, (message) => {
    const fileGroups = new Map<number, PartitionLocation[]>()
    for (const [partitionId, group] of Object.entries(message.fileGroups)) {
      fileGroups.set(Number(partitionId), unpackLocations(group.partitionLocationsPair))
    }
    return {
      status: message.status,
      fileGroups,
      attempts: message.attempts,
      partitionIds: message.partitionIds,
      pushFailedBatches: fromPbFailedBatches(message.pushFailedBatches),
      broadcast: ownBytes(message.broadcast),
      errorMsg: message.errorMsg,
    }
  })
}

export function encodeGetShuffleId(value: GetShuffleId): Uint8Array {
  return encodeWith(pb.PbGetShuffleId, value)
}

export function decodeGetShuffleId(bytes: Uint8Array): GetShuffleId {
  return decodeWith(
    'GetShuffleId',
    pb.PbGetShuffleId,
    bytes,
    ({ appShuffleId, appShuffleIdentifier, isShuffleWriter, isBarrierStage }) => ({
      appShuffleId,
      appShuffleIdentifier,
      isShuffleWriter,
      isBarrierStage,
    }),
  )
}

export function encodeGetShuffleIdResponse(value: GetShuffleIdResponse): Uint8Array {
  return encodeWith(pb.PbGetShuffleIdResponse, value)
}

export function decodeGetShuffleIdResponse(bytes: Uint8Array): GetShuffleIdResponse {
  return decodeWith('GetShuffleIdResponse', pb.PbGetShuffleIdResponse, bytes, ({ shuffleId, success }) => ({
    shuffleId,
    success,
  }))
}

export function encodeReportShuffleFetchFailure(value: ReportShuffleFetchFailure): Uint8Array {
  return encodeWith(pb.PbReportShuffleFetchFailure, value)
}

export function decodeReportShuffleFetchFailure(bytes: Uint8Array): ReportShuffleFetchFailure {
  return decodeWith('ReportShuffleFetchFailure', pb.PbReportShuffleFetchFailure, bytes, (message) => ({
    appShuffleId: message.appShuffleId,
    shuffleId: message.shuffleId,
    taskId: toNumber(message.taskId, 'taskId'),
  }))
}

export function encodeReportShuffleFetchFailureResponse(
  value: ReportShuffleFetchFailureResponse,
): Uint8Array {
  return encodeWith(pb.PbReportShuffleFetchFailureResponse, value)
}

export function decodeReportShuffleFetchFailureResponse(
  bytes: Uint8Array,
): ReportShuffleFetchFailureResponse {
  return decodeWith(
    'ReportShuffleFetchFailureResponse',
    pb.PbReportShuffleFetchFailureResponse,
    bytes,
    ({ success }) => ({ success }),
  )
}

export function encodeReportBarrierStageAttemptFailure(value: ReportBarrierStageAttemptFailure): Uint8Array {
  return encodeWith(pb.PbReportBarrierStageAttemptFailure, value)
}

export function decodeReportBarrierStageAttemptFailure(bytes: Uint8Array): ReportBarrierStageAttemptFailure {
  return decodeWith(
    'ReportBarrierStageAttemptFailure',
    pb.PbReportBarrierStageAttemptFailure,
    bytes,
    ({ appShuffleId, appShuffleIdentifier }) => ({ appShuffleId, appShuffleIdentifier }),
  )
}

export function encodeReportBarrierStageAttemptFailureResponse(
  value: ReportBarrierStageAttemptFailureResponse,
): Uint8Array {
  return encodeWith(pb.PbReportBarrierStageAttemptFailureResponse, value)
}

export function decodeReportBarrierStageAttemptFailureResponse(
  bytes: Uint8Array,
): ReportBarrierStageAttemptFailureResponse {
  return decodeWith(
    'ReportBarrierStageAttemptFailureResponse',
    pb.PbReportBarrierStageAttemptFailureResponse,
    bytes,
    ({ success }) => ({ success }),
  )
}

export function encodeGetStageEnd(value: GetStageEnd): Uint8Array {
  return encodeWith(pb.PbGetStageEnd, value)
}

export function decodeGetStageEnd(bytes: Uint8Array): GetStageEnd {
  return decodeWith('GetStageEnd', pb.PbGetStageEnd, bytes, ({ shuffleId }) => ({ shuffleId }))
}

export function encodeGetStageEndResponse(value: GetStageEndResponse): Uint8Array {
  return encodeWith(pb.PbGetStageEndResponse, value)
}

export function decodeGetStageEndResponse(bytes: Uint8Array): GetStageEndResponse {
  return decodeWith('GetStageEndResponse', pb.PbGetStageEndResponse, bytes, ({ stageEnd }) => ({ stageEnd }))
}

export function encodeReadReducerPartitionEnd(value: ReadReducerPartitionEnd): Uint8Array {
  return encodeWith(pb.PbReadReducerPartitionEnd, { ...value, startMaxIndex: value.startMapIndex })
}

export function decodeReadReducerPartitionEnd(bytes: Uint8Array): ReadReducerPartitionEnd {
  return decodeWith('ReadReducerPartitionEnd', pb.PbReadReducerPartitionEnd, bytes, (message) => ({
    shuffleId: message.shuffleId,
    partitionId: message.partitionId,
    startMapIndex: message.startMaxIndex,
    endMapIndex: message.endMapIndex,
    crc32: message.crc32,
    bytesWritten: toNumber(message.bytesWritten, 'bytesWritten'),
  }))
}

export function encodeReadReducerPartitionEndResponse(value: ReadReducerPartitionEndResponse): Uint8Array {
  return encodeWith(pb.PbReadReducerPartitionEndResponse, value)
}

export function decodeReadReducerPartitionEndResponse(bytes: Uint8Array): ReadReducerPartitionEndResponse {
  return decodeWith(
    'ReadReducerPartitionEndResponse',
    pb.PbReadReducerPartitionEndResponse,
    bytes,
    ({ status, errorMsg }) => ({ status, errorMsg }),
  )
}

export function encodeApplicationMetaRequest(value: ApplicationMetaRequest): Uint8Array {
  return encodeWith(pb.PbApplicationMetaRequest, value)
}

export function decodeApplicationMetaRequest(bytes: Uint8Array): ApplicationMetaRequest {
  return decodeWith('ApplicationMetaRequest', pb.PbApplicationMetaRequest, bytes, ({ appId }) => ({ appId }))
}

export function encodeApplicationMeta(value: ApplicationMeta): Uint8Array {
  return encodeWith(pb.PbApplicationMeta, value)
}

export function decodeApplicationMeta(bytes: Uint8Array): ApplicationMeta {
  return decodeWith('ApplicationMeta', pb.PbApplicationMeta, bytes, ({ appId, secret }) => ({
    appId,
    secret,
  }))
}

type PbFailedBatches = { [key: string]: pb.PbLocationPushFailedBatches.$Properties }

function toPbFailedBatches(batches: PushFailedBatches | undefined): PbFailedBatches {
  return fromMap(batches, (attempts) => ({
    failedBatches: fromMap(attempts, (ids) => ({ failedBatches: list(ids) })),
  }))
}

function fromPbFailedBatches(batches: PbFailedBatches): PushFailedBatches {
  return toMap(batches, (attempts) => toMap(attempts.failedBatches, (ids) => ids.failedBatches ?? []))
}

/** A field that Celeborn does not have is left out where there is nothing to say. */
function textOrNone(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
