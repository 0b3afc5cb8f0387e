/**
 * celeborn-node: a client of Apache Celeborn, the remote shuffle service, whose push path sends straight from native
 * memory.
 */
export {
  FileSegmentManagedBuffer,
  type ManagedBuffer,
  NativeManagedBuffer,
  type NetworkBody,
  type SegmentState,
  TransportConf,
} from './buffer'
export {
  type LifecycleManagerAddress,
  ShuffleClient,
  type ShuffleClientOptions,
  type ShuffleClientStats,
} from './client'
export { CelebornConf } from './conf'
export { EmbeddedCluster, type EmbeddedClusterOptions, type EmbeddedClusterStats } from './embedded'
export * from './errors'
export {
  type BarrierStageFailureReport,
  type FetchFailureReport,
  LifecycleManager,
  type LifecycleManagerOptions,
  type LifecycleStats,
} from './lifecycle'
export { FramePool, type FramePoolOptions, type FramePoolStats, NativeFrame } from './memory'
export type {
  DropReason,
  MapAttempt,
  PushBufferOptions,
  PushEncoding,
  PushOptions,
  PushReceipt,
  PushSettlement,
  PushTarget,
  ReleaseReason,
} from './push/types'
export {
  ArrowIpcSerializer,
  type ArrowModule,
  BufferPool,
  type BufferPoolStats,
  type Compare,
  createDataPusher,
  createWriter,
  DataPusher,
  type DataPusherOptions,
  type DataPusherStats,
  type HashKey,
  HashPartitioner,
  HashShuffleWriter,
  LengthPrefixedSerializer,
  NdjsonSerializer,
  partitionBy,
  type Partitioner,
  type Piece,
  type PushBuffer,
  type PushSide,
  type PushTask,
  RangePartitioner,
  RawBytesSerializer,
  readLengthPrefixed,
  readNdjson,
  type Serializer,
  ShuffleWriter,
  type ShuffleWriterOptions,
  SortShuffleWriter,
  type WriterMetrics,
} from './write'
export { PartitionReader, type ReaderStats, type ReadOptions } from './read'
