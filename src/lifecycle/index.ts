export type { LifecycleEvent, LifecycleEventKind } from './events'
export { LifecycleManager } from './lifecycle-manager'
export { MAX_MAPPERS, MAX_PARTITIONS, MAX_SHUFFLES } from './limits'
export type {
  BarrierStageFailureReport,
  FetchFailureReport,
  HeartbeatStats,
  LifecycleManagerOptions,
  LifecycleStats,
  ShufflePhase,
  ShuffleStats,
} from './types'
