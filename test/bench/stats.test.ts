import { describe, expect, it } from 'vitest'
import { findRow, Samples } from '../../bench/lib/rows'
import { inMib, sizeName } from '../../bench/lib/sizes'
import { summarize } from '../../bench/lib/stats'
import { formatTable } from '../../bench/lib/table'

describe('summarize', () => {
  it('gives the middle of an odd series, whatever the order', () => {
    expect(summarize([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9, samples: 3 })
  })

  it('gives the mean of the two middle ones of an even series', () => {
    expect(summarize([10, 1, 2, 4])).toEqual({ median: 3, min: 1, max: 10, samples: 4 })
  })

  it('sorts as numbers, not as texts', () => {
    expect(summarize([100, 20, 3]).median).toBe(20)
  })

  it('refuses an empty series and what is no number', () => {
    expect(() => summarize([])).toThrow(RangeError)
    expect(() => summarize([1, Number.NaN, 2])).toThrow(RangeError)
  })
})

describe('Samples', () => {
  const cpu = { name: 'cpu_ms', unit: 'ms' }
  const wall = { name: 'wall_ms', unit: 'ms' }

  it('makes one row of each case, variant and metric, in the order of their first samples', () => {
    const samples = new Samples('push')
    for (const value of [3, 1, 2]) {
      samples.add({ case: '1 MiB', variant: 'copy' }, cpu, value)
      samples.add({ case: '1 MiB', variant: 'copy' }, wall, value * 10)
      samples.add({ case: '1 MiB', variant: 'floor' }, cpu, value / 3)
    }
    const rows = samples.rows()
    expect(rows[0]).toEqual({
      suite: 'push',
      case: '1 MiB',
      variant: 'copy',
      metric: 'cpu_ms',
      unit: 'ms',
      median: 2,
      min: 1,
      max: 3,
      samples: 3,
    })
    expect(rows.map((row) => [row.variant, row.metric, row.median])).toEqual([
      ['copy', 'cpu_ms', 2],
      ['copy', 'wall_ms', 20],
      ['floor', 'cpu_ms', 0.6667],
    ])
    expect(findRow(rows, { case: '1 MiB', variant: 'floor' }, cpu)?.max).toBe(1)
    expect(findRow(rows, { case: '1 MiB', variant: 'floor' }, wall)).toBeUndefined()
  })

  it('rounds to what a clock gives, and a small probability not to 0', () => {
    const samples = new Samples('writers')
    samples.add({ case: 'a', variant: 'swap' }, { name: 'wall_ms', unit: 'ms' }, 1234.56789)
    samples.add({ case: 'a', variant: 'swap' }, { name: 'wall_p', unit: 'p' }, 1 / 20_001)
    expect(samples.rows().map(({ median }) => median)).toEqual([1234.568, 0.00005])
  })
})

describe('text', () => {
  it('names sizes exactly and writes figures in MiB', () => {
    expect([65536, 1 << 20, 3 * 1024 ** 3, 1000].map(sizeName)).toEqual([
      '64 KiB',
      '1 MiB',
      '3 GiB',
      '1000 B',
    ])
    expect([1 << 19, 12 << 20, 300 << 20].map(inMib)).toEqual(['0.50', '12.0', '300'])
  })

  it('aligns columns', () => {
    expect(
      formatTable([
        ['name', 'x'],
        ['a', '100'],
      ]),
    ).toBe('name    x\na     100')
  })
})
