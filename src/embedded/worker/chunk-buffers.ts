/** Buffers are made in steps of this, so that chunks of about the same size share them. */
const STEP_BYTES = 256 * 1024

/** An idle buffer that is so much larger than needed is left for a larger chunk. */
const MAX_WASTE = 2

/**
 * Buffers that chunks are read into. They are kept for the next chunk: a fresh one of 8 MiB costs as much in page
 * faults as reading it, and freed ones stay resident until a garbage collection.
 */
export class ChunkBuffers {
  readonly #idle: Uint8Array[] = []
  readonly #maxIdleBytes: number
  #idleBytes = 0

  constructor(maxIdleBytes: number) {
    this.#maxIdleBytes = maxIdleBytes
  }

  /** A buffer of at least `size` bytes. */
  take(size: number): Uint8Array {
    const index = this.#idle.findIndex((buffer) => buffer.length >= size && buffer.length <= size * MAX_WASTE)
    const found = index < 0 ? undefined : this.#idle.splice(index, 1)[0]
    if (found !== undefined) {
      this.#idleBytes -= found.length
      return found
    }
    return new Uint8Array(Buffer.allocUnsafeSlow(Math.ceil(size / STEP_BYTES) * STEP_BYTES).buffer)
  }

  /** Gives a buffer back that nobody reads any more. */
  give(buffer: Uint8Array): void {
    if (this.#idleBytes + buffer.length > this.#maxIdleBytes) return
    this.#idle.push(buffer)
    this.#idleBytes += buffer.length
  }
}
