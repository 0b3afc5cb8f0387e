/**
 * New locations for partitions whose writers met a split or a failure (CHANGE_LOCATION, "revive").
 *
 * Requests gather for a short while, then one round of reservations serves all of them: each partition once, whoever
 * and however many asked. A request for an epoch that has a successor already is answered at once.
 */
import type { PartitionLocation } from '../protocol/locations'
import type { ChangeLocationPartitionInfo, ChangeLocationResponse, Revive } from '../protocol/messages'
import { StatusCode, statusName } from '../protocol/status'
import type { Committer } from './committer'
import { type Deferred, deferred } from './deferred'
import { emitEvent } from './events'
import { MAX_EPOCH } from './limits'
import type { LocationEntry } from './location-table'
import { offeredWorkers, type Registrar } from './registrar'
import type { LifecycleSettings } from './settings'
import type { Shuffle } from './shuffle'
import { enoughWorkers, type PlacementRequest, placeLocations } from './slot-allocation'
import type { SlotReserver } from './slot-reserver'
import type { WorkerRef } from './worker-ref'
import type { WorkerTracker } from './worker-tracker'

interface ChangeResult {
  readonly status: number
  readonly location?: PartitionLocation | undefined
}

/** One partition that waits for its next epoch. Everybody who asks meanwhile joins. */
interface Pending {
  readonly current: LocationEntry
  /** Status code that the first writer gave as the reason. */
  readonly cause: number
  readonly result: Deferred<ChangeResult>
}

interface ShuffleChanges {
  readonly byPartition: Map<number, Pending>
  /** Those of `byPartition` that no round has taken up. */
  queued: Pending[]
}

const SPLITS: ReadonlySet<number> = new Set([StatusCode.HARD_SPLIT, StatusCode.SOFT_SPLIT])

/** Answers that are about the whole shuffle. */
const OVER: ReadonlySet<number> = new Set([StatusCode.STAGE_ENDED, StatusCode.SHUFFLE_UNREGISTERED])

export class ChangeLocationManager {
  private readonly changes = new Map<Shuffle, ShuffleChanges>()
  private timer: NodeJS.Timeout | undefined
  private requestCount = 0
  private roundCount = 0

