import { ConfigError } from '../errors'
import { openFileLimit } from '../fs/open-file-limit'

/** What Node.js, the program around the cluster and the master need. */
const PROCESS_FILES = 64
/** A worker's servers, its connections to the master and to other workers, and those of a few clients. */
const WORKER_FILES = 24
const LEAST_PARTITION_FILES = 8

/**
 * Partition files that each worker may keep open: what is configured, less where the system allows less. A process without
 * descriptors loses connections instead of saying why, hence the refusal.
 *
 * @throws ConfigError if the system allows too few for the workers
 */
export function partitionFilesPerWorker(
  configured: number,
  workers: number,
  limit: number = openFileLimit(),
): number {
  const needed = PROCESS_FILES + workers * (WORKER_FILES + LEAST_PARTITION_FILES)
  if (limit < needed) {
    throw new ConfigError(
      `this process may open ${limit} files and sockets, and an embedded cluster of ${workers} worker${workers === 1 ? '' : 's'} ` +
        `needs ${needed} or more: raise the limit (ulimit -n ${needed})`,
    )
  }
  // The other half is left to clients' connections.
  const spare = (limit - PROCESS_FILES - workers * WORKER_FILES) / Math.max(1, workers)
  return Math.min(configured, Math.max(LEAST_PARTITION_FILES, Math.floor(spare / 2)))
}
