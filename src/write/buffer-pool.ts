import { ClosedError, ConfigError } from '../errors'
import { abortedBy, listenForAbort } from '../errors/abort'
import { type Lease, LeasePool, type LeasePoolStats } from '../memory/lease'
import { type BufferHome, PushBuffer } from './push-buffer'

/** Gauges and counters of a {@link BufferPool}. Bytes are what is really allocated. */
export interface BufferPoolStats {
  /** Bytes that writers fill or that tasks hold. */
  readonly bytesAlive: number
  /** Of those, what tasks hold. */
  readonly taskBytes: number
  readonly peakBytesAlive: number
  readonly buffersAlive: number
  /** Calls that wait for memory. */
  readonly waiting: number
  /** Calls that had to wait, ever. */
  readonly waits: number
  /** Buffers that were handed over before they were full because others waited. */
  readonly relieved: number
  readonly leases: LeasePoolStats
}

/** Somebody who holds buffers that are not full, and can do without them. */
export interface BufferHolder {
  /** Bytes of buffers that {@link relieve} could hand over. */
  readonly reclaimableBytes: number
  /** Hands some partial buffers to a push, or gives them back. @returns how many */
  relieve(): number
}

interface Waiter {
  readonly sizes: readonly number[]
  readonly bytes: number
  readonly urgent: boolean
  readonly resolve: (buffers: PushBuffer[]) => void
  readonly reject: (error: Error) => void
  readonly stopListening: () => void
}

/** How often those who wait ask again for partial buffers: a holder that was busy, or not yet one, may be idle by now. */
const ASK_AGAIN_MS = 20

/** No native pool refuses what this pool has let pass. */
const NO_LIMIT = 2 ** 40

/**
 * The push buffers of all writers of one client, under one cap. First come, first served. Whoever waits makes others hand
 * over buffers that are not full, so that many writers on a small cap always finish: what tasks hold comes back by
 * itself, and a writer never waits for memory while it holds a full buffer.
 */
export class BufferPool implements BufferHome {
  readonly maxBytes: number
  readonly #leases: LeasePool
  readonly #waiters = new Set<Waiter>()
  readonly #holders = new Set<BufferHolder>()
  readonly #onHunger: () => void
  readonly #idleMs: number
  #idleTimer: NodeJS.Timeout | undefined
  #askAgain: NodeJS.Timeout | undefined
  #bytes = 0
  #taskBytes = 0
  #waits = 0
  #relieved = 0
  #relieving = false
  #closed = false

  /**
   * @param options cap of the bytes that writers and their tasks hold; what may be kept free for the next ones; a call
   *   for memory begins to wait: whoever holds unsent batches back sends them now
   */
  constructor(options: {
    readonly maxBytes: number
    readonly maxPooledBytes: number
    readonly onHunger?: () => void
    /** Free memory goes back to the system when nothing has been out for so many milliseconds. */
    readonly idleMs?: number
  }) {
    this.maxBytes = options.maxBytes
    this.#leases = new LeasePool({ maxBytes: NO_LIMIT, maxPooledBytes: options.maxPooledBytes })
    this.#idleMs = options.idleMs ?? 60_000
    this.#onHunger = options.onHunger ?? (() => undefined)
  }

  /** Whether somebody waits for memory. */
  get hungry(): boolean {
    return this.#waiters.size > 0
  }

  /** Bytes that a buffer of that size really takes. */
  bytesFor(size: number): number {
    return this.#leases.bytesFor(size)
  }

  /** Whether a buffer of that size could be had at once. */
  hasRoom(size: number): boolean {
    return this.#waiters.size === 0 && this.#fits(this.bytesFor(size))
  }

  /** A buffer at once; undefined when there is no room, or when others wait for it. */
  tryTake(size: number): PushBuffer | undefined {
    return !this.#closed && this.hasRoom(size) ? this.#lease(size) : undefined
  }

