/** Waiting that ends at once when the owner stops, and leaves no timer behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AbortedError } from '../errors'

/** Resolves after `ms`, or rejects with AbortedError as soon as `signal` fires. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new AbortedError('stopped while waiting')
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (signal.aborted) throw new AbortedError('stopped while waiting', {}, error)
    throw error
  }
}
