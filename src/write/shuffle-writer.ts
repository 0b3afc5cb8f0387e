import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { AbortedError, type CelebornError, ClosedError, ConfigError } from '../errors'
import { abortedBy, listenForAbort, throwIfAborted } from '../errors/abort'
import { asCelebornError } from '../push/delivery'
import { type MapAttempt } from '../push/types'
import { AttemptSide } from './attempt-side'
import { requireRoom } from './buffer-pool'
import { DataPusher } from './data-pusher'
import { type WriterClient, type WriterHost } from './host'
import { type WriterMetrics } from './metrics'
import { type Partitioner } from './partitioner'
import { type Serializer } from './serializer'

/** Options of a writer. */
export interface ShuffleWriterOptions<T, K> {
  /** The map task attempt that the writer writes, from its first record to its end. */
  readonly attempt: MapAttempt
  readonly serializer: Serializer<T>
  /** Chooses partitions by keys. Without one there is only {@link ShuffleWriter.writeTo}. */
  readonly partitioner?: Partitioner<K, T>
  /** A record's key, where {@link ShuffleWriter.write} is not given one. By default the record itself. */
  readonly keyOf?: (record: T) => K
  /** Aborts the writer when it fires; see {@link ShuffleWriter.abort}. */
  readonly signal?: AbortSignal
}

/** What of a writer goes up and down with every record. */
export interface WriterCounters {
  records: number
  rawBytes: number
  pushes: number
  spills: number
  flushedPartial: number
  giants: number
  peakBytes: number
}

/**
 * Writes the records of one map task attempt into the partitions of a shuffle. Either {@link close} resolves, and then all
 * records are at the workers and the attempt is reported; or the attempt counts for nothing.
 *
 * @typeParam T records
 * @typeParam K keys
 */
export abstract class ShuffleWriter<T, K> {
  /** `HASH` or `SORT`. */
  abstract readonly kind: 'HASH' | 'SORT'
  readonly attempt: MapAttempt
  protected readonly host: WriterHost
  protected readonly pusher: DataPusher
  protected readonly serializer: Serializer<T>
  protected readonly signal: AbortSignal
  /** Bytes of a full buffer. */
  protected readonly bufferBytes: number
  protected readonly counters: WriterCounters = {
    records: 0,
    rawBytes: 0,
    pushes: 0,
    spills: 0,
    flushedPartial: 0,
    giants: 0,
    peakBytes: 0,
  }
  readonly #partitioner: Partitioner<K, T> | undefined
  readonly #keyOf: ((record: T) => K) | undefined
  readonly #numPartitions: number
  readonly #maxFrameBytes: number
  readonly #encodedBytes: () => number
  readonly #controller = new AbortController()
  readonly #userSignal: AbortSignal | undefined
  /** What was begun and waits; the next call waits for it. */
  #pending: Promise<void> | null = null
  /** Why no record is taken any more. */
  #ended: Error | null = null
  #closing: Promise<WriterMetrics> | null = null
  #givingUp: Promise<void> | null = null
  #gaveUp = false
  #closed = false

