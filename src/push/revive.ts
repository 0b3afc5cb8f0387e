import { statusName, StatusCode } from '../protocol/status'
import { CelebornError } from '../errors'
import { type PushBatch } from './batch'
import { type ExcludedWorkers } from './excluded-workers'
import { type PushLifecycle, type ReviveAnswer, type ReviveRequest } from './lifecycle'
import { type PartitionState } from './partition'
import { type PushShuffle } from './shuffle'

/** What happens to batches whose partition was revived, or could not be. */
export interface ReviveHandler {
  /** There is a location again (perhaps the same): send the batch. The retry's reference is still held. */
  resend(batch: PushBatch): void
  /** There is none: counts as one more failure. The retry's reference is still held. */
  reviveFailed(batch: PushBatch, error: CelebornError): void
}

export interface ReviverOptions {
  readonly intervalMs: number
  readonly batchSize: number
}

interface PendingRevive {
  readonly partition: PartitionState
  cause: number
}

/**
 * Asks for new locations, gathered: all partitions of a shuffle that need one within an interval go out in one
 * request (up to the batch size), each partition once per epoch whatever the number of its failed batches.
 */
export class Reviver {
  private readonly pending = new Map<PushShuffle, Map<PartitionState, PendingRevive>>()
  private timer: NodeJS.Timeout | null = null
  private closed = false
  private requestsSent = 0

  constructor(
    private readonly lifecycle: PushLifecycle,
    private readonly options: ReviverOptions,
    private readonly excluded: ExcludedWorkers,
    private readonly handler: ReviveHandler,
  ) {}

  /** Requests sent, ever. */
  get requests(): number {
    return this.requestsSent
  }

  /** A soft split: the partition wants a new location, nobody waits for it. */
  ask(shuffle: PushShuffle, partition: PartitionState, epoch: number, cause: number): void {
    if (this.closed || partition.epoch > epoch || partition.revivingEpoch !== null) return
    this.queue(shuffle, partition, epoch, cause)
  }

  /** A batch that cannot go on at `epoch`. It is held by a reference until it is resent or forgotten. */
  wait(batch: PushBatch, epoch: number, cause: number): void {
    const { shuffle, partition } = batch
    batch.retain()
    batch.waitingAt = partition
    partition.waiters.push({ batch, epoch })
    if (partition.revivingEpoch === null) this.queue(shuffle, partition, epoch, cause)
    else this.worsen(shuffle, partition, cause)
  }

  /** Resolves when the partition has a location or the stage has ended. */
  locate(shuffle: PushShuffle, partition: PartitionState, mapId: number, cause: number): Promise<void> {
    return new Promise((resolve, reject) => {
      partition.seekers.push({ mapId, resolve, reject })
      if (partition.revivingEpoch === null) this.queue(shuffle, partition, partition.epoch, cause)
    })
  }

  /** The batch has ended meanwhile: its reference is given back, whatever becomes of the revive. */
  forget(batch: PushBatch): void {
    const partition = batch.waitingAt
    if (partition === null) return
    batch.waitingAt = null
    const index = partition.waiters.findIndex((waiter) => waiter.batch === batch)
    if (index < 0) return
    partition.waiters.splice(index, 1)
    batch.unref()
  }

  close(): void {
    this.closed = true
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    this.pending.clear()
  }

  private queue(shuffle: PushShuffle, partition: PartitionState, epoch: number, cause: number): void {
    partition.revivingEpoch = epoch
    let ofShuffle = this.pending.get(shuffle)
    if (ofShuffle === undefined) {
      ofShuffle = new Map()
      this.pending.set(shuffle, ofShuffle)
    }
    ofShuffle.set(partition, { partition, cause })
    if (this.closed) return
    this.timer ??= setTimeout(() => this.send(), this.options.intervalMs)
  }

