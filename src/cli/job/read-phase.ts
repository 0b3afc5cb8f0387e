import { runAtOnce } from './at-once'
import { type PartitionChecksums } from './checksums'
import { CHUNK_FRAME_BYTES, type MemoryPlan } from './memory-plan'
import { PartitionReadBack, type ReadBackOptions } from './read-back'

export interface ReadPhaseOptions extends ReadBackOptions {
  /** What was pushed: says how large partitions are. */
  readonly pushed: PartitionChecksums
  readonly memory: MemoryPlan
}

const MAX_READERS = 4

/** Reads all partitions back: some at once, if they are so small that their frames fit into the pool together. */
export async function readPartitions(options: ReadPhaseOptions): Promise<void> {
  const { pushed, memory, ...common } = options
  let largest = 1
  for (let p = 0; p < pushed.numPartitions; p++) largest = Math.max(largest, pushed.of(p).bytes)
  // A chunk holds headers and blocks that did not compress, too; and a reader holds no more than its window.
  const frames = Math.min(2 * largest, memory.framesPerReader * CHUNK_FRAME_BYTES)
  const readers = Math.min(Math.max(Math.floor(memory.poolBytes / frames), 1), MAX_READERS)
  await runAtOnce(pushed.numPartitions, readers, common.signal, (partitionId, signal) =>
    new PartitionReadBack({ ...common, signal }).read(partitionId),
  )
}
