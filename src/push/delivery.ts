import { CelebornError } from '../errors'
import { type ConnectionPool } from '../network'
import {
  causeOfFailure,
  classifyPushData,
  classifyPushMerged,
  type PushMergedAnswer,
} from '../protocol/push-response'
import { StatusCode, statusName } from '../protocol/status'
import { type Admission, type Charge } from './admission'
import { type PushBatch } from './batch'
import { causeOfError } from './causes'
import { type ExcludedWorkers } from './excluded-workers'
import { type PushLifecycle } from './lifecycle'
import { type MergedPart, MergedRequest, type MergedRequestHandler } from './merged-request'
import { Merger, type MergeSink } from './merger'
import { type PartitionState, type PlacedPartition } from './partition'
import { pushError } from './push-error'
import { PushRequest, type PushRequestHandler } from './request'
import { type ReviveHandler, Reviver } from './revive'
import { type PusherConf } from './settings'
import { type PushStrategy } from './strategy'
import { type DropReason } from './types'

/** Counters of the push path. */
export interface DeliveryStats {
  acked: number
  failed: number
  dropped: number
  /** Times a batch was sent again. */
  retries: number
  /** Answers that asked for a slower client. */
  congestions: number
  softSplits: number
  hardSplits: number
}

/**
 * What happens to an admitted batch until it is settled: sent, answered, retried elsewhere, dropped. Everything here
 * runs in callbacks of sockets and timers, and nothing of it knows who owns the memory: that is {@link PushBatch}.
 */
export class Delivery implements PushRequestHandler, MergedRequestHandler, ReviveHandler, MergeSink {
  readonly reviver: Reviver
  readonly merger: Merger
  /** Whether somebody waits for memory that gathered batches may hold. */
  memoryWanted: () => boolean = () => false
  readonly stats: DeliveryStats = {
    acked: 0,
    failed: 0,
    dropped: 0,
    retries: 0,
    congestions: 0,
    softSplits: 0,
    hardSplits: 0,
  }

  constructor(
    private readonly settings: PusherConf,
    private readonly pool: ConnectionPool,
    lifecycle: PushLifecycle,
    private readonly admission: Admission,
    private readonly strategy: PushStrategy,
    private readonly excluded: ExcludedWorkers,
  ) {
    this.reviver = new Reviver(lifecycle, settings.revive, excluded, this)
    this.merger = new Merger(admission, settings.mergeBytes, this)
  }

  // ---- out ----

  /** Sends a batch to its partition's location, alone or gathered with others. */
  send(batch: PushBatch): void {
    const { partition } = batch
    const { place } = partition
    if (place === null || partition.waiters.length > 0) {
      // Others of this partition wait for its next location already: a try at the old one is lost time.
      this.reviver.wait(batch, partition.epoch, StatusCode.HARD_SPLIT)
      return
    }
    const excluded = this.excluded.causeFor(place.location)
    if (excluded !== null) {
      this.failedOnce(batch, place, excluded, 'it is avoided after an earlier failure')
      return
    }
    this.admission.move(batch.charge, batch.attempt.budget.lane(place.worker))
    if (batch.merged) {
      this.merger.add(batch, place)
      // Whoever ends the attempt has sent what was gathered, and waits now for all that is left.
      if (batch.attempt.mapperEnd !== null) this.flushSoon()
      if (this.memoryWanted()) this.flushSoon()
      return
    }
    const { location } = place
    const connection = this.pool.connection(location.host, location.pushPort, batch.partitionId)
    const request = new PushRequest(batch, place, connection, this.settings.pushTimeoutMs, this)
    batch.request = request
    connection.send(request)
  }

  sendMerged(parts: readonly MergedPart[], charge: Charge): void {
    const { batch, place } = parts[0] as MergedPart
    const { location } = place
    const connection = this.pool.connection(location.host, location.pushPort, batch.partitionId)
    const request = new MergedRequest(parts, charge, connection, this.settings.pushTimeoutMs, this)
    for (const part of parts) part.batch.request = request
    connection.send(request)
  }

  regroup(batch: PushBatch): void {
    this.send(batch)
    this.flushSoon()
  }

  // ---- answers ----

