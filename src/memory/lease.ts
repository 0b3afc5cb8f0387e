import { CelebornError, ClosedError, ConfigError, FrameStateError, PoolExhaustedError } from '../errors'
import { announceCopied } from './copied'
import { poisoning } from './detach'
import { AcquireStatus, N, native, type NativeAddon, type NativePool } from './native'
import { byteOption } from './options'
import { blockBytes } from './size-class'

/** A block with its ArrayBuffer, which stay together for life. */
interface Slab {
  readonly bytes: Uint8Array
  readonly buffer: ArrayBuffer
  readonly index: number
  readonly generation: number
}

/**
 * Counters of a {@link LeasePool}. Bytes are what is really allocated.
 * @internal
 */
export interface LeasePoolStats {
  readonly leasesAlive: number
  readonly bytesAlive: number
  readonly peakLeasesAlive: number
  readonly peakBytesAlive: number
  /** Bytes that wait for the next lease. */
  readonly pooledBytes: number
  /** Blocks had from the system so far. */
  readonly blocksAllocated: number
  /** Leases that the garbage collector had to free. */
  readonly finalizedWithoutRelease: number
}

/**
 * Native memory that never leaves the library. Unlike a frame it is recycled together with its ArrayBuffer: no call
 * into the addon, and no ArrayBuffer made or detached, on the way from release to the next lease.
 * @internal
 */
export class Lease {
  /** The whole block. After the release it is somebody else's, and the same memory: do not keep it. */
  readonly bytes: Uint8Array
  /** Bytes of the block: at least what was asked for. */
  readonly capacity: number
  #slab: Slab | undefined
  readonly #pool: LeaseEnd

  constructor(pool: LeaseEnd, slab: Slab) {
    this.#pool = pool
    this.#slab = slab
    this.bytes = slab.bytes
    this.capacity = slab.bytes.byteLength
  }

  /**
   * Gives the block back. Exactly once.
   * @throws FrameStateError the second time
   */
  release(): void {
    const slab = this.#slab
    if (slab === undefined) throw new FrameStateError('the lease has been released already')
    this.#slab = undefined
    this.#pool.end(slab)
  }
}

interface LeaseEnd {
  end(slab: Slab): void
}

/**
 * Gives out {@link Lease}s under a cap.
 * @internal
 */
export class LeasePool {
  readonly #addon: NativeAddon
  readonly #native: NativePool
  readonly #maxBytes: number
  readonly #maxPooledBytes: number
  /** Free slabs by their size in bytes; the latest last. */
  readonly #free = new Map<number, Slab[]>()
  #freeSlabs = 0
  readonly #end: LeaseEnd = { end: (slab) => this.#recycle(slab) }
  #closed = false
  #leases = 0
  #bytes = 0
  #peakLeases = 0
  #peakBytes = 0
  #pooledBytes = 0

