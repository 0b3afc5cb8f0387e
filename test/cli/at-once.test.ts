import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runAtOnce } from '../../src/cli/job/at-once'

const never = new AbortController().signal

test('runs every index once, not more at the same time than allowed', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  await runAtOnce(10, 3, never, async (index) => {
    most = Math.max(most, ++running)
    await turn()
    running--
    done.push(index)
  })
  expect(done.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(most).toBe(3)
})

test('a failure stops the others, is the one that is thrown, and nothing runs on or starts after it', async () => {
  const failure = new TypeError('first')
  const ended: number[] = []
  const work = async (index: number, signal: AbortSignal): Promise<void> => {
    if (index === 1) {
      await turn()
      throw failure
    }
    await once(signal, 'abort')
    await turn()
    ended.push(index)
    throw new Error('because of the abort')
  }
  await expect(runAtOnce(6, 3, never, work)).rejects.toBe(failure)
  expect(ended).toEqual([0, 2])
})

test('an abort from outside reaches all', async () => {
  const abort = new AbortController()
  const reason = new Error('enough')
  const all = runAtOnce(4, 2, abort.signal, async (_, signal) => {
    abort.abort(reason)
    await turn()
    signal.throwIfAborted()
  })
  await expect(all).rejects.toBe(reason)
})
