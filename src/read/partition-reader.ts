import { Readable } from 'node:stream'
import { type TransportConf } from '../buffer'
import { createCodec } from '../compress'
import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { AbortedError, CelebornError, ConfigError } from '../errors'
import { abortedBy, listenForAbort, throwIfAborted, untilAborted } from '../errors/abort'
import { type FramePool } from '../memory'
import { type ConnectionPool } from '../network'
import { shuffleKey } from '../protocol/ids'
import { BatchSum } from '../protocol/integrity'
import { type PartitionLocation } from '../protocol/locations'
import { ALL_MAPS } from '../protocol/messages'
import { roaringBitmapMayContain } from '../protocol/roaring-bitmap'
import { BatchFilter } from './batch-filter'
import { type BudgetHolder, type ReadBudget } from './budget'
import { type FileGroupCache } from './file-group-cache'
import { type FileGroups, type ReadLifecycle } from './lifecycle'
import { isServed, LocationReader, type LocationReaderParts, type ReadCounts } from './location-reader'
import { type StreamParts } from './location-stream'
import { ReadAhead } from './read-ahead'
import { ofPartition, type PartitionName, partitionContext, partitionText } from './read-errors'

/** Which map tasks' batches to read. */
export interface ReadOptions {
  /** First map task; default 0. */
  readonly startMapIndex?: number
  /** Behind the last map task; default all of them. */
  readonly endMapIndex?: number
  /** Ends the reading, as {@link PartitionReader.destroy} does. */
  readonly signal?: AbortSignal | undefined
}

/** @internal What a reader takes from its client. */
export interface ReaderResources {
  readonly conf: CelebornConf
  readonly lifecycle: ReadLifecycle
  readonly fileGroups: FileGroupCache
  readonly pool: ConnectionPool
  readonly frames: FramePool
  readonly budget: ReadBudget
  /** How files of workers on this host are read; null where they are fetched as all others. */
  readonly local: TransportConf | null
}

/** Counters of one reader. */
export interface ReaderStats extends Readonly<ReadCounts> {
  /** Locations read; without those that hold none of the map tasks that were asked for. */
  readonly locations: number
  readonly chunks: number
  /** Bytes received. */
  readonly bytes: number
  /** Batches delivered. */
  readonly batches: number
  /** Batches skipped because they came twice. */
  readonly duplicates: number
  /** Batches skipped because another attempt of their map task won. */
  readonly otherAttempts: number
  /** Locations opened again after a failure. */
  readonly retries: number
  /** Locations whose file was read on this host, not fetched. */
  readonly localReads: number
  /** Milliseconds that the consumer waited for chunks under way. */
  readonly chunkWaitMs: number
  /** Milliseconds that it waited for room in `celeborn.node.maxReadBytes`. */
  readonly budgetWaitMs: number
}

/**
 * One partition, batch by batch, decoded. Iterate it once. A batch's bytes are valid until the next one is asked
 * for; then views of them may drop to length 0. Copy what is to be kept.
 *
 * Every failure is an error: fewer batches than were committed are never passed off as all of them.
 */
export class PartitionReader implements AsyncIterable<Uint8Array> {
  private readonly parts: Omit<LocationReaderParts, 'filter' | 'streams'>
  /** What was delivered, where writers, driver and readers compare their sums; otherwise null. */
  private readonly sum: BatchSum | null
  private readonly abort = new AbortController()
  private started = false
  private readonly counts: ReadCounts = {
    locations: 0,
    chunks: 0,
    bytes: 0,
    batches: 0,
    retries: 0,
    localReads: 0,
    chunkWaitMs: 0,
    budgetWaitMs: 0,
  }
  private filter: BatchFilter | null = null
  private streams: ReadAhead | null = null
  /** The consumer waits for a chunk. */
  private waiting = false
  private stopListening: () => void = () => undefined