  answered(request: PushRequest, body: Uint8Array): void {
    const { batch, place } = request
    if (batch.settlement !== null) return
    batch.request = null
    const answer = classifyPushData(body)
    switch (answer.kind) {
      case 'success':
        this.strategy.written(batch.attempt.budget.lane(place.worker))
        this.acked(batch)
        return
      case 'congested':
        this.stats.congestions++
        this.strategy.congested(batch.attempt.budget.lane(place.worker))
        this.acked(batch)
        return
      case 'soft-split':
        this.softSplit(batch, place)
        return
      case 'hard-split':
        this.hardSplit(batch, place)
        return
      case 'map-ended':
        this.attemptEnded(batch, 'map-ended')
        return
      case 'stage-ended':
        this.attemptEnded(batch, 'stage-ended')
        return
      case 'unknown':
        this.failedOnce(batch, place, UNKNOWN_CAUSE, `unknown answer ${answer.status}`)
    }
  }

  refused(request: PushRequest, message: string): void {
    request.batch.request = null
    this.failedOnce(request.batch, request.place, causeOfFailure(message), message, message)
  }

  unanswered(request: PushRequest, error: CelebornError): void {
    request.batch.request = null
    this.failedOnce(request.batch, request.place, causeOfError(error), error.message)
  }

  answeredMerged(request: MergedRequest, body: Uint8Array): void {
    this.admission.refund(request.charge)
    const parts = this.unsettled(request)
    const [first] = parts
    if (first === undefined) return
    const lane = first.batch.attempt.budget.lane(first.place.worker)
    let answer: PushMergedAnswer
    try {
      answer = classifyPushMerged(body, request.parts.length)
    } catch (thrown) {
      this.nonsense(request, parts, asCelebornError(thrown))
      return
    }
    switch (answer.kind) {
      case 'success':
        this.strategy.written(lane)
        for (const { batch } of parts) this.acked(batch)
        return
      case 'congested':
        this.stats.congestions++
        this.strategy.congested(lane)
        for (const { batch } of parts) this.acked(batch)
        return
      case 'split': {
        const hard = new Set(answer.hardSplit)
        const soft = new Set(answer.softSplit)
        request.parts.forEach(({ batch, place }, index) => {
          if (batch.settlement !== null) return
          if (hard.has(index)) this.hardSplit(batch, place)
          else if (soft.has(index)) this.softSplit(batch, place)
          else this.acked(batch)
        })
        return
      }
      case 'map-ended':
      case 'stage-ended':
        for (const { batch } of parts) this.attemptEnded(batch, answer.kind)
        return
      case 'unknown':
        for (const { batch, place } of parts) {
          this.failedOnce(batch, place, UNKNOWN_CAUSE, `unknown answer ${answer.status}`)
        }
    }
  }

  /** An answer that makes no sense says nothing of the batches, and nothing good of its connection. */
  private nonsense(request: MergedRequest, parts: readonly MergedPart[], error: CelebornError): void {
    request.connection.close(error)
    for (const { batch, place } of parts) this.failedOnce(batch, place, causeOfError(error), error.message)
  }

  refusedMerged(request: MergedRequest, message: string): void {
    this.admission.refund(request.charge)
    for (const { batch, place } of this.unsettled(request)) {
      this.failedOnce(batch, place, causeOfFailure(message), message, message)
    }
  }

  unansweredMerged(request: MergedRequest, error: CelebornError): void {
    this.admission.refund(request.charge)
    for (const { batch, place } of this.unsettled(request)) {
      this.failedOnce(batch, place, causeOfError(error), error.message)
    }
  }

  // ---- revives ----

  resend(batch: PushBatch): void {
    if (batch.settlement !== null) return
    const { ended } = batch.attempt
    if (ended !== null) {
      this.drop(batch, ended)
      return
    }
    this.stats.retries++
    this.send(batch)
    if (batch.merged) this.flushSoon()
  }

  reviveFailed(batch: PushBatch, error: CelebornError): void {
    if (batch.settlement !== null) return
    const { place } = batch.partition
    if (place === null) this.fail(batch, place, error)
    else this.failedOnce(batch, place, UNKNOWN_CAUSE, error.message)
  }

  mergeFailed(batch: PushBatch, error: unknown): void {
    this.fail(batch, batch.partition.place, asCelebornError(error))
  }

