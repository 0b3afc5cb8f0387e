import { setImmediate } from 'node:timers/promises'
import { afterEach, expect } from 'vitest'

/** A callback of our own that throws fails no push: the warning is all that is seen of it. */
const UNWANTED = 'CelebornCallbackWarning'
const seen: Error[] = []
let expected = false

/** The running test makes callbacks throw that the library itself passes to its connections. */
export function expectCallbackWarnings(): void {
  expected = true
}

process.on('warning', (warning) => {
  if (warning.name === UNWANTED) seen.push(warning)
})

afterEach(async () => {
  // Warnings are emitted in a later turn.
  await setImmediate()
  const warnings = seen.splice(0).map(({ stack, message }) => stack ?? message)
  const wanted = expected
  expected = false
  if (!wanted) expect(warnings, 'callbacks inside the library must not throw').toEqual([])
})
