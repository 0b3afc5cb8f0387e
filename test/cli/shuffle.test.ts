import { xxh32 } from '@node-rs/xxhash'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ShuffleReport } from '../../src/cli/job/report'
import { ProgramTest, readParts } from './program'
import { linesOf } from './records'

let program: ProgramTest
beforeEach(() => {
  program = new ProgramTest()
})
afterEach(() => program.remove())

async function shuffle(...args: string[]): Promise<ShuffleReport> {
  const { status, stdout, stderr } = await program.run(['shuffle', ...args, '--json'])
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(program.leftovers()).toEqual([])
  expect(program.processes()).toEqual([])
  return JSON.parse(stdout) as ShuffleReport
}

/** The parts hold exactly these records, each in the part of its key. */
function expectParts(out: string, records: readonly string[], keyOf: (record: string) => string): void {
  const parts = readParts(out)
  expect(parts.flat().sort()).toEqual([...records].sort())
  for (const [p, part] of parts.entries()) {
    const wanted = new Set(part.map((record) => xxh32(Buffer.from(keyOf(record), 'latin1')) % parts.length))
    expect([...wanted]).toEqual(part.length === 0 ? [] : [p])
  }
}

/** Lines of any bytes, empty ones among them; the last without a newline. */
function binaryLines(count: number): Buffer {
  let state = 42
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 12
  const lines = Array.from({ length: count }, () => {
    const bytes = Buffer.from(Array.from({ length: random() % 90 }, () => random() % 256))
    return Buffer.from(bytes.map((byte) => (byte === 0x0a ? 0x0d : byte)))
  })
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])).subarray(0, -1)
}

describe('by line', () => {
  test('every record of several files arrives once, byte for byte, in the partition of its hash', async () => {
    const one = binaryLines(20_000)
    const two = Buffer.from('same\nsame\n\n\nno newline at the end: \xff', 'latin1')
    const files = [one, two, Buffer.alloc(0)].map((bytes, i) => program.directory.file(`in-${i}`, bytes))
    const out = program.directory.join('made', 'for', 'us')
    const report = await shuffle(
      ...files.map((file) => file.path),
      '--key',
      'line',
      '--partitions',
      '5',
      '--out',
      out,
    )

    const records = [...linesOf(one), ...linesOf(two)]
    expectParts(out, records, (record) => record)
    expect(readdirSync(out)).toEqual(Array.from({ length: 5 }, (_, p) => `part-0000${p}`))
    expect(readdirSync(program.directory.join('made', 'for'))).toEqual(['us'])
    expect(statSync(out).mode & 0o700).toBe(0o700)

    expect(report).toMatchObject({
      records: records.length,
      inputBytes: one.length + two.length,
      recordBytes: one.length + two.length + 2,
      framesAlive: 0,
      payloadCopies: 0,
      verified: true,
      problem: null,
      files: 3,
      tasks: 4,
      partitions: 5,
      maxInFlightBytes: 64 << 20,
      zeroCopy: true,
    })
    for (const field of ['pushedBytes', 'batches', 'framesAllocated', 'peakFramesAlive'] as const) {
      expect(report[field]).toBeGreaterThan(0)
    }
    for (const field of ['peakInFlightBytes', 'wallMs', 'cpuMs'] as const)
      expect(report[field]).toBeGreaterThan(0)
    expect(report.peakInFlightBytes).toBeLessThanOrEqual(report.maxInFlightBytes)
  })

  test('many partitions and little memory', async () => {
    const file = program.directory.file('in', binaryLines(10_000))
    const out = program.directory.join('out')
    const options = ['--partitions', '120', '--tasks', '7', '--max-in-flight', '64k', '--out', out]
    const report = await shuffle(file.path, '--key', 'line', ...options)
    expectParts(out, linesOf(readFileSync(file.path)), (record) => record)
    expect(report.frameBytes).toBe(4096)
  })

  test('a record larger than a frame gets a frame of its own', async () => {
    const file = program.directory.file('in', `a\n${'x'.repeat(3 << 20)}\nb\n${'y'.repeat(300_000)}`)
    const out = program.directory.join('out')
    const report = await shuffle(
      file.path,
      '--key',
      'line',
      '--partitions',
      '2',
      '--max-in-flight',
      '1m',
      '--out',
      out,
    )
    expect(report.records).toBe(4)
    expectParts(out, linesOf(readFileSync(file.path)), (record) => record)
  })

  test('codec NONE pushes the frames as they are', async () => {
    const file = program.directory.file('in', binaryLines(5_000))
    const conf = ['--conf', 'celeborn.client.shuffle.compression.codec=NONE']
    const report = await shuffle(file.path, '--key', 'line', '--partitions', '3', ...conf)
    expect(report.codec).toBe('NONE')
    expect(report.payloadCopies).toBe(0)
    // 16 bytes of batch header are all that comes on top.
    expect(report.pushedBytes).toBe(report.recordBytes + 16 * report.batches)
  })

  test('no records at all are as many files, all empty', async () => {
    const file = program.directory.file('in', '')
    const out = program.directory.join('out')
    const report = await shuffle(file.path, '--key', 'line', '--partitions', '3', '--out', out)
    expect(report).toMatchObject({ records: 0, batches: 0, verified: true })
    expect(readParts(out)).toEqual([[], [], []])
  })

  test('names come from a list, too, and the summary for people says the same', async () => {
    program.directory.file('a', 'one\n')
    program.directory.file('b', 'two\n')
    program.directory.file('list', 'a\n\nb\n')
    const args = ['shuffle', '--files-from', 'list', '--key', 'line', '--partitions', '1', '--out', 'out']
    const { status, stdout } = await program.run(args)
    const piped = await program.run(['shuffle', '--files-from', '-', ...args.slice(3, 7)], { input: 'b\n' })
    expect(piped.stdout).toMatch(/^records: +1 \(4 B\)$/m)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^records: +2 \(8 B\)$/m)
    expect(stdout).toMatch(/^verified: +yes/m)
    expect(readParts(program.directory.join('out'))).toEqual([expect.arrayContaining(['one', 'two'])])
  })
})