  /** @internal Readers come from `ShuffleClient.readPartition`. */
  constructor(
    private readonly of: PartitionName,
    private readonly resources: ReaderResources,
    options: ReadOptions,
    private readonly onEnd: () => void,
  ) {
    const { conf } = resources
    for (const [name, id] of [
      ['shuffleId', of.shuffleId],
      ['partitionId', of.partitionId],
    ] as const) {
      if (!(Number.isInteger(id) && id >= 0))
        throw new ConfigError(`${name} = ${id} is not an integer of at least 0`)
    }
    const { startMapIndex = 0, endMapIndex = ALL_MAPS } = options
    if (!(Number.isInteger(startMapIndex) && startMapIndex >= 0 && startMapIndex < endMapIndex)) {
      throw new ConfigError(
        `map tasks from ${startMapIndex} to ${endMapIndex} are no range: 0 <= startMapIndex < endMapIndex`,
      )
    }
    this.sum = conf.get(keys.CLIENT_SHUFFLE_INTEGRITY_CHECK_ENABLED) ? new BatchSum() : null
    this.parts = {
      of,
      codec: createCodec(conf.get(keys.CLIENT_SHUFFLE_COMPRESSION_CODEC)),
      decodeLimit: conf.get(keys.NODE_MAX_FRAME_BYTES),
      maxRetriesForEachReplica: conf.get(keys.CLIENT_FETCH_MAX_RETRIES_FOR_EACH_REPLICA),
      retryWaitMs: conf.get(keys.MODULE_IO_RETRY_WAIT('data')),
      counts: this.counts,
      signal: this.abort.signal,
      onWaiting: (waiting) => {
        this.waiting = waiting
      },
      settings: {
        shuffleKey: shuffleKey(of.appId, of.shuffleId),
        startMapIndex,
        endMapIndex,
        fetchTimeoutMs: conf.get(keys.CLIENT_FETCH_TIMEOUT),
        window: conf.get(keys.CLIENT_FETCH_MAX_REQS_IN_FLIGHT),
        maxChunkBytes: conf.get(keys.NODE_MAX_MESSAGE_BYTES),
        // A chunk is closed by the flush after the one that made it full.
        likelyChunkBytes: 2 * conf.get(keys.SHUFFLE_CHUNK_SIZE),
      },
    }
    this.listen(options.signal)
  }

  get stats(): ReaderStats {
    return {
      ...this.counts,
      duplicates: this.filter?.duplicates ?? 0,
      otherAttempts: this.filter?.otherAttempts ?? 0,
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.started) {
      throw new CelebornError(
        'CELEBORN_CLOSED',
        'a PartitionReader is read once; ask readPartition for another',
      )
    }
    this.started = true
    return this.run()
  }

  /** The partition's bytes as a stream of Buffers that are the consumer's to keep. */
  toReadable(): Readable {
    const readable = Readable.from(this.owned(), { objectMode: false })
    const end = readable._destroy.bind(readable)
    // A consumer that goes away does not wait for what a worker may never send.
    readable._destroy = (error, callback) => {
      this.destroy()
      end(error, callback)
    }
    return readable
  }

  /**
   * Ends the reading: a pending iteration rejects, what was fetched ahead is released at once. The batch that the consumer
   * has stays valid until the iterator is asked for the next one, or returned, as at the end of a `for await`. Idempotent.
   */
  destroy(): void {
    this.end(new AbortedError(`reading ${partitionText(this.of)} was ended`, partitionContext(this.of)))
  }

  /** @internal As {@link destroy}, with the error of a pending iteration and of those to come. */
  end(reason: CelebornError): void {
    this.abort.abort(reason)
    this.streams?.close()
    // Its consumer may never come back.
    this.leave()
  }

  private listen(signal: AbortSignal | undefined): void {
    if (signal === undefined) return
    if (signal.aborted) {
      this.abort.abort(abortedBy(signal))
      return
    }
    const onAbort = (): void => this.end(abortedBy(signal))
    listenForAbort(signal, onAbort)
    this.stopListening = () => signal.removeEventListener('abort', onAbort)
  }

