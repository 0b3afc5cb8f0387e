import { celeborn as pb } from '../generated/celeborn'
import { type WorkerResource } from '../locations'
import {
  fromPbPackedResource,
  fromPbResource,
  fromPbUser,
  fromPbWorker,
  toPbPackedResource,
  toPbResource,
  toPbWorker,
} from './convert'
import { decodeWith, encodeWith, fromMap, list, same, toMap, toNumber } from './pb'
import { type UserIdentifier, type WithOptional, type WorkerInfo, type WorkerInfoInput } from './structures'

/** Messages between the LifecycleManager and the master. */

export interface RequestSlots {
  readonly applicationId: string
  readonly shuffleId: number
  readonly partitionIds: readonly number[]
  /** Of the LifecycleManager. */
  readonly hostname: string
  readonly shouldReplicate: boolean
  readonly requestId: string
  readonly userIdentifier: UserIdentifier
  readonly shouldRackAware: boolean
  readonly maxWorkers: number
  readonly availableStorageTypes: number
  readonly excludedWorkers: readonly WorkerInfo[]
  /** Whether the answer shall be in the packed form. */
  readonly packed: boolean
  readonly tagsExpr: string
}

export interface RequestSlotsResponse {
  readonly status: number
  /** By the worker's unique id. */
  readonly workerResource: ReadonlyMap<string, WorkerResource>
}

export interface HeartbeatFromApplication {
  readonly appId: string
  readonly totalWritten: number
  readonly fileCount: number
  readonly requestId: string
  readonly needCheckedWorkerList: readonly WorkerInfo[]
  readonly shouldResponse: boolean
  readonly shuffleCount: number
  readonly shuffleFallbackCounts: ReadonlyMap<string, number>
  readonly applicationCount: number
  readonly applicationFallbackCounts: ReadonlyMap<string, number>
}

export interface CheckQuotaResponse {
  readonly available: boolean
  readonly reason: string
}

export interface HeartbeatFromApplicationResponse {
  readonly status: number
  readonly excludedWorkers: readonly WorkerInfo[]
  readonly unknownWorkers: readonly WorkerInfo[]
  readonly shuttingWorkers: readonly WorkerInfo[]
  readonly registeredShuffles: readonly number[]
  /** Missing from 0.5 masters. A master of 0.6 clients must always send it, with `available` true. */
  readonly checkQuotaResponse?: CheckQuotaResponse | undefined
}

export interface UnregisterShuffle {
  readonly appId: string
  readonly shuffleId: number
  readonly requestId: string
}

export interface UnregisterShuffleResponse {
  readonly status: number
}

export interface BatchUnregisterShuffles {
  readonly appId: string
  readonly requestId: string
  readonly shuffleIds: readonly number[]
}

export interface BatchUnregisterShufflesResponse {
  readonly status: number
  readonly shuffleIds: readonly number[]
}

export interface CheckQuota {
  readonly userIdentifier: UserIdentifier
}

export interface CheckWorkersAvailableResponse {
  readonly available: boolean
}

export interface ApplicationLost {
  readonly appId: string
  readonly requestId: string
}

export interface ApplicationLostResponse {
  readonly status: number
}

export interface RegisterApplicationInfo {
  readonly appId: string
  readonly userIdentifier: UserIdentifier
  readonly extraInfo: ReadonlyMap<string, string>
  readonly requestId: string
}

export interface ReleaseSlots {
  readonly applicationId: string
  readonly shuffleId: number
  readonly workerIds: readonly string[]
  /** Parallel to workerIds: mount point -> slots. */
  readonly slots: readonly ReadonlyMap<string, number>[]
  readonly requestId: string
}

export interface ReleaseSlotsResponse {
  readonly status: number
}

export interface ReviseLostShuffles {
  readonly appId: string
  readonly lostShuffles: readonly number[]
  readonly requestId: string
}

export interface ReviseLostShufflesResponse {
  readonly success: boolean
  readonly message: string
}

