import { type WorkerAddress } from '../ids'

/** Whom resource usage is charged to. Java peers insist that both are non-empty. */
export interface UserIdentifier {
  readonly tenantId: string
  readonly name: string
}

/** `default`/`default`. */
export const DEFAULT_USER: UserIdentifier = Object.freeze({ tenantId: 'default', name: 'default' })

export const DiskStatus = {
  HEALTHY: 0,
  READ_OR_WRITE_FAILURE: 1,
  IO_HANG: 2,
  HIGH_DISK_USAGE: 3,
  CRITICAL_ERROR: 4,
} as const

/** A disk of a worker; sizes in bytes, times in nanoseconds. */
export interface DiskInfo {
  readonly mountPoint: string
  readonly usableSpace: number
  readonly avgFlushTime: number
  readonly usedSlots: number
  /** {@link DiskStatus}. */
  readonly status: number
  readonly avgFetchTime: number
  /** StorageType. */
  readonly storageType: number
  readonly totalSpace: number
}

export interface ResourceConsumption {
  readonly diskBytesWritten: number
  readonly diskFileCount: number
  readonly hdfsBytesWritten: number
  readonly hdfsFileCount: number
  /** By application id. */
  readonly subResourceConsumptions: ReadonlyMap<string, ResourceConsumption>
}

export interface WorkerInfo extends WorkerAddress {
  readonly disks: readonly DiskInfo[]
  /** By user. */
  readonly userResourceConsumption: ReadonlyMap<string, ResourceConsumption>
  readonly internalPort: number
  /** Rack path, e.g. `/default-rack`; empty from 0.5 peers. */
  readonly networkLocation: string
  readonly nextInterruptionNotice: number
}

/** A worker to be encoded: its address is enough. */
export type WorkerInfoInput = WorkerAddress & Partial<WorkerInfo>

/** `T` with some fields optional: what an encoder takes, where a decoder gives all of `T`. */
export type WithOptional<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]?: T[P] | undefined }
