import { bool, duration, entry, int, oneOf, optional, sameAs, size } from './entry'
import { MODULE_IO_CONNECTION_TIMEOUT } from './network-keys'
import { durationType, sizeType } from './values'

// Keys of the push path and of the writers. Defaults are Celeborn 0.6.3's.

/** Largest buffer or frame: message lengths are 32-bit signed on the wire. */
const MAX_FRAME = 0x7fffffff - 1024

export const CLIENT_PUSH_REPLICATE_ENABLED = bool('celeborn.client.push.replicate.enabled', 'false', {
  alternatives: ['celeborn.push.replicate.enabled'],
  doc: 'Each batch is kept by two workers.',
})
export const CLIENT_PUSH_BUFFER_INITIAL_SIZE = size('celeborn.client.push.buffer.initial.size', '8k', {
  min: 1,
  max: MAX_FRAME,
  alternatives: ['celeborn.push.buffer.initial.size'],
  doc: 'Size a partition’s buffer begins with in the hash writer.',
})
export const CLIENT_PUSH_BUFFER_MAX_SIZE = size('celeborn.client.push.buffer.max.size', '64k', {
  min: 1,
  max: MAX_FRAME,
  alternatives: ['celeborn.push.buffer.max.size'],
  doc: 'Size of a full push buffer.',
})
export const CLIENT_PUSH_QUEUE_CAPACITY = int('celeborn.client.push.queue.capacity', '512', {
  min: 1,
  alternatives: ['celeborn.push.queue.capacity'],
  doc: 'Push tasks of one writer.',
})
export const CLIENT_PUSH_MAX_REQS_IN_FLIGHT_TOTAL = int('celeborn.client.push.maxReqsInFlight.total', '256', {
  min: 1,
  alternatives: ['celeborn.push.maxReqsInFlight'],
  doc: 'Pushes in flight of one map attempt.',
})
export const CLIENT_PUSH_MAX_REQS_IN_FLIGHT_PER_WORKER = int(
  'celeborn.client.push.maxReqsInFlight.perWorker',
  '32',
  { min: 1, doc: 'Pushes in flight of one map attempt to one worker.' },
)
export const CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_ENABLED = bool(
  'celeborn.client.push.maxBytesSizeInFlight.enabled',
  'false',
  {
    alternatives: ['celeborn.push.maxBytesSizeInFlight.enabled'],
    doc: 'Accepted for Celeborn’s sake: here bytes in flight are always limited.',
  },
)
export const CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_TOTAL = optional(
  'celeborn.client.push.maxBytesSizeInFlight.total',
  sizeType({ min: 1 }),
  { doc: 'Bytes in flight of one client; see celeborn.node.maxInFlightBytes.' },
)
export const CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_PER_WORKER = optional(
  'celeborn.client.push.maxBytesSizeInFlight.perWorker',
  sizeType({ min: 1 }),
  { doc: 'Bytes in flight to one worker; see celeborn.node.maxInFlightBytesPerWorker.' },
)
export const CLIENT_PUSH_LIMIT_STRATEGY = oneOf(
  'celeborn.client.push.limit.strategy',
  ['SIMPLE', 'SLOWSTART'],
  'SIMPLE',
  {
    doc: 'How the limit of requests per worker behaves: constant, or growing from one and halved by congestion.',
  },
)
export const CLIENT_PUSH_SLOW_START_INITIAL_SLEEP_TIME = duration(
  'celeborn.client.push.slowStart.initialSleepTime',
  '500ms',
  { doc: 'Pause before a push when the slow-start window is small.' },
)
export const CLIENT_PUSH_SLOW_START_MAX_SLEEP_TIME = duration(
  'celeborn.client.push.slowStart.maxSleepTime',
  '2s',
  { doc: 'Longest such pause.' },
)
export const CLIENT_PUSH_TIMEOUT = duration('celeborn.client.push.timeout', '120s', {
  min: 1,
  alternatives: ['celeborn.push.data.timeout'],
  doc: 'Longest wait for a push’s answer, from the moment its bytes are handed to the system; twice that with replication.',
})
export const CLIENT_PUSH_REVIVE_MAX_RETRIES = int('celeborn.client.push.revive.maxRetries', '5', {
  min: 0,
  doc: 'How often a failed batch is given a new location.',
})
export const CLIENT_PUSH_REVIVE_INTERVAL = duration('celeborn.client.push.revive.interval', '100ms', {
  doc: 'Requests for new locations are gathered for this long.',
})
export const CLIENT_PUSH_REVIVE_BATCH_SIZE = int('celeborn.client.push.revive.batchSize', '2048', {
  min: 1,
  doc: 'Most locations asked for in one request.',
})
export const CLIENT_PUSH_LIMIT_IN_FLIGHT_TIMEOUT = entry<number>(
  'celeborn.client.push.limit.inFlight.timeout',
  durationType({ min: 1 }),
  {
    from: (conf) =>
      Math.min(
        0x7fffffff,
        conf.get(CLIENT_PUSH_TIMEOUT) *
          // One time-out at least, also when batches are never revived.
          Math.max(1, conf.get(CLIENT_PUSH_REVIVE_MAX_RETRIES)) *
          (conf.get(CLIENT_PUSH_REPLICATE_ENABLED) ? 4 : 2),
      ),
    text: 'push.timeout × push.revive.maxRetries × 2 (× 4 with replication)',
  },
  {
    alternatives: ['celeborn.push.limit.inFlight.timeout'],
    doc: 'Longest wait of a push for room in flight.',
  },
)
export const CLIENT_PUSH_LIMIT_IN_FLIGHT_SLEEP_INTERVAL = duration(
  'celeborn.client.push.limit.inFlight.sleepInterval',
  '50ms',
  {
    alternatives: ['celeborn.push.limit.inFlight.sleepInterval'],
    doc: 'Pause between looks for room: here the release that makes room wakes the next push.',
  },
)
export const CLIENT_PUSH_RETRY_THREADS = int('celeborn.client.push.retry.threads', '8', {
  min: 1,
  alternatives: ['celeborn.push.retry.threads'],
  doc: 'Threads: the event loop does the work here.',
})
export const CLIENT_PUSH_EXCLUDE_WORKER_ON_FAILURE_ENABLED = bool(
  'celeborn.client.push.excludeWorkerOnFailure.enabled',
  'false',
  { doc: 'Workers that failed a push are avoided for a while.' },
)
export const CLIENT_EXCLUDED_WORKER_EXPIRE_TIMEOUT = duration(
  'celeborn.client.excludedWorker.expireTimeout',
  '180s',
  {
    alternatives: ['celeborn.worker.excluded.expireTimeout'],
    doc: 'How long an excluded worker is avoided.',
  },
)
export const CLIENT_EXCLUDE_PEER_WORKER_ON_FAILURE_ENABLED = bool(
  'celeborn.client.excludePeerWorkerOnFailure.enabled',
  'true',
  { doc: 'A worker that failed as a replica is excluded, too.' },
)
export const CLIENT_PUSH_TAKE_TASK_WAIT_INTERVAL = duration(
  'celeborn.client.push.takeTaskWaitInterval',
  '50ms',
  { doc: 'Waiting is event-driven here.' },
)
export const CLIENT_PUSH_TAKE_TASK_MAX_WAIT_ATTEMPTS = int(
  'celeborn.client.push.takeTaskMaxWaitAttempts',
  '1',
  { min: 1, doc: 'Waiting is event-driven here.' },
)
export const CLIENT_PUSH_SEND_BUFFER_POOL_EXPIRE_TIMEOUT = duration(
  'celeborn.client.push.sendBufferPool.expireTimeout',
  '60s',
  { doc: 'Idle pooled buffers are given back after this long.' },
)
export const CLIENT_PUSH_SEND_BUFFER_POOL_CHECK_EXPIRE_INTERVAL = duration(
  'celeborn.client.push.sendBufferPool.checkExpireInterval',
  '30s',
  { min: 1, doc: 'Pause between two looks for idle pooled buffers.' },
)
export const CLIENT_PUSH_STAGE_END_TIMEOUT = duration(
  'celeborn.client.push.stageEnd.timeout',
  sameAs(MODULE_IO_CONNECTION_TIMEOUT('rpc')),
  {
    min: 1,
    alternatives: ['celeborn.push.stageEnd.timeout'],
    doc: 'Longest wait of the LifecycleManager for a stage to end.',
  },
)
export const CLIENT_PUSH_SORT_RANDOMIZE_PARTITION_ID_ENABLED = bool(
  'celeborn.client.push.sort.randomizePartitionId.enabled',
  'false',
  {
    alternatives: ['celeborn.push.sort.randomizePartitionId.enabled'],
    doc: 'The sort writer begins at a random partition, so that writers do not meet at one worker.',
  },
)
export const CLIENT_SPARK_PUSH_SORT_MEMORY_THRESHOLD = size(
  'celeborn.client.spark.push.sort.memory.threshold',
  '64m',
  {
    min: 1,
    alternatives: ['celeborn.push.sortMemory.threshold'],
    doc: 'Memory that the sort writer fills before it pushes.',
  },
)
export const CLIENT_SPARK_PUSH_DYNAMIC_WRITE_MODE_ENABLED = bool(
  'celeborn.client.spark.push.dynamicWriteMode.enabled',
  'false',
  { doc: 'The writer is chosen by the number of partitions.' },
)
export const CLIENT_SPARK_PUSH_DYNAMIC_WRITE_MODE_PARTITION_NUM_THRESHOLD = int(
  'celeborn.client.spark.push.dynamicWriteMode.partitionNum.threshold',
  '2000',
  { min: 1, doc: 'Above this number of partitions the sort writer is chosen.' },
)
export const CLIENT_SPARK_SHUFFLE_WRITER = oneOf(
  'celeborn.client.spark.shuffle.writer',
  ['HASH', 'SORT'],
  'HASH',
  { alternatives: ['celeborn.shuffle.writer'], doc: 'Which writer a map task uses.' },
)
