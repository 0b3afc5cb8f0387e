export {
  EmbeddedCluster,
  type EmbeddedClusterOptions,
  type EmbeddedClusterStats,
} from './cluster'
export { type MasterStats } from './master/master'
export { type WorkerStats } from './worker/worker'
