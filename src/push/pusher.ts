import { type Codec, createCodec } from '../compress'
import { type CelebornError, ClosedError, ConfigError } from '../errors'
import { pause, throwIfAborted, untilAborted } from '../errors/abort'
import { type ConnectionPool } from '../network'
import { BATCH_HEADER_BYTES } from '../protocol/batch'
import { StatusCode } from '../protocol/status'
import { Admission, type Charge } from './admission'
import { type PushAttempt } from './attempt'
import { PushBatch } from './batch'
import { asCelebornError, Delivery, type DeliveryStats } from './delivery'
import { encodeBatch, encodeInThread } from './encoding'
import { ExcludedWorkers } from './excluded-workers'
import { type PushLifecycle } from './lifecycle'
import { type PartitionState } from './partition'
import { type PushSource } from './payload'
import { DroppedReceipt, EmptyReceipt } from './receipts'
import { type PusherConf } from './settings'
import { PushShuffle } from './shuffle'
import { type PushStrategy, SIMPLE, SlowStart } from './strategy'
import { type MapAttempt, type PushEncoding, type PushReceipt, type PushTarget } from './types'

/** Counters of the push path, since its client was made. */
export interface PusherStats extends DeliveryStats {
  batches: number
  /** Bytes of batch headers, block headers and payloads of all batches, each counted once. */
  pushedBytes: number
  /** Requests for new locations that were sent. */
  reviveRequests: number
  /** Workers that are avoided after failures. */
  excludedWorkers: readonly string[]
}

/** One call on its way to admission. */
interface Entry {
  readonly shuffle: PushShuffle
  readonly attempt: PushAttempt
  readonly partition: PartitionState
  readonly source: PushSource
  readonly encoding: PushEncoding
  readonly merged: boolean
}

/**
 * The way in and the way out of the push path: takes batches, waits for admission, encodes, hands them to
 * {@link Delivery}; ends attempts. Ownership is in {@link PushBatch}, room in {@link Admission}.
 */
export class Pusher {
  readonly admission: Admission
  private readonly codec: Codec
  private readonly strategy: PushStrategy
  private readonly excluded: ExcludedWorkers
  private readonly delivery: Delivery
  private readonly shuffles = new Map<number, PushShuffle>()
  private batches = 0
  private pushedBytes = 0
  private closing = false

  constructor(
    private readonly appId: string,
    private readonly settings: PusherConf,
    private readonly pool: ConnectionPool,
    private readonly lifecycle: PushLifecycle,
    /** Whether somebody waits for memory that gathered batches may hold. */
    memoryWanted: () => boolean = () => false,
  ) {
    this.admission = new Admission(settings.limits, () => this.delivery.merger.flushAll())
    this.codec = createCodec(settings.codec, { zstdLevel: settings.zstdLevel })
    this.strategy =
      settings.slowStart === null ? SIMPLE : new SlowStart(settings.slowStart, () => this.admission)
    this.excluded = new ExcludedWorkers(settings.excludeWorkers, settings.excludeMs)
    this.delivery = new Delivery(settings, pool, lifecycle, this.admission, this.strategy, this.excluded)
    this.delivery.memoryWanted = memoryWanted
  }

  get stats(): PusherStats {
    return {
      ...this.delivery.stats,
      batches: this.batches,
      pushedBytes: this.pushedBytes,
      reviveRequests: this.delivery.reviver.requests,
      excludedWorkers: this.excluded.names,
    }
  }

