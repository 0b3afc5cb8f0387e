import { bool, double, duration, entry, int, oneOf, sameAs, size, text } from './entry'
import { RPC_ASK_TIMEOUT } from './network-keys'
import { CLIENT_EXCLUDED_WORKER_EXPIRE_TIMEOUT } from './push-keys'
import { endpointType, listType } from './values'

// Keys of the driver's side (LifecycleManager), of shuffles and of reading. Defaults are Celeborn 0.6.3's.

export const MASTER_ENDPOINTS = entry<readonly string[]>(
  'celeborn.master.endpoints',
  listType(endpointType(9097), { nonEmpty: true }),
  '<localhost>:9097',
  { doc: 'The masters, leader or not.' },
)
export const MASTER_CLIENT_MAX_RETRIES = int('celeborn.masterClient.maxRetries', '15', {
  min: 0,
  alternatives: ['celeborn.client.maxRetries'],
  doc: 'Tries of a request to the masters.',
})
export const MASTER_CLIENT_RPC_ASK_TIMEOUT = duration(
  'celeborn.masterClient.rpc.askTimeout',
  sameAs(RPC_ASK_TIMEOUT),
  {
    min: 1,
    alternatives: ['celeborn.rpc.haClient.askTimeout'],
    doc: 'Longest wait for a master’s answer.',
  },
)

export const CLIENT_APPLICATION_HEARTBEAT_INTERVAL = duration(
  'celeborn.client.application.heartbeatInterval',
  '10s',
  {
    min: 1,
    alternatives: ['celeborn.application.heartbeatInterval'],
    doc: 'Pause between the application’s heartbeats to the master.',
  },
)
export const CLIENT_APPLICATION_UNREGISTER_ENABLED = bool(
  'celeborn.client.application.unregister.enabled',
  'true',
  { doc: 'The master is told when the application ends.' },
)
export const CLIENT_APPLICATION_UUID_SUFFIX_ENABLED = bool(
  'celeborn.client.application.uuidSuffix.enabled',
  'false',
  { doc: 'A random suffix makes the application’s id unique.' },
)

