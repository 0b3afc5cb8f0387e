import { FrameStateError } from '../errors'
import { type Lease } from '../memory/lease'

type BufferOwner = 'writer' | 'task' | 'released'

/** Where buffers come from and go back to. */
export interface BufferHome {
  /** The lease is its holder's no more. */
  giveBack(lease: Lease): void
}

/**
 * One push buffer while its writer owns it. Handing it to a task ends this handle; the memory comes back to somebody as
 * another handle, after its push has let go of it.
 */
export class PushBuffer {
  /** Bytes that may be written: what was asked for. */
  readonly size: number
  #view: Uint8Array
  #lease: Lease
  #owner: BufferOwner = 'writer'
  readonly #home: BufferHome

  /** @internal Buffers come from a {@link import('./buffer-pool').BufferPool}. */
  constructor(home: BufferHome, lease: Lease, size: number) {
    this.#home = home
    this.#lease = lease
    this.size = size
    this.#view = lease.capacity === size ? lease.bytes : lease.bytes.subarray(0, size)
  }

  /**
   * The memory, `[0, size)`. Do not keep it beyond the hand-over or the release: the same memory is then somebody
   * else's, and unlike a frame's it is not detached.
   * @throws FrameStateError when the writer does not own the buffer any more
   */
  get bytes(): Uint8Array {
    this.#check('its bytes were asked for')
    return this.#view
  }

  /** Bytes really allocated. */
  get capacity(): number {
    return this.#lease.capacity
  }

  /**
   * Gives the buffer back unused.
   * @throws FrameStateError when the writer does not own it any more
   */
  release(): void {
    this.#check('release was called')
    this.#owner = 'released'
    this.#home.giveBack(this.#lease)
  }

  /** writer -> task. @internal */
  handOver(to: BufferHome): Lease {
    this.#check('it was handed to a pusher')
    if (to !== this.#home) throw new FrameStateError('the buffer comes from another pool than the pusher’s')
    this.#owner = 'task'
    return this.#lease
  }

  #check(what: string): void {
    if (this.#owner === 'writer') return
    throw new FrameStateError(
      this.#owner === 'task'
        ? `${what}, but the buffer was handed to a push task: go on with the one that was returned for it`
        : `${what}, but the buffer is released: its memory belongs to somebody else now`,
    )
  }
}
