import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What a worker is doing: `normal` takes new slots; the other two take none, split every partition that is pushed to, and
 * wait: `graceful` until all that was reserved is committed or given up, `decommission` until its last shuffle is gone.
 */
export type WorkerCondition = 'normal' | 'graceful' | 'decommission'

export type LeavingKind = Exclude<WorkerCondition, 'normal'>

/** How often the sockets of a worker that leaves are looked at, once nothing else holds it. */
const QUIET_STEP_MS = 5
/** Longest wait for answers that a peer does not take. */
const QUIET_MS = 2_000

/** What a {@link Leaving} looks at. */
export interface LeavingHost {
  /** What still has to be committed or to go, by name. */
  pending(kind: LeavingKind): string[]
  /** No request is being served and no answer waits to be sent. */
  quiet(): boolean
}

/** Waits until a worker may leave. */
export class Leaving {
  readonly #host: LeavingHost
  readonly #kind: LeavingKind
  readonly #signal: AbortSignal
  #settle: (() => void) | undefined

  /** @param signal ends the wait: the worker is stopped all the same */
  constructor(host: LeavingHost, kind: LeavingKind, signal: AbortSignal) {
    this.#host = host
    this.#kind = kind
    this.#signal = signal
  }

  /** Something was committed, given up or deleted. */
  changed(): void {
    if (this.#host.pending(this.#kind).length === 0) this.#settle?.()
  }

  /** @returns what was still pending when the time was over; empty when the worker leaves in good order. */
  async wait(timeoutMs: number): Promise<string[]> {
    await new Promise<void>((resolve) => {
      // setTimeout takes no more than 24 days.
      const timer = setTimeout(resolve, Math.min(timeoutMs, 0x7fff_ffff))
      this.#settle = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#signal.addEventListener('abort', this.#settle, { once: true })
      if (this.#signal.aborted) this.#settle()
      else this.changed()
    })
    const pending = this.#host.pending(this.#kind)
    await this.#quiet()
    return pending
  }

  /** Whoever asked for the last commit shall have the answer before the port closes. */
  async #quiet(): Promise<void> {
    const deadline = performance.now() + QUIET_MS
    await new Promise((resolve) => setImmediate(resolve))
    while (!this.#host.quiet() && !this.#signal.aborted && performance.now() < deadline)
      await sleep(QUIET_STEP_MS)
  }
}
