import {
  AUTH_ENABLED,
  type CelebornConf,
  MASTER_HEARTBEAT_APPLICATION_TIMEOUT,
  MASTER_HEARTBEAT_WORKER_TIMEOUT,
  MODULE_SSL_ENABLED,
  NODE_EMBEDDED_DISK_RESERVE,
  NODE_EMBEDDED_HEARTBEAT_INTERVAL,
  NODE_EMBEDDED_MAX_CHUNK_BYTES,
  NODE_EMBEDDED_MAX_CHUNK_BYTES_PER_CONNECTION,
  NODE_EMBEDDED_MAX_OPEN_FILES,
  NODE_EMBEDDED_MAX_UNWRITTEN_BYTES,
  NODE_MAX_MESSAGE_BYTES,
  CLIENT_PUSH_TIMEOUT,
  SHUFFLE_CHUNK_SIZE,
  WORKER_COMMIT_FILES_TIMEOUT,
  WORKER_CONGESTION_CONTROL_ENABLED,
  WORKER_SHUFFLE_PARTITION_SPLIT_ENABLED,
  WORKER_DECOMMISSION_FORCE_EXIT_TIMEOUT,
  WORKER_GRACEFUL_SHUTDOWN_CHECK_SLOTS_FINISHED_TIMEOUT,
  WORKER_SHUFFLE_PARTITION_SPLIT_MAX,
  WORKER_SHUFFLE_PARTITION_SPLIT_MIN,
} from '../conf'
import { ConfigError } from '../errors'

/** What the embedded cluster takes from the configuration. Times in milliseconds, sizes in bytes. */
export interface EmbeddedSettings {
  readonly conf: CelebornConf
  /** Every server listens here and announces it. */
  readonly host: string
  readonly chunkSize: number
  readonly splitEnabled: boolean
  /** Smaller files are not split because the disk is full. */
  readonly splitMin: number
  /** Larger files are split hard even in soft mode. */
  readonly splitMax: number
  /** Clients are asked to slow down while much waits for the disk. */
  readonly congestionControl: boolean
  readonly heartbeatInterval: number
  readonly workerTimeout: number
  readonly applicationTimeout: number
  readonly commitTimeout: number
  /** For replication, where the shuffle does not say. */
  readonly pushTimeout: number
  readonly maxUnwrittenBytes: number
  readonly maxChunkBytes: number
  readonly maxChunkBytesPerConnection: number
  readonly maxOpenFiles: number
  /** A disk with less room than this takes no new partition. */
  readonly diskReserve: number
  /** Longest waits of workers that leave. */
  readonly gracefulTimeout: number
  readonly decommissionTimeout: number
  readonly maxMessageBytes: number
}

/** Modules that the cluster's servers and connections belong to. */
const MODULES = ['rpc_service', 'push', 'fetch', 'replicate'] as const

/** @throws ConfigError for what the embedded cluster does not do and a client would miss. */
export function embeddedSettings(conf: CelebornConf, host: string): EmbeddedSettings {
  const refused = [AUTH_ENABLED, ...MODULES.map((module) => MODULE_SSL_ENABLED(module))].find((key) =>
    conf.get(key),
  )
  if (refused !== undefined) {
    throw new ConfigError(
      `${refused.key} = true: the embedded cluster has neither authentication nor TLS; set it to false`,
    )
  }
  return {
    conf,
    host,
    chunkSize: conf.get(SHUFFLE_CHUNK_SIZE),
    splitEnabled: conf.get(WORKER_SHUFFLE_PARTITION_SPLIT_ENABLED),
    splitMin: conf.get(WORKER_SHUFFLE_PARTITION_SPLIT_MIN),
    splitMax: conf.get(WORKER_SHUFFLE_PARTITION_SPLIT_MAX),
    congestionControl: conf.get(WORKER_CONGESTION_CONTROL_ENABLED),
    heartbeatInterval: conf.get(NODE_EMBEDDED_HEARTBEAT_INTERVAL),
    workerTimeout: conf.get(MASTER_HEARTBEAT_WORKER_TIMEOUT),
    applicationTimeout: conf.get(MASTER_HEARTBEAT_APPLICATION_TIMEOUT),
    commitTimeout: conf.get(WORKER_COMMIT_FILES_TIMEOUT),
    pushTimeout: conf.get(CLIENT_PUSH_TIMEOUT),
    maxUnwrittenBytes: conf.get(NODE_EMBEDDED_MAX_UNWRITTEN_BYTES),
    maxChunkBytes: conf.get(NODE_EMBEDDED_MAX_CHUNK_BYTES),
    maxChunkBytesPerConnection: conf.get(NODE_EMBEDDED_MAX_CHUNK_BYTES_PER_CONNECTION),
    maxOpenFiles: conf.get(NODE_EMBEDDED_MAX_OPEN_FILES),
    diskReserve: conf.get(NODE_EMBEDDED_DISK_RESERVE),
    gracefulTimeout: conf.get(WORKER_GRACEFUL_SHUTDOWN_CHECK_SLOTS_FINISHED_TIMEOUT),
    decommissionTimeout: conf.get(WORKER_DECOMMISSION_FORCE_EXIT_TIMEOUT),
    maxMessageBytes: conf.get(NODE_MAX_MESSAGE_BYTES),
  }
}
