import { type Codec } from '../compress'
import { CelebornError, type ErrorContext, ProtocolError } from '../errors'
import { pause, throwIfAborted, untilAborted } from '../errors/abort'
import { type FramePool } from '../memory'
import { type ConnectionPool } from '../network'
import { type Batch, iterateBatches } from '../protocol/batch'
import { hostPort, partitionUniqueId } from '../protocol/ids'
import { type PartitionLocation, StorageType } from '../protocol/locations'
import { ALL_MAPS } from '../protocol/messages'
import { type BatchFilter } from './batch-filter'
import { LocationStream, type StreamSettings } from './location-stream'
import { asReadError, type PartitionName, partitionContext, partitionText } from './read-errors'

/** Counters that the locations of a partition share. */
export interface ReadCounts {
  locations: number
  chunks: number
  bytes: number
  batches: number
  retries: number
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
  readonly connections: ConnectionPool
  readonly frames: FramePool
  readonly filter: BatchFilter
  readonly counts: ReadCounts
  readonly signal: AbortSignal
}

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
    let current = location
    for (;;) {
      try {
        yield* this.readOnce(current, counts.batches > deliveredBefore)
        return
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        const error = asReadError(thrown)
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
    deliveredBefore: boolean,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { settings, connections, frames, counts, filter, signal } = this.parts
    const context = this.context(location)
    checkStorage(location, context)
    const stream = new LocationStream(location, settings, connections, frames)
    try {
      await stream.open(signal)
      let received = 0
      for (;;) {
        const chunk = await untilAborted(stream.next(), signal)
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
        }
      }
      throwIfAborted(signal)
      this.checkComplete(location, received, deliveredBefore, context)
    } finally {
      closeQuietly(stream)
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

function checkStorage({ storage }: PartitionLocation, context: ErrorContext): void {
  const elsewhere = ELSEWHERE.get(storage.type)
  if (elsewhere === undefined) return
  throw new CelebornError(
    'CELEBORN_FETCH_FAILED',
    `the data lies on ${elsewhere}, which this client does not read: have the workers write to local disks`,
    context,
  )
}

/** Whatever goes wrong when a stream is given up hides no other error, and keeps nobody from the other copy. */
function closeQuietly(stream: LocationStream): void {
  try {
    stream.close()
  } catch {
    // The worker forgets the stream by itself.
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
