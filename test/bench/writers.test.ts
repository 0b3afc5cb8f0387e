import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { permutationTest } from '../../bench/lib/permutation'
import { type Row } from '../../bench/lib/rows'
import { buildBench, DIST } from './build'

async function bench(
  args: readonly string[],
): Promise<{ status: number | null; stderr: string; rows: Row[] }> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'rows.json')
  const child = spawn(process.execPath, [resolve(DIST, 'bench/main.js'), ...args, '--json', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = new Promise<number | null>((done) => child.once('close', done))
  const [stderr, status] = await Promise.all([text(child.stderr), closed])
  const rows = status === 0 ? (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows : []
  return { status, stderr, rows }
}

describe('the suites of writers', () => {
  beforeAll(buildBench, 120_000)

  it('swap: rows by buffer size, of both ways', async () => {
    const { status, stderr, rows } = await bench([
      'swap',
      '--sizes',
      '64k,256k',
      '--buffers',
      '500',
      '--rounds',
      '2',
    ])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(rows.map((row) => [row.case, row.variant, row.metric])).toEqual([
      ['65536', 'add-task-copy', 'us_per_buffer'],
      ['65536', 'add-task-swap', 'us_per_buffer'],
      ['262144', 'add-task-copy', 'us_per_buffer'],
      ['262144', 'add-task-swap', 'us_per_buffer'],
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ suite: 'swap', unit: 'us', samples: 2 })
      expect(row.median).toBeGreaterThan(0)
    }
  }, 60_000)

  it('encode: where LZ4 runs, and what its output takes', async () => {
    const { status, stderr, rows } = await bench([
      'encode',
      '--sizes',
      '64k',
      '--total',
      '4m',
      '--rounds',
      '1',
    ])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const held = (variant: string): number =>
      rows.find((row) => row.variant === variant && row.metric === 'held_bytes')?.median ?? 0
    for (const where of ['inline', 'threads']) {
      expect(held(`${where}-copy`)).toBeGreaterThan(32 * 1024)
      expect(held(`${where}-adopt`)).toBeGreaterThan(held(`${where}-copy`))
    }
    expect(rows).toHaveLength(16)
  }, 60_000)

  it.each(['sink', 'embedded'])(
    'writers over %s: CPU, wall and p of each case, equal bytes, memory by partitions',
    async (cluster) => {
      const { status, stderr, rows } = await bench([
        ...['writers', '--cluster', cluster, '--cases', 'hash-lz4,sort-none', '--rows', '30000'],
        ...['--partitions', '20', '--submissions', '2', '--iterations', '1', '--warm-iterations', '0'],
        ...['--memory', '3000', '--memory-rows', '100000'],
      ])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const find = (name: string, variant: string, metric: string): Row | undefined =>
        rows.find((row) => row.case === name && row.variant === variant && row.metric === metric)
      for (const name of ['hash-lz4', 'sort-none']) {
        for (const variant of ['swap', 'copy']) {
          expect(find(name, variant, 'cpu_ms')?.samples).toBe(2)
          expect(find(name, variant, 'wall_ms')?.median).toBeGreaterThan(0)
          expect(find(name, variant, 'shuffle_bytes')?.median).toBe(find(name, 'swap', 'shuffle_bytes')?.max)
        }
        for (const metric of ['cpu_p', 'wall_p']) {
          expect(find(name, 'swap', metric)?.median).toBeGreaterThan(0)
          expect(find(name, 'swap', metric)?.median).toBeLessThanOrEqual(1)
        }
      }
      expect(find('sort-none', 'swap', 'shuffle_bytes')?.median).toBe(30_000 * 130)
      expect(find('memory-3000', 'hash', 'peak_bytes')?.median).toBeGreaterThanOrEqual(3000 * 8192)
      expect(find('memory-3000', 'sort', 'peak_bytes')?.median).toBeLessThan(3000 * 8192)
    },
    120_000,
  )

  it.each([
    [['swap', '--sizes', '64q'], /^error: --sizes 64q: give a size .*\n$/],
    [['writers', '--cases', 'hash-gzip'], /^error: --cases hash-gzip: give some of hash-lz4,.*\n$/],
    [['writers', '--cluster', 'nowhere'], /^error: --cluster nowhere: give sink or embedded\n$/],
    [['writers', '--rows', '0'], /^error: --rows 0: give 1 to .*\n$/],
  ])('%j is told in one line', async (args, line) => {
    const { status, stderr } = await bench(args)
    expect(status).toBe(2)
    expect(stderr).toMatch(line)
  })
})

describe('permutationTest', () => {
  it('is exact for few samples', () => {
    // Of the 20 splits of 6 different values only the real one and its mirror differ as much.
    expect(permutationTest([1, 2, 3], [4, 5, 6])).toBeCloseTo(2 / 20, 12)
    expect(permutationTest([4, 5, 6], [1, 2, 3])).toBeCloseTo(2 / 20, 12)
    expect(permutationTest([5, 5], [5, 5, 5])).toBe(1)
    expect(() => permutationTest([], [1])).toThrow(RangeError)
  })

  it('is close to that for many, and the same each time', () => {
    const a = Array.from({ length: 30 }, (_, i) => i % 10)
    expect(permutationTest(a, [...a])).toBe(1)
    const shifted = a.map((value) => value + 3)
    const p = permutationTest(a, shifted)
    expect(p).toBeLessThan(0.01)
    expect(permutationTest(a, shifted)).toBe(p)
    expect(
      permutationTest(
        a,
        a.map((value) => value + 0.5),
      ),
    ).toBeGreaterThan(0.2)
  })
})
