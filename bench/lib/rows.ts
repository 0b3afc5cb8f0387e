import { summarize, type Summary } from './stats'

/** One figure of a result. */
export interface Row extends Summary {
  readonly suite: string
  readonly case: string
  readonly variant: string
  readonly metric: string
  readonly unit: string
}

/** Something that is measured, and in what. */
export interface Metric {
  readonly name: string
  readonly unit: string
}

interface Series {
  readonly case: string
  readonly variant: string
  readonly metric: Metric
  readonly values: number[]
}

/** Collects the samples of one suite; rows come in the order in which their first samples came. */
export class Samples {
  readonly #suite: string
  readonly #series = new Map<string, Series>()

  constructor(suite: string) {
    this.#suite = suite
  }

  add(at: { readonly case: string; readonly variant: string }, metric: Metric, value: number): void {
    const key = JSON.stringify([at.case, at.variant, metric.name])
    let series = this.#series.get(key)
    if (series === undefined) {
      series = { case: at.case, variant: at.variant, metric, values: [] }
      this.#series.set(key, series)
    }
    series.values.push(value)
  }

  rows(): Row[] {
    return [...this.#series.values()].map(({ case: name, variant, metric, values }) => {
      const { median, min, max, samples } = summarize(values)
      return {
        suite: this.#suite,
        case: name,
        variant,
        metric: metric.name,
        unit: metric.unit,
        median: rounded(median),
        min: rounded(min),
        max: rounded(max),
        samples,
      }
    })
  }
}

/** The row of a figure, if it was measured. */
export function findRow(
  rows: readonly Row[],
  at: { readonly case: string; readonly variant: string },
  metric: Metric,
): Row | undefined {
  return rows.find((row) => row.case === at.case && row.variant === at.variant && row.metric === metric.name)
}

/** Clocks are no better than this. */
function rounded(value: number): number {
  // A probability is small, and not 0.
  return Math.abs(value) >= 1 ? Math.round(value * 1000) / 1000 : Number(value.toPrecision(4))
}
