import { CelebornError } from '../../src/errors'
import { makeInput } from './mutate'
import { Random } from './random'
import { type Target } from './targets'

/** Most that one input of at most 64 KiB may add to the heap and to buffers. */
export const MAX_GROWTH_BYTES = 48 << 20
/** Most CPU time that one input may take; many times of what the slowest takes. */
const MAX_CPU_MS = 1000

export interface Verdict {
  /** What is wrong, or null. */
  readonly problem: string | null
  readonly outcome: 'value' | 'error'
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The input of a seed, target and number: always the same. */
export function inputOf(targetIndex: number, seeds: readonly Buffer[], seed: number, index: number): Buffer {
  const whole = seeds[index]
  // First the corpus as it is.
  if (whole !== undefined) return Buffer.from(whole)
  return makeInput(seeds, new Random(seed, targetIndex, index))
}

/** Runs a target with an input: a value, or one of its typed errors, within bounds of memory and time. */
export function check(target: Target, input: Buffer): Verdict {
  const first = measured(target, input)
  if (first.problem === null || !first.measurement) return first
  // A collection or another process can disturb a measurement, but not each of four.
  for (let i = 0; i < 3; i++) {
    const again = measured(target, input)
    if (again.problem === null) return again
  }
  return first
}

function measured(target: Target, input: Buffer): Verdict & { measurement: boolean } {
  const memory = used()
  const start = performance.now()
  let outcome: Verdict['outcome'] = 'value'
  try {
    target.run(Buffer.from(input))
  } catch (error) {
    outcome = 'error'
    if (!(error instanceof CelebornError) || !target.codes.includes(error.code)) {
      return {
        problem: `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        outcome,
        measurement: false,
      }
    }
  }
  const ms = performance.now() - start
  const growth = used() - memory
  if (growth > MAX_GROWTH_BYTES)
    return { problem: `took ${Math.round(growth / 2 ** 20)} MiB`, outcome, measurement: true }
  if (ms > MAX_CPU_MS) return { problem: `took ${Math.round(ms)} ms`, outcome, measurement: true }
  return { problem: null, outcome, measurement: false }
}
