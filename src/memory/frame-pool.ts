import {
  AbortedError,
  CelebornError,
  ClosedError,
  ConfigError,
  FrameStateError,
  PoolExhaustedError,
} from '../errors'
import { listenForAbort } from '../errors/abort'
import { readCounters } from './counters'
import { announceCopied } from './copied'
import { DropWatch } from './drop-watch'
import { N, native, AcquireStatus, ReleaseResult, type NativeAddon, type NativePool } from './native'
import { type FrameHome, NativeFrame } from './native-frame'
import { byteOption } from './options'

/** Options of a {@link FramePool}. */
export interface FramePoolOptions {
  /**
   * Cap of the bytes alive (owned by somebody), at what is really allocated: whole pages, at most a fifth more than
   * asked for from 8 pages on. Default 256 MiB.
   */
  readonly maxBytes?: number
  /** Cap of the free memory kept for the next frames, in bytes. Default 64 MiB. */
  readonly maxPooledBytes?: number
  /** Named in messages. */
  readonly name?: string
  /**
   * Behave as where the runtime forbids external buffers: frames live in memory that V8 allocated. For tests; the
   * environment variable CELEBORN_NODE_NO_EXTERNAL_BUFFERS=1 does the same for all pools.
   */
  readonly copied?: boolean
}

/** Counters of a {@link FramePool}. Bytes are what is really allocated. */
export interface FramePoolStats {
  /** Frames that somebody owns. */
  readonly framesAlive: number
  readonly bytesAlive: number
  readonly peakFramesAlive: number
  readonly peakBytesAlive: number
  /** Frames given out so far. */
  readonly framesAllocated: number
  /** Blocks of memory had from the system so far; the other frames were recycled ones. */
  readonly blocksAllocated: number
  /** Bytes in free lists. */
  readonly pooledBytes: number
  /** Frames that the garbage collector had to free because nobody released them. */
  readonly finalizedWithoutRelease: number
  /** Calls of acquireAsync that wait. */
  readonly waiting: number
}

interface Waiter {
  readonly size: number
  readonly resolve: (frame: NativeFrame) => void
  readonly reject: (error: CelebornError) => void
  readonly stopListening: () => void
}

/** How often a pool that somebody waits for looks whether the garbage collector has freed a frame. */
const LOST_FRAME_POLL_MS = 100

/**
 * Gives out {@link NativeFrame}s under a cap and keeps what is released for the next one. A pool belongs to the
 * thread that made it.
 */
export class FramePool {
  /** Named in messages. */
  readonly name: string
  readonly #addon: NativeAddon
  readonly #native: NativePool
  readonly #maxBytes: number
  readonly #home: FrameHome
  readonly #watch: DropWatch
  readonly #waiters = new Set<Waiter>()
  #copied: boolean
  #closed = false
  #poll: NodeJS.Timeout | undefined

  /**
   * @throws ConfigError on a wrong option
   * @throws CelebornError CELEBORN_NATIVE_UNAVAILABLE when the addon cannot be loaded
   */
  constructor(options: FramePoolOptions = {}) {
    this.name = options.name ?? 'frames'
    this.#maxBytes = byteOption('maxBytes', options.maxBytes, 256 << 20)
    const maxPooledBytes = byteOption('maxPooledBytes', options.maxPooledBytes, 64 << 20)
    this.#addon = native()
    this.#native = this.#addon.newPool(this.#maxBytes, maxPooledBytes, options.copied ?? false)
    this.#copied = this.#addon.numbers[N.COPIED] === 1
    if (this.#copied) announceCopied()
    this.#watch = new DropWatch(this.name, this.#native, this.#addon.numbers)
    this.#home = {
      trimMinBytes: this.#addon.trimMinBytes,
      trim: (index, generation, length) => {
        const backed = this.#native.trimFrame(index, generation, length)
        this.#serveWaiters()
        return backed
      },
      recycle: (index, generation, buffer, byteLength, traced) => {
        this.#recycle(index, generation, buffer, byteLength, traced)
      },
    }
  }

  /**
   * Whether frames are native memory that the socket reads without a copy. False where the runtime forbids external
   * buffers (see {@link FramePoolOptions.copied}).
   */
  get zeroCopy(): boolean {
    return !this.#copied
  }

  /**
   * A frame of `size` bytes, at once.
   * @param size bytes, a whole number from 0 on; 0 gives an empty frame (which still takes a smallest block)
   * @throws ConfigError when `size` is no such number or larger than the pool's cap
   * @throws PoolExhaustedError when the cap is reached, or earlier callers of {@link acquireAsync} wait for room
   * @throws CelebornError CELEBORN_OUT_OF_MEMORY when the system refuses; ClosedError when the pool is closed
   */
  acquire(size: number): NativeFrame {
    this.#checkSize(size)
    const frame = this.#waiters.size === 0 ? this.#tryAcquire(size) : undefined
    if (frame === undefined) throw this.#exhausted(size)
    return frame
  }

  /**
   * A frame of `size` bytes as soon as there is room: first come, first served. Nothing ends the wait but room, the
   * signal and {@link close}.
   * @throws as {@link acquire}, by rejecting, but PoolExhaustedError; AbortedError when the signal fires
   */
  async acquireAsync(size: number, options: { readonly signal?: AbortSignal } = {}): Promise<NativeFrame> {
    this.#checkSize(size)
    const { signal } = options
    if (signal?.aborted === true) throw aborted(signal)
    if (this.#waiters.size === 0) {
      const frame = this.#tryAcquire(size)
      if (frame !== undefined) return frame
    }
    return new Promise<NativeFrame>((resolve, reject) => {
      this.#wait(size, resolve, reject, signal)
    })
  }

