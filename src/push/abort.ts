import { AbortedError } from '../errors'

/** Throws our own error, with the signal's reason as its cause, if the caller has given up already. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBy(signal)
}

/** The error of an operation that a caller's signal ended. */
export function abortedBy(signal: AbortSignal): AbortedError {
  return new AbortedError('the operation was aborted by its signal', {}, signal.reason)
}

/**
 * The promise, unless one of the signals fires first: the caller's (an {@link AbortedError} with its reason as the
 * cause) or the attempt's own (its reason is the error). The work behind the promise goes on.
 */
export function untilAborted<T>(
  work: Promise<T>,
  callers: AbortSignal | undefined,
  own: AbortSignal,
): Promise<T> {
  if (callers?.aborted === true) return Promise.reject(abortedBy(callers))
  if (own.aborted) return Promise.reject(own.reason as Error)
  return new Promise<T>((resolve, reject) => {
    const onCaller = (): void => {
      done()
      if (callers !== undefined) reject(abortedBy(callers))
    }
    const onOwn = (): void => {
      done()
      reject(own.reason as Error)
    }
    const done = (): void => {
      callers?.removeEventListener('abort', onCaller)
      own.removeEventListener('abort', onOwn)
    }
    callers?.addEventListener('abort', onCaller, { once: true })
    own.addEventListener('abort', onOwn, { once: true })
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
