import { type WorkerAddress } from './ids'

/** Where a partition's data is written or kept. */
export interface StorageInfo {
  /** {@link StorageType}. */
  readonly type: number
  readonly mountPoint: string
  /** True once the file is committed. */
  readonly finalResult: boolean
  readonly filePath: string
  /** Bit mask of storage that may be used; 0 means any. 1 memory, 2 local disk, 4 HDFS, 8 OSS, 16 S3. */
  readonly availableStorageTypes: number
  /** Bytes; 0 when the peer does not say (0.5). */
  readonly fileSize: number
  /** Where chunks begin, and at last the file's length; empty when the peer does not say. */
  readonly chunkOffsets: readonly number[]
}

export const StorageType = { MEMORY: 0, HDD: 1, SSD: 2, HDFS: 3, OSS: 4, S3: 5 } as const

/** A storage info that says nothing: local memory type, no file. */
export const EMPTY_STORAGE: StorageInfo = Object.freeze({
  type: StorageType.MEMORY,
  mountPoint: '',
  finalResult: false,
  filePath: '',
  availableStorageTypes: 0,
  fileSize: 0,
  chunkOffsets: Object.freeze([]),
})

/** One epoch of a partition on one worker. */
export interface PartitionLocation extends WorkerAddress {
  /** Partition id. */
  readonly id: number
  readonly epoch: number
  /** 0 primary, 1 replica. */
  readonly mode: 0 | 1
  /** The other copy; its own peer is never set. */
  readonly peer?: PartitionLocation | undefined
  readonly storage: StorageInfo
  /** RoaringBitmap (portable form) of the map ids in the file. */
  readonly mapIdBitmap?: Uint8Array | undefined
}

/** The locations a worker holds for a shuffle. */
export interface WorkerResource {
  readonly primaries: readonly PartitionLocation[]
  readonly replicas: readonly PartitionLocation[]
  /** Rack path, e.g. `/default-rack`. */
  readonly networkLocation: string
}
