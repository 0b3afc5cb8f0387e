import { bool, duration, int, oneOf, optional, size } from './entry'
import { stringType } from './values'

// Keys of masters and workers that the embedded cluster understands. Defaults are Celeborn 0.6.3's.

const port = (key: string, value: string, doc: string) => int(key, value, { min: 0, max: 65535, doc })

export const MASTER_PORT = port('celeborn.master.port', '9097', 'RPC port of the master.')
export const MASTER_HEARTBEAT_WORKER_TIMEOUT = duration('celeborn.master.heartbeat.worker.timeout', '120s', {
  min: 1,
  alternatives: ['celeborn.worker.heartbeat.timeout'],
  doc: 'A worker that was silent for this long is taken for lost; workers send a heartbeat four times as often.',
})
export const MASTER_HEARTBEAT_APPLICATION_TIMEOUT = duration(
  'celeborn.master.heartbeat.application.timeout',
  '300s',
  {
    min: 1,
    alternatives: ['celeborn.application.heartbeat.timeout'],
    doc: 'An application that was silent for this long is taken for lost and its files are deleted.',
  },
)
export const MASTER_SLOT_ASSIGN_POLICY = oneOf(
  'celeborn.master.slot.assign.policy',
  ['ROUNDROBIN', 'LOADAWARE'],
  'ROUNDROBIN',
  { alternatives: ['celeborn.slots.assign.policy'], doc: 'How slots are spread over workers.' },
)

export const WORKER_RPC_PORT = port(
  'celeborn.worker.rpc.port',
  '0',
  'RPC port of a worker; 0 takes a free one.',
)
export const WORKER_PUSH_PORT = port('celeborn.worker.push.port', '0', 'Port for pushes; 0 takes a free one.')
export const WORKER_FETCH_PORT = port(
  'celeborn.worker.fetch.port',
  '0',
  'Port for reads; 0 takes a free one.',
)
export const WORKER_REPLICATE_PORT = port(
  'celeborn.worker.replicate.port',
  '0',
  'Port for pushes from other workers; 0 takes a free one.',
)
export const WORKER_STORAGE_DIRS = optional('celeborn.worker.storage.dirs', stringType, {
  doc: 'Directories for partition files, path[:capacity=..][:disktype=..][:flushthread=..], separated by commas.',
})
export const WORKER_FLUSHER_BUFFER_SIZE = size('celeborn.worker.flusher.buffer.size', '256k', {
  min: 1,
  doc: 'Bytes that a partition’s file gathers before they are written.',
})
export const WORKER_SHUFFLE_PARTITION_SPLIT_ENABLED = bool(
  'celeborn.worker.shuffle.partitionSplit.enabled',
  'true',
  {
    alternatives: ['celeborn.worker.partition.split.enabled'],
    doc: 'Workers split files that grow too large.',
  },
)
export const WORKER_SHUFFLE_PARTITION_SPLIT_MIN = size('celeborn.worker.shuffle.partitionSplit.min', '1m', {
  alternatives: ['celeborn.shuffle.partitionSplit.min'],
  doc: 'Smaller files are not split for want of disk space.',
})
export const WORKER_SHUFFLE_PARTITION_SPLIT_MAX = size('celeborn.worker.shuffle.partitionSplit.max', '2g', {
  min: 1,
  doc: 'Larger files are split hard.',
})
export const WORKER_COMMIT_FILES_TIMEOUT = duration('celeborn.worker.commitFiles.timeout', '120s', {
  min: 1,
  alternatives: ['celeborn.worker.shuffle.commit.timeout'],
  doc: 'Longest time that committing a shuffle’s files may take.',
})
export const WORKER_GRACEFUL_SHUTDOWN_CHECK_SLOTS_FINISHED_TIMEOUT = duration(
  'celeborn.worker.graceful.shutdown.checkSlotsFinished.timeout',
  '480s',
  { doc: 'Longest time that a worker that stops gracefully waits for its files to be committed.' },
)
export const WORKER_DECOMMISSION_FORCE_EXIT_TIMEOUT = duration(
  'celeborn.worker.decommission.forceExitTimeout',
  '6h',
  { doc: 'Longest time that a worker that is decommissioned waits for its shuffles to go.' },
)
export const WORKER_CONGESTION_CONTROL_ENABLED = bool('celeborn.worker.congestionControl.enabled', 'false', {
  doc: 'Workers answer pushes with congestion codes when they are behind.',
})
export const SHUFFLE_CHUNK_SIZE = size('celeborn.shuffle.chunk.size', '8m', {
  min: 1,
  max: 0x7ffffffe,
  doc: 'Size from which on a chunk of a partition’s file is closed.',
})
