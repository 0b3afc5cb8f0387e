import { type Codec } from '../compress'
import { CelebornError, type ErrorContext, ProtocolError } from '../errors'
import { pause, throwIfAborted, untilAborted } from '../errors/abort'
import { detachArrayBuffer } from '../memory/detach'
import { type Batch, iterateBatches } from '../protocol/batch'
import { hostPort, partitionUniqueId } from '../protocol/ids'
import { type PartitionLocation, StorageType } from '../protocol/locations'
import { ALL_MAPS } from '../protocol/messages'
import { type BatchFilter } from './batch-filter'
import { type LocationStream, type StreamSettings } from './location-stream'
import { type ReadAhead } from './read-ahead'
import { asReadError, ofPartition, type PartitionName, partitionContext, partitionText } from './read-errors'

/** Counters that the locations of a partition share. */
export interface ReadCounts {
  locations: number
  chunks: number
  bytes: number
  batches: number
  retries: number
  localReads: number
  chunkWaitMs: number
  budgetWaitMs: number
}

/** What reading the locations of one partition takes. */
export interface LocationReaderParts {
  readonly of: PartitionName
  readonly settings: StreamSettings
  readonly codec: Codec
  /** Largest batch that is decoded. */
  readonly decodeLimit: number
  readonly maxRetriesForEachReplica: number
  /** Pause after all copies were tried. */
  readonly retryWaitMs: number
  readonly streams: ReadAhead
  readonly filter: BatchFilter
  readonly counts: ReadCounts
  readonly signal: AbortSignal
  /** The consumer waits for a chunk, or no longer. */
  readonly onWaiting: (waiting: boolean) => void
}

/** Failures that another copy or another try do not mend: memory is short here. */
const OURS: ReadonlySet<string> = new Set([
  'CELEBORN_ADMISSION_TIMEOUT',
  'CELEBORN_OUT_OF_MEMORY',
  'CELEBORN_POOL_EXHAUSTED',
])

/** Storage that a worker does not serve: Celeborn's own clients read it from there themselves. */
const ELSEWHERE: ReadonlyMap<number, string> = new Map([
  [StorageType.HDFS, 'HDFS'],
  [StorageType.OSS, 'OSS'],
  [StorageType.S3, 'S3'],
])

/**
 * Reads locations of a partition, each with its peer and retries. What was delivered before a failure is not
 * delivered again; fewer batches than the file has are an error.
 */
export class LocationReader {
  constructor(private readonly parts: LocationReaderParts) {}

  async *read(location: PartitionLocation): AsyncGenerator<Uint8Array, void, undefined> {
    const { counts, signal } = this.parts
    counts.locations++
    const deliveredBefore = counts.batches
    const maxTries = this.maxTries(location)
    const tries: string[] = []
    const corruptCopies = new Set<PartitionLocation>()
    const notLocally = new Set<PartitionLocation>()
    let current = location
    for (;;) {
      const { stream, ahead } = this.parts.streams.start(current, !notLocally.has(current))
      const before = counts.batches
      try {
        yield* this.readOnce(current, stream, before > deliveredBefore)
        return
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        const error = asReadError(thrown)
        if (OURS.has(error.code)) {
          const { location: id } = this.context(current)
          throw ofPartition(this.parts.of, 'cannot be read', error, { location: id })
        }
        // A file that cannot be read here is fetched; a stream opened ahead may have failed long before it was wanted.
        const again = canBeFetched(stream, error, counts.batches > before)
        if (again || (ahead && error.code !== 'CELEBORN_CORRUPT_DATA')) {
          if (again) notLocally.add(current)
          counts.retries++
          continue
        }
        tries.push(`${copyText(current)}: ${error.message}`)
        const other = current === location ? location.peer : location
        // The same bytes would be as corrupt at the next look.
        const corrupt = error.code === 'CELEBORN_CORRUPT_DATA'
        if (corrupt) corruptCopies.add(current)
        const hopeless = corrupt && (other === undefined || corruptCopies.has(other))
        if (hopeless || tries.length >= maxTries) throw this.failed(current, tries, error)
        counts.retries++
        // Wait only after every copy was tried.
        if (other === undefined || current !== location) await pause(this.parts.retryWaitMs, signal)
        if (other !== undefined && !corruptCopies.has(other)) current = other
      }
    }
  }

  /** Each copy may be tried again so many times; a copy that there is, is tried at least once. */
  private maxTries(location: PartitionLocation): number {
    const { maxRetriesForEachReplica: retries } = this.parts
    return location.peer === undefined ? 1 + retries : Math.max(2, 1 + 2 * retries)
  }

