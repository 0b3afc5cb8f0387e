import * as fs from 'node:fs'
import { CelebornError, ClosedError } from '../../errors'
import type { FileHandles } from './file-handles'
import { ChunkOffsets, type PartitionFile } from './partition-file'

/** One gather write takes about so many pieces and bytes, so that a long queue is not one endless system call. */
const MAX_PIECES_PER_WRITE = 512
const MAX_BYTES_PER_WRITE = 4 * 1024 * 1024

export interface PartitionWriterOptions {
  readonly path: string
  readonly fileName: string
  /** Bytes; `celeborn.shuffle.chunk.size`. */
  readonly chunkSize: number
  readonly handles: FileHandles
  /** Remember which map tasks wrote, for `celeborn.client.shuffle.rangeReadFilter.enabled`. */
  readonly trackMapIds: boolean
}

/** Whole batches that were accepted and wait for the disk. */
interface Pending {
  readonly pieces: readonly Uint8Array[]
  readonly length: number
  readonly done: () => void
}

/**
 * Appends batches to one partition's file, in the order they are accepted. Accepted bytes are queued and written
 * by one gather write at a time; what arrives meanwhile goes into the next one. The file is made by the first
 * write, so that a partition without data leaves nothing behind.
 */
export class PartitionWriter {
  readonly fileName: string
  readonly path: string

  readonly #options: PartitionWriterOptions
  readonly #chunks: ChunkOffsets
  readonly #mapIds: Set<number> | undefined
  #queue: Pending[] = []
  #length = 0
  #written = 0
  #created = false
  #error: CelebornError | undefined
  #closed = false
  #draining: Promise<void> | undefined
  #closing: Promise<PartitionFile | undefined> | undefined

  constructor(options: PartitionWriterOptions) {
    this.#options = options
    this.path = options.path
    this.fileName = options.fileName
    this.#chunks = new ChunkOffsets(options.chunkSize)
    this.#mapIds = options.trackMapIds ? new Set() : undefined
  }

  /** Bytes accepted so far, written or not. */
  get length(): number {
    return this.#length
  }

  /** Why the file can take no more data; the commit will report the partition as failed. */
  get error(): CelebornError | undefined {
    return this.#error
  }

  /** Closed by a commit or a destroy: nothing is accepted any more. */
  get closed(): boolean {
    return this.#closed
  }

  /**
   * Accepts whole batches, written by the map tasks `mapIds`. The pieces are not copied: they must stay unchanged
   * until `done` is called, which happens exactly once, when they are written or given up.
   *
   * @throws ClosedError after {@link close} or {@link destroy}; the disk's error after a failed write. Nothing is
   *   taken then, and `done` is not called.
   */
  append(pieces: readonly Uint8Array[], length: number, mapIds: readonly number[], done: () => void): void {
    if (this.#closed) throw new ClosedError('File already closed!')
    if (this.#error !== undefined) throw this.#error
    this.#queue.push({ pieces, length, done })
    this.#length += length
    this.#chunks.boundary(this.#length)
    if (this.#mapIds !== undefined) for (const mapId of mapIds) this.#mapIds.add(mapId)
    this.#draining ??= this.#drain()
  }

  /**
   * Waits until everything accepted is written and closes the file. Idempotent.
   *
   * @returns the finished file, or undefined when the partition got no data.
   * @throws CelebornError CELEBORN_IO when a write failed: data that was accepted is lost.
   */
  close(): Promise<PartitionFile | undefined> {
    this.#closed = true
    this.#closing ??= this.#finish()
    return this.#closing
  }

  /** Drops what is queued, waits for the write under way and removes the file. Never fails. */
  async destroy(): Promise<void> {
    this.#closed = true
    this.#fail(new ClosedError('the partition was removed'))
    await this.#draining
    this.#options.handles.forget(this.path)
    if (this.#created) await fs.promises.rm(this.path, { force: true }).catch(() => {})
  }

  async #finish(): Promise<PartitionFile | undefined> {
    await this.#draining
    if (this.#error !== undefined) throw this.#error
    if (this.#length === 0) return undefined
    return {
      path: this.path,
      fileName: this.fileName,
      length: this.#length,
      chunkOffsets: this.#chunks.finish(this.#length),
      mapIds: this.#mapIds,
    }
  }

  async #drain(): Promise<void> {
    // The batches that the same turn of the event loop still brings go into the first write.
    await Promise.resolve()
    try {
      while (this.#queue.length > 0) await this.#writeNext()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#fail(
        new CelebornError('CELEBORN_IO', `writing ${this.path}: ${reason}`, { path: this.path }, error),
      )
    } finally {
      this.#draining = undefined
    }
  }

  async #writeNext(): Promise<void> {
    const taken = this.#take()
    const pieces = taken.flatMap((pending) => pending.pieces)
    try {
      await this.#options.handles.use(this.path, !this.#created, (fd) => {
        this.#created = true
        return writeFully(fd, pieces, this.#written)
      })
      for (const pending of taken) this.#written += pending.length
    } finally {
      for (const pending of taken) pending.done()
    }
  }

  #take(): Pending[] {
    let count = 0
    let pieces = 0
    let bytes = 0
    for (const pending of this.#queue) {
      if (count > 0 && (pieces >= MAX_PIECES_PER_WRITE || bytes >= MAX_BYTES_PER_WRITE)) break
      count += 1
      pieces += pending.pieces.length
      bytes += pending.length
    }
    return this.#queue.splice(0, count)
  }

  #fail(error: CelebornError): void {
    this.#error ??= error
    const dropped = this.#queue
    this.#queue = []
    for (const pending of dropped) pending.done()
  }
}

/** Writes all pieces at `position`; a short write goes on where it stopped, so that the system names the cause. */
async function writeFully(fd: number, pieces: readonly Uint8Array[], position: number): Promise<void> {
  let rest = pieces
  let at = position
  while (rest.length > 0) {
    const written = await writev(fd, rest, at)
    at += written
    rest = after(rest, written)
  }
}

/** What remains of `pieces` after their first `bytes` bytes. */
function after(pieces: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skipped = bytes
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]
    if (piece === undefined) break
    if (skipped < piece.byteLength) return [piece.subarray(skipped), ...pieces.slice(i + 1)]
    skipped -= piece.byteLength
  }
  return []
}

function writev(fd: number, pieces: readonly Uint8Array[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.writev(fd, pieces, position, (error, written) => {
      if (error !== null) reject(error)
      else if (written === 0) reject(new Error('the system wrote nothing'))
      else resolve(written)
    })
  })
}