  /**
   * @throws ConfigError on a wrong option, or when the attempt has a writer already; AbortedError when the signal has fired
   */
  constructor(
    client: WriterClient,
    options: ShuffleWriterOptions<T, K>,
    /** Sizes of the buffers without which the writer cannot go on. */
    minimum: (conf: CelebornConf) => readonly number[],
  ) {
    const { attempt, partitioner, signal } = options
    this.host = client.writerHost
    throwIfAborted(signal)
    if (partitioner !== undefined && partitioner.numPartitions > attempt.numPartitions) {
      throw new ConfigError(
        `the partitioner spreads over ${partitioner.numPartitions} partitions, the shuffle has ${attempt.numPartitions}`,
      )
    }
    const { conf, buffers } = this.host
    requireRoom(buffers, minimum(conf), keys.NODE_WRITER_MAX_BYTES.key)
    const { shuffleId, mapId, attemptId, numMappers, numPartitions } = attempt
    this.attempt = { shuffleId, mapId, attemptId, numMappers, numPartitions }
    this.serializer = options.serializer
    this.signal = this.#controller.signal
    this.#maxFrameBytes = conf.get(keys.NODE_MAX_FRAME_BYTES)
    this.bufferBytes = Math.min(conf.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE), this.#maxFrameBytes)
    this.#partitioner = partitioner
    this.#keyOf = options.keyOf
    this.#numPartitions = attempt.numPartitions
    this.#userSignal = signal
    this.#encodedBytes = this.host.claim(this.attempt, (error) => this.#giveUpAside(error))
    this.pusher = new DataPusher({
      side: new AttemptSide(this.host, this.attempt, this.signal),
      buffers,
      capacity: conf.get(keys.CLIENT_PUSH_QUEUE_CAPACITY),
      bufferBytes: this.bufferBytes,
      signal: this.signal,
    })
    if (signal !== undefined) listenForAbort(signal, this.#onSignal)
  }

  /** The writer's counters, as they are now. */
  get metrics(): WriterMetrics {
    const { taskWaitMs, admissionWaitMs } = this.pusher.stats
    return { ...this.counters, encodedBytes: this.#encodedBytes(), taskWaitMs, admissionWaitMs }
  }

  /**
   * Writes one record into the partition of its key. Undefined: it is taken. A promise: the writer waits for memory or for a
   * push task; leave the record unchanged until it resolves, and wait for it before the next call (calls that come before it are
   * served in order). `await writer.write(record)` does both.
   *
   * @param key by default what `keyOf` gives, else the record itself
   * @throws by rejecting, and the record is not taken: whatever partitioner or serializer threw; ConfigError for a partition
   *   that there is not or a record larger than `celeborn.node.maxFrameBytes` (the writer goes on after these); the attempt's
   *   first push failure; ClosedError, AbortedError
   */
  write(record: T, key?: K): Promise<void> | undefined {
    let partitionId: number
    try {
      partitionId = this.#partitionOf(record, key)
    } catch (error) {
      return Promise.reject(error as Error)
    }
    return this.writeTo(partitionId, record)
  }

  /** As {@link write}, into a partition that the caller has chosen. */
  writeTo(partitionId: number, record: T): Promise<void> | undefined {
    if (this.#closing !== null) return Promise.reject(this.#ended ?? this.#closedError())
    return this.#write(partitionId, record)
  }

  #write(partitionId: number, record: T): Promise<void> | undefined {
    if (this.#pending !== null || this.#ended !== null) return this.#writeLater(partitionId, record)
    // Also catches NaN, fractions and what is no number at all.
    if (!(partitionId >>> 0 === partitionId && partitionId < this.#numPartitions)) {
      return Promise.reject(this.#wrongPartition(partitionId))
    }
    try {
      const waiting = this.append(partitionId, record)
      return waiting === undefined ? undefined : this.#track(waiting)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  /** Writes all records of a source, and waits where that is needed. @throws as {@link write}, at the first error */
  async writeAll(records: Iterable<T> | AsyncIterable<T>): Promise<void> {
    if (Symbol.asyncIterator in records) {
      for await (const record of records) await this.write(record)
      return
    }
    for (const record of records) {
      const waiting = this.write(record)
      if (waiting !== undefined) await waiting
    }
  }

  /**
   * Pushes what is left, waits until the workers have everything, and reports the attempt's end. Further calls give the same
   * promise. When it rejects the attempt has been aborted and all memory is free.
   * @throws the attempt's first failure; AbortedError; by rejecting
   */
  close(): Promise<WriterMetrics> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /**
   * Gives the attempt up, at any moment: nothing of it counts, whatever is in flight is dropped. Resolves when all its memory is
   * free. Harmless after {@link close} has resolved.
   */
  async abort(reason?: unknown): Promise<void> {
    if (this.#closed) return
    const { shuffleId, mapId, attemptId } = this.attempt
    const error = new AbortedError(
      `the writer of ${this.#name} was aborted`,
      { shuffleId, mapId, attemptId },
      reason,
    )
    await this.#giveUp(error)
  }

  /** Aborts a writer that was not closed: for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.abort()
  }

  /**
   * Takes one record. Undefined when that is done; otherwise what it waits for, the record included.
   * @throws what the serializer threw; then nothing has changed
   */
  protected abstract append(partitionId: number, record: T): Promise<void> | undefined

  /** Hands everything that is left to the pusher. */
  protected abstract finish(): Promise<void>

  /** Gives all buffers back; what is in them is lost. May be called more than once. */
  protected abstract discard(): void

  /** Calls the serializer and checks what it returns: an end within the buffer, or minus the bytes needed. */
  protected serialize(record: T, target: Uint8Array, at: number): number {
    const end = this.serializer.write(record, target, at)
    if (Number.isInteger(end) && (end < 0 ? target.length - at < -end : end >= at && end <= target.length))
      return end
    throw new ConfigError(
      `the serializer ${this.serializer.name} returned ${String(end)} for a record at ${at} of ${target.length} bytes; it ` +
        'returns where the record ends, or the negative of the bytes that it needs when they are not there',
    )
  }

  /** Pushes a record that no full buffer takes in a buffer of its own size. */
  protected async pushGiant(partitionId: number, record: T, bytes: number): Promise<void> {
    if (bytes > this.#maxFrameBytes) {
      throw new ConfigError(
        `a record of ${bytes} bytes for partition ${partitionId} exceeds celeborn.node.maxFrameBytes = ${this.#maxFrameBytes}`,
      )
    }
    const [buffer] = await this.host.buffers.take([bytes], this.signal)
    if (buffer === undefined) throw new ClosedError('the ShuffleClient is closed')
    let end: number
    try {
      end = this.serialize(record, buffer.bytes, 0)
      if (end < 0) {
        throw new ConfigError(
          `the serializer ${this.serializer.name} asked for ${bytes} bytes and then for ${-end}`,
        )
      }
    } catch (error) {
      buffer.release()
      throw error
    }
    await this.pusher.handOverLater(partitionId, buffer, end)
    this.counters.giants++
    this.counters.pushes++
    this.taken(end)
  }

  /** A record is in the writer's hands. */
  protected taken(bytes: number): void {
    this.counters.records++
    this.counters.rawBytes += bytes
  }

  /** Notes how much native memory is held, the tasks' included. */
  protected noteMemory(heldBytes: number): void {
    const bytes = heldBytes + this.pusher.busyBytes
    if (bytes > this.counters.peakBytes) this.counters.peakBytes = bytes
  }

  /** Work of the writer's own that records have to wait for. */
  protected track(work: Promise<void>): Promise<void> {
    return this.#track(work)
  }

  /** Whether a call waits now. */
  protected get isWaiting(): boolean {
    return this.#pending !== null
  }

  /** Whether no record is taken any more: then {@link discard} has run or will. */
  protected get hasEnded(): boolean {
    return this.#gaveUp
  }

  #partitionOf(record: T, key: K | undefined): number {
    const partitioner = this.#partitioner
    if (partitioner === undefined) {
      throw new ConfigError('a writer without a partitioner does not know where a record goes: use writeTo')
    }
    if (key !== undefined) return partitioner.partition(key, record)
    const keyOf = this.#keyOf
    return partitioner.partition(keyOf === undefined ? (record as unknown as K) : keyOf(record), record)
  }

  #writeLater(partitionId: number, record: T): Promise<void> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const again = async (): Promise<void> => this.#write(partitionId, record)
    return (this.#pending ?? Promise.resolve()).then(again, again)
  }

  #track(work: Promise<void>): Promise<void> {
    const done = work.finally(() => {
      if (this.#pending === done) this.#pending = null
    })
    this.#pending = done
    return done
  }

  async #settled(): Promise<void> {
    while (this.#pending !== null) await this.#pending.catch(() => undefined)
  }

  async #close(): Promise<WriterMetrics> {
    try {
      this.#check()
      await this.#settled()
      this.#check()
      this.#ended = this.#closedError()
      await this.finish()
      await this.pusher.waitOnTermination()
      await this.host.mapperEnd(this.attempt)
      this.#closed = true
      this.#end()
      return this.metrics
    } catch (error) {
      const failure = asCelebornError(error)
      await this.#giveUp(failure)
      throw failure
    }
  }

  #check(): void {
    if (this.#ended !== null) throw this.#ended
  }

  /** Calls share one end: the first reason stays. */
  #giveUp(error: CelebornError): Promise<void> {
    if (!this.#gaveUp) {
      this.#gaveUp = true
      this.#givingUp = this.#giveUpNow(error)
    }
    return this.#givingUp ?? Promise.resolve()
  }

  /** For who cannot wait: what goes wrong meanwhile is for {@link abort} and {@link close}. */
  #giveUpAside(error: CelebornError): void {
    this.#giveUp(error).catch(() => undefined)
  }

  async #giveUpNow(error: CelebornError): Promise<void> {
    this.#ended = error
    // Every wait of the writer ends with this error.
    this.#controller.abort(error)
    await this.#settled()
    this.discard()
    this.#end()
    await this.host.cleanup(this.attempt)
    await this.pusher.waitOnTermination().catch(() => undefined)
    this.discard()
  }

  #end(): void {
    this.#userSignal?.removeEventListener('abort', this.#onSignal)
  }

  readonly #onSignal = (): void => {
    if (this.#userSignal !== undefined) this.#giveUpAside(abortedBy(this.#userSignal))
  }

  #wrongPartition(partitionId: unknown): ConfigError {
    return new ConfigError(
      `partition ${String(partitionId)} is not within 0..${this.#numPartitions - 1} of shuffle ${this.attempt.shuffleId}` +
        (this.#partitioner === undefined ? '' : ': what did the partitioner return?'),
    )
  }

  #closedError(): ClosedError {
    return new ClosedError(`the writer of ${this.#name} is closed`)
  }

  get #name(): string {
    const { shuffleId, mapId, attemptId } = this.attempt
    return `attempt ${attemptId} of map task ${mapId} of shuffle ${shuffleId}`
  }
}