  // ---- ends ----

  /** Ends a batch that is not needed, or that its owner gave up. */
  drop(batch: PushBatch, reason: DropReason): void {
    const { request } = batch
    batch.request = null
    if (!batch.settle({ outcome: 'dropped', batchId: batch.batchId, reason })) return
    this.stats.dropped++
    this.reviver.forget(batch)
    // Not yet written: never written. Under way: the write's end gives the reference back.
    if (request instanceof PushRequest) request.connection.cancel(request)
    else if (request !== null && this.unsettled(request).length === 0) {
      request.connection.cancel(request)
      this.admission.refund(request.charge)
    }
  }

  /** Ends a batch for good with an error that tells its whole story. */
  fail(batch: PushBatch, place: PlacedPartition | null, cause: CelebornError): void {
    const error = pushError(batch, place, cause)
    if (!batch.settle({ outcome: 'failed', batchId: batch.batchId, error })) return
    this.stats.failed++
    // Whoever waits for room with this attempt would wait in vain.
    this.admission.rejectWaiters(batch.attempt.budget, error)
  }

  private acked(batch: PushBatch): void {
    batch.request = null
    if (batch.settle({ outcome: 'acked', batchId: batch.batchId })) this.stats.acked++
  }

  private softSplit(batch: PushBatch, place: PlacedPartition): void {
    this.stats.softSplits++
    this.reviver.ask(batch.shuffle, batch.partition, place.location.epoch, StatusCode.SOFT_SPLIT)
    this.acked(batch)
  }

  /** Not written, and not a failure: it costs no retry. */
  private hardSplit(batch: PushBatch, place: PlacedPartition): void {
    this.stats.hardSplits++
    batch.request = null
    batch.note(`${place.hostPort} (epoch ${place.location.epoch}): HARD_SPLIT`)
    this.retry(batch, batch.partition, place, StatusCode.HARD_SPLIT)
  }

  private attemptEnded(batch: PushBatch, reason: 'map-ended' | 'stage-ended'): void {
    if (reason === 'stage-ended') batch.shuffle.endStage()
    else batch.attempt.end(reason)
    this.drop(batch, reason)
  }

  /** One try has failed: another one elsewhere, if there is one left. */
  private failedOnce(
    batch: PushBatch,
    place: PlacedPartition,
    cause: number,
    text: string,
    peerMessage?: string,
  ): void {
    if (batch.settlement !== null) return
    batch.request = null
    const { ended } = batch.attempt
    if (ended !== null) {
      this.drop(batch, ended)
      return
    }
    const { location, hostPort } = place
    batch.note(`${hostPort} (epoch ${location.epoch}): ${withCause(cause, text)}`)
    this.excluded.failed(location, cause)
    if (batch.remainingRetries === 0) {
      this.fail(batch, place, new CelebornError('CELEBORN_RPC', text, { hostPort, peerMessage }))
      return
    }
    batch.remainingRetries--
    this.retry(batch, batch.partition, place, cause)
  }

  private retry(batch: PushBatch, partition: PartitionState, place: PlacedPartition, cause: number): void {
    const { epoch } = place.location
    // Somebody else's revive has brought a newer location already.
    if (partition.epoch > epoch && partition.revivingEpoch === null) this.resend(batch)
    else this.reviver.wait(batch, epoch, cause)
  }

  private unsettled(request: MergedRequest): MergedPart[] {
    return request.parts.filter(({ batch }) => batch.settlement === null)
  }

  private flushScheduled = false

  /** Merged batches that are sent again are regrouped with all others that one answer has set free. */
  private flushSoon(): void {
    if (this.flushScheduled) return
    this.flushScheduled = true
    setImmediate(() => {
      this.flushScheduled = false
      this.merger.flushAll()
    })
  }
}

/** Workers often begin their text with the cause's name. */
function withCause(cause: number, text: string): string {
  const name = statusName(cause)
  return text.startsWith(name) ? text : `${name}: ${text}`
}

const UNKNOWN_CAUSE = StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY

/** Whatever was thrown, as an error with a code. */
export function asCelebornError(error: unknown): CelebornError {
  if (error instanceof CelebornError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new CelebornError('CELEBORN_INTERNAL', text, {}, error)
}