export function encodeRequestSlots(
  value: Omit<WithOptional<RequestSlots, 'packed' | 'tagsExpr' | 'shouldRackAware'>, 'excludedWorkers'> & {
    readonly excludedWorkers?: readonly WorkerInfoInput[]
  },
): Uint8Array {
  return encodeWith(pb.PbRequestSlots, {
    applicationId: value.applicationId,
    shuffleId: value.shuffleId,
    partitionIdList: list(value.partitionIds),
    hostname: value.hostname,
    shouldReplicate: value.shouldReplicate,
    requestId: value.requestId,
    userIdentifier: value.userIdentifier,
    shouldRackAware: value.shouldRackAware ?? false,
    maxWorkers: value.maxWorkers,
    availableStorageTypes: value.availableStorageTypes,
    excludedWorkerSet: (value.excludedWorkers ?? []).map(toPbWorker),
    packed: value.packed ?? true,
    tagsExpr: value.tagsExpr ?? '',
  })
}

export function decodeRequestSlots(bytes: Uint8Array): RequestSlots {
  return decodeWith('RequestSlots', pb.PbRequestSlots, bytes, (message) => ({
    applicationId: message.applicationId,
    shuffleId: message.shuffleId,
    partitionIds: message.partitionIdList,
    hostname: message.hostname,
    shouldReplicate: message.shouldReplicate,
    requestId: message.requestId,
    userIdentifier: fromPbUser(message.userIdentifier),
    shouldRackAware: message.shouldRackAware,
    maxWorkers: message.maxWorkers,
    availableStorageTypes: message.availableStorageTypes,
    excludedWorkers: message.excludedWorkerSet.map(fromPbWorker),
    packed: message.packed,
    tagsExpr: message.tagsExpr,
  }))
}

/** Encodes the answer in the form the request asked for. */
export function encodeRequestSlotsResponse(value: RequestSlotsResponse, packed = true): Uint8Array {
  return encodeWith(pb.PbRequestSlotsResponse, {
    status: value.status,
    workerResource: fromMap(packed ? undefined : value.workerResource, toPbResource),
    packedWorkerResource: fromMap(packed ? value.workerResource : undefined, toPbPackedResource),
  })
}

export function decodeRequestSlotsResponse(bytes: Uint8Array): RequestSlotsResponse {
  return decodeWith('RequestSlotsResponse', pb.PbRequestSlotsResponse, bytes, (message) => ({
    status: message.status,
    workerResource: new Map([
      ...toMap(message.workerResource, fromPbResource),
      ...toMap(message.packedWorkerResource, fromPbPackedResource),
    ]),
  }))
}

export function encodeHeartbeatFromApplication(
  value: Omit<
    WithOptional<
      HeartbeatFromApplication,
      'shuffleCount' | 'shuffleFallbackCounts' | 'applicationCount' | 'applicationFallbackCounts'
    >,
    'needCheckedWorkerList'
  > & { readonly needCheckedWorkerList: readonly WorkerInfoInput[] },
): Uint8Array {
  return encodeWith(pb.PbHeartbeatFromApplication, {
    appId: value.appId,
    totalWritten: value.totalWritten,
    fileCount: value.fileCount,
    requestId: value.requestId,
    needCheckedWorkerList: value.needCheckedWorkerList.map(toPbWorker),
    shouldResponse: value.shouldResponse,
    shuffleCount: value.shuffleCount ?? 0,
    shuffleFallbackCounts: fromMap(value.shuffleFallbackCounts, same),
    applicationCount: value.applicationCount ?? 0,
    applicationFallbackCounts: fromMap(value.applicationFallbackCounts, same),
  })
}

export function decodeHeartbeatFromApplication(bytes: Uint8Array): HeartbeatFromApplication {
  return decodeWith('HeartbeatFromApplication', pb.PbHeartbeatFromApplication, bytes, (message) => ({
    appId: message.appId,
    totalWritten: toNumber(message.totalWritten, 'totalWritten'),
    fileCount: toNumber(message.fileCount, 'fileCount'),
    requestId: message.requestId,
    needCheckedWorkerList: message.needCheckedWorkerList.map(fromPbWorker),
    shouldResponse: message.shouldResponse,
    shuffleCount: toNumber(message.shuffleCount, 'shuffleCount'),
    shuffleFallbackCounts: toMap(message.shuffleFallbackCounts, (n) => toNumber(n, 'shuffleFallbackCounts')),
    applicationCount: toNumber(message.applicationCount, 'applicationCount'),
    applicationFallbackCounts: toMap(message.applicationFallbackCounts, (n) =>
      toNumber(n, 'applicationFallbackCounts'),
    ),
  }))
}

