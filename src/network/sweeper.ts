import { monotonicMs } from './outbound'

const SLOWEST_MS = 500
const FASTEST_MS = 5

/** What a sweep found: go on as before, nothing is waiting any more, nothing is left to watch at all. */
export type SweepResult = 'waiting' | 'quiet' | 'empty'

/**
 * One timer for all time-outs of a pool. It ticks at a tenth of the shortest time-out that was asked for, twice a
 * second at the slowest, never keeps the process alive, and stops when there is nothing to watch.
 */
export class Sweeper {
  readonly #sweep: (nowMs: number) => SweepResult
  #timer: NodeJS.Timeout | null = null
  #intervalMs = SLOWEST_MS

  constructor(sweep: (nowMs: number) => SweepResult) {
    this.#sweep = sweep
  }

  /** Something with this time-out is now waiting. */
  watch(timeoutMs: number): void {
    if (this.#timer !== null && !(timeoutMs < this.#intervalMs * 10)) return
    if (timeoutMs > 0 && timeoutMs < this.#intervalMs * 10) {
      this.#intervalMs = Math.max(FASTEST_MS, timeoutMs / 10)
    }
    this.stop()
    this.#start()
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #start(): void {
    this.#timer = setTimeout(() => this.#tick(), this.#intervalMs)
    this.#timer.unref()
  }

  #tick(): void {
    this.#timer = null
    const found = this.#sweep(monotonicMs())
    if (found !== 'waiting') this.#intervalMs = SLOWEST_MS
    // A callback of the sweep may have started it again.
    if (found !== 'empty' && this.#timer === null) this.#start()
  }
}
