import { type Admission, type Charge } from './admission'
import { type PushAttempt } from './attempt'
import { type PushBatch } from './batch'
import { type MergedPart } from './merged-request'
import { type PlacedPartition } from './partition'

/** Who sends what the merger has gathered. */
export interface MergeSink {
  sendMerged(parts: readonly MergedPart[], charge: Charge): void
  /** The batch's location has changed since it was gathered. */
  regroup(batch: PushBatch): void
  /** Room for a request could not be had. */
  mergeFailed(batch: PushBatch, error: unknown): void
}

/** Batches of one attempt for one pair of primary and replica. */
export class MergeGroup {
  bytes = 0
  readonly batches: PushBatch[] = []
  constructor(
    readonly attempt: PushAttempt,
    readonly place: PlacedPartition,
  ) {}
}

/**
 * Gathers small batches until they are worth a request. What is gathered is charged already, so it never waits
 * for long: as soon as anybody has to wait for room, everything gathered goes out.
 */
export class Merger {
  private readonly groups = new Set<MergeGroup>()

  constructor(
    private readonly admission: Admission,
    private readonly maxBytes: number,
    private readonly sink: MergeSink,
  ) {}

  add(batch: PushBatch, place: PlacedPartition): void {
    const { attempt } = batch
    let group = attempt.merges.get(place.pair)
    if (group === undefined) {
      group = new MergeGroup(attempt, place)
      attempt.merges.set(place.pair, group)
      this.groups.add(group)
    }
    group.batches.push(batch)
    group.bytes += 16 + batch.blockHeader.length + batch.payload.byteLength
    if (group.bytes > this.maxBytes || this.admission.contended) void this.flush(group)
  }

  /** Sends what an attempt has gathered; resolves when all of it, sent now or before, is with its connections. */
  async flushAttempt(attempt: PushAttempt): Promise<void> {
    while (attempt.merges.size > 0) {
      for (const group of attempt.merges.values()) void this.flush(group)
    }
    await Promise.all(attempt.flushes)
  }

  /** Somebody is short of room. */
  flushAll(): void {
    for (const group of [...this.groups]) void this.flush(group)
  }

  /** The attempt has ended: its batches are dropped by themselves. */
  discard(attempt: PushAttempt): void {
    for (const group of attempt.merges.values()) this.groups.delete(group)
    attempt.merges.clear()
  }

  private async flush(group: MergeGroup): Promise<void> {
    const { attempt, place } = group
    // A group that has to wait for its request makes all others go out, also those that whoever flushes it comes to next.
    if (!this.groups.delete(group)) return
    attempt.merges.delete(place.pair)
    const sent = this.send(group)
    attempt.flushes.add(sent)
    await sent
    attempt.flushes.delete(sent)
  }

  private async send(group: MergeGroup): Promise<void> {
    const { attempt, place } = group
    const lane = attempt.budget.lane(place.worker)
    let charge = this.admission.tryAdmit(lane, 0)
    if (charge === null) {
      try {
        charge = await this.admission.wait(lane, 0, undefined)
      } catch (error) {
        for (const batch of group.batches) if (batch.settlement === null) this.sink.mergeFailed(batch, error)
        return
      }
    }
    const parts: MergedPart[] = []
    const moved: PushBatch[] = []
    for (const batch of group.batches) {
      if (batch.settlement !== null) continue
      const now = batch.partition.place
      if (now?.pair === place.pair && batch.partition.waiters.length === 0) parts.push({ batch, place: now })
      else moved.push(batch)
    }
    if (parts.length > 0) this.sink.sendMerged(parts, charge)
    else this.admission.refund(charge)
    for (const batch of moved) this.sink.regroup(batch)
  }
}
