import { AbortedError } from '../../errors'

/**
 * Runs `work` for 0 to `count` - 1, `atOnce` of them at the same time. The first failure aborts the signal of the others,
 * and all have ended when it is thrown.
 */
export async function runAtOnce(
  count: number,
  atOnce: number,
  signal: AbortSignal,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  let failure: Error | undefined
  let next = 0
  const runSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      try {
        either.throwIfAborted()
        await work(index, either)
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error))
        stop.abort(new AbortedError('another part of the job failed'))
        return
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, runSome))
  if (failure !== undefined) throw failure
}
