import { type Codec, createCodec } from '../compress'
import { CelebornError, ClosedError, ConfigError } from '../errors'
import { throwIfAborted, untilAborted } from '../errors/abort'
import { type ConnectionPool } from '../network'
import { causeOfFailure, classifyPushData } from '../protocol/push-response'
import { StatusCode, statusName } from '../protocol/status'
import { Admission, type Charge } from './admission'
import { type PushAttempt } from './attempt'
import { PushBatch } from './batch'
import { DroppedReceipt, EmptyReceipt } from './receipts'
import { causeOfError } from './causes'
import { type PushLifecycle } from './lifecycle'
import { type PartitionState, type PlacedPartition } from './partition'
import { BlockPayload, type PushSource } from './payload'
import { PushRequest, type PushRequestHandler } from './request'
import { type ReviveHandler, Reviver } from './revive'
import { type PusherConf } from './settings'
import { PushShuffle } from './shuffle'
import {
  type DropReason,
  type MapAttempt,
  type PushEncoding,
  type PushReceipt,
  type PushTarget,
} from './types'

export interface PusherStats {
  batches: number
  /** Bytes of batch headers, block headers and payloads of all batches, each counted once. */
  pushedBytes: number
  acked: number
  failed: number
  dropped: number
  /** Requests beyond a batch's first. */
  retries: number
}

/**
 * The push path: admits, encodes, sends, and answers for every batch until its memory is free.
 * The rules of ownership are in {@link PushBatch}, the rules of admission in {@link Admission}.
 */
export class Pusher implements PushRequestHandler, ReviveHandler {
  readonly admission: Admission
  readonly stats: PusherStats = { batches: 0, pushedBytes: 0, acked: 0, failed: 0, dropped: 0, retries: 0 }
  private readonly codec: Codec
  private readonly shuffles = new Map<number, PushShuffle>()
  private readonly reviver: Reviver
  private closing = false

  constructor(
    private readonly appId: string,
    private readonly settings: PusherConf,
    private readonly pool: ConnectionPool,
    private readonly lifecycle: PushLifecycle,
  ) {
    this.admission = new Admission(settings.limits)
    this.codec = createCodec(settings.codec, { zstdLevel: settings.zstdLevel })
    this.reviver = new Reviver(lifecycle, settings.revive, this)
  }

  get reviveRequests(): number {
    return this.reviver.requests
  }

