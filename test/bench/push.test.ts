import { beforeAll, describe, expect, it } from 'vitest'
import { buildBench } from './build'
import { type Run, runBench } from './run'

/** As {@link runBench}, with the rows where there are any. */
function bench(args: readonly string[], interruptWhen?: (left: string[]) => boolean): Promise<Run> {
  return runBench(args, { interruptWhen })
}

beforeAll(buildBench, 120_000)

const SMALL = ['--rounds', '1', '--warm-rounds', '0', '--total', '4m']

describe('push', () => {
  it.each(['sink', 'embedded'])(
    'measures every variant over %s',
    async (cluster) => {
      const { status, stdout, stderr, left, rows } = await bench([
        ...['push', '--cluster', cluster, ...SMALL, '--batches', '64k,1m'],
      ])
      // A sample that leaves a frame unreleased, or whose bytes did not arrive, fails the run.
      expect({ status, stderr, left }).toEqual({ status: 0, stderr: '', left: [] })
      const value = (variant: string, metric: string, of = '65536'): number | undefined =>
        rows.find((row) => row.case === of && row.variant === variant && row.metric === metric)?.median
      for (const [variant, copies] of [
        ['zero-copy', 0],
        ['copy', 1],
        ['copy-2', 2],
        ['floor', 0],
        ['producer', 0],
      ] as const) {
        expect(value(variant, 'payload_copies'), variant).toBe(copies)
        expect(value(variant, 'payload_copies', '1048576'), variant).toBe(copies)
        for (const metric of ['cpu_ms', 'wall_ms']) expect(value(variant, metric), variant).toBeGreaterThan(0)
        expect(value(variant, 'frames_alive_peak', '1048576'), variant).toBeLessThanOrEqual(6)
        expect(stdout).toMatch(new RegExp(`^${variant} `, 'm'))
      }
      const total = 4 * 1024 ** 2
      expect(value('copy-2', 'allocated_bytes')).toBeGreaterThan(total)
      for (const variant of ['zero-copy', 'copy', 'floor']) {
        expect(value(variant, 'allocated_bytes'), variant).toBeLessThan(total / 2)
        expect(value(variant, 'in_flight_peak_bytes', '1048576'), variant).toBe(total)
      }
      for (const row of rows) {
        expect(Object.keys(row)).toEqual('suite case variant metric unit median min max samples'.split(' '))
        expect(row).toMatchObject({ suite: 'push', samples: 1 })
      }
    },
    120_000,
  )

  it('takes only the variants that are asked for', async () => {
    const { rows } = await bench(['push', ...SMALL, '--batches', '1m', '--variants', 'floor,zero-copy'])
    expect([...new Set(rows.map((row) => row.variant))]).toEqual(['zero-copy', 'floor'])
  }, 60_000)

  it('obeys the limits in flight', async () => {
    const limits = ['--max-in-flight', '2m', '--max-requests', '2']
    const { rows } = await bench(['push', ...SMALL, '--batches', '64k,1m', ...limits])
    const peaks = rows.filter((row) => row.metric === 'in_flight_peak_bytes' && row.variant !== 'producer')
    expect(peaks).toHaveLength(8)
    for (const { median } of peaks) expect(median).toBeLessThanOrEqual(2 * 1024 ** 2)
  }, 120_000)
})

describe('mistakes', () => {
  it.each([
    [['push', '--cluster', 'nowhere'], 2, /^error: --cluster nowhere: give sink, embedded, or .*\n$/],
    [['push', '--batches', '64q'], 2, /^error: --batches 64q: give a size .*\n$/],
    [['push', '--rounds', '0'], 2, /^error: --rounds 0: give 1 to 1000\n$/],
    [['push', '--variants', 'none'], 2, /^error: --variants none: give some of zero-copy,.*\n$/],
    [['push', '--speed'], 2, /^error: unknown option '--speed'.*\n$/],
    [['pull'], 2, /^error: unknown command 'pull'.*\n$/],
    // Port 1 is nobody's.
    [['push', '--cluster', '127.0.0.1:1'], 1, /^error: .*cannot connect to 127\.0\.0\.1:1.*\n$/],
    [
      ['push', ...SMALL, '--batches', '1m', '--variants', 'floor', '--json', '/nowhere/x'],
      1,
      /^error: cannot write .*\n$/,
    ],
  ])('%j is told in one line', async (args, status, line) => {
    const run = await bench(args)
    expect(run.stderr).toMatch(line)
    expect(run).toMatchObject({ status, left: [] })
  })

  it('shows help', async () => {
    const run = await bench(['push', '--help'])
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('--cluster')
  })

  it('stops at a Ctrl-C and leaves nothing behind', async () => {
    let interrupted = false
    const run = await bench(['push', '--cluster', 'embedded', '--rounds', '100'], (left) => {
      const now = !interrupted && left.some((name) => name.startsWith('celeborn-node-'))
      interrupted ||= now
      return now
    })
    expect(run).toMatchObject({ status: 130, stderr: '', left: [] })
  }, 60_000)
})
