/** A committed partition file: whole batches in arrival order, never changed again. */
export interface PartitionFile {
  readonly path: string
  /** `<id>-<epoch>-<mode>`, as readers ask for it. */
  readonly fileName: string
  /** Bytes; never 0: a partition without data has no file. */
  readonly length: number
  /**
   * Where its chunks begin, and the length at the end: one entry more than chunks. Every boundary lies between
   * two batches, and every chunk but the last has at least `celeborn.shuffle.chunk.size` bytes.
   */
  readonly chunkOffsets: readonly number[]
  /** The map tasks that have batches in it, when range read filters were asked for. */
  readonly mapIds: ReadonlySet<number> | undefined
}

/** Places chunk boundaries while a partition file grows. */
export class ChunkOffsets {
  readonly #chunkSize: number
  readonly #offsets: number[] = [0]
  #last = 0

  constructor(chunkSize: number) {
    this.#chunkSize = chunkSize
  }

  /** `length` is the file's length after whole batches: a place where a chunk may end. */
  boundary(length: number): void {
    if (length - this.#last < this.#chunkSize) return
    this.#offsets.push(length)
    this.#last = length
  }

  /** The finished list for a file of `length` bytes, > 0. */
  finish(length: number): number[] {
    return this.#last === length ? [...this.#offsets] : [...this.#offsets, length]
  }
}
