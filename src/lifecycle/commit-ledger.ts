/**
 * What became of each location of one shuffle at commit, on its primary's and its replica's worker.
 *
 * A side is asked to commit once: early (its partition was split for good, or its worker shuts down) or at stage end.
 * At the end the ledger knows what readers get, and whether acknowledged data is gone.
 */
import type { PartitionLocation, StorageInfo } from '../protocol/locations'
import type { LocationEntry } from './location-table'
import type { WorkerRef } from './worker-ref'

/** What one worker is asked to commit: unique ids of locations. */
export interface CommitBatch {
  readonly worker: WorkerRef
  readonly primaryIds: string[]
  readonly replicaIds: string[]
}

/** A worker's answer, as far as the ledger needs it. */
export interface CommitOutcome {
  /**
   * Whether an id that is neither committed nor failed was empty. So it is with SUCCESS and PARTIAL_SUCCESS; an answer
   * of any other status that leaves an id out says nothing of its data, and it counts as failed.
   */
  readonly unlistedAreEmpty: boolean
  readonly committedPrimaryIds: readonly string[]
  readonly committedReplicaIds: readonly string[]
  readonly failedPrimaryIds: readonly string[]
  readonly failedReplicaIds: readonly string[]
  readonly primaryStorage: ReadonlyMap<string, StorageInfo>
  readonly replicaStorage: ReadonlyMap<string, StorageInfo>
  readonly mapIdBitmaps: ReadonlyMap<string, Uint8Array>
}

/** A location whose data is gone, with the workers that failed to commit it. */
export interface LostLocation {
  readonly id: string
  readonly workers: readonly string[]
}

type SideState = 'open' | 'asked' | 'committed' | 'empty' | 'failed'

interface Side {
  state: SideState
  storage: StorageInfo | undefined
}

interface Record {
  readonly entry: LocationEntry
  readonly primary: Side
  readonly replica: Side | undefined
  bitmap: Uint8Array | undefined
}

export class CommitLedger {
  private readonly records = new Map<string, Record>()

  /** Marks all sides of these locations that were not asked yet, and groups them by worker. */
  take(entries: Iterable<LocationEntry>): CommitBatch[] {
    const batches = new Map<string, CommitBatch>()
    for (const entry of entries) {
      const record = this.recordOf(entry)
      if (record.primary.state === 'open') {
        record.primary.state = 'asked'
        batchFor(batches, entry.primaryWorker).primaryIds.push(entry.id)
      }
      if (
        record.replica !== undefined &&
        entry.replicaWorker !== undefined &&
        record.replica.state === 'open'
      ) {
        record.replica.state = 'asked'
        batchFor(batches, entry.replicaWorker).replicaIds.push(entry.id)
      }
    }
    return [...batches.values()]
  }

  /** Whether anything of this location is still to be asked for. */
  isOpen(entry: LocationEntry): boolean {
    const record = this.records.get(entry.id)
    if (record === undefined) return true
    return record.primary.state === 'open' || record.replica?.state === 'open'
  }

  /** Enters a worker's answer. Ids that this batch did not ask for are ignored. */
  record(batch: CommitBatch, outcome: CommitOutcome): void {
    const unlisted: SideState = outcome.unlistedAreEmpty ? 'empty' : 'failed'
    const committedPrimary = new Set(outcome.committedPrimaryIds)
    const failedPrimary = new Set(outcome.failedPrimaryIds)
    for (const id of batch.primaryIds) {
      const record = this.records.get(id)
      if (record === undefined) continue
      settle(record.primary, id, committedPrimary, failedPrimary, outcome.primaryStorage, unlisted)
      record.bitmap ??= outcome.mapIdBitmaps.get(id)
    }
    const committedReplica = new Set(outcome.committedReplicaIds)
    const failedReplica = new Set(outcome.failedReplicaIds)
    for (const id of batch.replicaIds) {
      const record = this.records.get(id)
      if (record?.replica === undefined) continue
      settle(record.replica, id, committedReplica, failedReplica, outcome.replicaStorage, unlisted)
      record.bitmap ??= outcome.mapIdBitmaps.get(id)
    }
  }

