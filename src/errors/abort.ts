import { setMaxListeners } from 'node:events'
import { AbortedError, CelebornError } from './index'

/** Throws if the caller has given up already; see {@link abortedBy}. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBy(signal)
}

/** The error of an operation that a signal ended: the signal's reason, if it is one of ours, or has it as its cause. */
export function abortedBy(signal: AbortSignal): CelebornError {
  const reason: unknown = signal.reason
  if (reason instanceof CelebornError) return reason
  return new AbortedError('the operation was aborted by its signal', {}, reason)
}

/**
 * Listens to a signal. One signal may end any number of operations that wait at the same time: that is no leak, of
 * which Node would warn from the eleventh listener on.
 */
export function listenForAbort(signal: AbortSignal, onAbort: (event: Event) => void): void {
  setMaxListeners(0, signal)
  signal.addEventListener('abort', onAbort, { once: true })
}

/**
 * The promise, unless one of the signals fires first (see {@link abortedBy}). The work behind the promise goes
 * on; what it still brings is its owner's to release.
 */
export function untilAborted<T>(work: Promise<T>, ...signals: (AbortSignal | undefined)[]): Promise<T> {
  for (const signal of signals) if (signal?.aborted === true) return Promise.reject(abortedBy(signal))
  return new Promise<T>((resolve, reject) => {
    const onAbort = (event: Event): void => {
      done()
      reject(abortedBy(event.target as AbortSignal))
    }
    const done = (): void => {
      for (const signal of signals) signal?.removeEventListener('abort', onAbort)
    }
    for (const signal of signals) if (signal !== undefined) listenForAbort(signal, onAbort)
    work.then(
      (value) => {
        done()
        resolve(value)
      },
      (error: unknown) => {
        done()
        reject(error as Error)
      },
    )
  })
}

/** Waits, unless one of the signals fires first (see {@link abortedBy}); then no timer is left behind. */
export function pause(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const work = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return untilAborted(work, ...signals).finally(() => clearTimeout(timer))
}
