import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Codec, createCodec } from '../compress'
import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { AbortedError, CelebornError, ConfigError, type ErrorContext, ProtocolError } from '../errors'
import { throwIfAborted, untilAborted } from '../errors/abort'
import { type FramePool } from '../memory'
import { type ConnectionPool } from '../network'
import { type Batch, iterateBatches } from '../protocol/batch'
import { partitionUniqueId, shuffleKey } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import { ALL_MAPS } from '../protocol/messages'
import { BatchFilter } from './batch-filter'
import { type FileGroupCache } from './file-group-cache'
import { LocationStream, type StreamSettings } from './location-stream'

/** Which map tasks' batches to read. */
export interface ReadOptions {
  /** First map task; default 0. */
  readonly startMapIndex?: number
  /** Behind the last map task; default all of them. */
  readonly endMapIndex?: number
}

/** @internal What a reader takes from its client. */
export interface ReaderResources {
  readonly conf: CelebornConf
  readonly fileGroups: FileGroupCache
  readonly pool: ConnectionPool
  readonly frames: FramePool
}

/** Counters of one reader. */
export interface ReaderStats {
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
}

/**
 * One partition, batch by batch, decoded. Iterate it once. A batch's bytes are valid until the next one is asked
 * for; then views of them may drop to length 0. Copy what is to be kept.
 *
 * Every failure is an error: fewer batches than were committed are never passed off as all of them.
 */
export class PartitionReader implements AsyncIterable<Uint8Array> {
  private readonly codec: Codec
  private readonly decodeLimit: number
  private readonly maxRetries: number
  private readonly retryWaitMs: number
  private readonly settings: StreamSettings
  private readonly abort = new AbortController()
  private started = false
  private readonly counts = { locations: 0, chunks: 0, bytes: 0, batches: 0, retries: 0 }
  private filter: BatchFilter | null = null

  /** @internal Readers come from `ShuffleClient.readPartition`. */
  constructor(
    private readonly of: {
      readonly appId: string
      readonly shuffleId: number
      readonly partitionId: number
    },
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
    this.codec = createCodec(conf.get(keys.CLIENT_SHUFFLE_COMPRESSION_CODEC))
    this.decodeLimit = conf.get(keys.NODE_MAX_FRAME_BYTES)
    const replicas = conf.get(keys.CLIENT_PUSH_REPLICATE_ENABLED) ? 2 : 1
    this.maxRetries = conf.get(keys.CLIENT_FETCH_MAX_RETRIES_FOR_EACH_REPLICA) * replicas
    this.retryWaitMs = conf.get(keys.MODULE_IO_RETRY_WAIT('data'))
    this.settings = {
      shuffleKey: shuffleKey(of.appId, of.shuffleId),
      startMapIndex,
      endMapIndex,
      fetchTimeoutMs: conf.get(keys.CLIENT_FETCH_TIMEOUT),
      window: conf.get(keys.CLIENT_FETCH_MAX_REQS_IN_FLIGHT),
      maxChunkBytes: conf.get(keys.NODE_MAX_MESSAGE_BYTES),
    }
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
    return Readable.from(this.owned(), { objectMode: false })
  }

  /** Ends the reading: a pending iteration rejects, what was fetched ahead is released. Idempotent. */
  destroy(): void {
    const { shuffleId, partitionId } = this.of
    this.abort.abort(
      new AbortedError(`reading partition ${partitionId} of shuffle ${shuffleId} was ended`, {
        shuffleId,
        partitionId,
      }),
    )
  }

  private async *owned(): AsyncGenerator<Buffer, void, undefined> {
    for await (const bytes of this) yield Buffer.from(bytes)
  }