export function encodeHeartbeatFromApplicationResponse(
  value: Omit<HeartbeatFromApplicationResponse, 'excludedWorkers' | 'unknownWorkers' | 'shuttingWorkers'> & {
    readonly excludedWorkers: readonly WorkerInfoInput[]
    readonly unknownWorkers: readonly WorkerInfoInput[]
    readonly shuttingWorkers: readonly WorkerInfoInput[]
  },
): Uint8Array {
  return encodeWith(pb.PbHeartbeatFromApplicationResponse, {
    status: value.status,
    excludedWorkers: value.excludedWorkers.map(toPbWorker),
    unknownWorkers: value.unknownWorkers.map(toPbWorker),
    shuttingWorkers: value.shuttingWorkers.map(toPbWorker),
    registeredShuffles: list(value.registeredShuffles),
    checkQuotaResponse: value.checkQuotaResponse ?? null,
  })
}

export function decodeHeartbeatFromApplicationResponse(bytes: Uint8Array): HeartbeatFromApplicationResponse {
  return decodeWith(
    'HeartbeatFromApplicationResponse',
    pb.PbHeartbeatFromApplicationResponse,
    bytes,
    (message) => ({
      status: message.status,
      excludedWorkers: message.excludedWorkers.map(fromPbWorker),
      unknownWorkers: message.unknownWorkers.map(fromPbWorker),
      shuttingWorkers: message.shuttingWorkers.map(fromPbWorker),
      registeredShuffles: message.registeredShuffles,
      checkQuotaResponse: message.checkQuotaResponse ? fromPbQuota(message.checkQuotaResponse) : undefined,
    }),
  )
}

function fromPbQuota(message: pb.PbCheckQuotaResponse.$Properties): CheckQuotaResponse {
  return { available: message.available ?? false, reason: message.reason ?? '' }
}

export function encodeUnregisterShuffle(value: UnregisterShuffle): Uint8Array {
  return encodeWith(pb.PbUnregisterShuffle, value)
}

export function decodeUnregisterShuffle(bytes: Uint8Array): UnregisterShuffle {
  return decodeWith(
    'UnregisterShuffle',
    pb.PbUnregisterShuffle,
    bytes,
    ({ appId, shuffleId, requestId }) => ({ appId, shuffleId, requestId }),
  )
}

export function encodeUnregisterShuffleResponse(value: UnregisterShuffleResponse): Uint8Array {
  return encodeWith(pb.PbStatusResponse, value)
}

export function decodeUnregisterShuffleResponse(bytes: Uint8Array): UnregisterShuffleResponse {
  return decodeWith('UnregisterShuffleResponse', pb.PbStatusResponse, bytes, ({ status }) => ({ status }))
}

export function encodeBatchUnregisterShuffles(value: BatchUnregisterShuffles): Uint8Array {
  return encodeWith(pb.PbBatchUnregisterShuffles, { ...value, shuffleIds: list(value.shuffleIds) })
}

export function decodeBatchUnregisterShuffles(bytes: Uint8Array): BatchUnregisterShuffles {
  return decodeWith(
    'BatchUnregisterShuffles',
    pb.PbBatchUnregisterShuffles,
    bytes,
    ({ appId, requestId, shuffleIds }) => ({ appId, requestId, shuffleIds }),
  )
}

export function encodeBatchUnregisterShufflesResponse(value: BatchUnregisterShufflesResponse): Uint8Array {
  return encodeWith(pb.PbBatchUnregisterShufflesResponse, { ...value, shuffleIds: list(value.shuffleIds) })
}

export function decodeBatchUnregisterShufflesResponse(bytes: Uint8Array): BatchUnregisterShufflesResponse {
  return decodeWith(
    'BatchUnregisterShufflesResponse',
    pb.PbBatchUnregisterShufflesResponse,
    bytes,
    ({ status, shuffleIds }) => ({ status, shuffleIds }),
  )
}

export function encodeCheckQuota(value: CheckQuota): Uint8Array {
  return encodeWith(pb.PbCheckQuota, value)
}

export function decodeCheckQuota(bytes: Uint8Array): CheckQuota {
  return decodeWith('CheckQuota', pb.PbCheckQuota, bytes, (message) => ({
    userIdentifier: fromPbUser(message.userIdentifier),
  }))
}

export function encodeCheckQuotaResponse(value: CheckQuotaResponse): Uint8Array {
  return encodeWith(pb.PbCheckQuotaResponse, value)
}

