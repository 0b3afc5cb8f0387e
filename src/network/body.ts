/**
 * A message's body as it arrived: pieces of what the socket delivered, not put together. The pieces are owned by the
 * receiver and stay valid as long as it references them.
 */
export class Body {
  readonly parts: readonly Uint8Array[]
  readonly length: number
  #onRelease: (() => void) | null

  constructor(parts: readonly Uint8Array[], length: number, onRelease: (() => void) | null = null) {
    this.parts = parts
    this.length = length
    this.#onRelease = onRelease
  }

  /** The whole body in one piece: the only part itself, or a copy. */
  concat(): Uint8Array {
    const [first] = this.parts
    if (first === undefined) return EMPTY
    if (this.parts.length === 1) return first
    return Buffer.concat(this.parts, this.length)
  }

  /**
   * The receiver is done with the body. Until then its bytes count against the server's memory limits, and the
   * connection stops reading when too much is unreleased; so an empty body must be released, too. Idempotent.
   */
  release(): void {
    const onRelease = this.#onRelease
    if (onRelease === null) return
    this.#onRelease = null
    onRelease()
  }
}

const EMPTY = new Uint8Array(0)