  /**
   * Buffers of these sizes, all of them or none, as soon as there is room. A request that is larger than the cap is served
   * when nothing else is out.
   * @param urgent go before everybody who is not: the caller cannot give back what it holds unless it gets this
   * @throws ClosedError, AbortedError by rejecting
   */
  take(sizes: readonly number[], signal?: AbortSignal, urgent = false): Promise<PushBuffer[]> {
    if (this.#closed) return Promise.reject(new ClosedError('the ShuffleClient is closed'))
    if (signal?.aborted === true) return Promise.reject(abortedBy(signal))
    const bytes = sizes.reduce((sum, size) => sum + this.bytesFor(size), 0)
    if ((urgent ? !this.#urgentWaits() : this.#waiters.size === 0) && this.#fits(bytes)) {
      return Promise.resolve(sizes.map((size) => this.#lease(size)))
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.delete(waiter)
        if (signal !== undefined) reject(abortedBy(signal))
        this.#serve()
      }
      const stopListening = (): void => signal?.removeEventListener('abort', onAbort)
      const waiter: Waiter = { sizes, bytes, urgent, resolve, reject, stopListening }
      if (signal !== undefined) listenForAbort(signal, onAbort)
      this.#waits++
      this.#waiters.add(waiter)
      this.#askAgain ??= setInterval(this.#onAskAgain, ASK_AGAIN_MS)
      this.#relieve()
      this.#onHunger()
    })
  }

  /** Whoever can hand over buffers when others starve says so. */
  addHolder(holder: BufferHolder): void {
    this.#holders.add(holder)
  }

  removeHolder(holder: BufferHolder): void {
    this.#holders.delete(holder)
  }

  /** A buffer has become a task's: it comes back by itself. @internal */
  toTask(buffer: PushBuffer): Lease {
    const lease = buffer.handOver(this)
    this.#taskBytes += lease.capacity
    return lease
  }

  /** Nobody reads the task's memory any more. @internal */
  fromTask(lease: Lease): void {
    this.#taskBytes -= lease.capacity
    this.giveBack(lease)
  }

  giveBack(lease: Lease): void {
    this.#bytes -= lease.capacity
    lease.release()
    if (this.#waiters.size > 0) this.#serve()
    else if (this.#bytes === 0) this.#idle()
  }

  stats(): BufferPoolStats {
    const leases = this.#leases.stats()
    return {
      bytesAlive: this.#bytes,
      taskBytes: this.#taskBytes,
      peakBytesAlive: leases.peakBytesAlive,
      buffersAlive: leases.leasesAlive,
      waiting: this.#waiters.size,
      waits: this.#waits,
      relieved: this.#relieved,
      leases,
    }
  }

  /** Who waits is rejected; buffers that are out stay valid until they come back. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter)
      waiter.stopListening()
      waiter.reject(new ClosedError('the ShuffleClient is closed'))
    }
    clearTimeout(this.#idleTimer)
    clearInterval(this.#askAgain)
    this.#leases.close()
  }

  /** One timer, moved on: an idle client keeps no free memory for ever, and no process alive. */
  #idle(): void {
    if (this.#closed) return
    if (this.#idleTimer !== undefined) {
      this.#idleTimer.refresh()
      return
    }
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined
      if (this.#bytes === 0) this.#leases.trim()
    }, this.#idleMs).unref()
  }

  /** Whoever is larger than the cap goes alone, otherwise it would wait for ever. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.maxBytes
  }

  #lease(size: number): PushBuffer {
    const lease = this.#leases.lease(size)
    this.#bytes += lease.capacity
    return new PushBuffer(this, lease, size)
  }

  #serve(): void {
    for (const waiter of this.#inOrder()) {
      if (!this.#fits(waiter.bytes)) break
      this.#waiters.delete(waiter)
      waiter.stopListening()
      const buffers: PushBuffer[] = []
      try {
        for (const size of waiter.sizes) buffers.push(this.#lease(size))
      } catch (error) {
        for (const buffer of buffers) buffer.release()
        waiter.reject(error as Error)
        continue
      }
      waiter.resolve(buffers)
    }
    if (this.#waiters.size > 0) this.#relieve()
  }

  readonly #onAskAgain = (): void => {
    if (this.#waiters.size > 0) this.#relieve()
    else {
      clearInterval(this.#askAgain)
      this.#askAgain = undefined
    }
  }

  #urgentWaits(): boolean {
    for (const { urgent } of this.#waiters) if (urgent) return true
    return false
  }

  #inOrder(): Waiter[] {
    const waiters = [...this.#waiters]
    return [...waiters.filter(({ urgent }) => urgent), ...waiters.filter(({ urgent }) => !urgent)]
  }

  /** Makes holders hand over partial buffers until what comes back by itself is enough for all who wait. */
  #relieve(): void {
    if (this.#relieving) return
    this.#relieving = true
    try {
      const richestFirst = [...this.#holders].sort((a, b) => b.reclaimableBytes - a.reclaimableBytes)
      for (const holder of richestFirst) {
        while (this.#missing() > 0 && holder.reclaimableBytes > 0) {
          const count = holder.relieve()
          if (count === 0) break
          this.#relieved += count
        }
      }
    } finally {
      this.#relieving = false
    }
  }

  /** Bytes that who waits needs beyond what is free and what tasks hold. */
  #missing(): number {
    let wanted = 0
    for (const { bytes } of this.#waiters) wanted += Math.min(bytes, this.maxBytes)
    const coming = Math.max(0, this.maxBytes - this.#bytes) + this.#taskBytes
    return Math.min(wanted, this.maxBytes) - coming
  }
}

/** @throws ConfigError when a writer could never have the buffers that it needs at once */
export function requireRoom(pool: BufferPool, sizes: readonly number[], keyName: string): void {
  const bytes = sizes.reduce((sum, size) => sum + pool.bytesFor(size), 0)
  if (bytes <= pool.maxBytes) return
  throw new ConfigError(
    `a writer needs ${bytes} bytes of buffers at once, more than ${keyName} = ${pool.maxBytes}: raise it, or lower ` +
      'celeborn.client.push.buffer.max.size',
  )
}
