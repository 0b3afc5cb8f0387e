import { describe, expect, it } from 'vitest'
import { runSegmentSuite } from '../../bench/segments/suite'

describe('bench segments', () => {
  it('counts two look-ups for any number of reads, and two for each where nothing is resolved', async () => {
    const options = { reads: 50, rounds: 2, warmRounds: 1, sizes: [65_536] }
    const rows = await runSegmentSuite(options, new AbortController().signal, () => undefined)
    const lookups = rows.filter(({ metric }) => metric === 'conf_lookups')
    expect(lookups.map(({ variant, median }) => [variant, median])).toEqual([
      ['resolved-once', 2],
      ['per-call', 100],
    ])
    expect(rows.filter(({ metric }) => metric === 'ns_per_read')).toHaveLength(2)
    const measured = rows.filter(({ case: name }) => name === '65536')
    expect(new Set(measured.map(({ variant, metric }) => `${variant} ${metric}`))).toEqual(
      new Set([
        'mapped cpu_us_per_mib',
        'read cpu_us_per_mib',
        'mapped wall_us_per_mib',
        'read wall_us_per_mib',
      ]),
    )
    expect(rows.every(({ samples }) => samples === 2)).toBe(true)
  })
})
