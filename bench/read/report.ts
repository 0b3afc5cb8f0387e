import { findRow, type Metric, type Row } from '../lib/rows'
import { inMib } from '../lib/sizes'
import { formatTable } from '../lib/table'
import { METRICS } from './suite'

const HEAD = [
  'variant',
  'CPU ms (min-max)',
  '/java (min-max)',
  'wall ms (min-max)',
  '/java (min-max)',
  'peak RSS MiB',
  'fetched MiB',
]

/** The suite's figures for people: one table a codec, medians with their range; ratios are those of each round. */
export function formatReport(rows: readonly Row[]): string {
  const codecs = [...new Set(rows.map((row) => row.case))]
  return codecs
    .map((codec) => {
      const variants = [...new Set(rows.filter((row) => row.case === codec).map((row) => row.variant))]
      return `${codec}\n${formatTable([HEAD, ...variants.map((variant) => line(rows, codec, variant))])}`
    })
    .join('\n\n')
}

function line(rows: readonly Row[], codec: string, variant: string): string[] {
  const row = (metric: Metric): Row | undefined => findRow(rows, { case: codec, variant }, metric)
  return [
    variant,
    ranged(row(METRICS.cpu), 0),
    ranged(row(METRICS.cpuRatio), 2),
    ranged(row(METRICS.wall), 0),
    ranged(row(METRICS.wallRatio), 2),
    row(METRICS.rss)?.median.toFixed(0) ?? '-',
    mib(row(METRICS.fetched)),
  ]
}

function ranged(row: Row | undefined, digits: number): string {
  if (row === undefined) return '-'
  const [median, min, max] = [row.median, row.min, row.max].map((value) => value.toFixed(digits))
  return `${median} (${min}-${max})`
}

function mib(row: Row | undefined): string {
  return row === undefined ? '-' : inMib(row.median)
}
