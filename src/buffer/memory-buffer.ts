import { type Readable } from 'node:stream'
import { type Body } from '../network'
import { type NativeFrame } from '../memory'
import { type ManagedBuffer, type NetworkBody, Retained } from './managed-buffer'

/** Bytes of one piece of a stream. */
const PIECE_BYTES = 64 * 1024

/** Bytes that are in memory already, in one or more pieces. */
abstract class MemoryBuffer extends Retained implements ManagedBuffer {
  readonly size: number

  constructor(
    protected readonly parts: readonly Uint8Array[],
    length: number,
  ) {
    super()
    this.size = length
  }

  abstract bytes(): Promise<Uint8Array>

  stream(): Readable {
    return this.streamOf(this.#pieces())
  }

  async toNetwork(): Promise<NetworkBody> {
    return this.bodyOf(this.parts, this.size)
  }

  *#pieces(): Generator<Uint8Array> {
    for (const part of this.parts) {
      for (let at = 0; at < part.length; at += PIECE_BYTES)
        yield Buffer.from(part.subarray(at, at + PIECE_BYTES))
    }
  }
}

/** A frame's bytes. The buffer owns the frame and releases it with its last reference. */
export class NativeManagedBuffer extends MemoryBuffer {
  readonly #frame: NativeFrame

  /** @param frame that the caller owns, and the buffer from here on; not to be trimmed or released by others */
  constructor(frame: NativeFrame) {
    super([frame.bytes], frame.length)
    this.#frame = frame
  }

  async bytes(): Promise<Uint8Array> {
    this.check()
    return this.#frame.bytes
  }

  protected free(): void {
    this.#frame.release()
  }

  protected describe(): string {
    return `the buffer of a frame of ${this.size} bytes`
  }
}

/** A message's body as a connection received it; released to the connection with the last reference. */
export class NetworkManagedBuffer extends MemoryBuffer {
  readonly #body: Body
  #whole: Uint8Array | undefined

  /** @param body whose release is this buffer's business from here on */
  constructor(body: Body) {
    super(body.parts, body.length)
    this.#body = body
  }

  /** A body that arrived in several pieces is copied into one, at the first call. */
  async bytes(): Promise<Uint8Array> {
    this.check()
    this.#whole ??= this.#body.concat()
    return this.#whole
  }

  protected free(): void {
    this.#whole = undefined
    this.#body.release()
  }

  protected describe(): string {
    return `the buffer of a received body of ${this.size} bytes`
  }
}