  /**
   * Pushes one batch, or gathers it for a merged push. Resolves at admission. A rejected push has left the source to
   * its caller, untouched.
   */
  push(
    target: PushTarget,
    source: PushSource,
    encoding: PushEncoding,
    signal: AbortSignal | undefined,
    merged: boolean,
  ): Promise<PushReceipt> {
    try {
      const shuffle = this.shuffle(target)
      const attempt = shuffle.attempt(target)
      attempt.check()
      this.validate(target, shuffle, source)
      throwIfAborted(signal)
      source.hold()
      const partition = shuffle.partition(target.partitionId)
      if (attempt.ended !== null || source.length === 0) return Promise.resolve(this.consume(attempt, source))
      const entry: Entry = { shuffle, attempt, partition, source, encoding, merged }
      const { place } = partition
      if (place !== null) {
        const lane = attempt.budget.lane(place.worker)
        if (this.strategy.delayMs(lane) === 0) {
          const charge = this.admission.tryAdmit(lane, this.chargeOf(entry), merged ? 0 : 1)
          if (charge !== null) return Promise.resolve(this.admitted(entry, charge))
        }
      }
      return this.pushLater(entry, signal)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  /**
   * Sends what an attempt has gathered for merged pushes; resolves when all of it is on its way. A failed attempt's, too:
   * its batches are admitted, and their receipts have to come to an end.
   */
  async pushMerged(of: MapAttempt): Promise<void> {
    const attempt = this.shuffle(of).attempt(of)
    await this.delivery.merger.flushAttempt(attempt)
    attempt.check()
  }

  /** Sends all that is gathered, of whatever attempt: somebody is short of memory. */
  flushMerged(): void {
    this.delivery.merger.flushAll()
  }

  /**
   * Gives the attempt to one writer, once and for all.
   * @param onFailure hears of the first batch that failed
   * @returns bytes of the attempt's batches as encoded, so far
   * @throws ConfigError when it has one already; whatever a push would throw
   */
  claim(of: MapAttempt, onFailure: (error: CelebornError) => void): () => number {
    const attempt = this.shuffle(of).attempt(of)
    attempt.check()
    if (attempt.writer !== null) {
      throw new ConfigError(
        `${attempt.name} has a writer already: one attempt is written by one writer (or pusher); a further try of the map task ` +
          'takes another attemptId',
      )
    }
    attempt.writer = onFailure
    return () => attempt.encodedBytes
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
    if (this.closing && !this.shuffles.has(of.shuffleId)) return
    const attempt = this.shuffle(of, true).attempt(of)
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

  /** Drops everything and closes the connections, so that no stalled peer keeps memory alive. */
  async close(): Promise<void> {
    this.closing = true
    const all = [...this.shuffles.values()].map((shuffle) => this.abortAll(shuffle, 'closed'))
    this.delivery.reviver.close()
    await this.pool.close()
    await Promise.all(all)
  }

  private shuffle(of: MapAttempt, evenWhenClosing = false): PushShuffle {
    if (this.closing && !evenWhenClosing) throw new ClosedError('the ShuffleClient is closed')
    const known = this.shuffles.get(of.shuffleId)
    if (known !== undefined) return known
    for (const [name, value, min] of [
      ['shuffleId', of.shuffleId, 0],
      ['numMappers', of.numMappers, 1],
      ['numPartitions', of.numPartitions, 1],
    ] as const) {
      requireInt(name, value, min)
    }
    const shuffle = new PushShuffle(
      this.appId,
      of.shuffleId,
      of.numMappers,
      of.numPartitions,
      this.admission,
      this.settings.integrityCheck,
    )
    this.shuffles.set(of.shuffleId, shuffle)
    return shuffle
  }

  private validate(target: PushTarget, shuffle: PushShuffle, source: PushSource): void {
    const { partitionId } = target
    if (!(Number.isInteger(partitionId) && partitionId >= 0 && partitionId < shuffle.numPartitions)) {
      throw new ConfigError(
        `partitionId ${partitionId} is not within 0..${shuffle.numPartitions - 1} of shuffle ${shuffle.shuffleId}`,
      )
    }
    if (source.length > this.settings.maxFrameBytes) {
      throw new ConfigError(
        `a push of ${source.length} bytes exceeds celeborn.node.maxFrameBytes = ${this.settings.maxFrameBytes}`,
      )
    }
  }

  /**
   * What admission charges. A batch that will be compressed is charged for the larger of its source and the most that
   * the codec's output may occupy, so that encoding can only lower the charge: the limits hold whatever the data.
   */
  private chargeOf({ source, encoding }: Entry): number {
    if (this.codec.name === 'NONE' || encoding !== 'compress') return source.charge
    return Math.max(source.charge, this.codec.maxAllocatedBytes(source.length))
  }

  private async pushLater(entry: Entry, signal: AbortSignal | undefined): Promise<PushReceipt> {
    const { attempt, shuffle, partition, source, merged } = entry
    attempt.pushWaits()
    try {
      if (!shuffle.registered) {
        await untilAborted(shuffle.register(this.lifecycle), signal, attempt.aborted)
      }
      if (partition.place === null) await this.locate(entry, signal)
      attempt.check()
      const { place } = partition
      if (attempt.ended !== null || place === null) return this.consume(attempt, source)
      const lane = attempt.budget.lane(place.worker)
      const delayMs = this.strategy.delayMs(lane)
      if (delayMs > 0) await pause(delayMs, signal, attempt.aborted)
      const charge = await this.admission.wait(lane, this.chargeOf(entry), signal, merged ? 0 : 1)
      try {
        // The wait may have ended in the same turn as the attempt.
        attempt.check()
      } catch (error) {
        this.admission.refund(charge)
        throw error
      }
      if (attempt.ended !== null) {
        this.admission.refund(charge)
        return this.consume(attempt, source)
      }
      return this.admitted(entry, charge)
    } catch (error) {
      source.handBack()
      throw error
    } finally {
      attempt.pushWaited()
    }
  }

  /** A partition without a location: the stage has ended, or the LifecycleManager has to name one. */
  private async locate(entry: Entry, signal: AbortSignal | undefined): Promise<void> {
    const { shuffle, partition, attempt } = entry
    const cause = StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
    const located = this.delivery.reviver.locate(shuffle, partition, attempt.mapId, cause)
    await untilAborted(located, signal, attempt.aborted)
  }

  private admitted(entry: Entry, charge: Charge): PushReceipt {
    const { shuffle, partition, attempt, source, encoding, merged } = entry
    const batch = new PushBatch(
      shuffle,
      partition,
      attempt,
      attempt.takeBatchId(),
      source.length,
      charge,
      this.admission,
      this.settings.maxRetries,
      merged,
    )
    attempt.batchAdmitted(batch)
    const sum = attempt.sums === null ? null : attempt.sums.of(partition.partitionId)
    const { codec } = this
    if (encoding === 'compress' && source.encodedInThread === true && codec.encodeInThread !== undefined) {
      void this.encodeAside(batch, encodeInThread(batch, source, codec.encodeInThread.bind(codec), sum))
      return batch
    }
    try {
      encodeBatch(batch, source, encoding, this.codec, sum)
    } catch (error) {
      this.delivery.fail(batch, partition.place, asCelebornError(error))
      return batch
    }
    this.encoded(batch)
    return batch
  }

  private async encodeAside(batch: PushBatch, encoding: Promise<boolean>): Promise<void> {
    try {
      if (await encoding) this.encoded(batch)
    } catch (error) {
      this.delivery.fail(batch, batch.partition.place, asCelebornError(error))
    } finally {
      batch.unref()
    }
  }

  /** The batch has what goes out: on its way with it, unless its attempt has ended meanwhile. */
  private encoded(batch: PushBatch): void {
    const { attempt } = batch
    if (attempt.ended !== null) {
      this.delivery.drop(batch, attempt.ended)
      return
    }
    this.batches++
    const bytes = batch.blockHeader.length + batch.payload.byteLength
    this.pushedBytes += BATCH_HEADER_BYTES + bytes
    attempt.encodedBytes += bytes
    this.delivery.send(batch)
  }

  /** An ended attempt's data, or an empty push: nothing is sent, and the memory is given back. */
  private consume(attempt: PushAttempt, source: PushSource): PushReceipt {
    const reason = source.length === 0 ? null : attempt.ended
    if (!source.consumedByEncoding) source.own().free(reason === null ? 'acked' : 'dropped')
    if (reason === null) return new EmptyReceipt()
    this.delivery.stats.dropped++
    return new DroppedReceipt(attempt.takeBatchId(), source.length, reason)
  }

  private async endMapper(attempt: PushAttempt): Promise<void> {
    do {
      await this.delivery.merger.flushAttempt(attempt)
      await attempt.quiet()
      // A push of the same turn, or of a callback that ran meanwhile, is waited for as well.
    } while (!attempt.isQuiet)
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
    this.delivery.merger.discard(attempt)
    this.admission.rejectWaiters(attempt.budget, attempt.aborted.reason)
    for (const batch of [...attempt.unsettled]) this.delivery.drop(batch, reason)
  }

  private async abortAll(shuffle: PushShuffle, reason: 'aborted' | 'closed'): Promise<void> {
    const attempts = [...shuffle.attempts.values()]
    for (const attempt of attempts) this.abort(attempt, reason)
    await Promise.all(attempts.map((attempt) => attempt.released()))
  }
}

function requireInt(name: string, value: number, min: number): void {
  if (!Number.isInteger(value) || value < min || value > 0x7fff_ffff) {
    throw new ConfigError(`${name} = ${value} is not an integer of at least ${min}`)
  }
}
