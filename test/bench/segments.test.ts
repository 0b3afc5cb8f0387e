import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Row } from '../../bench/lib/rows'
import { runSegmentSuite } from '../../bench/segments/suite'
import { buildBench, DIST } from './build'

describe('bench segments', () => {
  beforeAll(buildBench, 120_000)

  it('counts two look-ups for any number of reads, and two for each where nothing is resolved', async () => {
    const options = { reads: 50, rounds: 2, warmRounds: 1, sizes: [65_536], serveSizes: [], servedBytes: 0 }
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

  const run = (...args: string[]): { status: number | null; stderr: string; rows: Row[] } => {
    const dir = mkdtempSync(join(tmpdir(), 'bench-test-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const file = join(dir, 'rows.json')
    const command = [resolve(DIST, 'bench/main.js'), 'segments', ...args, '--json', file]
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
    const rows = status === 0 ? (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows : []
    return { status, stderr, rows }
  }

  it('serves chunks from processes of their own, which a reader takes', () => {
    const { status, stderr, rows } = run(
      ...['--reads', '0', '--sizes', '', '--rounds', '2', '--warm-rounds', '0'],
      ...['--serve-sizes', '256k,8m', '--serve-total', '16m'],
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const variants = process.platform === 'linux' ? ['mapped', 'read', 'floor'] : ['mapped', 'read']
    expect(rows.map(({ case: name, variant, metric }) => `${name} ${variant} ${metric}`)).toEqual(
      ['serve-262144', 'serve-8388608'].flatMap((name) =>
        variants.flatMap((variant) =>
          ['cpu_us_per_mib', 'wall_us_per_mib'].map((metric) => `${name} ${variant} ${metric}`),
        ),
      ),
    )
    for (const row of rows) {
      expect(row).toMatchObject({ suite: 'segments', unit: 'us', samples: 2 })
      expect(row.median).toBeGreaterThan(0)
    }
  }, 60_000)

  it('refuses chunks that do not make up the file', () => {
    const { status, stderr } = run('--serve-sizes', '3m', '--serve-total', '16m')
    expect(status).toBe(2)
    expect(stderr).toContain('--serve-sizes 3m: give parts of --serve-total 16m, from 64k to 64m')
  })
})
