/**
 * celeborn-node: a client of Apache Celeborn, the remote shuffle service, whose push path sends straight from native
 * memory.
 */
export {
  type LifecycleManagerAddress,
  ShuffleClient,
  type ShuffleClientOptions,
  type ShuffleClientStats,
} from './client'
export { CelebornConf } from './conf'
export { EmbeddedCluster, type EmbeddedClusterOptions } from './embedded'
export * from './errors'
export { LifecycleManager, type LifecycleManagerOptions } from './lifecycle'
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
export { PartitionReader, type ReaderStats, type ReadOptions } from './read'
