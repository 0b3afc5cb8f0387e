/** Header bytes that one gather can hold before an overflow buffer is allocated for it. */
const ARENA_BYTES = 64 * 1024

/**
 * Collects the memory of one gather write: header bytes in an arena of its own, payloads where they lie. The order
 * of `reserve` and `append` calls is the order on the wire.
 */
export class GatherWriter {
  /** Where reserved header bytes are written. May be another buffer after each `reserve`: read it afterwards. */
  buffer: Buffer
  /** Finished pieces, in wire order. */
  readonly segments: Uint8Array[] = []
  #home: Buffer
  #start = 0
  #position = 0
  #bytes = 0
  #markBuffer: Buffer
  #markSegments = 0
  #markStart = 0
  #markPosition = 0
  #markBytes = 0

  constructor(arenaBytes: number = ARENA_BYTES) {
    this.#home = Buffer.allocUnsafeSlow(arenaBytes)
    this.buffer = this.#home
    this.#markBuffer = this.#home
  }

  /** Bytes reserved and appended since the last reset. */
  get bytes(): number {
    return this.#bytes
  }

  /** Makes room for `n` header bytes and returns their offset in `buffer`. All of them must be written. */
  reserve(n: number): number {
    if (this.#position + n > this.buffer.length) {
      this.closeHeader()
      this.buffer = Buffer.allocUnsafeSlow(Math.max(n, this.#home.length))
      this.#start = 0
      this.#position = 0
    }
    const offset = this.#position
    this.#position = offset + n
    this.#bytes += n
    return offset
  }

  /** Adds foreign memory, uncopied. The owner keeps it unchanged until the message's `writeEnded`. */
  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.closeHeader()
    this.segments.push(bytes)
    this.#bytes += bytes.length
  }

  /** Ends the current run of header bytes, so that `segments` is complete. */
  closeHeader(): void {
    if (this.#position === this.#start) return
    this.segments.push(this.buffer.subarray(this.#start, this.#position))
    this.#start = this.#position
  }

  /** A message begins here; {@link abortMessage} takes everything after this back. */
  beginMessage(): void {
    this.#markBuffer = this.buffer
    this.#markSegments = this.segments.length
    this.#markStart = this.#start
    this.#markPosition = this.#position
    this.#markBytes = this.#bytes
  }

  /** Removes what a failed encoder left. Header bytes of earlier messages in the same run stay. */
  abortMessage(): void {
    this.buffer = this.#markBuffer
    this.segments.length = this.#markSegments
    this.#start = this.#markStart
    this.#position = this.#markPosition
    this.#bytes = this.#markBytes
  }

  /** Forgets everything; only once nothing of it is being written any more, as the arena starts anew. */
  reset(): void {
    this.segments.length = 0
    this.buffer = this.#home
    this.#start = 0
    this.#position = 0
    this.#bytes = 0
  }
}
