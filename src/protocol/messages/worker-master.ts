import { celeborn as pb } from '../generated/celeborn'
import { type WorkerAddress } from '../ids'
import { fromPbConsumption, fromPbDisk, fromPbWorker, toPbConsumption, toPbWorker } from './convert'
import { decodeWith, encodeWith, fromMap, list, same, toMap, toNumber } from './pb'
import {
  type DiskInfo,
  type ResourceConsumption,
  type WithOptional,
  type WorkerInfo,
  type WorkerInfoInput,
} from './structures'

/** Messages between a worker and the master. */

export interface RegisterWorker extends WorkerAddress {
  readonly disks: readonly DiskInfo[]
  readonly userResourceConsumption: ReadonlyMap<string, ResourceConsumption>
  readonly requestId: string
  readonly internalPort: number
  readonly networkLocation: string
}

export interface RegisterWorkerResponse {
  readonly success: boolean
  readonly message: string
}

export const WorkerState = {
  NORMAL: 0,
  IDLE: 1,
  EXIT: 2,
  IN_DECOMMISSION_THEN_IDLE: 3,
  IN_DECOMMISSION: 4,
  IN_GRACEFUL: 5,
  IN_EXIT: 6,
} as const

export interface WorkerStatus {
  /** {@link WorkerState}. */
  readonly state: number
  /** Milliseconds since 1970. */
  readonly stateStartTime: number
}

export interface HeartbeatFromWorker extends WorkerAddress {
  readonly disks: readonly DiskInfo[]
  readonly activeShuffleKeys: readonly string[]
  readonly requestId: string
  readonly userResourceConsumption: ReadonlyMap<string, ResourceConsumption>
  /** Application id -> bytes; only 0.5 uses it. */
  readonly estimatedAppDiskUsage: ReadonlyMap<string, number>
  readonly highWorkload: boolean
  readonly workerStatus?: WorkerStatus | undefined
}

export const WorkerEventType = {
  NONE: 0,
  IMMEDIATELY: 1,
  DECOMMISSION: 2,
  DECOMMISSION_THEN_IDLE: 3,
  GRACEFUL: 4,
  RECOMMISSION: 5,
} as const

export interface HeartbeatFromWorkerResponse {
  /** Shuffles whose files the worker shall delete. */
  readonly expiredShuffleKeys: readonly string[]
  /** False: the worker must register again. */
  readonly registered: boolean
  /** {@link WorkerEventType}. */
  readonly workerEventType: number
}

export interface WorkerLost extends WorkerAddress {
  readonly requestId: string
}

export interface WorkerLostResponse {
  readonly success: boolean
}

/** REPORT_WORKER_FAILURE and REPORT_WORKER_DECOMMISSION. */
export interface ReportWorkerUnavailable {
  readonly workers: readonly WorkerInfo[]
  readonly requestId: string
}

export function encodeRegisterWorker(
  value: WithOptional<RegisterWorker, 'userResourceConsumption' | 'internalPort'>,
): Uint8Array {
  return encodeWith(pb.PbRegisterWorker, {
    ...address(value),
    disks: list(value.disks),
    userResourceConsumption: fromMap(value.userResourceConsumption, toPbConsumption),
    requestId: value.requestId,
    internalPort: value.internalPort ?? 0,
    networkLocation: value.networkLocation,
  })
}

export function decodeRegisterWorker(bytes: Uint8Array): RegisterWorker {
  return decodeWith('RegisterWorker', pb.PbRegisterWorker, bytes, (message) => ({
    ...address(message),
    disks: message.disks.map(fromPbDisk),
    userResourceConsumption: toMap(message.userResourceConsumption, fromPbConsumption),
    requestId: message.requestId,
    internalPort: message.internalPort,
    networkLocation: message.networkLocation,
  }))
}

export function encodeRegisterWorkerResponse(value: RegisterWorkerResponse): Uint8Array {
  return encodeWith(pb.PbRegisterWorkerResponse, value)
}

export function decodeRegisterWorkerResponse(bytes: Uint8Array): RegisterWorkerResponse {
  return decodeWith('RegisterWorkerResponse', pb.PbRegisterWorkerResponse, bytes, ({ success, message }) => ({
    success,
    message,
  }))
}

