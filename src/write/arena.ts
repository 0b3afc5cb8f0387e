import { type BufferPool } from './buffer-pool'
import { type PushBuffer } from './push-buffer'

/** Bytes of a record's length in front of it. */
const LENGTH_BYTES = 4
/** Words that a record takes on a pointer page: its partition, where it lies, and its place in the sorted order. */
const POINTER_WORDS = 3
const SHORT = 64
/** Addresses of records are 32-bit. */
export const MAX_ARENA_BYTES = 2 ** 32

interface Page {
  readonly buffer: PushBuffer
  readonly bytes: Uint8Array
  readonly words: Uint32Array
}

/** How large an arena and its pages are. */
export interface ArenaShape {
  /** Of a page of records. */
  readonly pageBytes: number
  /** Of a page of pointers. */
  readonly pointerPageBytes: number
  /** Of all pages together. */
  readonly maxBytes: number
}

/**
 * Records of all partitions in native pages, in the order in which they came, with 12 bytes of pointers each on pages of their
 * own. Sorting by partition moves pointers only and keeps the order within a partition. Everything that grows with the
 * records is in pages, so the arena takes what it was given and no more; what grows with the partitions is one table of
 * 4 bytes each while it is sorted.
 */
export class RecordArena {
  readonly #pool: BufferPool
  readonly #shape: ArenaShape
  readonly #perPage: number
  readonly #pages: Page[] = []
  readonly #pointers: Page[] = []
  /** The page that is being filled, and where its next record begins. */
  #page = -1
  #at = 0
  #count = 0
  #heldBytes = 0

  constructor(pool: BufferPool, shape: ArenaShape) {
    this.#pool = pool
    this.#shape = shape
    this.#perPage = Math.floor(shape.pointerPageBytes / (4 * POINTER_WORDS))
  }

  /** Records. */
  get count(): number {
    return this.#count
  }

  /** Bytes of all pages, whether in use or kept for the next records. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Whether there is a page of each kind: without them no record can be taken. */
  get isOpen(): boolean {
    return this.#pages.length > 0 && this.#pointers.length > 0
  }

  /** The first pages. */
  open(page: PushBuffer, pointerPage: PushBuffer): void {
    this.#pages.push(this.#asPage(page))
    this.#pointers.push(this.#asPage(pointerPage))
  }

  /** The page that is being filled, for whoever writes a record at {@link recordStart}. Undefined when it has no room left. */
  get target(): Uint8Array | undefined {
    if (this.#page < 0 || this.#at + LENGTH_BYTES > this.#shape.pageBytes) return undefined
    return this.#pages[this.#page]?.bytes
  }

  get recordStart(): number {
    return this.#at + LENGTH_BYTES
  }

  /** Whether the next record's pointer has a place. */
  get hasPointer(): boolean {
    return this.#count < this.#pointers.length * this.#perPage
  }

  /** A record of the partition has been written to {@link target}, up to `end`. Needs {@link hasPointer}. */
  commit(partitionId: number, end: number): void {
    const page = this.#pages[this.#page] as Page
    const at = this.#at
    page.words[at >>> 2] = end - at - LENGTH_BYTES
    const index = this.#count++
    const { words } = this.#pointers[Math.floor(index / this.#perPage)] as Page
    const slot = index % this.#perPage
    words[slot] = partitionId
    // In words, since records begin at multiples of 4.
    words[this.#perPage + slot] = (this.#page * this.#shape.pageBytes + at) / 4
    this.#at = (end + 3) & ~3
  }

  /** Goes on to another page: one that is kept, or one from the pool. False when neither can be had. */
  nextPage(): boolean {
    if (this.#page + 1 === this.#pages.length && !this.#grow(this.#pages, this.#shape.pageBytes)) return false
    this.#page++
    this.#at = 0
    return true
  }

  /** One more page of pointers; false when it cannot be had. */
  morePointers(): boolean {
    return this.#grow(this.#pointers, this.#shape.pointerPageBytes)
  }

  /** Sorts the pointers by partition. @returns where each partition ends in the sorted order */
  sort(numPartitions: number): Uint32Array {
    const perPage = this.#perPage
    // First how many each partition has, then where it begins; filling it moves that on to where it ends.
    const ends = new Uint32Array(numPartitions + 1)
    this.#eachPointer((partitionId) => {
      ends[partitionId + 1] = (ends[partitionId + 1] ?? 0) + 1
    })
    for (let p = 1; p <= numPartitions; p++) ends[p] = (ends[p] ?? 0) + (ends[p - 1] ?? 0)
    this.#eachPointer((partitionId, word) => {
      const to = ends[partitionId] ?? 0
      ends[partitionId] = to + 1
      const page = this.#pointers[Math.floor(to / perPage)] as Page
      page.words[2 * perPage + (to % perPage)] = word
    })
    return ends
  }

  /** Copies the record at a place of the sorted order. @returns where it ends in `target`; -1 when it has no room there */
  copyTo(place: number, target: Uint8Array, at: number): number {
    const perPage = this.#perPage
    const pointers = this.#pointers[Math.floor(place / perPage)] as Page
    const word = pointers.words[2 * perPage + (place % perPage)] as number
    const pageWords = this.#shape.pageBytes / 4
    const { bytes, words } = this.#pages[Math.floor(word / pageWords)] as Page
    const within = word % pageWords
    const length = words[within] as number
    const start = within * 4 + LENGTH_BYTES
    const end = at + length
    if (end > target.length) return -1
    // A call costs more than a short loop.
    if (length > SHORT) target.set(bytes.subarray(start, start + length), at)
    else for (let i = 0; i < length; i++) target[at + i] = bytes[start + i] as number
    return end
  }

  /** Forgets the records; the pages are kept for the next ones. */
  clear(): void {
    this.#count = 0
    this.#page = -1
    this.#at = 0
  }

  /** Gives all pages back; records that are there are lost. */
  release(): void {
    this.clear()
    for (const { buffer } of [...this.#pages.splice(0), ...this.#pointers.splice(0)]) buffer.release()
    this.#heldBytes = 0
  }

  #eachPointer(visit: (partitionId: number, word: number) => void): void {
    const perPage = this.#perPage
    let left = this.#count
    for (const { words } of this.#pointers) {
      const here = Math.min(left, perPage)
      for (let slot = 0; slot < here; slot++) visit(words[slot] as number, words[perPage + slot] as number)
      left -= here
    }
  }

  #grow(pages: Page[], bytes: number): boolean {
    if (this.#heldBytes + this.#pool.bytesFor(bytes) > this.#shape.maxBytes) return false
    const buffer = this.#pool.tryTake(bytes)
    if (buffer === undefined) return false
    pages.push(this.#asPage(buffer))
    return true
  }

  #asPage(buffer: PushBuffer): Page {
    this.#heldBytes += buffer.capacity
    const { bytes } = buffer
    return { buffer, bytes, words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2) }
  }
}
