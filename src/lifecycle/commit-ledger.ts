/**
 * What became of each location of one shuffle at commit, on its primary's and its replica's worker.
 *
 * A side is asked to commit once: early (its partition was split for good, or its worker shuts down) or at stage end.
 * At the end the ledger knows what readers get, and whether acknowledged data is gone.
 */
import type { PartitionLocation, StorageInfo } from '../protocol/locations'
import type { LocationEntry } from './location-table'
import { readableAddress, type WorkerRef } from './worker-ref'

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
  /** What the worker said, for the ids that failed. */
  readonly words: string
}

/** A location whose data is gone. */
export interface LostLocation {
  readonly id: string
  /** Each copy, with the worker that had it and why it was not committed. */
  readonly copies: readonly { readonly worker: string; readonly reason: string }[]
}

type SideState = 'open' | 'asked' | 'committed' | 'empty' | 'failed'

interface Side {
  state: SideState
  storage: StorageInfo | undefined
  /** Why it failed. */
  reason: string
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
      settle(
        record.primary,
        id,
        committedPrimary,
        failedPrimary,
        outcome.primaryStorage,
        unlisted,
        outcome.words,
      )
      record.bitmap ??= outcome.mapIdBitmaps.get(id)
    }
    const committedReplica = new Set(outcome.committedReplicaIds)
    const failedReplica = new Set(outcome.failedReplicaIds)
    for (const id of batch.replicaIds) {
      const record = this.records.get(id)
      if (record?.replica === undefined) continue
      settle(
        record.replica,
        id,
        committedReplica,
        failedReplica,
        outcome.replicaStorage,
        unlisted,
        outcome.words,
      )
      record.bitmap ??= outcome.mapIdBitmaps.get(id)
    }
  }

  /** The worker could not be made to commit: all that the batch asked for failed. */
  fail(batch: CommitBatch, reason: string): void {
    for (const id of batch.primaryIds) fail(this.records.get(id)?.primary, reason)
    for (const id of batch.replicaIds) fail(this.records.get(id)?.replica, reason)
  }

  /**
   * Locations with acknowledged data that nobody has any more: the primary failed, and there is no replica or it failed
   * too. (A replica that turned out empty is no loss: a primary acknowledges only what its replica took.)
   */
  lost(): LostLocation[] {
    const lost: LostLocation[] = []
    for (const { entry, primary, replica } of this.records.values()) {
      if (primary.state !== 'failed') continue
      const copies = [{ worker: readableAddress(entry.primaryWorker), reason: primary.reason }]
      if (replica !== undefined && replica.state !== 'failed') continue
      if (replica !== undefined && entry.replicaWorker !== undefined)
        copies.push({ worker: readableAddress(entry.replicaWorker), reason: replica.reason })
      lost.push({ id: entry.id, copies })
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
      primary: open(),
      replica: entry.replica === undefined ? undefined : open(),
      bitmap: undefined,
    }
    this.records.set(entry.id, record)
    return record
  }
}

/** Locations that {@link describeLost} names one by one. */
const NAMED_LOCATIONS = 5

/** What is lost, where it was and why, in one line. */
export function describeLost(lost: readonly LostLocation[]): string {
  const some = lost.slice(0, NAMED_LOCATIONS).map(({ id, copies }) => {
    const where = copies.map(({ worker, reason }) => `on worker ${worker} (${reason})`)
    return `${id} ${where.join(' and ')}`
  })
  const more = lost.length - some.length
  return `data of ${lost.length} location(s) is lost: ${some.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function open(): Side {
  return { state: 'open', storage: undefined, reason: '' }
}

function fail(side: Side | undefined, reason: string): void {
  if (side === undefined) return
  side.state = 'failed'
  side.reason = reason
}

function settle(
  side: Side,
  id: string,
  committed: ReadonlySet<string>,
  failed: ReadonlySet<string>,
  storage: ReadonlyMap<string, StorageInfo>,
  unlisted: SideState,
  words: string,
): void {
  if (side.state !== 'asked') return
  // A failed id wins over a committed one: an answer that contradicts itself must not make readers trust the file.
  if (failed.has(id)) fail(side, words)
  else if (committed.has(id)) {
    side.state = 'committed'
    side.storage = storage.get(id)
  } else if (unlisted === 'failed') fail(side, words)
  else side.state = unlisted
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
