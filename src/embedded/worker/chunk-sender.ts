import { FileSegmentManagedBuffer, type TransportConf } from '../../buffer'
import type { ServerConnection } from '../../network'
import { type StreamChunkSlice, wireIdKey } from '../../protocol/framing'
import type { FileRange } from '../storage/chunk-plan'
import type { FileHandles } from '../storage/file-handles'
import { readPartitionFile } from '../storage/read-file'
import { ChunkBuffers } from './chunk-buffers'
import type { ChunkStream, Streams } from './streams'

/** A connection with so many requests waiting is not read from until they have become few again. */
const MAX_QUEUED_REQUESTS = 1024
const FEW_QUEUED_REQUESTS = 256

/** A reader that takes no byte for so long, while others wait for its memory, loses its connection. */
const STALL_LIMIT_MS = 30_000
const STALL_CHECK_MS = 5_000

export interface ChunkLimits {
  /** Bytes of chunks in memory: of the whole worker, and of one connection (which may always have one chunk). */
  readonly maxBytes: number
  readonly maxBytesPerConnection: number
}

/** A connection that fetches chunks. */
interface Reader {
  readonly conn: ServerConnection
  queue: StreamChunkSlice[]
  /** Bytes of its chunks that are being read or sent. */
  heldBytes: number
  paused: boolean
  unsentBytes: number
  /** When the system last took a byte, as far as it was looked at. */
  progressMs: number
}

/** A chunk's bytes in memory. */
interface LoadedChunk {
  readonly parts: readonly Uint8Array[]
  /** Nobody reads them any more. */
  readonly free: () => void
}

/**
 * Takes chunks from disk, mapped or read, and sends them, with bounded memory: what a slow reader does not take is not read. The
 * connections take turns, a chunk each.
 */
export class ChunkSender {
  readonly #streams: Streams
  readonly #handles: FileHandles
  readonly #transport: TransportConf
  readonly #limits: ChunkLimits
  readonly #buffers: ChunkBuffers
  readonly #readers = new Map<ServerConnection, Reader>()
  /** Those whose next chunk waits for nothing but the worker's limit, the longest waiting first. */
  readonly #ready = new Set<Reader>()
  #heldBytes = 0
  #peakBytes = 0
  #stallTimer: NodeJS.Timeout | undefined

  constructor(streams: Streams, handles: FileHandles, transport: TransportConf, limits: ChunkLimits) {
    this.#streams = streams
    this.#handles = handles
    this.#transport = transport
    this.#limits = limits
    this.#buffers = new ChunkBuffers(limits.maxBytesPerConnection)
  }

  /** Bytes of chunks in memory, now and at most. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  get peakBytes(): number {
    return this.#peakBytes
  }

  /** Answers the request, now or later, with a chunk or a failure. */
  request(conn: ServerConnection, slice: StreamChunkSlice): void {
    if (conn.closed) return
    let reader = this.#readers.get(conn)
    if (reader === undefined) {
      reader = { conn, queue: [], heldBytes: 0, paused: false, unsentBytes: 0, progressMs: 0 }
      this.#readers.set(conn, reader)
    }
    reader.queue.push(slice)
    if (reader.queue.length > MAX_QUEUED_REQUESTS && !reader.paused) {
      reader.paused = true
      conn.pause()
    }
    this.#ready.add(reader)
    this.#pump()
  }

  /** Forgets what the connection has asked for. */
  connectionClosed(conn: ServerConnection): void {
    const reader = this.#readers.get(conn)
    if (reader === undefined) return
    reader.queue = []
    this.#ready.delete(reader)
    this.#readers.delete(conn)
  }

