import { Readable } from 'node:stream'
import { ClosedError } from '../errors'

/** Memory on its way to a socket. */
export interface NetworkBody {
  /** What is sent, in order, from where it lies. */
  readonly parts: readonly Uint8Array[]
  /** Bytes of all parts. */
  readonly length: number
  /** The socket reads the memory no longer. Exactly once; until then the buffer is referenced. */
  readonly written: () => void
}

/**
 * Bytes of a shuffle block, wherever they are: a part of a file, native memory, or what a connection received. It is
 * reference-counted and starts with one reference, its maker's. With the last one its memory is gone and views of it drop to
 * length 0.
 */
export interface ManagedBuffer {
  /** Bytes. */
  readonly size: number
  /**
   * All bytes in one piece: the buffer's own memory, the same at each call, readable until the last release.
   * @throws CelebornError CELEBORN_IO if a file cannot be read, ClosedError after the last release
   */
  bytes(): Promise<Uint8Array>
  /** The bytes as a stream of copies of its own, which outlive the buffer. It holds a reference until it ends. */
  stream(): Readable
  /**
   * The bytes for a gather write, uncopied. It holds a reference until `written` is called.
   * @throws as {@link bytes}
   */
  toNetwork(): Promise<NetworkBody>
  /** One more reference. @throws ClosedError after the last release */
  retain(): this
  /** One reference less. @throws ClosedError after the last release */
  release(): void
}

/** The counting. @internal */
export abstract class Retained {
  #references = 1

  retain(): this {
    this.check()
    this.#references++
    return this
  }

  release(): void {
    this.check()
    if (--this.#references === 0) this.free()
  }

  /** Runs `work` with a reference of its own. */
  protected async whileRetained<T>(work: () => Promise<T>): Promise<T> {
    this.retain()
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  /** A stream that holds a reference until it ends or is destroyed. */
  protected streamOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Readable {
    this.retain()
    return Readable.from(pieces, { objectMode: false }).once('close', () => this.release())
  }

  /** The parts for a gather write, with a reference. */
  protected bodyOf(parts: readonly Uint8Array[], length: number): NetworkBody {
    this.retain()
    let pending = true
    const written = (): void => {
      if (pending) this.release()
      pending = false
    }
    return { parts, length, written }
  }

  /** @throws ClosedError after the last release */
  protected check(): void {
    if (this.#references === 0) throw new ClosedError(`${this.describe()} has been released`)
  }

  /** The last reference is gone. Runs once. */
  protected abstract free(): void

  /** For messages. */
  protected abstract describe(): string
}