export function encodeHeartbeatFromWorker(
  value: WithOptional<
    HeartbeatFromWorker,
    'userResourceConsumption' | 'estimatedAppDiskUsage' | 'highWorkload' | 'workerStatus'
  >,
): Uint8Array {
  return encodeWith(pb.PbHeartbeatFromWorker, {
    ...address(value),
    disks: list(value.disks),
    activeShuffleKeys: list(value.activeShuffleKeys),
    requestId: value.requestId,
    userResourceConsumption: fromMap(value.userResourceConsumption, toPbConsumption),
    estimatedAppDiskUsage: fromMap(value.estimatedAppDiskUsage, same),
    highWorkload: value.highWorkload ?? false,
    workerStatus: value.workerStatus ?? null,
  })
}

export function decodeHeartbeatFromWorker(bytes: Uint8Array): HeartbeatFromWorker {
  return decodeWith('HeartbeatFromWorker', pb.PbHeartbeatFromWorker, bytes, (message) => ({
    ...address(message),
    disks: message.disks.map(fromPbDisk),
    activeShuffleKeys: message.activeShuffleKeys,
    requestId: message.requestId,
    userResourceConsumption: toMap(message.userResourceConsumption, fromPbConsumption),
    estimatedAppDiskUsage: toMap(message.estimatedAppDiskUsage, (n) => toNumber(n, 'estimatedAppDiskUsage')),
    highWorkload: message.highWorkload,
    workerStatus: message.workerStatus
      ? {
          state: message.workerStatus.state ?? 0,
          stateStartTime: toNumber(message.workerStatus.stateStartTime ?? 0, 'stateStartTime'),
        }
      : undefined,
  }))
}

export function encodeHeartbeatFromWorkerResponse(value: HeartbeatFromWorkerResponse): Uint8Array {
  return encodeWith(pb.PbHeartbeatFromWorkerResponse, {
    ...value,
    expiredShuffleKeys: list(value.expiredShuffleKeys),
  })
}

export function decodeHeartbeatFromWorkerResponse(bytes: Uint8Array): HeartbeatFromWorkerResponse {
  return decodeWith(
    'HeartbeatFromWorkerResponse',
    pb.PbHeartbeatFromWorkerResponse,
    bytes,
    ({ expiredShuffleKeys, registered, workerEventType }) => ({
      expiredShuffleKeys,
      registered,
      workerEventType,
    }),
  )
}

export function encodeWorkerLost(value: WorkerLost): Uint8Array {
  return encodeWith(pb.PbWorkerLost, value)
}

export function decodeWorkerLost(bytes: Uint8Array): WorkerLost {
  return decodeWith('WorkerLost', pb.PbWorkerLost, bytes, (message) => ({
    ...address(message),
    requestId: message.requestId,
  }))
}

export function encodeWorkerLostResponse(value: WorkerLostResponse): Uint8Array {
  return encodeWith(pb.PbWorkerLostResponse, value)
}

export function decodeWorkerLostResponse(bytes: Uint8Array): WorkerLostResponse {
  return decodeWith('WorkerLostResponse', pb.PbWorkerLostResponse, bytes, ({ success }) => ({ success }))
}

export function encodeReportWorkerUnavailable(value: {
  readonly workers: readonly WorkerInfoInput[]
  readonly requestId: string
}): Uint8Array {
  return encodeWith(pb.PbReportWorkerUnavailable, {
    workers: value.workers.map(toPbWorker),
    requestId: value.requestId,
  })
}

export function decodeReportWorkerUnavailable(bytes: Uint8Array): ReportWorkerUnavailable {
  return decodeWith('ReportWorkerUnavailable', pb.PbReportWorkerUnavailable, bytes, (message) => ({
    workers: message.workers.map(fromPbWorker),
    requestId: message.requestId,
  }))
}

function address({ host, rpcPort, pushPort, fetchPort, replicatePort }: WorkerAddress): WorkerAddress {
  return { host, rpcPort, pushPort, fetchPort, replicatePort }
}
