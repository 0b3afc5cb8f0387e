import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type * as SamplerModule from '../../bench/read/sampler'
import type * as TargetModule from '../../bench/push/target'
import { buildBench, DIST } from './build'
import { runBench, temporaryFolder } from './run'

const SMALL = ['read', '--bytes', '2m', '--partitions', '4', '--rounds', '1', '--warm', '1']

/** A system without Java and Maven; Node itself is named by its path. */
function withoutJava(): { readonly env: { readonly PATH: string } } {
  return { env: { PATH: temporaryFolder() } }
}

beforeAll(buildBench, 120_000)

describe('read', () => {
  it('measures what is there, and says that the Java client is left out where it cannot run', async () => {
    const { status, stdout, stderr, left, rows } = await runBench(SMALL, withoutJava())
    expect({ status, stderr, left }).toEqual({ status: 0, stderr: '', left: [] })
    expect(stdout).toContain('LEFT OUT: java-0.5.4 (not installed: JDK 17, mvn)')
    expect(new Set(rows.map((row) => `${row.case} ${row.variant}`))).toEqual(
      new Set(
        ['NONE', 'LZ4'].flatMap((codec) => ['ours', 'ours-local', 'floor'].map((of) => `${codec} ${of}`)),
      ),
    )
    const value = (codec: string, variant: string, metric: string): number =>
      rows.find((row) => row.case === codec && row.variant === variant && row.metric === metric)?.median ??
      NaN
    for (const variant of ['ours', 'ours-local', 'floor']) {
      for (const metric of ['cpu_ms', 'wall_ms', 'peak_rss_mib'])
        expect(value('NONE', variant, metric), `${variant} ${metric}`).toBeGreaterThan(0)
      // 32 batches, each with its header.
      expect(value('NONE', variant, 'fetched_bytes')).toBe(2 * 1024 ** 2 + 32 * 16)
      expect(value('LZ4', variant, 'fetched_bytes')).toBeGreaterThan(0.4 * 2 * 1024 ** 2)
      expect(value('LZ4', variant, 'fetched_bytes')).toBeLessThan(0.6 * 2 * 1024 ** 2)
    }
    for (const row of rows) expect(row).toMatchObject({ suite: 'read', samples: 1 })
  }, 120_000)

  it('rounds up to whole batches in each partition', async () => {
    const args = ['read', '--bytes', '1', '--partitions', '3', '--rounds', '2', '--codecs', 'ZSTD']
    const { stderr, stdout, rows } = await runBench([...args, '--variants', 'ours'])
    expect(stderr).toBe('')
    expect(stdout).toContain('192 KiB of 3 partitions')
    expect(rows.map(({ variant, samples }) => [variant, samples])).toEqual(
      Array.from({ length: 4 }, () => ['ours', 2]),
    )
  }, 60_000)

  it('fails when what is read is not what was written', async () => {
    const compiled = createRequire(__filename)
    const { ReadSampler } = compiled(resolve(DIST, 'bench/read/sampler.js')) as typeof SamplerModule
    const { PushTargetProcesses } = compiled(resolve(DIST, 'bench/push/target.js')) as typeof TargetModule
    const work = temporaryFolder()
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = work
    const { signal } = new AbortController()
    const target = await PushTargetProcesses.start({ kind: 'embedded' }, signal)
    onTestFinished(() => target.stop())
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    const shape = { partitions: 2, batches: 3, warmRuns: 1, readBufferBytes: 65_536, javaHeapMib: 64 }
    const sampler = new ReadSampler(target, null, shape, signal)
    const { shuffle, written } = await sampler.write('NONE')
    expect(await sampler.read('ours', shuffle, written)).toMatchObject(written)
    await expect(sampler.read('ours', shuffle, { ...written, sum: written.sum + 1 })).rejects.toThrow(
      `ours did not read what was written: sum of bytes ${written.sum} instead of ${written.sum + 1}`,
    )
    await expect(sampler.read('ours', shuffle, { ...written, bytes: 1 })).rejects.toThrow('bytes 393216')
    // One byte of one file, where no page begins.
    const files = readdirSync(work, { recursive: true, encoding: 'utf8' }).map((name) => join(work, name))
    const file = files.find((path) => statSync(path).isFile() && statSync(path).size === 3 * (65_536 + 16))
    const bytes = readFileSync(file ?? '')
    bytes.writeUInt8(bytes.readUInt8(100_000) ^ 1, 100_000)
    writeFileSync(file ?? '', bytes)
    await expect(sampler.read('ours', shuffle, written)).rejects.toThrow(
      /did not read what was written: checksum \d+ instead/,
    )
  }, 60_000)
})

describe('mistakes and interruption', () => {
  it.each([
    [['--codecs', 'GZIP'], 2, /^error: --codecs GZIP: give some of NONE,LZ4,ZSTD\n$/],
    [['--variants', 'mine'], 2, /^error: --variants mine: give some of ours,.*\n$/],
    [['--cluster', 'sink'], 2, /^error: --cluster sink: give embedded, or a master's HOST:PORT\n$/],
    [['--warm', '0'], 2, /^error: --warm 0: give 1 to 1000\n$/],
    [['--java-heap', '1m'], 2, /^error: --java-heap 1m: give \d+ to \d+ bytes\n$/],
    [['--variants', 'java-0.5.4'], 1, /^error: java-0\.5\.4: not installed: JDK 17, mvn\n$/],
  ])('%j is told in one line', async (args, status, line) => {
    const run = await runBench([...SMALL, ...args], withoutJava())
    expect(run.stderr).toMatch(line)
    expect(run).toMatchObject({ status, left: [] })
  })

  it('shows help', async () => {
    const { status, stdout } = await runBench(['read', '--help'])
    expect(status).toBe(0)
    expect(stdout).toContain('java-0.5.4')
  })

  it('stops at a Ctrl-C and leaves nothing behind', async () => {
    let interrupted = false
    const run = await runBench(['read', '--rounds', '100'], {
      ...withoutJava(),
      interruptWhen: (left) => {
        const now = !interrupted && left.some((name) => name.startsWith('celeborn-node-'))
        interrupted ||= now
        return now
      },
    })
    expect(run).toMatchObject({ status: 130, stderr: '', left: [] })
  }, 60_000)
})