  /**
   * Pushes one batch. Resolves at admission. A rejected push has left the source to its caller, untouched.
   */
  push(
    target: PushTarget,
    source: PushSource,
    encoding: PushEncoding,
    signal: AbortSignal | undefined,
  ): Promise<PushReceipt> {
    try {
      const shuffle = this.shuffle(target)
      const attempt = shuffle.attempt(target)
      attempt.check()
      if (!(target.partitionId >= 0 && target.partitionId < shuffle.numPartitions)) {
        throw new ConfigError(
          `partitionId ${target.partitionId} is not within 0..${shuffle.numPartitions - 1} of shuffle ${shuffle.shuffleId}`,
        )
      }
      if (source.length > this.settings.maxFrameBytes) {
        throw new ConfigError(
          `a push of ${source.length} bytes exceeds celeborn.node.maxFrameBytes = ${this.settings.maxFrameBytes}`,
        )
      }
      throwIfAborted(signal)
      source.hold()
      const partition = shuffle.partition(target.partitionId)
      if (attempt.ended !== null || source.length === 0) {
        return Promise.resolve(this.consume(attempt, source))
      }
      if (partition.place !== null) {
        const charge = this.admission.tryAdmit(attempt.budget.lane(partition.place.worker), source.charge)
        if (charge !== null) {
          return Promise.resolve(this.admitted(attempt, shuffle, partition, source, charge, encoding))
        }
      }
      return this.pushLater(attempt, shuffle, partition, source, encoding, signal)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  /** Reports the attempt as finished once all of its batches are. Calls share one report. */
  mapperEnd(of: MapAttempt): Promise<void> {
    try {
      const attempt = this.shuffle(of).attempt(of)
      attempt.mapperEnd ??= this.endMapper(attempt)
      return attempt.mapperEnd
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  /**
   * Aborts an attempt: pushes that wait are rejected, what is in flight is dropped, MapperEnd is not sent. Resolves
   * when the memory of all its batches is free.
   */
  async cleanup(of: MapAttempt): Promise<void> {
    const attempt = this.shuffles.get(of.shuffleId)?.attempts.get(`${of.mapId}-${of.attemptId}`)
    if (attempt === undefined) {
      if (!this.closing) this.shuffle(of).attempt(of).end('aborted')
      return
    }
    if (!attempt.finished) this.abort(attempt, 'aborted')
    await attempt.released()
  }

  /** Forgets a shuffle that is over; whatever of it is in flight is dropped. */
  async forget(shuffleId: number): Promise<void> {
    const shuffle = this.shuffles.get(shuffleId)
    if (shuffle === undefined) return
    this.shuffles.delete(shuffleId)
    await this.abortAll(shuffle, 'aborted')
  }

  /** Drops everything. The connections must be closed before this can resolve when a peer is stalled. */
  async close(): Promise<void> {
    this.closing = true
    const all = [...this.shuffles.values()].map((shuffle) => this.abortAll(shuffle, 'closed'))
    this.reviver.close()
    await this.pool.close()
    await Promise.all(all)
  }

  // ---- answers ----

  answered(request: PushRequest, body: Uint8Array): void {
    const { batch } = request
    if (batch.settlement !== null) return
    batch.request = null
    const answer = classifyPushData(body)
    const { shuffle, partition } = batch
    switch (answer.kind) {
      case 'success':
      case 'congested':
        this.acked(batch)
        return
      case 'soft-split':
        this.reviver.ask(shuffle, partition, request.place.location.epoch, StatusCode.SOFT_SPLIT)
        this.acked(batch)
        return
      case 'hard-split':
        // Not written, and not a failure: it costs no retry.
        batch.note(`${request.place.hostPort} split the partition`)
        this.retry(batch, shuffle, partition, request.place, StatusCode.HARD_SPLIT)
        return
      case 'map-ended':
        batch.attempt.end('map-ended')
        this.drop(batch, 'map-ended')
        return
      case 'stage-ended':
        shuffle.endStage()
        this.drop(batch, 'stage-ended')
        return
      case 'unknown':
        this.failedOnce(
          request,
          StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY,
          `unknown answer ${answer.status}`,
        )
    }
  }

  refused(request: PushRequest, message: string): void {
    this.failedOnce(request, causeOfFailure(message), message)
  }

  unanswered(request: PushRequest, error: CelebornError): void {
    this.failedOnce(request, causeOfError(error), error.message)
  }

  resend(batch: PushBatch, partition: PartitionState): void {
    if (batch.settlement !== null) return
    const ended = batch.attempt.ended
    if (ended !== null) this.drop(batch, ended)
    else this.send(batch, partition, true)
  }

  reviveFailed(batch: PushBatch, partition: PartitionState, error: CelebornError): void {
    if (batch.settlement !== null) return
    const ended = batch.attempt.ended
    if (ended !== null) {
      this.drop(batch, ended)
      return
    }
    batch.note(error.message)
    const place = partition.place
    if (batch.remainingRetries === 0 || place === null) this.fail(batch, place, error)
    else {
      batch.remainingRetries--
      this.retry(batch, batch.shuffle, partition, place, StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY)
    }
  }

  // ---- the way in ----

  private shuffle(of: MapAttempt): PushShuffle {
    if (this.closing) throw new ClosedError('the ShuffleClient is closed')
    const known = this.shuffles.get(of.shuffleId)
    if (known !== undefined) return known
    for (const [name, value, min] of [
      ['shuffleId', of.shuffleId, 0],
      ['mapId', of.mapId, 0],
      ['attemptId', of.attemptId, 0],
      ['numMappers', of.numMappers, 1],
      ['numPartitions', of.numPartitions, 1],
    ] as const) {
      if (!Number.isInteger(value) || value < min || value > 0x7fff_ffff) {
        throw new ConfigError(`${name} = ${value} is not an integer of at least ${min}`)
      }
    }
    const shuffle = new PushShuffle(this.appId, of.shuffleId, of.numMappers, of.numPartitions, this.admission)
    this.shuffles.set(of.shuffleId, shuffle)
    return shuffle
  }

  private async pushLater(
    attempt: PushAttempt,
    shuffle: PushShuffle,
    partition: PartitionState,
    source: PushSource,
    encoding: PushEncoding,
    signal: AbortSignal | undefined,
  ): Promise<PushReceipt> {
    attempt.pushWaits()
    try {
      if (!shuffle.registered) {
        await untilAborted(shuffle.register(this.lifecycle), signal, attempt.aborted)
      }
      if (partition.place === null) await this.locate(attempt, shuffle, partition, signal)
      attempt.check()
      const place = partition.place
      if (attempt.ended !== null || place === null) return this.consume(attempt, source)
      const charge = await this.admission.wait(attempt.budget.lane(place.worker), source.charge, signal)
      try {
        // The wait may have ended in the same turn as the attempt.
        attempt.check()
        if (this.closing) throw new ClosedError('the ShuffleClient is closed')
      } catch (error) {
        this.admission.refund(charge)
        throw error
      }
      if (attempt.ended !== null) {
        this.admission.refund(charge)
        return this.consume(attempt, source)
      }
      return this.admitted(attempt, shuffle, partition, source, charge, encoding)
    } catch (error) {
      source.handBack()
      throw error
    } finally {
      attempt.pushWaited()
    }
  }

  /** A partition without a location: the stage has ended, or the LifecycleManager has to name one. */
  private async locate(
    attempt: PushAttempt,
    shuffle: PushShuffle,
    partition: PartitionState,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const cause = StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
    await untilAborted(this.reviver.locate(shuffle, partition, attempt.mapId, cause), signal, attempt.aborted)
  }

  private admitted(
    attempt: PushAttempt,
    shuffle: PushShuffle,
    partition: PartitionState,
    source: PushSource,
    charge: Charge,
    encoding: PushEncoding,
  ): PushReceipt {
    const batch = new PushBatch(
      shuffle,
      partition,
      attempt,
      attempt.takeBatchId(),
      source.length,
      charge,
      this.admission,
      this.settings.maxRetries,
    )
    attempt.batchAdmitted(batch)
    try {
      this.encode(batch, source, encoding)
    } catch (error) {
      this.fail(batch, partition.place, asCelebornError(error))
      return batch
    }
    this.stats.batches++
    this.stats.pushedBytes += 16 + batch.blockHeader.length + batch.payload.byteLength
    this.send(batch, partition, false)
    return batch
  }

  /** Gives the batch its memory. A source that an encoder replaces is released here, with reason `encoded`. */
  private encode(batch: PushBatch, source: PushSource, encoding: PushEncoding): void {
    const codec = this.codec
    if (codec.name === 'NONE' || encoding === 'encoded') {
      batch.setPayload(source.own())
      return
    }
    if (encoding === 'compress' && source.consumedByEncoding) {
      const block = codec.encode(source.read())
      batch.blockHeader = block.header
      batch.setPayload(block.stored ? source.own() : new BlockPayload(block))
      return
    }
    const payload = source.own()
    batch.setPayload(payload)
    if (encoding === 'stored') {
      batch.blockHeader = codec.encodeStored(payload.bytes).header
      return
    }
    const block = codec.encode(payload.bytes)
    batch.blockHeader = block.header
    if (block.stored) return
    batch.setPayload(new BlockPayload(block))
    payload.free('encoded')
  }

  /** An ended attempt's data, or an empty push: nothing is sent, and the memory is given back. */
  private consume(attempt: PushAttempt, source: PushSource): PushReceipt {
    const reason = source.length === 0 ? null : attempt.ended
    if (!source.consumedByEncoding) source.own().free(reason === null ? 'acked' : 'dropped')
    if (reason === null) return new EmptyReceipt()
    this.stats.dropped++
    return new DroppedReceipt(attempt.takeBatchId(), source.length, reason)
  }

  private send(batch: PushBatch, partition: PartitionState, again: boolean): void {
    const place = partition.place
    if (place === null || partition.waiters.length > 0) {
      // Others of this partition wait for its next location already: another try at the old one is lost time.
      this.reviver.wait(batch.shuffle, partition, { batch, epoch: partition.epoch }, StatusCode.HARD_SPLIT)
      return
    }
    const { location } = place
    this.admission.move(batch.charge, batch.attempt.budget.lane(place.worker))
    const connection = this.pool.connection(location.host, location.pushPort, batch.partitionId)
    const request = new PushRequest(batch, place, connection, this.settings.pushTimeoutMs, this)
    batch.request = request
    if (again) this.stats.retries++
    connection.send(request)
  }

  // ---- the ways out ----

  private acked(batch: PushBatch): void {
    if (batch.settle({ outcome: 'acked', batchId: batch.batchId })) this.stats.acked++
  }

  private drop(batch: PushBatch, reason: DropReason): void {
    const request = batch.request
    batch.request = null
    if (!batch.settle({ outcome: 'dropped', batchId: batch.batchId, reason })) return
    this.stats.dropped++
    this.reviver.forget(batch)
    // Not yet written: never written. Under way: the write's end gives the reference back.
    if (request !== null) request.connection.cancel(request)
  }

  private fail(batch: PushBatch, place: PlacedPartition | null, cause: CelebornError): void {
    const { attempt, batchId, partitionId } = batch
    const { shuffleId, mapId, attemptId } = attempt
    const history = batch.history ?? [cause.message]
    const tries = history.length === 1 ? 'in 1 try' : `in ${history.length} tries`
    const error = new CelebornError(
      'CELEBORN_PUSH_FAILED',
      `batch ${batchId} of partition ${partitionId} of ${attempt.name} could not be delivered ${tries}: ` +
        history.join('; then '),
      {
        shuffleId,
        mapId,
        attemptId,
        partitionId,
        batchId,
        hostPort: place?.hostPort,
        location: place === null ? undefined : `${place.location.id}-${place.location.epoch}`,
        attempts: history,
        peerMessage: cause.context.peerMessage,
      },
      cause,
    )
    if (!batch.settle({ outcome: 'failed', batchId, error })) return
    this.stats.failed++
    // Whoever waits for room with this attempt would wait in vain.
    this.admission.rejectWaiters(attempt.budget, error)
  }

  private failedOnce(request: PushRequest, cause: number, text: string): void {
    const { batch, place } = request
    if (batch.settlement !== null) return
    batch.request = null
    const ended = batch.attempt.ended
    if (ended !== null) {
      this.drop(batch, ended)
      return
    }
    const { location, hostPort } = place
    batch.note(`${hostPort} (epoch ${location.epoch}): ${statusName(cause)}: ${text}`)
    const { shuffle, partition } = batch
    if (batch.remainingRetries === 0) {
      this.fail(batch, place, new CelebornError('CELEBORN_RPC', text, { hostPort, peerMessage: text }))
      return
    }
    batch.remainingRetries--
    this.retry(batch, shuffle, partition, place, cause)
  }

  private retry(
    batch: PushBatch,
    shuffle: PushShuffle,
    partition: PartitionState,
    place: PlacedPartition,
    cause: number,
  ): void {
    const epoch = place.location.epoch
    // Somebody else's revive has brought a newer location already.
    if (partition.epoch > epoch && partition.revivingEpoch === null) this.resend(batch, partition)
    else this.reviver.wait(shuffle, partition, { batch, epoch }, cause)
  }

  private async endMapper(attempt: PushAttempt): Promise<void> {
    await attempt.quiet()
    attempt.check()
    attempt.end('attempt-ended')
    try {
      await untilAborted(this.lifecycle.mapperEnd(attempt, attempt.aborted), attempt.aborted)
    } catch (error) {
      attempt.fail(asCelebornError(error))
      throw error
    }
    attempt.finish()
  }

  private abort(attempt: PushAttempt, reason: 'aborted' | 'closed'): void {
    attempt.end(reason)
    this.admission.rejectWaiters(attempt.budget, attempt.aborted.reason)
    for (const batch of [...attempt.unsettled]) this.drop(batch, reason)
  }

  private async abortAll(shuffle: PushShuffle, reason: 'aborted' | 'closed'): Promise<void> {
    const attempts = [...shuffle.attempts.values()]
    for (const attempt of attempts) this.abort(attempt, reason)
    await Promise.all(attempts.map((attempt) => attempt.released()))
  }
}

function asCelebornError(error: unknown): CelebornError {
  if (error instanceof CelebornError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new CelebornError('CELEBORN_INTERNAL', text, {}, error)
}
