/** A seeded generator of numbers from 0 to below 1: the same p for the same samples. */
function generator(seed: number): () => number {
  let x = seed
  return () => {
    x = (x + 0x6d2b79f5) | 0
    let t = Math.imul(x ^ (x >>> 15), 1 | x)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const RESAMPLES = 20_000
/** Up to this many splits all of them are looked at. */
const EXACT = 200_000

/**
 * Two-sided permutation test of the difference of means: how often a random split of all samples into two groups of the same
 * sizes differs as much as the real one. Exact where there are few splits, otherwise from 20,000 random ones.
 *
 * @returns p, more than 0 and at most 1
 * @throws RangeError when a group is empty
 */
export function permutationTest(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || b.length === 0) throw new RangeError('a permutation test needs samples of both kinds')
  const all = [...a, ...b]
  const total = sum(all)
  const difference = (sumA: number): number => Math.abs(sumA / a.length - (total - sumA) / b.length)
  // Sums in another order differ in their last bits.
  const least = difference(sum(a)) * (1 - 1e-9)
  if (choices(all.length, a.length) <= EXACT) {
    let splits = 0
    let asFar = 0
    forEachSum(all, a.length, (sumA) => {
      splits++
      if (difference(sumA) >= least) asFar++
    })
    return asFar / splits
  }
  const random = generator(all.length)
  let asFar = 1
  for (let i = 0; i < RESAMPLES; i++) {
    for (let k = 0; k < a.length; k++) {
      const other = k + Math.floor(random() * (all.length - k))
      const value = all[k] as number
      all[k] = all[other] as number
      all[other] = value
    }
    if (difference(sum(all.slice(0, a.length))) >= least) asFar++
  }
  return asFar / (RESAMPLES + 1)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function choices(n: number, k: number): number {
  let count = 1
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i
  return Math.round(count)
}

/** Sums of all choices of `k` of the values. */
function forEachSum(values: readonly number[], k: number, visit: (sum: number) => void): void {
  const choose = (from: number, left: number, so: number): void => {
    if (left === 0) {
      visit(so)
      return
    }
    for (let i = from; i <= values.length - left; i++) choose(i + 1, left - 1, so + (values[i] as number))
  }
  choose(0, k, 0)
}