test('by a CSV field: rows with line ends stay whole, and the header is left out', async () => {
  const rows = Array.from({ length: 4_000 }, (_, i) => `${i},"name ""${i % 50}""\n${i % 50}",x`)
  const file = program.directory.file('in.csv', `id,name,x\n${rows.join('\n')}\n`)
  const out = program.directory.join('out')
  const report = await shuffle(
    file.path,
    '--key',
    'csv:2',
    '--header',
    '--partitions',
    '4',
    '--tasks',
    '3',
    '--out',
    out,
  )
  expect(report.records).toBe(rows.length)
  const found = readdirSync(out).map((name) => readFileSync(`${out}/${name}`, 'utf8').split(/\n(?=\d+,)/))
  expect(found.flatMap((part) => part.map((row) => row.trimEnd())).sort()).toEqual([...rows].sort())
  for (const [p, part] of found.entries()) {
    for (const row of part) {
      const [, name = ''] = /^\d+,"(.*)",x/s.exec(row) ?? []
      expect(xxh32(name.replaceAll('""', '"')) % 4).toBe(p)
    }
  }
})

test('by a JSON field', async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) =>
    JSON.stringify({ n: i, user: `ü${i % 70}`, more: { user: i } }),
  )
  const file = program.directory.file('in.jsonl', lines.join('\n'))
  const out = program.directory.join('out')
  await shuffle(file.path, '--key', 'json:user', '--partitions', '6', '--out', out)
  const latin1 = lines.map((line) => Buffer.from(line).toString('latin1'))
  expectParts(out, latin1, (record) => (JSON.parse(record) as { user: string }).user)
})

test('an existing directory is filled beside what it holds', async () => {
  const file = program.directory.file('in', 'a\nb\n')
  const out = program.directory.join('out')
  mkdirSync(out)
  writeFileSync(`${out}/notes.txt`, 'mine')
  await shuffle(file.path, '--key', 'line', '--partitions', '2', '--out', out)
  expect(readdirSync(out).sort()).toEqual(['notes.txt', 'part-00000', 'part-00001'])
})
