import { type WorkerResource } from '../locations'
import { type UserIdentifier, type WorkerInfo } from './structures'

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
