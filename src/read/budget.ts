import { CelebornError } from '../errors'
import { abortedBy, listenForAbort } from '../errors/abort'
import { native } from '../memory/native'
import { blockBytes } from '../memory/size-class'

/** A reader that waits this long lets those that are paused give up whatever they fetched ahead. */
const PAUSED_AFTER_MS = 1000

/** Somebody who may have fetched ahead. */
export interface BudgetHolder {
  /** For messages. */
  readonly name: string
  /** Bytes charged to it. */
  chargedBytes: number
  /** Others wait: what was fetched ahead is given up, if nobody waits for it. */
  shedIfPaused(): void
}

/** How long, and on whose behalf, somebody waits for room. */
export interface RoomWanted {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Room of one chunk, until {@link release}. */
export class Charge {
  #bytes: number

  /** @internal Charges come from a {@link ReadBudget}. */
  constructor(
    private readonly budget: ReadBudget,
    private readonly holder: BudgetHolder,
    bytes: number,
  ) {
    this.#bytes = bytes
  }

  /** The chunk has so many bytes. False if there is no room for more than was charged: nothing is changed then. */
  fit(size: number): boolean {
    const bytes = chargeOf(size)
    if (!this.budget.resize(this.holder, this.#bytes, bytes)) return false
    this.#bytes = bytes
    return true
  }

  /** The memory is free. Idempotent. */
  release(): void {
    const bytes = this.#bytes
    this.#bytes = 0
    if (bytes > 0) this.budget.give(this.holder, bytes)
  }
}

/** Gauges of a {@link ReadBudget}, in bytes at what is really allocated. */
export interface ReadBudgetStats {
  readonly maxBytes: number
  readonly usedBytes: number
  readonly peakBytes: number
  /** Readers that wait for room. */
  readonly waiting: number
}

interface Waiter {
  readonly holder: BudgetHolder
  readonly bytes: number
  readonly admit: (charge: Charge) => void
}

/**
 * Bytes of the chunks that all readers of a client hold or have asked for, at what is really allocated. Room is given
 * first come, first served; a chunk larger than everything is admitted alone.
 *
 * A reader waits only for the chunk that it delivers next, and holds no other chunk then, so that readers whose
 * consumers go on always finish, however little room there is. What readers fetch ahead is at most their share of the
 * room, and what goes beyond that, because there were fewer of them, is given up as soon as somebody has to wait.
 */
export class ReadBudget {
  #used = 0
  #peak = 0
  readonly #waiters = new Set<Waiter>()
  readonly #holders = new Set<BudgetHolder>()

  /** @param maxBytes at least 1 */
  constructor(readonly maxBytes: number) {}

  /** Bytes charged now. */
  get usedBytes(): number {
    return this.#used
  }

  /** The most that was ever charged. */
  get peakBytes(): number {
    return this.#peak
  }

  /** Readers that wait for room. */
  get waiting(): number {
    return this.#waiters.size
  }

  stats(): ReadBudgetStats {
    const { maxBytes, usedBytes, peakBytes, waiting } = this
    return { maxBytes, usedBytes, peakBytes, waiting }
  }

  /** Whether a chunk fetched ahead could be charged now. */
  hasRoomAhead(holder: BudgetHolder, size: number): boolean {
    const bytes = chargeOf(size)
    if (holder.chargedBytes > 0 && holder.chargedBytes + bytes > this.share) return false
    return this.isFree(bytes)
  }

  /** Room for a chunk fetched ahead: at once, or none. */
  tryTakeAhead(holder: BudgetHolder, size: number): Charge | undefined {
    return this.hasRoomAhead(holder, size) ? this.charge(holder, chargeOf(size)) : undefined
  }

  /** Room for the chunk that is delivered next: at once, unless somebody waits for it or there is none. */
  tryTake(holder: BudgetHolder, size: number): Charge | undefined {
    const bytes = chargeOf(size)
    return this.isFree(bytes) ? this.charge(holder, bytes) : undefined
  }

  /**
   * Room as soon as there is some.
   * @throws CelebornError by rejecting: CELEBORN_ADMISSION_TIMEOUT, which says who holds the memory; aborted
   */
  take(holder: BudgetHolder, size: number, { timeoutMs, signal }: RoomWanted): Promise<Charge> {
    const now = this.tryTake(holder, size)
    if (now !== undefined) return Promise.resolve(now)
    if (signal.aborted) return Promise.reject(abortedBy(signal))
    return new Promise<Charge>((resolve, reject) => {
      const waiter: Waiter = {
        holder,
        bytes: chargeOf(size),
        admit: (charge) => {
          leave()
          resolve(charge)
        },
      }
      const leave = (): void => {
        clearTimeout(patience)
        clearTimeout(deadline)
        signal.removeEventListener('abort', onAbort)
        this.#waiters.delete(waiter)
      }
      const giveUp = (error: CelebornError): void => {
        leave()
        reject(error)
        this.serve() // a smaller one may have stood behind it
      }
      const onAbort = (): void => giveUp(abortedBy(signal))
      const patience = setTimeout(() => this.shedAbove(0), Math.min(PAUSED_AFTER_MS, timeoutMs / 2))
      const deadline = setTimeout(() => giveUp(this.timedOut(waiter, timeoutMs)), timeoutMs)
      listenForAbort(signal, onAbort)
      this.#waiters.add(waiter)
      this.shedAbove(this.share)
    })
  }

  /** @internal */
  give(holder: BudgetHolder, bytes: number): void {
    this.change(holder, -bytes)
    this.serve()
  }

  /** @internal A charge has another size than was thought. */
  resize(holder: BudgetHolder, from: number, to: number): boolean {
    const more = to - from
    if (more > 0 && this.#used - from > 0 && this.#used + more > this.maxBytes) return false
    this.change(holder, more)
    if (more < 0) this.serve()
    return true
  }

  /** Of each reader that has or wants room. */
  private get share(): number {
    return this.maxBytes / Math.max(1, this.#holders.size + this.#waiters.size)
  }

  private isFree(bytes: number): boolean {
    return this.#waiters.size === 0 && this.fits(bytes)
  }

  private fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.maxBytes
  }

  private charge(holder: BudgetHolder, bytes: number): Charge {
    this.change(holder, bytes)
    return new Charge(this, holder, bytes)
  }

  private change(holder: BudgetHolder, bytes: number): void {
    this.#used += bytes
    this.#peak = Math.max(this.#peak, this.#used)
    holder.chargedBytes += bytes
    if (holder.chargedBytes > 0) this.#holders.add(holder)
    else this.#holders.delete(holder)
  }

  /** In order, as far as there is room. */
  private serve(): void {
    for (const waiter of this.#waiters) {
      if (!this.fits(waiter.bytes)) return
      waiter.admit(this.charge(waiter.holder, waiter.bytes))
    }
  }

  /** Whoever has more, and does not wait itself, gives up what it fetched ahead, until nobody waits. */
  private shedAbove(bytes: number): void {
    for (const holder of this.largestHolders()) {
      if (this.#waiters.size === 0 || holder.chargedBytes <= bytes) return
      holder.shedIfPaused()
    }
  }

  private largestHolders(): BudgetHolder[] {
    return [...this.#holders].sort((a, b) => b.chargedBytes - a.chargedBytes)
  }

  private timedOut({ holder, bytes }: Waiter, timeoutMs: number): CelebornError {
    const most = this.largestHolders()
    const named = most.slice(0, 3).map(({ name, chargedBytes }) => `${name} ${chargedBytes}`)
    return new CelebornError(
      'CELEBORN_ADMISSION_TIMEOUT',
      `${holder.name} waited ${timeoutMs} ms for ${bytes} bytes of memory; ${this.#used} of ${this.maxBytes} bytes ` +
        `(celeborn.node.maxReadBytes) are held by ${most.length} readers: ${named.join(', ')}` +
        `${most.length > named.length ? ', …' : ''}. Readers that are not read on, nor ended, keep theirs`,
    )
  }
}

/** What a chunk's frame really takes. */
function chargeOf(size: number): number {
  return blockBytes(size, native().pageBytes)
}