export const CLIENT_SHUFFLE_COMPRESSION_CODEC = oneOf(
  'celeborn.client.shuffle.compression.codec',
  ['LZ4', 'ZSTD', 'NONE'],
  'LZ4',
  {
    alternatives: ['celeborn.shuffle.compression.codec', 'remote-shuffle.job.compression.codec'],
    doc: 'How batches are compressed. Readers must be configured as the writers were.',
  },
)
export const CLIENT_SHUFFLE_COMPRESSION_ZSTD_LEVEL = int(
  'celeborn.client.shuffle.compression.zstd.level',
  '1',
  {
    min: -5,
    max: 22,
    alternatives: ['celeborn.shuffle.compression.zstd.level'],
    doc: 'Compression level of ZSTD: -5 is the fastest, 22 the smallest.',
  },
)
export const CLIENT_SHUFFLE_PARTITION_SPLIT_THRESHOLD = size(
  'celeborn.client.shuffle.partitionSplit.threshold',
  '1g',
  {
    min: 1,
    alternatives: ['celeborn.shuffle.partitionSplit.threshold'],
    doc: 'A partition’s file that grows beyond this size is split.',
  },
)
export const CLIENT_SHUFFLE_PARTITION_SPLIT_MODE = oneOf(
  'celeborn.client.shuffle.partitionSplit.mode',
  ['SOFT', 'HARD'],
  'SOFT',
  {
    alternatives: ['celeborn.shuffle.partitionSplit.mode'],
    doc: 'Whether the old file goes on taking batches while a split is under way.',
  },
)
export const CLIENT_SHUFFLE_PARTITION_TYPE = oneOf(
  'celeborn.client.shuffle.partition.type',
  ['REDUCE', 'MAP', 'MAPGROUP'],
  'REDUCE',
  { alternatives: ['celeborn.shuffle.partition.type'], doc: 'Only REDUCE is supported.' },
)
export const CLIENT_SHUFFLE_RANGE_READ_FILTER_ENABLED = bool(
  'celeborn.client.shuffle.rangeReadFilter.enabled',
  'false',
  {
    alternatives: ['celeborn.shuffle.rangeReadFilter.enabled'],
    doc: 'Workers keep which map tasks wrote to a file, so that reads of map ranges skip files.',
  },
)
export const CLIENT_SHUFFLE_INTEGRITY_CHECK_ENABLED = bool(
  'celeborn.client.shuffle.integrityCheck.enabled',
  'false',
  { doc: 'Readers check each partition’s bytes and checksum against what the map tasks reported.' },
)
export const CLIENT_SHUFFLE_MANAGER_PORT = int('celeborn.client.shuffle.manager.port', '0', {
  min: 0,
  max: 65535,
  alternatives: ['celeborn.shuffle.manager.port'],
  doc: 'Port of the LifecycleManager; 0 takes a free one.',
})
export const CLIENT_SHUFFLE_EXPIRED_CHECK_INTERVAL = duration(
  'celeborn.client.shuffle.expired.checkInterval',
  '60s',
  {
    min: 1,
    alternatives: ['celeborn.shuffle.expired.checkInterval'],
    doc: 'How long an unregistered shuffle is kept before its files are deleted.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_CHANGE_PARTITION_ENABLED = bool(
  'celeborn.client.shuffle.batchHandleChangePartition.enabled',
  'true',
  {
    alternatives: ['celeborn.shuffle.batchHandleChangePartition.enabled'],
    doc: 'Requests for new locations are handled in batches.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_CHANGE_PARTITION_INTERVAL = duration(
  'celeborn.client.shuffle.batchHandleChangePartition.interval',
  '100ms',
  {
    alternatives: ['celeborn.shuffle.batchHandleChangePartition.interval'],
    doc: 'How long such a batch gathers.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_CHANGE_PARTITION_THREADS = int(
  'celeborn.client.shuffle.batchHandleChangePartition.threads',
  '8',
  {
    min: 1,
    alternatives: ['celeborn.shuffle.batchHandleChangePartition.threads'],
    doc: 'Threads: the event loop does the work here.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_COMMIT_PARTITION_ENABLED = bool(
  'celeborn.client.shuffle.batchHandleCommitPartition.enabled',
  'true',
  {
    alternatives: ['celeborn.shuffle.batchHandleCommitPartition.enabled'],
    doc: 'Files that a split closed are committed in batches while the stage goes on.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_COMMIT_PARTITION_INTERVAL = duration(
  'celeborn.client.shuffle.batchHandleCommitPartition.interval',
  '5s',
  {
    alternatives: ['celeborn.shuffle.batchHandleCommitPartition.interval'],
    doc: 'How long such a batch gathers.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_COMMIT_PARTITION_THREADS = int(
  'celeborn.client.shuffle.batchHandleCommitPartition.threads',
  '8',
  {
    min: 1,
    alternatives: ['celeborn.shuffle.batchHandleCommitPartition.threads'],
    doc: 'Threads: the event loop does the work here.',
  },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_RELEASE_PARTITION_ENABLED = bool(
  'celeborn.client.shuffle.batchHandleReleasePartition.enabled',
  'true',
  { doc: 'Slots that are no longer needed are given back in batches.' },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_RELEASE_PARTITION_INTERVAL = duration(
  'celeborn.client.shuffle.batchHandleReleasePartition.interval',
  '5s',
  { doc: 'How long such a batch gathers.' },
)
export const CLIENT_SHUFFLE_BATCH_HANDLE_REMOVE_EXPIRED_SHUFFLES_ENABLED = bool(
  'celeborn.client.shuffle.batchHandleRemoveExpiredShuffles.enabled',
  'false',
  { doc: 'Expired shuffles are unregistered in batches (0.6 and later).' },
)
export const CLIENT_SHUFFLE_DYNAMIC_RESOURCE_ENABLED = bool(
  'celeborn.client.shuffle.dynamicResourceEnabled',
  'false',
  { doc: 'More workers are asked for when locations are renewed (0.6 and later).' },
)
export const CLIENT_SHUFFLE_DYNAMIC_RESOURCE_FACTOR = double(
  'celeborn.client.shuffle.dynamicResourceFactor',
  '0.5',
  { min: 0, max: 1, doc: 'Share of unavailable workers from which on that happens.' },
)
export const CLIENT_SHUFFLE_CHECK_WORKER_ENABLED = bool(
  'celeborn.client.shuffle.checkWorker.enabled',
  'true',
  {
    alternatives: ['celeborn.client.spark.shuffle.checkWorker.enabled'],
    doc: 'Before a shuffle is registered, the master is asked whether there are workers.',
  },
)
export const CLIENT_SHUFFLE_REVISE_LOST_SHUFFLES_ENABLED = bool(
  'celeborn.client.shuffle.reviseLostShuffles.enabled',
  'false',
  { doc: 'Shuffles that the master forgot are announced to it again (0.6 and later).' },
)

export const CLIENT_REGISTER_SHUFFLE_MAX_RETRIES = int('celeborn.client.registerShuffle.maxRetries', '3', {
  min: 0,
  alternatives: ['celeborn.shuffle.register.maxRetries'],
  doc: 'Tries to register a shuffle.',
})
export const CLIENT_REGISTER_SHUFFLE_RETRY_WAIT = duration(
  'celeborn.client.registerShuffle.retryWait',
  '3s',
  {
    alternatives: ['celeborn.shuffle.register.retryWait'],
    doc: 'Pause between such tries.',
  },
)
export const CLIENT_RESERVE_SLOTS_MAX_RETRIES = int('celeborn.client.reserveSlots.maxRetries', '3', {
  min: 0,
  alternatives: ['celeborn.slots.reserve.maxRetries'],
  doc: 'Tries to reserve slots, each on other workers.',
})
export const CLIENT_RESERVE_SLOTS_RETRY_WAIT = duration('celeborn.client.reserveSlots.retryWait', '3s', {
  alternatives: ['celeborn.slots.reserve.retryWait'],
  doc: 'Pause between such tries.',
})
export const CLIENT_RESERVE_SLOTS_RACKAWARE_ENABLED = bool(
  'celeborn.client.reserveSlots.rackaware.enabled',
  'false',
  {
    alternatives: ['celeborn.client.reserveSlots.rackware.enabled'],
    doc: 'A replica is kept in another rack than its primary.',
  },
)
export const CLIENT_REQUEST_COMMIT_FILES_MAX_RETRIES = int(
  'celeborn.client.requestCommitFiles.maxRetries',
  '4',
  { min: 1, doc: 'Tries to have a worker commit its files.' },
)
export const CLIENT_REQUEST_COMMIT_FILES_RETRY_WAIT = duration(
  'celeborn.client.requestCommitFiles.retryWait',
  '10s',
  { doc: 'Pause between such tries.' },
)
export const CLIENT_SLOT_ASSIGN_MAX_WORKERS = int('celeborn.client.slot.assign.maxWorkers', '10000', {
  min: 1,
  doc: 'Most workers that one shuffle uses.',
})
export const CLIENT_SPARK_STAGE_RERUN_ENABLED = bool('celeborn.client.spark.stageRerun.enabled', 'true', {
  alternatives: ['celeborn.client.spark.fetch.throwsFetchFailure'],
  doc: 'A fetch failure makes the scheduler run the map stage again: each run has a shuffle id of its own. The same for driver and executors.',
})
export const CLIENT_SPARK_SHUFFLE_FALLBACK_POLICY = oneOf(
  'celeborn.client.spark.shuffle.fallback.policy',
  ['ALWAYS', 'AUTO', 'NEVER'],
  'AUTO',
  { doc: 'There is no other shuffle to fall back to here.' },
)

const askTimeout = (name: string, doc: string, alternatives: readonly string[] = []) =>
  duration(`celeborn.client.rpc.${name}.askTimeout`, sameAs(RPC_ASK_TIMEOUT), { min: 1, doc, alternatives })
export const CLIENT_RPC_REGISTER_SHUFFLE_ASK_TIMEOUT = askTimeout(
  'registerShuffle',
  'Longest wait for a shuffle to be registered.',
  ['celeborn.rpc.registerShuffle.askTimeout'],
)
export const CLIENT_RPC_REQUEST_PARTITION_ASK_TIMEOUT = askTimeout(
  'requestPartition',
  'Longest wait for new locations.',
)
export const CLIENT_RPC_GET_REDUCER_FILE_GROUP_ASK_TIMEOUT = askTimeout(
  'getReducerFileGroup',
  'Longest wait for a partition’s files.',
)
export const CLIENT_RPC_RESERVE_SLOTS_ASK_TIMEOUT = askTimeout(
  'reserveSlots',
  'Longest wait for a worker to reserve slots.',
)
export const CLIENT_RPC_COMMIT_FILES_ASK_TIMEOUT = askTimeout(
  'commitFiles',
  'Longest wait for a worker to commit its files.',
)
export const CLIENT_RPC_CACHE_SIZE = int('celeborn.client.rpc.cache.size', '256', {
  min: 0,
  alternatives: ['celeborn.rpc.cache.size'],
  doc: 'Answers that the LifecycleManager keeps in serialised form.',
})
export const CLIENT_RPC_CACHE_EXPIRE_TIME = duration('celeborn.client.rpc.cache.expireTime', '15s', {
  alternatives: ['celeborn.rpc.cache.expireTime'],
  doc: 'How long it keeps them.',
})

export const CLIENT_FETCH_TIMEOUT = duration('celeborn.client.fetch.timeout', '600s', {
  min: 1,
  alternatives: ['celeborn.fetch.timeout'],
  doc: 'Longest wait for a chunk.',
})
export const CLIENT_FETCH_MAX_REQS_IN_FLIGHT = int('celeborn.client.fetch.maxReqsInFlight', '3', {
  min: 1,
  alternatives: ['celeborn.fetch.maxReqsInFlight'],
  doc: 'Chunks that one reader asks for ahead.',
})
export const CLIENT_FETCH_MAX_RETRIES_FOR_EACH_REPLICA = int(
  'celeborn.client.fetch.maxRetriesForEachReplica',
  '3',
  {
    min: 0,
    alternatives: ['celeborn.fetch.maxRetriesForEachReplica', 'celeborn.fetch.maxRetries'],
    doc: 'Further tries to read a location from each of its copies, the primary’s and the replica’s in turn; a replica that there is, is tried at least once.',
  },
)
export const CLIENT_FETCH_BUFFER_SIZE = size('celeborn.client.fetch.buffer.size', '64k', {
  min: 1,
  doc: 'Size of a reader’s buffer for decompressed batches.',
})
export const CLIENT_FETCH_EXCLUDE_WORKER_ON_FAILURE_ENABLED = bool(
  'celeborn.client.fetch.excludeWorkerOnFailure.enabled',
  'false',
  { doc: 'Workers that failed a fetch are avoided for a while.' },
)
export const CLIENT_FETCH_EXCLUDED_WORKER_EXPIRE_TIMEOUT = duration(
  'celeborn.client.fetch.excludedWorker.expireTimeout',
  sameAs(CLIENT_EXCLUDED_WORKER_EXPIRE_TIMEOUT),
  { doc: 'How long they are.' },
)
export const CLIENT_CHUNK_PREFETCH_ENABLED = bool('celeborn.client.chunk.prefetch.enabled', 'false', {
  doc: 'Readers always prefetch within their limits here.',
})
export const CLIENT_INPUT_STREAM_CREATION_WINDOW = int('celeborn.client.inputStream.creation.window', '16', {
  min: 1,
  doc: 'Partitions whose streams a reader opens ahead.',
})
export const CLIENT_READ_LOCAL_SHUFFLE_FILE_ENABLED = bool(
  'celeborn.client.readLocalShuffleFile.enabled',
  'false',
  { doc: 'A worker’s files on this host are read directly.' },
)
export const CLIENT_PARTITION_READER_CHECKPOINT_ENABLED = bool(
  'celeborn.client.partition.reader.checkpoint.enabled',
  'false',
  { doc: 'A retried read goes on after the chunks that it already returned (0.6 and later).' },
)
export const CLIENT_ADAPTIVE_OPTIMIZE_SKEWED_PARTITION_READ_ENABLED = bool(
  'celeborn.client.adaptive.optimizeSkewedPartitionRead.enabled',
  'false',
  { doc: 'Skewed partitions are read by file and chunk rather than by map range (0.6 and later).' },
)

export const STORAGE_AVAILABLE_TYPES = text('celeborn.storage.availableTypes', 'HDD', {
  alternatives: ['celeborn.storage.activeTypes'],
  doc: 'Storage that slots may be on.',
})
export const IDENTITY_USER_SPECIFIC_TENANT = text('celeborn.identity.user-specific.tenant', 'default', {
  alternatives: ['celeborn.quota.identity.user-specific.tenant'],
  doc: 'Tenant that the application belongs to.',
})
export const IDENTITY_USER_SPECIFIC_USER_NAME = text('celeborn.identity.user-specific.userName', 'default', {
  alternatives: ['celeborn.quota.identity.user-specific.userName'],
  doc: 'User that the application belongs to.',
})
export const QUOTA_ENABLED = bool('celeborn.quota.enabled', 'true', {
  doc: 'Before a shuffle is registered, the master is asked whether the user’s quota is used up.',
})
export const QUOTA_INTERRUPT_SHUFFLE_ENABLED = bool('celeborn.quota.interruptShuffle.enabled', 'false', {
  doc: 'Shuffles that are being written are given up when the master says that the quota is used up (0.6 and later).',
})
export const TAGS_TAGS_EXPR = text('celeborn.tags.tagsExpr', '', {
  doc: 'Tags of the workers to use (0.6 and later).',
})