  private async *readOnce(
    location: PartitionLocation,
    stream: LocationStream,
    deliveredBefore: boolean,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { counts, filter, signal, streams } = this.parts
    const context = this.context(location)
    try {
      checkStorage(location, context)
      await untilAborted(stream.open(), signal)
      let received = 0
      for (;;) {
        const chunk = await this.nextChunk(stream)
        if (chunk === null) break
        counts.chunks++
        counts.bytes += chunk.byteLength
        received += chunk.byteLength
        for (const batch of batchesOf(chunk, context)) {
          throwIfAborted(signal)
          if (!filter.wants(batch, context)) continue
          const bytes = this.decode(batch, context)
          filter.delivered(batch)
          counts.batches++
          yield bytes
          freeDecoded(bytes, chunk)
        }
      }
      throwIfAborted(signal)
      this.checkComplete(location, received, deliveredBefore, context)
      if (stream.isLocal) counts.localReads++
    } finally {
      streams.finish(stream)
    }
  }

  private async nextChunk(stream: LocationStream): Promise<Uint8Array | null> {
    const { counts, signal, streams, onWaiting } = this.parts
    // Its room may be what the next one needs.
    stream.releaseCurrent()
    streams.pump()
    const since = performance.now()
    const budgetWaitBefore = counts.budgetWaitMs
    onWaiting(true)
    try {
      const chunk = await untilAborted(stream.next(), signal)
      streams.pump()
      return chunk
    } finally {
      onWaiting(false)
      const waited = performance.now() - since - (counts.budgetWaitMs - budgetWaitBefore)
      counts.chunkWaitMs += Math.max(0, waited)
    }
  }

  /** The worker has given all that it has; the file may be cut off where a batch ends. */
  private checkComplete(
    { storage }: PartitionLocation,
    received: number,
    deliveredBefore: boolean,
    context: ErrorContext,
  ): void {
    const { startMapIndex, endMapIndex } = this.parts.settings
    if (startMapIndex !== 0 || endMapIndex !== ALL_MAPS) return
    // Celeborn 0.5 tells no size. A copy without anything is none of a location that had something.
    const expected = storage.fileSize > 0 ? storage.fileSize : deliveredBefore ? 1 : 0
    if (received >= expected) return
    throw new CelebornError(
      'CELEBORN_CORRUPT_DATA',
      storage.fileSize > 0
        ? `the file ends after ${received} bytes, ${storage.fileSize} bytes were committed`
        : 'the file is empty, though the other copy is not',
      context,
    )
  }

  private decode(batch: Batch, context: ErrorContext): Uint8Array {
    try {
      return this.parts.codec.decode(batch.payload, this.parts.decodeLimit)
    } catch (error) {
      const { mapId, attemptId, batchId } = batch
      const { code, message } = asReadError(error)
      throw new CelebornError(
        code,
        `batch ${batchId} of attempt ${attemptId} of map task ${mapId} cannot be decoded: ${message}`,
        { ...context, mapId, attemptId, batchId },
        error,
      )
    }
  }

  private context(location: PartitionLocation): ErrorContext {
    return {
      ...partitionContext(this.parts.of),
      hostPort: hostPort(location.host, location.fetchPort),
      location: partitionUniqueId(location.id, location.epoch),
    }
  }

  private failed(location: PartitionLocation, tries: readonly string[], cause: CelebornError): CelebornError {
    const id = partitionUniqueId(location.id, location.epoch)
    const code = cause.code === 'CELEBORN_CORRUPT_DATA' ? 'CELEBORN_CORRUPT_DATA' : 'CELEBORN_FETCH_FAILED'
    const times = `${tries.length} ${tries.length === 1 ? 'try' : 'tries'}`
    return new CelebornError(
      code,
      `location ${id} of ${partitionText(this.parts.of)} could not be read in ${times}; the last, ` +
        `${tries[tries.length - 1]}`,
      { ...cause.context, ...this.context(location), attempts: tries },
      cause,
    )
  }
}

function copyText({ host, fetchPort, mode }: PartitionLocation): string {
  return `${mode === 0 ? 'primary' : 'replica'} at ${hostPort(host, fetchPort)}`
}

/** Whether workers serve a location's data. */
export function isServed({ storage }: PartitionLocation): boolean {
  return !ELSEWHERE.has(storage.type)
}

function checkStorage({ storage }: PartitionLocation, context: ErrorContext): void {
  const elsewhere = ELSEWHERE.get(storage.type)
  if (elsewhere === undefined) return
  throw new CelebornError(
    'CELEBORN_FETCH_FAILED',
    `the data lies on ${elsewhere}, which this client does not read: have the workers write to local disks`,
    context,
  )
}

/** Whether a file of this host failed that its worker may serve all the same. */
function canBeFetched(stream: LocationStream, { code }: CelebornError, delivered: boolean): boolean {
  if (!stream.askedLocal || stream.isFetched) return false
  return code !== 'CELEBORN_CORRUPT_DATA' || !delivered
}

/**
 * The consumer is done with a batch: what its codec made for it is free at once, not at some garbage collection, and the
 * next batch is decoded into memory that is still in the caches.
 */
function freeDecoded(bytes: Uint8Array, chunk: Uint8Array): void {
  const { buffer } = bytes
  // A stored block lies in the chunk, and where a buffer has more than the batch others may use it.
  if (buffer === chunk.buffer || bytes.byteLength === 0 || bytes.byteLength !== buffer.byteLength) return
  detachArrayBuffer(buffer as ArrayBuffer)
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
