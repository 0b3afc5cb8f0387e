import { closeSync, fstatSync, open, read } from 'node:fs'
import { promisify } from 'node:util'
import { CelebornError, ClosedError } from '../../errors'
import { changed, type InputFile, unreadable } from './files'
import { type Block } from './scanner'

/** Bytes [start, end) of a file: whole records, the last one of a file perhaps without its newline. */
export interface Slice {
  readonly file: InputFile
  readonly start: number
  readonly end: number
}

const CHUNK_BYTES = 256 * 1024

// Bare descriptors, and only those calls off this thread that may wait for a disk: with thousands of small files
// each call that goes through the thread pool shows.
const openFile = promisify(open)
const readFile = promisify(read)

/**
 * Streams slices through one buffer, which it re-uses: memory does not depend on how long they are, only on the longest
 * record. Call {@link open}, then {@link fill} until it answers false, telling it each time how much of
 * {@link block} was used up; what was not comes again at the front of the next block.
 */
export class RecordSource {
  /** What is in memory now. Overwritten by the next {@link fill}. */
  block: Block
  /** Where the block starts in the file. */
  offset = 0
  /** Nothing of the slice follows the block. */
  last = false
  #storage: Buffer
  #view: DataView
  #descriptor: number | undefined
  #slice: Slice | undefined
  #filled = 0
  readonly #maxRecordBytes: number
  readonly #chunkBytes: number

  constructor(maxRecordBytes: number, chunkBytes = Math.min(CHUNK_BYTES, maxRecordBytes + 1)) {
    this.#chunkBytes = chunkBytes
    this.#maxRecordBytes = maxRecordBytes
    this.#storage = Buffer.allocUnsafeSlow(chunkBytes)
    this.#view = viewOf(this.#storage)
    this.block = { bytes: this.#storage.subarray(0, 0), view: this.#view }
  }

  async open(slice: Slice): Promise<void> {
    this.close()
    this.#slice = slice
    this.offset = slice.start
    this.#filled = 0
    this.last = false
    const { path } = slice.file
    this.#descriptor = await openFile(path, 'r').catch((error: unknown) => {
      throw unreadable(path, error)
    })
  }

  /**
   * Reads on.
   *
   * @param consumed how many bytes of the block are done with
   * @returns false when the slice is used up; the file is closed then
   * @throws CelebornError if the file cannot be read or changed, or if a record is longer than allowed
   */
  async fill(consumed: number): Promise<boolean> {
    const slice = this.#slice
    const descriptor = this.#descriptor
    if (slice === undefined || descriptor === undefined) throw new ClosedError('no slice is open')
    this.#storage.copyWithin(0, consumed, this.#filled)
    this.#filled -= consumed
    this.offset += consumed
    const position = this.offset + this.#filled
    if (position === slice.end) {
      if (this.#filled > 0 && consumed === 0 && this.last) {
        throw new CelebornError('CELEBORN_INTERNAL', `a reader left bytes of ${slice.file.path} unused`)
      }
      if (this.#filled === 0) {
        checkUnchanged(slice, descriptor)
        this.close()
        return false
      }
    }
    if (this.#filled === this.#storage.length) this.#grow(slice)
    else if (this.#storage.length > this.#chunkBytes && this.#filled < this.#chunkBytes)
      this.#resize(this.#chunkBytes)
    await this.#read(slice, descriptor, position)
    this.block = { bytes: this.#storage.subarray(0, this.#filled), view: this.#view }
    this.last = this.offset + this.#filled === slice.end
    return true
  }

  close(): void {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    this.#slice = undefined
    if (descriptor !== undefined) closeSync(descriptor)
  }

  async #read(slice: Slice, descriptor: number, from: number): Promise<void> {
    let position = from
    while (position < slice.end && this.#filled < this.#storage.length) {
      const wanted = Math.min(this.#storage.length - this.#filled, slice.end - position)
      const { bytesRead } = await readFile(descriptor, this.#storage, this.#filled, wanted, position).catch(
        (error: unknown) => {
          throw unreadable(slice.file.path, error)
        },
      )
      if (bytesRead === 0) throw changed(slice.file.path)
      this.#filled += bytesRead
      position += bytesRead
    }
  }

  #grow(slice: Slice): void {
    const size = this.#storage.length
    if (size > this.#maxRecordBytes) {
      throw new CelebornError(
        'CELEBORN_IO',
        `${slice.file.path} has a record of more than ${this.#maxRecordBytes} bytes at byte ${this.offset}; ` +
          'raise --max-in-flight, and celeborn.node.maxFrameBytes if it is less, above its length',
        { path: slice.file.path },
      )
    }
    this.#resize(Math.min(size * 2, Math.max(this.#maxRecordBytes + 1, size + 1)))
  }

  #resize(size: number): void {
    const storage = Buffer.allocUnsafeSlow(size)
    this.#storage.copy(storage, 0, 0, this.#filled)
    this.#storage = storage
    this.#view = viewOf(storage)
  }
}

function checkUnchanged({ file }: Slice, descriptor: number): void {
  const { size, mtimeMs } = fstatSync(descriptor)
  if (size !== file.size || mtimeMs !== file.mtimeMs) throw changed(file.path)
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
