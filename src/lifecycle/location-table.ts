/**
 * All locations of one shuffle. Each partition has one location per epoch (one more for every split or revive); the
 * latest is where writers push, all of them hold data and are committed at the end.
 */
import { partitionUniqueId } from '../protocol/ids'
import type { PartitionLocation } from '../protocol/locations'
import { type WorkerRef, workerOf } from './worker-ref'

/** A location with the workers that hold it. The replica exists with replication only. */
export interface LocationEntry {
  /** `<partitionId>-<epoch>`. */
  readonly id: string
  readonly primary: PartitionLocation
  readonly primaryWorker: WorkerRef
  readonly replica: PartitionLocation | undefined
  readonly replicaWorker: WorkerRef | undefined
}

export class LocationTable {
  private readonly byId = new Map<string, LocationEntry>()
  private readonly latestOf: (LocationEntry | undefined)[]
  private readonly workersById = new Map<string, WorkerRef>()
  private highestEpoch = -1

  /** @param numPartitions the caller has checked it against the limit. */
  constructor(readonly numPartitions: number) {
    this.latestOf = new Array<LocationEntry | undefined>(numPartitions).fill(undefined)
  }

  get size(): number {
    return this.byId.size
  }

  get maxEpoch(): number {
    return this.highestEpoch
  }

  /** Workers that hold a location, and those that the master offered without one (candidates for a revive). */
  get workers(): ReadonlyMap<string, WorkerRef> {
    return this.workersById
  }

  addWorker(worker: WorkerRef): void {
    if (!this.workersById.has(worker.id)) this.workersById.set(worker.id, worker)
  }

  /** Adds a reserved primary (with its replica as `peer`). It becomes the partition's latest location. */
  add(primary: PartitionLocation): LocationEntry {
    const before = this.latest(primary.id)
    if (before !== undefined && before.primary.epoch >= primary.epoch) {
      throw new RangeError(
        `partition ${primary.id}: epoch ${primary.epoch} after epoch ${before.primary.epoch}`,
      )
    }
    const primaryWorker = this.intern(workerOf(primary))
    const replica = primary.peer
    const replicaWorker = replica === undefined ? undefined : this.intern(workerOf(replica))
    const entry: LocationEntry = {
      id: partitionUniqueId(primary.id, primary.epoch),
      primary,
      primaryWorker,
      replica,
      replicaWorker,
    }
    this.byId.set(entry.id, entry)
    this.latestOf[primary.id] = entry
    if (primary.epoch > this.highestEpoch) this.highestEpoch = primary.epoch
    return entry
  }

  latest(partitionId: number): LocationEntry | undefined {
    return this.latestOf[partitionId]
  }

  find(partitionId: number, epoch: number): LocationEntry | undefined {
    return this.byId.get(partitionUniqueId(partitionId, epoch))
  }

  byUniqueId(id: string): LocationEntry | undefined {
    return this.byId.get(id)
  }

  entries(): IterableIterator<LocationEntry> {
    return this.byId.values()
  }

  /** Where writers push now: one primary per partition, in partition order. */
  latestPrimaries(): PartitionLocation[] {
    const primaries: PartitionLocation[] = []
    for (const entry of this.latestOf) if (entry !== undefined) primaries.push(entry.primary)
    return primaries
  }

  // One object per worker, however many thousand locations it has.
  private intern(worker: WorkerRef): WorkerRef {
    const known = this.workersById.get(worker.id)
    if (known !== undefined) return known
    this.workersById.set(worker.id, worker)
    return worker
  }
}