export function decodeCheckQuotaResponse(bytes: Uint8Array): CheckQuotaResponse {
  return decodeWith('CheckQuotaResponse', pb.PbCheckQuotaResponse, bytes, ({ available, reason }) => ({
    available,
    reason,
  }))
}

/** CHECK_WORKERS_AVAILABLE has no fields. */
export function encodeCheckWorkersAvailable(): Uint8Array {
  return new Uint8Array(0)
}

export function encodeCheckWorkersAvailableResponse(value: CheckWorkersAvailableResponse): Uint8Array {
  return encodeWith(pb.PbCheckWorkersAvailableResponse, value)
}

export function decodeCheckWorkersAvailableResponse(bytes: Uint8Array): CheckWorkersAvailableResponse {
  return decodeWith(
    'CheckWorkersAvailableResponse',
    pb.PbCheckWorkersAvailableResponse,
    bytes,
    ({ available }) => ({ available }),
  )
}

export function encodeApplicationLost(value: ApplicationLost): Uint8Array {
  return encodeWith(pb.PbApplicationLost, value)
}

export function decodeApplicationLost(bytes: Uint8Array): ApplicationLost {
  return decodeWith('ApplicationLost', pb.PbApplicationLost, bytes, ({ appId, requestId }) => ({
    appId,
    requestId,
  }))
}

export function encodeApplicationLostResponse(value: ApplicationLostResponse): Uint8Array {
  return encodeWith(pb.PbStatusResponse, value)
}

export function decodeApplicationLostResponse(bytes: Uint8Array): ApplicationLostResponse {
  return decodeWith('ApplicationLostResponse', pb.PbStatusResponse, bytes, ({ status }) => ({ status }))
}

export function encodeRegisterApplicationInfo(value: RegisterApplicationInfo): Uint8Array {
  return encodeWith(pb.PbRegisterApplicationInfo, { ...value, extraInfo: fromMap(value.extraInfo, same) })
}

export function decodeRegisterApplicationInfo(bytes: Uint8Array): RegisterApplicationInfo {
  return decodeWith('RegisterApplicationInfo', pb.PbRegisterApplicationInfo, bytes, (message) => ({
    appId: message.appId,
    userIdentifier: fromPbUser(message.userIdentifier),
    extraInfo: toMap(message.extraInfo, same),
    requestId: message.requestId,
  }))
}

export function encodeReleaseSlots(value: ReleaseSlots): Uint8Array {
  return encodeWith(pb.PbReleaseSlots, {
    ...value,
    workerIds: list(value.workerIds),
    slots: value.slots.map((slots) => ({ slot: fromMap(slots, same) })),
  })
}

export function decodeReleaseSlots(bytes: Uint8Array): ReleaseSlots {
  return decodeWith('ReleaseSlots', pb.PbReleaseSlots, bytes, (message) => ({
    applicationId: message.applicationId,
    shuffleId: message.shuffleId,
    workerIds: message.workerIds,
    slots: message.slots.map(({ slot }) => toMap(slot, same)),
    requestId: message.requestId,
  }))
}

export function encodeReleaseSlotsResponse(value: ReleaseSlotsResponse): Uint8Array {
  return encodeWith(pb.PbStatusResponse, value)
}

export function decodeReleaseSlotsResponse(bytes: Uint8Array): ReleaseSlotsResponse {
  return decodeWith('ReleaseSlotsResponse', pb.PbStatusResponse, bytes, ({ status }) => ({ status }))
}

export function encodeReviseLostShuffles(value: ReviseLostShuffles): Uint8Array {
  return encodeWith(pb.PbReviseLostShuffles, { ...value, lostShuffles: list(value.lostShuffles) })
}

export function decodeReviseLostShuffles(bytes: Uint8Array): ReviseLostShuffles {
  return decodeWith(
    'ReviseLostShuffles',
    pb.PbReviseLostShuffles,
    bytes,
    ({ appId, lostShuffles, requestId }) => ({ appId, lostShuffles, requestId }),
  )
}

export function encodeReviseLostShufflesResponse(value: ReviseLostShufflesResponse): Uint8Array {
  return encodeWith(pb.PbReviseLostShufflesResponse, value)
}

export function decodeReviseLostShufflesResponse(bytes: Uint8Array): ReviseLostShufflesResponse {
  return decodeWith(
    'ReviseLostShufflesResponse',
    pb.PbReviseLostShufflesResponse,
    bytes,
    ({ success, message }) => ({ success, message }),
  )
}
