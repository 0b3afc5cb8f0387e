import { AbortedError, CelebornError, ClosedError, type ErrorContext } from '../errors'
import { AttemptBudget } from './admission'
import { type PushBatch } from './batch'
import { type MergeGroup } from './merger'
import { AttemptSums } from './sums'
import { type DropReason, type MapAttempt } from './types'

/** Signed 32-bit ids on the wire. */
const MAX_BATCH_ID = 0x7fff_ffff

/** Push state of one map task attempt: batch ids, what is in flight, and how it ended. */
export class PushAttempt {
  readonly shuffleId: number
  readonly mapId: number
  readonly attemptId: number
  readonly numMappers: number
  readonly numPartitions: number
  readonly budget = new AttemptBudget()

  /** The first failure of a batch; thrown by every later call. */
  failure: CelebornError | null = null
  /** Set when further data of this attempt is pointless or was given up: pushes are dropped or refused. */
  ended: DropReason | null = null
  /** The one MapperEnd of this attempt, once it was asked for. */
  mapperEnd: Promise<void> | null = null
  /** MapperEnd was answered: nothing is left to abort. */
  finished = false

  /** Batches gathered for merged pushes, by their pair of workers. */
  readonly merges = new Map<string, MergeGroup>()
  /** Merged pushes that wait for their request. */
  readonly flushes = new Set<Promise<void>>()
  /** A writer has this attempt for itself; hears of the first failure, and of an end that is none of its own. */
  writer: ((error: CelebornError) => void) | null = null
  /** Bytes of block headers and payloads of all batches, as encoded. */
  encodedBytes = 0
  /** Admitted and not settled. */
  readonly unsettled = new Set<PushBatch>()
  /** Push calls that wait for registration, a location or admission. */
  private waitingPushes = 0
  /** Batches whose memory is not free yet. */
  private unreleased = 0
  private nextBatchId = 1
  private quietWaiters: (() => void)[] = []
  private releasedWaiters: (() => void)[] = []
  private readonly abortController = new AbortController()

  /** What it has written, for the integrity check; null where that is off. */
  readonly sums: AttemptSums | null

  constructor(of: MapAttempt, integrityCheck = false) {
    this.sums = integrityCheck ? new AttemptSums(of.numPartitions) : null
    this.shuffleId = of.shuffleId
    this.mapId = of.mapId
    this.attemptId = of.attemptId
    this.numMappers = of.numMappers
    this.numPartitions = of.numPartitions
  }

  get context(): ErrorContext {
    return { shuffleId: this.shuffleId, mapId: this.mapId, attemptId: this.attemptId }
  }

  get name(): string {
    return `attempt ${this.attemptId} of map task ${this.mapId} of shuffle ${this.shuffleId}`
  }

  /** Fires when the attempt is aborted or its client closes. */
  get aborted(): AbortSignal {
    return this.abortController.signal
  }

  /** Throws what a further call of this attempt must see. An attempt whose data is not needed is no error. */
  check(): void {
    if (this.failure !== null) throw this.failure
    if (this.abortController.signal.aborted) throw this.abortController.signal.reason
    if (this.nextBatchId > MAX_BATCH_ID) {
      throw new CelebornError('CELEBORN_INTERNAL', `${this.name} has used up its batch ids`, this.context)
    }
  }

  takeBatchId(): number {
    return this.nextBatchId++
  }

  batchAdmitted(batch: PushBatch): void {
    this.unsettled.add(batch)
    this.unreleased++
  }

  batchSettled(batch: PushBatch): void {
    this.unsettled.delete(batch)
    const settlement = batch.settlement
    if (settlement?.outcome === 'failed') this.fail(settlement.error)
    this.wakeIfQuiet()
  }

  batchReleased(): void {
    this.unreleased--
    if (this.unreleased === 0) for (const wake of this.releasedWaiters.splice(0)) wake()
  }

  pushWaits(): void {
    this.waitingPushes++
  }

  pushWaited(): void {
    this.waitingPushes--
    this.wakeIfQuiet()
  }

  /** MapperEnd was answered; what remains answers late calls. */
  finish(): void {
    this.finished = true
    this.budget.lanes.clear()
  }

  /** Records the first failure and wakes whoever must see it. */
  fail(error: CelebornError): void {
    if (this.failure === null) {
      this.failure = error
      this.writer?.(error)
    }
    for (const wake of this.quietWaiters.splice(0)) wake()
  }

  /** Ends the attempt; the first reason stays. */
  end(reason: DropReason): void {
    this.ended ??= reason
    if (reason === 'aborted') {
      this.ended = reason
      this.abortController.abort(new AbortedError(`${this.name} was aborted`, this.context))
    } else if (reason === 'closed') {
      this.ended = reason
      this.abortController.abort(new ClosedError(`the ShuffleClient was closed during ${this.name}`))
    }
    if (reason === 'aborted' || reason === 'closed') {
      this.writer?.(this.abortController.signal.reason as AbortedError | ClosedError)
    }
    for (const wake of this.quietWaiters.splice(0)) wake()
  }

  /** Nothing is unsettled and no push call waits, or waiting for that is pointless: the attempt has failed or ended. */
  get isQuiet(): boolean {
    return (
      this.failure !== null || this.ended !== null || (this.unsettled.size === 0 && this.waitingPushes === 0)
    )
  }

  /** Resolves when the attempt is quiet. By the time that the caller goes on it may not be any more. */
  async quiet(): Promise<void> {
    while (!this.isQuiet) await new Promise<void>((resolve) => this.quietWaiters.push(resolve))
  }

  /** Resolves when the memory of every batch is free. */
  async released(): Promise<void> {
    while (this.unreleased > 0) await new Promise<void>((resolve) => this.releasedWaiters.push(resolve))
  }

  private wakeIfQuiet(): void {
    if (this.unsettled.size > 0 || this.waitingPushes > 0) return
    for (const wake of this.quietWaiters.splice(0)) wake()
  }
}