  /**
   * @param options caps of the bytes leased and of those that wait for the next lease
   * @throws ConfigError on a wrong option; CelebornError CELEBORN_NATIVE_UNAVAILABLE
   */
  constructor(options: { readonly maxBytes: number; readonly maxPooledBytes: number }) {
    this.#maxBytes = byteOption('maxBytes', options.maxBytes, 0)
    this.#maxPooledBytes = byteOption('maxPooledBytes', options.maxPooledBytes, 0)
    this.#addon = native()
    // The native pool keeps nothing for itself: free slabs stay alive here, with their buffers.
    const total = this.#maxBytes + this.#maxPooledBytes
    this.#native = this.#addon.newPool(total, 0, false)
    if (this.#addon.numbers[N.COPIED] === 1) announceCopied()
  }

  /**
   * At least `size` bytes.
   * @throws ConfigError when `size` is no whole number from 0 on, or its block larger than the cap
   * @throws PoolExhaustedError when the cap is reached; ClosedError; CelebornError CELEBORN_OUT_OF_MEMORY
   */
  lease(size: number): Lease {
    if (!Number.isInteger(size) || size < 0 || size > this.#addon.maxFrameBytes) throw this.#tooLarge(size)
    if (this.#closed) throw new ClosedError('The lease pool is closed')
    const wanted = this.bytesFor(size)
    if (wanted > this.#maxBytes) throw this.#tooLarge(wanted)
    if (this.#bytes + wanted > this.#maxBytes) this.#makeRoom(wanted)
    const slab = this.#reuse(wanted) ?? this.#allocate(wanted)
    this.#leases++
    this.#bytes += wanted
    if (this.#leases > this.#peakLeases) this.#peakLeases = this.#leases
    if (this.#bytes > this.#peakBytes) this.#peakBytes = this.#bytes
    return new Lease(this.#end, slab)
  }

  /** Bytes that a lease of `size` bytes takes: what {@link Lease.capacity} will be. */
  bytesFor(size: number): number {
    return blockBytes(size, this.#addon.pageBytes)
  }

  /** The counters, as they are now. */
  stats(): LeasePoolStats {
    this.#settle()
    const numbers = this.#addon.numbers
    return {
      leasesAlive: this.#leases,
      bytesAlive: this.#bytes,
      peakLeasesAlive: this.#peakLeases,
      peakBytesAlive: this.#peakBytes,
      pooledBytes: this.#pooledBytes,
      blocksAllocated: numbers[N.BLOCKS_ALLOCATED] ?? 0,
      finalizedWithoutRelease: numbers[N.FINALIZED_WITHOUT_RELEASE] ?? 0,
    }
  }

  /** Gives everything that waits for a lease back to the system. @returns bytes given back */
  trim(): number {
    const before = this.#pooledBytes
    for (const slabs of this.#free.values()) {
      for (let slab = slabs.pop(); slab !== undefined; slab = slabs.pop()) this.#evict(slab)
    }
    return before
  }

  /** Ends the pool. Leases that are alive stay valid until their release. A second call does nothing. */
  close(): void {
    this.#closed = true
    this.trim()
    this.#native.close()
  }

  #reuse(bytes: number): Slab | undefined {
    const slab = this.#free.get(bytes)?.pop()
    if (slab !== undefined) {
      this.#pooledBytes -= bytes
      this.#freeSlabs--
    }
    return slab
  }

  #allocate(bytes: number): Slab {
    const buffer = this.#native.acquire(bytes)
    const numbers = this.#addon.numbers
    if (buffer === undefined) {
      const status = numbers[N.STATUS]
      if (status === AcquireStatus.ABOVE_CAP)
        throw new ConfigError(`A lease of ${bytes} bytes can never be had`)
      if (status === AcquireStatus.CAP_REACHED) throw this.#exhausted(bytes)
      throw new CelebornError('CELEBORN_OUT_OF_MEMORY', `The system refused ${bytes} bytes for a lease`)
    }
    const index = numbers[N.INDEX] ?? 0
    const generation = numbers[N.GENERATION] ?? 0
    return { bytes: new Uint8Array(buffer), buffer, index, generation }
  }

  #recycle(slab: Slab): void {
    const bytes = slab.bytes.byteLength
    this.#leases--
    this.#bytes -= bytes
    if (poisoning()) slab.bytes.fill(0xee)
    if (this.#closed || !this.#roomInPool(bytes)) {
      this.#discard(slab)
      return
    }
    const slabs = this.#free.get(bytes)
    if (slabs === undefined) this.#free.set(bytes, [slab])
    else slabs.push(slab)
    this.#pooledBytes += bytes
    this.#freeSlabs++
  }

  /** Whether a slab of that size may wait for its next lease; other sizes, which are not asked for now, make room. */
  #roomInPool(bytes: number): boolean {
    if (bytes > this.#maxPooledBytes) return false
    for (const [size, slabs] of this.#free) {
      if (size === bytes) continue
      while (this.#pooledBytes + bytes > this.#maxPooledBytes) {
        const slab = slabs.pop()
        if (slab === undefined) break
        this.#evict(slab)
      }
    }
    return this.#pooledBytes + bytes <= this.#maxPooledBytes
  }

  #evict(slab: Slab): void {
    this.#pooledBytes -= slab.bytes.byteLength
    this.#freeSlabs--
    this.#discard(slab)
  }

  #discard(slab: Slab): void {
    this.#native.release(slab.index, slab.generation, slab.buffer)
  }

  /** Leases that were dropped and that the garbage collector has freed meanwhile leave the account. */
  #settle(): void {
    this.#native.stats()
    const numbers = this.#addon.numbers
    this.#leases = (numbers[N.FRAMES_ALIVE] ?? 0) - this.#freeSlabs
    this.#bytes = (numbers[N.BYTES_ALIVE] ?? 0) - this.#pooledBytes
  }

  #makeRoom(bytes: number): void {
    this.#settle()
    if (this.#bytes + bytes > this.#maxBytes) throw this.#exhausted(bytes)
  }

  #tooLarge(bytes: number): ConfigError {
    return new ConfigError(`A lease is 0 to ${this.#maxBytes} bytes (in whole blocks), not ${String(bytes)}`)
  }

  #exhausted(bytes: number): PoolExhaustedError {
    return new PoolExhaustedError(
      `No room for a lease of ${bytes} bytes: ${this.#bytes} of ${this.#maxBytes} bytes are leased`,
    )
  }
}
