/** The configuration that the driver's side reads, parsed once. Times in ms, sizes in bytes. */
import type { CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { ConfigError } from '../errors'
import { StorageType } from '../protocol/locations'

export interface LifecycleSettings {
  readonly masterEndpoints: readonly string[]
  readonly masterMaxRetries: number
  readonly masterAskTimeoutMs: number
  readonly rpcForm: 'V1' | 'V2'
  readonly askTimeoutMs: number
  readonly heartbeatIntervalMs: number
  readonly unregisterAtStop: boolean
  readonly managerPort: number

  readonly replicate: boolean
  readonly rackAware: boolean
  readonly maxWorkers: number
  readonly tagsExpr: string
  readonly user: { readonly tenantId: string; readonly name: string }
  readonly availableStorageTypes: number
  /** The storage type that locations of our own making ask for. */
  readonly storageType: number

  readonly splitThreshold: number
  /** 0 SOFT, 1 HARD. */
  readonly splitMode: 0 | 1
  readonly rangeReadFilter: boolean
  readonly pushDataTimeoutMs: number

  readonly reserveTries: number
  readonly reserveRetryWaitMs: number
  readonly reserveAskTimeoutMs: number
  readonly commitTries: number
  readonly commitRetryWaitMs: number
  readonly commitAskTimeoutMs: number

  readonly batchChange: boolean
  readonly batchChangeIntervalMs: number
  readonly batchCommit: boolean
  readonly batchCommitIntervalMs: number
  readonly dynamicResource: boolean
  readonly dynamicResourceFactor: number

  readonly excludedExpireMs: number
  readonly excludeReplica: boolean
  readonly expiredCheckIntervalMs: number
  readonly batchRemoveExpired: boolean
  readonly integrityCheck: boolean
  readonly reviseLostShuffles: boolean
  readonly quotaEnabled: boolean
  readonly quotaInterrupt: boolean
  readonly stageRerun: boolean
  readonly uuidSuffix: boolean
}

/** @throws ConfigError when a value cannot be used by a driver. */
export function readSettings(conf: CelebornConf): LifecycleSettings {
  if (conf.get(keys.CLIENT_SHUFFLE_PARTITION_TYPE) !== 'REDUCE') {
    throw new ConfigError(`${keys.CLIENT_SHUFFLE_PARTITION_TYPE.key}: only REDUCE is supported`)
  }
  if (conf.get(keys.AUTH_ENABLED)) {
    throw new ConfigError(`${keys.AUTH_ENABLED.key}: authentication is not supported yet; set it to false`)
  }
  const masterEndpoints = conf.get(keys.MASTER_ENDPOINTS)
  if (masterEndpoints.length === 0) throw new ConfigError(`${keys.MASTER_ENDPOINTS.key} names no master`)
  const storage = parseStorageTypes(conf.get(keys.STORAGE_AVAILABLE_TYPES))
  return {
    masterEndpoints,
    masterMaxRetries: conf.get(keys.MASTER_CLIENT_MAX_RETRIES),
    masterAskTimeoutMs: conf.get(keys.MASTER_CLIENT_RPC_ASK_TIMEOUT),
    rpcForm: conf.get(keys.NODE_RPC_FORM),
    askTimeoutMs: conf.get(keys.RPC_ASK_TIMEOUT),
    heartbeatIntervalMs: conf.get(keys.CLIENT_APPLICATION_HEARTBEAT_INTERVAL),
    unregisterAtStop: conf.get(keys.CLIENT_APPLICATION_UNREGISTER_ENABLED),
    managerPort: conf.get(keys.CLIENT_SHUFFLE_MANAGER_PORT),

    replicate: conf.get(keys.CLIENT_PUSH_REPLICATE_ENABLED),
    rackAware: conf.get(keys.CLIENT_RESERVE_SLOTS_RACKAWARE_ENABLED),
    maxWorkers: conf.get(keys.CLIENT_SLOT_ASSIGN_MAX_WORKERS),
    tagsExpr: conf.get(keys.TAGS_TAGS_EXPR),
    // Java's receivers refuse an empty name.
    user: {
      tenantId: conf.get(keys.IDENTITY_USER_SPECIFIC_TENANT) || 'default',
      name: conf.get(keys.IDENTITY_USER_SPECIFIC_USER_NAME) || 'default',
    },
    availableStorageTypes: storage.mask,
    storageType: storage.first,

    splitThreshold: conf.get(keys.CLIENT_SHUFFLE_PARTITION_SPLIT_THRESHOLD),
    splitMode: conf.get(keys.CLIENT_SHUFFLE_PARTITION_SPLIT_MODE) === 'HARD' ? 1 : 0,
    rangeReadFilter: conf.get(keys.CLIENT_SHUFFLE_RANGE_READ_FILTER_ENABLED),
    pushDataTimeoutMs: conf.get(keys.CLIENT_PUSH_TIMEOUT),

    // Celeborn counts the first try among these.
    reserveTries: Math.max(1, conf.get(keys.CLIENT_RESERVE_SLOTS_MAX_RETRIES)),
    reserveRetryWaitMs: conf.get(keys.CLIENT_RESERVE_SLOTS_RETRY_WAIT),
    reserveAskTimeoutMs: conf.get(keys.CLIENT_RPC_RESERVE_SLOTS_ASK_TIMEOUT),
    commitTries: Math.max(1, conf.get(keys.CLIENT_REQUEST_COMMIT_FILES_MAX_RETRIES)),
    commitRetryWaitMs: conf.get(keys.CLIENT_REQUEST_COMMIT_FILES_RETRY_WAIT),
    commitAskTimeoutMs: conf.get(keys.CLIENT_RPC_COMMIT_FILES_ASK_TIMEOUT),

    batchChange: conf.get(keys.CLIENT_SHUFFLE_BATCH_HANDLE_CHANGE_PARTITION_ENABLED),
    batchChangeIntervalMs: conf.get(keys.CLIENT_SHUFFLE_BATCH_HANDLE_CHANGE_PARTITION_INTERVAL),
    batchCommit: conf.get(keys.CLIENT_SHUFFLE_BATCH_HANDLE_COMMIT_PARTITION_ENABLED),
    batchCommitIntervalMs: conf.get(keys.CLIENT_SHUFFLE_BATCH_HANDLE_COMMIT_PARTITION_INTERVAL),
    dynamicResource: conf.get(keys.CLIENT_SHUFFLE_DYNAMIC_RESOURCE_ENABLED),
    dynamicResourceFactor: conf.get(keys.CLIENT_SHUFFLE_DYNAMIC_RESOURCE_FACTOR),

    excludedExpireMs: conf.get(keys.CLIENT_EXCLUDED_WORKER_EXPIRE_TIMEOUT),
    excludeReplica: conf.get(keys.CLIENT_EXCLUDE_PEER_WORKER_ON_FAILURE_ENABLED),
    expiredCheckIntervalMs: conf.get(keys.CLIENT_SHUFFLE_EXPIRED_CHECK_INTERVAL),
    batchRemoveExpired: conf.get(keys.CLIENT_SHUFFLE_BATCH_HANDLE_REMOVE_EXPIRED_SHUFFLES_ENABLED),
    integrityCheck: conf.get(keys.CLIENT_SHUFFLE_INTEGRITY_CHECK_ENABLED),
    reviseLostShuffles: conf.get(keys.CLIENT_SHUFFLE_REVISE_LOST_SHUFFLES_ENABLED),
    quotaEnabled: conf.get(keys.QUOTA_ENABLED),
    quotaInterrupt: conf.get(keys.QUOTA_INTERRUPT_SHUFFLE_ENABLED),
    stageRerun: conf.get(keys.CLIENT_SPARK_STAGE_RERUN_ENABLED),
    uuidSuffix: conf.get(keys.CLIENT_APPLICATION_UUID_SUFFIX_ENABLED),
  }
}

// Bits of RequestSlots.availableStorageTypes. HDD and SSD share "local disk".
const STORAGE_BIT: Readonly<Record<string, number>> = { MEMORY: 1, HDD: 2, SSD: 2, HDFS: 4, OSS: 8, S3: 16 }

function parseStorageTypes(text: string): { mask: number; first: number } {
  let mask = 0
  let first: number | undefined
  for (const part of text.split(',')) {
    const name = part.trim().toUpperCase()
    const bit = STORAGE_BIT[name]
    if (bit === undefined) {
      const accepted = Object.keys(STORAGE_BIT).join(', ')
      throw new ConfigError(
        `${keys.STORAGE_AVAILABLE_TYPES.key}: "${text}" has an unknown storage type; accepted: ${accepted}`,
      )
    }
    mask |= bit
    first ??= storageTypeOf(name)
  }
  return { mask, first: first ?? StorageType.HDD }
}

function storageTypeOf(name: string): number {
  return (StorageType as Readonly<Record<string, number>>)[name] ?? StorageType.HDD
}