  /** The worker could not be made to commit: all that the batch asked for failed. */
  fail(batch: CommitBatch): void {
    for (const id of batch.primaryIds) {
      const record = this.records.get(id)
      if (record !== undefined) record.primary.state = 'failed'
    }
    for (const id of batch.replicaIds) {
      const record = this.records.get(id)
      if (record?.replica !== undefined) record.replica.state = 'failed'
    }
  }

  /**
   * Locations with acknowledged data that nobody has any more: the primary failed, and there is no replica or it failed
   * too. (A replica that turned out empty is no loss: a primary acknowledges only what its replica took.)
   */
  lost(): LostLocation[] {
    const lost: LostLocation[] = []
    for (const { entry, primary, replica } of this.records.values()) {
      if (primary.state !== 'failed') continue
      if (replica === undefined) lost.push({ id: entry.id, workers: [entry.primaryWorker.id] })
      else if (replica.state === 'failed') {
        const workers = [entry.primaryWorker.id]
        if (entry.replicaWorker !== undefined) workers.push(entry.replicaWorker.id)
        lost.push({ id: entry.id, workers })
      }
    }
    return lost
  }

  /**
   * What readers get: per partition the committed locations of all epochs, with the committed replica as peer; where
   * only the replica was committed, the replica itself. Partitions without data are absent.
   */
  fileGroups(): Map<number, PartitionLocation[]> {
    const groups = new Map<number, PartitionLocation[]>()
    for (const record of this.records.values()) {
      const location = committedLocation(record)
      if (location === undefined) continue
      const group = groups.get(location.id)
      if (group === undefined) groups.set(location.id, [location])
      else group.push(location)
    }
    return groups
  }

  private recordOf(entry: LocationEntry): Record {
    const known = this.records.get(entry.id)
    if (known !== undefined) return known
    const record: Record = {
      entry,
      primary: { state: 'open', storage: undefined },
      replica: entry.replica === undefined ? undefined : { state: 'open', storage: undefined },
      bitmap: undefined,
    }
    this.records.set(entry.id, record)
    return record
  }
}

function settle(
  side: Side,
  id: string,
  committed: ReadonlySet<string>,
  failed: ReadonlySet<string>,
  storage: ReadonlyMap<string, StorageInfo>,
  unlisted: SideState,
): void {
  if (side.state !== 'asked') return
  // A failed id wins over a committed one: an answer that contradicts itself must not make readers trust the file.
  if (failed.has(id)) side.state = 'failed'
  else if (committed.has(id)) {
    side.state = 'committed'
    side.storage = storage.get(id)
  } else side.state = unlisted
}

function batchFor(batches: Map<string, CommitBatch>, worker: WorkerRef): CommitBatch {
  const known = batches.get(worker.id)
  if (known !== undefined) return known
  const batch: CommitBatch = { worker, primaryIds: [], replicaIds: [] }
  batches.set(worker.id, batch)
  return batch
}

function committedLocation({ entry, primary, replica, bitmap }: Record): PartitionLocation | undefined {
  const committedPrimary =
    primary.state === 'committed' ? asCommitted(entry.primary, primary.storage, bitmap) : undefined
  const committedReplica =
    replica?.state === 'committed' && entry.replica !== undefined
      ? asCommitted(entry.replica, replica.storage, bitmap)
      : undefined
  if (committedPrimary === undefined) return committedReplica
  return committedReplica === undefined ? committedPrimary : { ...committedPrimary, peer: committedReplica }
}

/** The location as readers see it: what was reserved is replaced by what was committed, and peers are set anew. */
function asCommitted(
  reserved: PartitionLocation,
  storage: StorageInfo | undefined,
  bitmap: Uint8Array | undefined,
): PartitionLocation {
  return {
    ...reserved,
    storage: storage ?? { ...reserved.storage, finalResult: true },
    peer: undefined,
    mapIdBitmap: bitmap,
  }
}