  /** A failure says more than the soft split that asked before it. */
  private worsen(shuffle: PushShuffle, partition: PartitionState, cause: number): void {
    const pending = this.pending.get(shuffle)?.get(partition)
    if (pending?.cause === StatusCode.SOFT_SPLIT) pending.cause = cause
  }

  private send(): void {
    this.timer = null
    for (const [shuffle, revives] of this.pending) {
      const all = [...revives.values()]
      for (let from = 0; from < all.length; from += this.options.batchSize) {
        void this.revive(shuffle, all.slice(from, from + this.options.batchSize))
      }
    }
    this.pending.clear()
  }

  private async revive(shuffle: PushShuffle, revives: PendingRevive[]): Promise<void> {
    const requests: ReviveRequest[] = []
    const mapIds = new Set<number>()
    for (const { partition, cause } of revives) {
      const epoch = partition.revivingEpoch ?? -1
      const location = partition.place?.location ?? null
      requests.push({ partitionId: partition.partitionId, epoch, location, cause })
      for (const { batch } of partition.waiters) mapIds.add(batch.attempt.mapId)
      for (const { mapId } of partition.seekers) mapIds.add(mapId)
    }
    let answer: ReviveAnswer | null = null
    let failure: CelebornError | null = null
    this.requestsSent++
    try {
      answer = await this.lifecycle.revive(shuffle.shuffleId, [...mapIds], requests)
    } catch (error) {
      failure = asReviveError(error, shuffle.shuffleId)
    }
    const statuses = new Map<number, number>()
    if (answer !== null) {
      this.apply(shuffle, answer)
      for (const { partitionId, status } of answer.partitions) statuses.set(partitionId, status)
    }
    for (const { partition } of revives) {
      const status = statuses.get(partition.partitionId)
      this.finish(shuffle, partition, failure ?? statusError(shuffle.shuffleId, partition, status))
    }
  }

  /** Notes what the answer says of locations, ended map tasks and the stage. */
  private apply(shuffle: PushShuffle, answer: ReviveAnswer): void {
    const ended = new Set(answer.endedMapIds)
    if (ended.size > 0) {
      for (const attempt of shuffle.attempts.values()) if (ended.has(attempt.mapId)) attempt.end('map-ended')
    }
    for (const { status, location } of answer.partitions) {
      // A stage that has ended is told by one entry with partition id -1.
      if (status === StatusCode.STAGE_ENDED) shuffle.endStage()
      else if (status === StatusCode.SUCCESS && location !== null) {
        this.excluded.offered(location)
        shuffle.place(location)
      }
    }
  }

  private finish(shuffle: PushShuffle, partition: PartitionState, failure: CelebornError | null): void {
    const epoch = partition.revivingEpoch ?? -1
    partition.revivingEpoch = null
    for (const seeker of partition.seekers.splice(0)) {
      if (failure === null || partition.place !== null || shuffle.stageEnded) seeker.resolve()
      else seeker.reject(failure)
    }
    const waiters = partition.waiters.splice(0)
    for (const { batch } of waiters) {
      batch.waitingAt = null
      if (failure === null || partition.epoch > epoch) this.handler.resend(batch)
      else this.handler.reviveFailed(batch, failure)
      batch.unref()
    }
  }
}

function statusError(
  shuffleId: number,
  partition: PartitionState,
  status: number | undefined,
): CelebornError | null {
  if (status === StatusCode.SUCCESS) return null
  const { partitionId } = partition
  const text = status === undefined ? 'no answer for this partition' : statusName(status)
  return new CelebornError(
    'CELEBORN_REVIVE_FAILED',
    `no new location for partition ${partitionId} of shuffle ${shuffleId}: ${text}`,
    { shuffleId, partitionId, status },
  )
}

function asReviveError(error: unknown, shuffleId: number): CelebornError {
  const text = error instanceof Error ? error.message : String(error)
  return new CelebornError(
    'CELEBORN_REVIVE_FAILED',
    `asking the LifecycleManager for new locations of shuffle ${shuffleId} failed: ${text}`,
    { shuffleId },
    error,
  )
}
