import { type Contents, Digest, fillBatch } from './content'
import { Random } from './random'

const KIB = 1024
const MIB = 1024 * KIB
/** The largest batch that either side takes. */
export const LARGEST = 64 * MIB

export interface PlannedBatch {
  readonly partition: number
  readonly size: number
  /** To be gathered with others (mergeData). */
  readonly merged: boolean
}

/** What one map task writes, in order. */
export interface PlannedTask {
  readonly mapId: number
  readonly batches: readonly PlannedBatch[]
}

export interface Plan {
  readonly seed: number
  readonly partitions: number
  readonly tasks: readonly PlannedTask[]
}

export interface PlanOptions {
  readonly tasks: number
  readonly partitions: number
  /** Batches of each task besides the smallest and the largest. */
  readonly batches: number
  readonly largest: number
}

/** Batches of random sizes for every partition; each task has one of 1 byte and one of the largest size. */
export function plan(seed: number, options: PlanOptions): Plan {
  const { tasks, partitions, batches, largest } = options
  const random = new Random(seed)
  const task = (mapId: number): PlannedTask => {
    const sizes = Array.from({ length: batches }, () => random.size(1, Math.min(largest, 2 * MIB)))
    sizes.splice(random.int(sizes.length + 1), 0, 1)
    sizes.splice(random.int(sizes.length + 1), 0, largest)
    return {
      mapId,
      batches: sizes.map((size) => ({
        partition: random.int(partitions),
        size,
        merged: size <= 32 * KIB && random.boolean(),
      })),
    }
  }
  return { seed, partitions, tasks: Array.from({ length: tasks }, (_, mapId) => task(mapId)) }
}

/** What each partition must hold, from the map tasks in `[from, to)`. */
export function expected(of: Plan, from = 0, to = of.tasks.length): Contents[] {
  const digests = Array.from({ length: of.partitions }, () => new Digest())
  for (const { mapId, batches } of of.tasks.slice(from, to)) {
    for (const [index, { partition, size }] of batches.entries()) {
      const batch = Buffer.allocUnsafe(size)
      fillBatch(batch, of.seed, mapId, index)
      digests[partition]?.add(batch)
    }
  }
  return digests.map((digest) => digest.contents)
}