  private leave(): void {
    this.stopListening()
    this.onEnd()
  }

  private async *owned(): AsyncGenerator<Buffer, void, undefined> {
    for await (const bytes of this) yield Buffer.from(bytes)
  }

  private async *run(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      const groups = await this.fileGroups()
      const { startMapIndex, endMapIndex } = this.parts.settings
      const filter = new BatchFilter(groups.attempts, startMapIndex, endMapIndex)
      this.filter = filter
      const all = groups.locations.get(this.of.partitionId) ?? []
      const locations = all.filter((location) => this.mayHaveWanted(location))
      const streams = new ReadAhead(locations, this.streamParts(), isServed)
      this.streams = streams
      const reader = new LocationReader({ ...this.parts, streams, filter })
      for (const location of locations) {
        if (this.sum === null) yield* reader.read(location)
        else yield* counted(reader.read(location), this.sum)
      }
      // A shuffle that nobody has written to is not known to the driver.
      if (this.sum !== null && groups.attempts.length > 0) await this.compareSums(this.sum)
    } finally {
      this.streams?.close()
      this.leave()
    }
  }

  private streamParts(): StreamParts {
    const { pool, frames, budget, local } = this.resources
    const holder: BudgetHolder = {
      name: partitionText(this.of),
      chargedBytes: 0,
      shedIfPaused: () => {
        if (!this.waiting) this.streams?.shedAll()
      },
    }
    return {
      settings: this.parts.settings,
      connections: pool,
      frames,
      budget,
      holder,
      local,
      signal: this.abort.signal,
      onStarved: () => this.streams?.shed(),
      onBudgetWait: (ms) => {
        this.counts.budgetWaitMs += ms
      },
    }
  }

  private async fileGroups(): Promise<FileGroups> {
    const { signal } = this.abort
    throwIfAborted(signal)
    try {
      return await untilAborted(this.resources.fileGroups.get(this.of.shuffleId), signal)
    } catch (error) {
      throw ofPartition(this.of, 'cannot be read', error)
    }
  }

  /** Whether a location may have batches of the map tasks that are read. */
  private mayHaveWanted({ mapIdBitmap }: PartitionLocation): boolean {
    const { startMapIndex, endMapIndex } = this.parts.settings
    if (mapIdBitmap === undefined || endMapIndex === ALL_MAPS) return true
    return roaringBitmapMayContain(mapIdBitmap, startMapIndex, endMapIndex)
  }

  /** Has the driver compare what was read with what was written. */
  private async compareSums({ crc32, bytes }: BatchSum): Promise<void> {
    const { shuffleId, partitionId } = this.of
    const { startMapIndex, endMapIndex } = this.parts.settings
    const { signal } = this.abort
    const read = { shuffleId, partitionId, startMapIndex, endMapIndex, crc32, bytesWritten: bytes }
    let refused: string | null
    try {
      refused = await untilAborted(this.resources.lifecycle.partitionRead(read, signal), signal)
    } catch (error) {
      const what = 'was read, but the driver did not compare it with what was written (Celeborn 0.5 cannot)'
      throw ofPartition(this.of, what, error)
    }
    if (refused === null) return
    throw new CelebornError(
      'CELEBORN_CORRUPT_DATA',
      `what was read of ${partitionText(this.of)} is not what was written: ${refused} (writers, driver and readers of a ` +
        `shuffle need the same ${keys.CLIENT_SHUFFLE_INTEGRITY_CHECK_ENABLED.key})`,
      { ...partitionContext(this.of), peerMessage: refused },
    )
  }
}

async function* counted(
  batches: AsyncIterable<Uint8Array>,
  sum: BatchSum,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const bytes of batches) {
    // Before the consumer has it, who may write into it.
    sum.add(bytes)
    yield bytes
  }
}