  close(): void {
    clearInterval(this.#stallTimer)
    this.#stallTimer = undefined
    for (const conn of [...this.#readers.keys()]) this.connectionClosed(conn)
    this.#transport.frames.close()
  }

  #pump(): void {
    for (const reader of this.#ready) {
      const [slice] = reader.queue
      this.#ready.delete(reader)
      if (slice === undefined) continue
      const stream = this.#streams.get(slice.streamId)
      const size = stream?.plan.size(slice.chunkIndex)
      const length = size === undefined ? undefined : sliceLength(size, slice)
      if (stream === undefined || size === undefined || length === undefined) {
        this.#next(reader)
        reader.conn.replyChunkFailure(slice, whyNot(slice, stream, size))
      } else if (!this.#fits(reader, length)) {
        // Its own chunks must leave first; their end makes it ready again.
        continue
      } else if (this.#heldBytes > 0 && this.#heldBytes + length > this.#limits.maxBytes) {
        this.#ready.add(reader)
        this.#watchStalls()
        return
      } else {
        this.#next(reader)
        this.#hold(reader, length)
        void this.#send(reader, stream, slice, length)
      }
      if (reader.queue.length > 0) this.#ready.add(reader)
    }
    clearInterval(this.#stallTimer)
    this.#stallTimer = undefined
  }

  #fits(reader: Reader, length: number): boolean {
    return reader.heldBytes === 0 || reader.heldBytes + length <= this.#limits.maxBytesPerConnection
  }

  #next(reader: Reader): void {
    reader.queue.shift()
    if (reader.paused && reader.queue.length <= FEW_QUEUED_REQUESTS) {
      reader.paused = false
      reader.conn.resume()
    }
  }

  #hold(reader: Reader, bytes: number): void {
    reader.heldBytes += bytes
    reader.progressMs = performance.now()
    this.#heldBytes += bytes
    if (this.#heldBytes > this.#peakBytes) this.#peakBytes = this.#heldBytes
  }

  #release(reader: Reader, bytes: number): void {
    reader.heldBytes -= bytes
    this.#heldBytes -= bytes
    reader.progressMs = performance.now()
    if (reader.queue.length > 0) this.#ready.add(reader)
    this.#pump()
  }

  async #send(reader: Reader, stream: ChunkStream, slice: StreamChunkSlice, length: number): Promise<void> {
    let chunk: LoadedChunk
    try {
      chunk = await this.#load(stream, slice, length)
    } catch (error) {
      reader.conn.replyChunkFailure(slice, error instanceof Error ? error.message : String(error))
      this.#release(reader, length)
      return
    }
    reader.conn.replyChunk(slice, chunk.parts, () => {
      chunk.free()
      this.#release(reader, length)
    })
  }

  /** Mapped where it is one large part of the file, which is committed and never cut again; else read. */
  async #load(stream: ChunkStream, slice: StreamChunkSlice, length: number): Promise<LoadedChunk> {
    const ranges = cut(stream.plan.ranges(slice.chunkIndex), slice.offset, length)
    const { path } = stream.file
    const [first] = ranges
    if (first !== undefined && ranges.length === 1 && length >= this.#transport.memoryMapThreshold) {
      const segment = new FileSegmentManagedBuffer(this.#transport, path, first.offset, length)
      try {
        const { parts, written } = await segment.toNetwork()
        return { parts, free: written }
      } finally {
        // From here on the body alone holds it.
        segment.release()
      }
    }
    const buffer = this.#buffers.take(length)
    const free = (): void => this.#buffers.give(buffer)
    try {
      await this.#handles.use(path, false, async (fd) => {
        let at = 0
        for (const range of ranges) {
          await readPartitionFile(fd, buffer.subarray(at, at + range.length), range.offset)
          at += range.length
        }
      })
    } catch (error) {
      free()
      throw error
    }
    return { parts: [buffer.subarray(0, length)], free }
  }

  /** Memory is short: whoever holds some without reading is cut off after a while. */
  #watchStalls(): void {
    this.#stallTimer ??= setInterval(() => {
      const nowMs = performance.now()
      for (const reader of this.#readers.values()) {
        if (reader.heldBytes === 0 || reader.unsentBytes !== reader.conn.unsentBytes) {
          reader.unsentBytes = reader.conn.unsentBytes
          reader.progressMs = nowMs
        } else if (nowMs - reader.progressMs >= STALL_LIMIT_MS) {
          reader.conn.close()
        }
      }
    }, STALL_CHECK_MS).unref()
  }
}

/** Bytes that a slice of a chunk of `size` bytes has; undefined when it lies outside. */
function sliceLength(size: number, slice: StreamChunkSlice): number | undefined {
  if (slice.offset < 0 || slice.offset >= size || slice.length <= 0) return undefined
  return Math.min(slice.length, size - slice.offset)
}

function whyNot(slice: StreamChunkSlice, stream: ChunkStream | undefined, size: number | undefined): string {
  if (stream === undefined) return `Stream ${wireIdKey(slice.streamId)} is not registered with worker`
  if (size === undefined) return `Chunk ${slice.chunkIndex} is none of the ${stream.plan.count} of its stream`
  return `Slice [${slice.offset}, +${slice.length}) is none of a chunk of ${size} bytes`
}

/** The part [offset, offset + length) of consecutive ranges. */
function cut(ranges: readonly FileRange[], offset: number, length: number): FileRange[] {
  const result: FileRange[] = []
  let skip = offset
  let left = length
  for (const range of ranges) {
    if (left === 0) break
    if (skip >= range.length) {
      skip -= range.length
      continue
    }
    const take = Math.min(left, range.length - skip)
    result.push({ offset: range.offset + skip, length: take })
    left -= take
    skip = 0
  }
  return result
}
