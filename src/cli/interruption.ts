import { constants } from 'node:os'
import { AbortedError } from '../errors'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long an orderly end may take before the process just goes. */
const GRACE_MS = 8_000

/**
 * Turns the first signal into an abort, so that everything is closed in order. A second signal, or an end that takes
 * too long, exits at once; see last-moments.ts for what is cleaned up even then.
 */
export class Interruption {
  /** The signal that came, if one came. */
  received: NodeJS.Signals | undefined
  readonly #controller = new AbortController()
  readonly #listener = (signal: NodeJS.Signals): void => this.#onSignal(signal)
  #timer: NodeJS.Timeout | undefined

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#listener)
  }

  /** Aborted at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The customary status of a process that a signal ended: 130 after Ctrl-C. */
  get exitStatus(): number {
    return this.received === undefined ? 0 : 128 + constants.signals[this.received]
  }

  /** From now on signals do what they do by default. */
  dispose(): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener)
    clearTimeout(this.#timer)
  }

  #onSignal(signal: NodeJS.Signals): void {
    if (this.received !== undefined) process.exit(this.exitStatus)
    this.received = signal
    this.#timer = setTimeout(() => process.exit(this.exitStatus), GRACE_MS).unref()
    this.#controller.abort(new AbortedError(`stopped by ${signal}`))
  }
}