  constructor(
    private readonly appId: string,
    private readonly registrar: Registrar,
    private readonly reserver: SlotReserver,
    private readonly committer: Committer,
    private readonly tracker: WorkerTracker,
    private readonly settings: LifecycleSettings,
    signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true })
  }

  get requests(): number {
    return this.requestCount
  }

  get rounds(): number {
    return this.roundCount
  }

  /**
   * Answers when all partitions of the request have been decided.
   * @throws RpcError when the request names a partition or epoch that the shuffle does not have
   */
  async change(shuffle: Shuffle | undefined, request: Revive): Promise<ChangeLocationResponse> {
    this.requestCount++
    const table = shuffle?.table
    if (shuffle === undefined || table === undefined) return wholeShuffle(lateStatus(shuffle))
    if (shuffle.phase !== 'registered') return wholeShuffle(StatusCode.STAGE_ENDED)

    // Checked before anything is done, so that a bad request has no half of an effect.
    for (const { partitionId, epoch } of request.partitions) {
      const latest = table.latest(partitionId)
      if (latest === undefined) {
        throw shuffle.rejection(`partition ${partitionId} is not between 0 and ${shuffle.numPartitions - 1}`)
      }
      if (epoch > latest.primary.epoch) {
        throw shuffle.rejection(
          `partition ${partitionId} has no epoch ${epoch} yet, the latest is ${latest.primary.epoch}`,
        )
      }
    }

    const { attempts } = shuffle
    const endedMapIds = [...new Set(request.mapIds)].filter((mapId) => attempts?.isEnded(mapId) === true)
    const waits = request.partitions.map(({ partitionId, epoch, cause }) => {
      const old = table.find(partitionId, epoch)
      if (old !== undefined) this.noteCause(shuffle, old, cause)
      const result = this.next(shuffle, partitionId, epoch, cause)
      return result.then(({ status, location }): ChangeLocationPartitionInfo => {
        const oldAvailable = old !== undefined && this.tracker.isAvailable(old.primaryWorker)
        return { partitionId, status, location, oldAvailable }
      })
    })
    const partitions = await Promise.all(waits)
    // The stage ended or the shuffle went while this request waited.
    const over = partitions.find(({ status }) => OVER.has(status))
    if (over !== undefined) return { ...wholeShuffle(over.status), endedMapIds }
    return { endedMapIds, partitions }
  }

  /** The stage ends or the shuffle goes: answers all who wait. A round under way gives its locations back. */
  cancel(shuffle: Shuffle, status: number): void {
    const changes = this.changes.get(shuffle)
    this.changes.delete(shuffle)
    for (const pending of changes?.byPartition.values() ?? []) pending.result.resolve({ status })
  }

  private noteCause(shuffle: Shuffle, old: LocationEntry, cause: number): void {
    this.tracker.recordPushFailure(cause, old.primaryWorker, old.replicaWorker)
    // After a hard split the worker takes nothing more for this location: it can be committed while others are written.
    if (cause === StatusCode.HARD_SPLIT) this.committer.commitEarly(shuffle, [old])
  }

  /** The location that follows `epoch`; makes it if nobody has. */
  private next(shuffle: Shuffle, partitionId: number, epoch: number, cause: number): Promise<ChangeResult> {
    const latest = shuffle.table?.latest(partitionId)
    if (latest === undefined) return Promise.resolve({ status: StatusCode.STAGE_ENDED })
    if (latest.primary.epoch > epoch) {
      return Promise.resolve({ status: StatusCode.SUCCESS, location: latest.primary })
    }
    const changes = this.changesOf(shuffle)
    const joined = changes.byPartition.get(partitionId)
    if (joined !== undefined) return joined.result.promise
    const pending: Pending = { current: latest, cause, result: deferred() }
    changes.byPartition.set(partitionId, pending)
    changes.queued.push(pending)
    if (this.settings.batchChange) {
      this.timer ??= setTimeout(() => this.startRounds(), this.settings.batchChangeIntervalMs)
    } else this.startRounds()
    return pending.result.promise
  }

  private changesOf(shuffle: Shuffle): ShuffleChanges {
    let changes = this.changes.get(shuffle)
    if (changes === undefined) {
      changes = { byPartition: new Map(), queued: [] }
      this.changes.set(shuffle, changes)
    }
    return changes
  }

  private startRounds(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    for (const [shuffle, changes] of this.changes) {
      const round = changes.queued
      if (round.length === 0) continue
      changes.queued = []
      this.roundCount++
      void this.runRound(shuffle, changes, round)
    }
  }

  /** Settles every pending of the round; never rejects. */
  private async runRound(
    shuffle: Shuffle,
    changes: ShuffleChanges,
    round: readonly Pending[],
  ): Promise<void> {
    let status: number = StatusCode.RESERVE_SLOTS_FAILED
    try {
      status = await this.reserveRound(shuffle, changes, round)
    } catch (error) {
      this.tell(shuffle, error instanceof Error ? error.message : String(error))
    }
    for (const pending of round) {
      if (!pending.result.settled) this.settle(changes, pending, { status })
    }
  }

  /** Answers the status for those that got no location. */
  private async reserveRound(
    shuffle: Shuffle,
    changes: ShuffleChanges,
    round: readonly Pending[],
  ): Promise<number> {
    const { shuffleId, table } = shuffle
    if (table === undefined) return StatusCode.STAGE_ENDED
    const candidates = await this.candidates(shuffle, round)
    if (!enoughWorkers(candidates.length, this.settings.replicate)) {
      this.tell(shuffle, `${candidates.length} worker(s) available, not enough for a new location`)
      return StatusCode.SLOT_NOT_AVAILABLE
    }
    const wanted = placeLocations(round.map(placement), candidates, this.settings)
    const result = await this.reserver.reserve(shuffleId, wanted, {
      candidates: () => candidates,
      newEpochOnRetry: true,
    })
    // The stage ended meanwhile: nobody will write there.
    if (shuffle.phase !== 'registered') {
      await this.reserver.destroy(shuffleId, result.reserved)
      return StatusCode.STAGE_ENDED
    }
    for (const worker of candidates) table.addWorker(worker)
    const pendingOf = new Map(round.map((pending) => [pending.current.primary.id, pending]))
    for (const primary of result.reserved) {
      table.add(primary)
      const pending = pendingOf.get(primary.id)
      if (pending !== undefined) {
        this.settle(changes, pending, { status: StatusCode.SUCCESS, location: primary })
      }
    }
    if (result.reserved.length > 0) {
      const message = `${result.reserved.length} new location(s)`
      emitEvent({ kind: 'location-changed', appId: this.appId, shuffleId, message })
    }
    if (result.failed.length > 0) this.tell(shuffle, result.reasons.join('; '))
    return StatusCode.RESERVE_SLOTS_FAILED
  }

  /** Available workers of the shuffle; with dynamic resources the master is asked for more when too many are gone. */
  private async candidates(shuffle: Shuffle, round: readonly Pending[]): Promise<WorkerRef[]> {
    const allocated = shuffle.workers
    const available = [...allocated.values()].filter((w) => this.tracker.isAvailable(w))
    if (!this.settings.dynamicResource) return available
    const goneRatio = 1 - available.length / Math.max(1, allocated.size)
    const enough = enoughWorkers(available.length, this.settings.replicate)
    if (enough && goneRatio < this.settings.dynamicResourceFactor) return available
    const partitionIds = round.map((pending) => pending.current.primary.id)
    const slots = await this.registrar.requestSlots(shuffle.shuffleId, partitionIds)
    if (slots.status !== StatusCode.SUCCESS) {
      this.tell(shuffle, `the master has no more workers: ${statusName(slots.status)}`)
      return available
    }
    const known = new Set(available.map((w) => w.id))
    for (const worker of offeredWorkers(slots)) {
      if (!known.has(worker.id) && this.tracker.isAvailable(worker)) available.push(worker)
    }
    return available
  }

  private settle(changes: ShuffleChanges, pending: Pending, result: ChangeResult): void {
    const partitionId = pending.current.primary.id
    if (changes.byPartition.get(partitionId) === pending) changes.byPartition.delete(partitionId)
    pending.result.resolve(result)
  }

  private tell(shuffle: Shuffle, message: string): void {
    emitEvent({ kind: 'change-failed', appId: this.appId, shuffleId: shuffle.shuffleId, message })
  }
}

function placement({ current, cause }: Pending): PlacementRequest {
  const { id, epoch, storage } = current.primary
  if (epoch >= MAX_EPOCH) throw new RangeError(`partition ${id} has used up its epochs`)
  const avoid = new Set<string>()
  if (!SPLITS.has(cause)) {
    avoid.add(current.primaryWorker.id)
    if (current.replicaWorker !== undefined) avoid.add(current.replicaWorker.id)
  }
  return { partitionId: id, epoch: epoch + 1, storage: { ...storage, mountPoint: '' }, avoid }
}

/** What a revive that comes too early or too late is answered with. */
function lateStatus(shuffle: Shuffle | undefined): number {
  const ended = shuffle?.phase === 'ended' || shuffle?.phase === 'data-lost'
  return ended ? StatusCode.STAGE_ENDED : StatusCode.SHUFFLE_UNREGISTERED
}

/** The form of an answer about the shuffle rather than its partitions. */
function wholeShuffle(status: number): ChangeLocationResponse {
  return { endedMapIds: [], partitions: [{ partitionId: -1, status, oldAvailable: false }] }
}