  /** The pool's counters, as they are now. */
  stats(): FramePoolStats {
    this.#native.stats()
    const counters = readCounters(this.#addon.numbers, N)
    this.#watch.look(counters.finalizedWithoutRelease)
    return { ...counters, waiting: this.#waiters.size }
  }

  /** Gives all free memory of the pool back to the system. @returns bytes given back */
  trim(): number {
    return this.#native.trim()
  }

  /**
   * Ends the pool: its free memory goes back, who waits is rejected with a ClosedError. Frames that are alive stay
   * valid until they are released. A second call does nothing.
   */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#native.stats()
    this.#watch.look(this.#addon.numbers[N.FINALIZED_WITHOUT_RELEASE] ?? 0)
    this.#native.close()
    this.#stopPolling()
    for (const waiter of this.#waiters) {
      this.#remove(waiter)
      waiter.reject(this.#closedError())
    }
  }

  #tryAcquire(size: number): NativeFrame | undefined {
    const buffer = this.#native.acquire(size)
    const numbers = this.#addon.numbers
    if (buffer === undefined) return this.#refused(size)
    const index = numbers[N.INDEX] ?? 0
    const generation = numbers[N.GENERATION] ?? 0
    const backed = numbers[N.BACKED] ?? 0
    if (numbers[N.COPIED] === 1 && !this.#copied) {
      this.#copied = true
      announceCopied()
    }
    const dropped = numbers[N.DROPPED] ?? 0
    if (dropped !== this.#watch.seen) this.#watch.look(dropped)
    const traced = this.#watch.born(index, generation, size)
    return new NativeFrame({ home: this.#home, buffer, index, generation, size, backed, traced })
  }

  /** undefined when the cap is reached, which the callers treat differently; throws otherwise. */
  #refused(size: number): undefined {
    const status = this.#addon.numbers[N.STATUS]
    if (status === AcquireStatus.CAP_REACHED) return undefined
    if (status === AcquireStatus.ABOVE_CAP) throw this.#tooLarge(size)
    if (status === AcquireStatus.CLOSED) throw this.#closedError()
    throw new CelebornError(
      'CELEBORN_OUT_OF_MEMORY',
      `The system refused ${size} bytes for a frame of pool '${this.name}'`,
    )
  }

  #recycle(
    index: number,
    generation: number,
    buffer: ArrayBuffer,
    byteLength: number,
    traced: boolean,
  ): void {
    if (traced) this.#watch.released(index)
    if (buffer.byteLength !== byteLength && byteLength !== 0) {
      // Somebody moved or detached the buffer (ArrayBuffer.prototype.transfer): the memory may still be seen by a
      // buffer that we do not know. It is freed when that goes, and not recycled.
      this.#native.abandon(index, generation)
    } else if (this.#native.release(index, generation, buffer) === ReleaseResult.STALE) {
      throw new FrameStateError('the frame has been released already')
    }
    if (this.#waiters.size > 0) this.#serveWaiters()
  }

  #wait(
    size: number,
    resolve: (frame: NativeFrame) => void,
    reject: (error: CelebornError) => void,
    signal: AbortSignal | undefined,
  ): void {
    const onAbort = (): void => {
      this.#remove(waiter)
      if (signal !== undefined) reject(aborted(signal))
      this.#serveWaiters() // a smaller one may have stood behind it
    }
    const stopListening = (): void => signal?.removeEventListener('abort', onAbort)
    const waiter: Waiter = { size, resolve, reject, stopListening }
    if (signal !== undefined) listenForAbort(signal, onAbort)
    this.#waiters.add(waiter)
    // Releases serve the waiters. Only frames that the garbage collector frees come back without a word; the timer
    // for those does not keep the process alive.
    this.#poll ??= setInterval(() => this.#serveWaiters(), LOST_FRAME_POLL_MS).unref()
  }

  /** In order, as far as there is room: who stands in front is never overtaken. */
  #serveWaiters(): void {
    for (const waiter of this.#waiters) {
      let frame: NativeFrame | undefined
      try {
        frame = this.#tryAcquire(waiter.size)
      } catch (error) {
        this.#remove(waiter)
        waiter.reject(error as CelebornError) // #tryAcquire throws nothing else
        continue
      }
      if (frame === undefined) return
      this.#remove(waiter)
      waiter.resolve(frame)
    }
  }

  #remove(waiter: Waiter): void {
    waiter.stopListening()
    this.#waiters.delete(waiter)
    if (this.#waiters.size === 0) this.#stopPolling()
  }

  #stopPolling(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  #checkSize(size: number): void {
    if (!Number.isInteger(size) || size < 0) {
      throw new ConfigError(`A frame's size is a whole number of bytes from 0 on, not ${String(size)}`)
    }
    if (size > this.#maxBytes || size > this.#addon.maxFrameBytes) throw this.#tooLarge(size)
  }

  #tooLarge(size: number): ConfigError {
    const cap = Math.min(this.#maxBytes, this.#addon.maxFrameBytes)
    return new ConfigError(
      `A frame of ${size} bytes can never be had: pool '${this.name}' holds ${cap} at most`,
    )
  }

  #exhausted(size: number): PoolExhaustedError {
    const { framesAlive, bytesAlive, waiting } = this.stats()
    return new PoolExhaustedError(
      `Frame pool '${this.name}' has no room for ${size} bytes: ${bytesAlive} of ${this.#maxBytes} bytes are in ` +
        `${framesAlive} frames alive, ${waiting} callers wait. Release frames, raise maxBytes, or use acquireAsync`,
    )
  }

  #closedError(): ClosedError {
    return new ClosedError(`Frame pool '${this.name}' is closed`)
  }
}

function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError('Waiting for a frame was aborted', {}, signal.reason)
}
