import { duration, int, size } from './entry'
import { MASTER_HEARTBEAT_WORKER_TIMEOUT } from './cluster-keys'

// This package's own keys for the embedded cluster, all below celeborn.node.embedded. Limits are per worker.

export const NODE_EMBEDDED_HEARTBEAT_INTERVAL = duration(
  'celeborn.node.embedded.heartbeatInterval',
  {
    from: (conf) => Math.max(1, Math.min(5_000, Math.floor(conf.get(MASTER_HEARTBEAT_WORKER_TIMEOUT) / 4))),
    text: '5s, at most a quarter of celeborn.master.heartbeat.worker.timeout',
  },
  { min: 1, doc: 'Pause between heartbeats of a worker, which also fetch what may be deleted.' },
)
export const NODE_EMBEDDED_MAX_UNWRITTEN_BYTES = size('celeborn.node.embedded.maxUnwrittenBytes', '64m', {
  min: 1,
  doc: 'Pushed bytes that a worker holds until the disk has them; above that it stops reading pushes.',
})
export const NODE_EMBEDDED_MAX_CHUNK_BYTES = size('celeborn.node.embedded.maxChunkBytes', '128m', {
  min: 1,
  doc: 'Chunks that a worker has read from disk for readers who have not taken them yet.',
})
export const NODE_EMBEDDED_MAX_CHUNK_BYTES_PER_CONNECTION = size(
  'celeborn.node.embedded.maxChunkBytesPerConnection',
  '32m',
  { min: 1, doc: 'Share of that which one connection may take; one chunk is always possible.' },
)
export const NODE_EMBEDDED_MAX_OPEN_FILES = int('celeborn.node.embedded.maxOpenFiles', '256', {
  min: 1,
  doc: 'Partition files that a worker keeps open; fewer where the process may not open so many.',
})
export const NODE_EMBEDDED_DISK_RESERVE = size('celeborn.node.embedded.diskReserve', '32m', {
  doc: 'A worker whose disk has less room takes no new partition, and splits files of celeborn.worker.shuffle.partitionSplit.min and more.',
})
