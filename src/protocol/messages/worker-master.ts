import { type WorkerAddress } from '../ids'
import { type DiskInfo, type ResourceConsumption, type WorkerInfo } from './structures'

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
