import { findRow, type Metric, type Row } from '../lib/rows'
import { inMib, sizeName } from '../lib/sizes'
import { formatTable } from '../lib/table'
import { VARIANTS } from './messages'
import { METRICS } from './suite'

const HEAD = [
  'variant',
  'CPU ms (min-max)',
  '/copy',
  '/floor',
  'wall ms (min-max)',
  '/copy',
  '/floor',
  'allocated MiB',
  'copies',
  'frames',
  'in flight MiB',
]

/** The suite's figures for people: one table a case, medians with their range, and ratios of medians. */
export function formatReport(rows: readonly Row[]): string {
  const cases = [...new Set(rows.map((row) => row.case))]
  return cases
    .map((name) => {
      const measured = new Set(rows.filter((row) => row.case === name).map((row) => row.variant))
      const lines = VARIANTS.filter((variant) => measured.has(variant)).map((variant) =>
        reportLine(rows, name, variant),
      )
      return `Batches of ${sizeName(Number(name))}\n${formatTable([HEAD, ...lines])}`
    })
    .join('\n\n')
}

function reportLine(rows: readonly Row[], name: string, variant: string): string[] {
  const row = (metric: Metric, of = variant): Row | undefined =>
    findRow(rows, { case: name, variant: of }, metric)
  const ratio = (metric: Metric, to: string): string => {
    const own = row(metric)
    const other = row(metric, to)
    if (own === undefined || other === undefined || !(other.median > 0)) return '-'
    return (own.median / other.median).toFixed(2)
  }
  const pushes = variant !== 'producer'
  return [
    variant,
    milliseconds(row(METRICS.cpu)),
    ratio(METRICS.cpu, 'copy'),
    ratio(METRICS.cpu, 'floor'),
    milliseconds(row(METRICS.wall)),
    ratio(METRICS.wall, 'copy'),
    ratio(METRICS.wall, 'floor'),
    figure(row(METRICS.allocated), inMib),
    pushes ? figure(row(METRICS.copies), (value) => String(value)) : '-',
    figure(row(METRICS.framesAlive), String),
    pushes ? figure(row(METRICS.inFlight), inMib) : '-',
  ]
}

function milliseconds(row: Row | undefined): string {
  if (row === undefined) return '-'
  return `${row.median.toFixed(0)} (${row.min.toFixed(0)}-${row.max.toFixed(0)})`
}

function figure(row: Row | undefined, format: (value: number) => string): string {
  return row === undefined ? '-' : format(row.median)
}
