/** What is told of a series of samples. */
export interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
  /** How many samples. */
  readonly samples: number
}

/** @throws RangeError when there is no sample, or one that is no finite number */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b)
  const min = sorted[0]
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) throw new RangeError('no samples')
  if (!sorted.every(Number.isFinite)) throw new RangeError('a sample is no finite number')
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? max
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? min)
  return { median: (lower + upper) / 2, min, max, samples: sorted.length }
}