  private async *run(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      throwIfAborted(this.abort.signal)
      const groups = await untilAborted(this.resources.fileGroups.get(this.of.shuffleId), this.abort.signal)
      const locations = groups.locations.get(this.of.partitionId) ?? []
      const filter = new BatchFilter(groups.attempts)
      this.filter = filter
      for (const location of locations) yield* this.readLocation(location, filter)
    } finally {
      this.onEnd()
    }
  }

  /** Reads one location, with its peer and retries. What was delivered before a failure is not delivered again. */
  private async *readLocation(
    location: PartitionLocation,
    filter: BatchFilter,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    this.counts.locations++
    const tries: string[] = []
    const corruptCopies = new Set<PartitionLocation>()
    let current = location
    for (;;) {
      try {
        yield* this.readOnce(current, filter)
        return
      } catch (error) {
        if (this.abort.signal.aborted) throw this.abort.signal.reason
        if (!(error instanceof CelebornError)) throw error
        tries.push(error.message)
        if (tries.length > this.maxRetries) throw this.failed(current, tries, error)
        this.counts.retries++
        const other = current === location ? location.peer : location
        // The same bytes would be as corrupt at the next look.
        const corrupt = error.code === 'CELEBORN_CORRUPT_DATA'
        if (corrupt) corruptCopies.add(current)
        if (corrupt && (other === undefined || corruptCopies.has(other)))
          throw this.failed(current, tries, error)
        // Wait only after every copy was tried.
        if (other === undefined || current !== location) await this.pause()
        if (other !== undefined) current = other
      }
    }
  }

  private async *readOnce(
    location: PartitionLocation,
    filter: BatchFilter,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const stream = new LocationStream(location, this.settings, this.resources.pool, this.resources.frames)
    const context = this.context(location, stream.hostPort)
    try {
      await stream.open(this.abort.signal)
      for (;;) {
        const chunk = await untilAborted(stream.next(), this.abort.signal)
        if (chunk === null) return
        this.counts.chunks++
        this.counts.bytes += chunk.bytes.byteLength
        try {
          for (const batch of batchesOf(chunk.bytes, context)) {
            throwIfAborted(this.abort.signal)
            if (!filter.wants(batch, context)) continue
            const bytes = this.decode(batch, context)
            filter.delivered(batch)
            this.counts.batches++
            yield bytes
          }
        } finally {
          chunk.fetch.release()
        }
      }
    } finally {
      stream.close()
    }
  }

  private decode(batch: Batch, context: ErrorContext): Uint8Array {
    try {
      return this.codec.decode(batch.payload, this.decodeLimit)
    } catch (error) {
      const { mapId, attemptId, batchId } = batch
      const text = error instanceof Error ? error.message : String(error)
      throw new CelebornError(
        'CELEBORN_CORRUPT_DATA',
        `batch ${batchId} of attempt ${attemptId} of map task ${mapId} cannot be decoded: ${text}`,
        { ...context, mapId, attemptId, batchId },
        error,
      )
    }
  }

  private async pause(): Promise<void> {
    await sleep(this.retryWaitMs, undefined, { signal: this.abort.signal }).catch(() => {
      throw this.abort.signal.reason
    })
  }

  private context(location: PartitionLocation, hostPort: string): ErrorContext {
    const { appId: applicationId, shuffleId, partitionId } = this.of
    return {
      applicationId,
      shuffleId,
      partitionId,
      hostPort,
      location: partitionUniqueId(location.id, location.epoch),
    }
  }

  private failed(location: PartitionLocation, tries: readonly string[], cause: CelebornError): CelebornError {
    const { shuffleId, partitionId } = this.of
    const id = partitionUniqueId(location.id, location.epoch)
    const code = cause.code === 'CELEBORN_CORRUPT_DATA' ? 'CELEBORN_CORRUPT_DATA' : 'CELEBORN_FETCH_FAILED'
    return new CelebornError(
      code,
      `location ${id} of partition ${partitionId} of shuffle ${shuffleId} could not be read ` +
        `in ${tries.length} ${tries.length === 1 ? 'try' : 'tries'}; the last: ${cause.message}`,
      { ...cause.context, ...this.context(location, cause.context.hostPort ?? ''), attempts: tries },
      cause,
    )
  }
}

/** The batches of a chunk. Bytes that are no whole batches are corrupt data, not a peer's protocol error. */
function* batchesOf(chunk: Uint8Array, context: ErrorContext): Generator<Batch, void, undefined> {
  try {
    yield* iterateBatches(chunk)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new CelebornError('CELEBORN_CORRUPT_DATA', `a chunk is cut off: ${error.message}`, context, error)
  }
}
