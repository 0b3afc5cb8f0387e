import fc from 'fast-check'
import { appendFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type InputFile } from '../../src/cli/input/files'
import { type KeySpec } from '../../src/cli/input/key'
import { planTasks } from '../../src/cli/input/plan'
import { RecordSource } from '../../src/cli/input/record-source'
import { inputFile, linesOf, readSlices, TestDirectory, whole } from './records'

const directory = new TestDirectory()
afterAll(() => directory.remove())

const limits = { maxRecordBytes: 1 << 20 }

async function recordsByTask(files: readonly InputFile[], key: KeySpec, tasks: number): Promise<string[][]> {
  const plans = await planTasks(files, { key, tasks, ...limits })
  expect(plans).toHaveLength(tasks)
  return Promise.all(plans.map(async (plan) => (await readSlices(plan, key, 16)).map((r) => r.record)))
}

const anyBytes = fc.array(fc.constantFrom(0x0a, 0x0a, 0x61, 0x0d, 0x00, 0xff, 0x22, 0x2c), { maxLength: 120 })

test('every line of every file belongs to exactly one task, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyBytes, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (contents, tasks) => {
        const files = contents.map((bytes, i) => directory.file(`in-${i}`, Uint8Array.from(bytes)))
        const byTask = await recordsByTask(files, { kind: 'line' }, tasks)
        expect(byTask.flat()).toEqual(contents.flatMap((bytes) => linesOf(Buffer.from(bytes))))
      },
    ),
    { numRuns: 300 },
  )
})

test('a CSV row with line ends in it is never cut', async () => {
  const row = fc
    .array(fc.string({ unit: fc.constantFrom('a', '\n', '"', ',', '\r\n'), maxLength: 9 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((fields) => fields.map((f) => (/[\n",]/.test(f) ? `"${f.replaceAll('"', '""')}"` : f)).join(','))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { maxLength: 15 }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      async (contents, tasks) => {
        const files = contents.map((rows, i) =>
          directory.file(`in-${i}.csv`, rows.map((r) => `${r}\n`).join('')),
        )
        const byTask = await recordsByTask(files, { kind: 'csv', column: 1 }, tasks)
        expect(byTask.flat()).toEqual(contents.flat())
      },
    ),
    { numRuns: 300 },
  )
})

const line = (i: number): string => `this is line ${i} of a longer text\n`

test.each([
  ['one big file', 1, 60_000],
  ['many small files', 3_000, 20],
  ['files of all sizes', 12, 5_000],
])('%s give tasks of the same size', async (_, count, lines) => {
  const files = Array.from({ length: count }, (_, f) => {
    const n = count === 12 ? Math.ceil((lines * (f + 1)) / 7) : lines
    return directory.file(`big-${f}`, Array.from({ length: n }, (_, i) => line(i)).join(''))
  })
  const total = files.reduce((sum, file) => sum + file.size, 0)
  for (const key of [{ kind: 'line' }, { kind: 'csv', column: 1 }] as const) {
    const plans = await planTasks(files, { key, tasks: 7, ...limits })
    for (const plan of plans) {
      const bytes = plan.reduce((sum, slice) => sum + slice.end - slice.start, 0)
      expect(Math.abs(bytes - total / 7)).toBeLessThan(100)
    }
  }
})

test('a file without any line end is one record of one task', async () => {
  const file = directory.file('long', 'x'.repeat(200_000))
  const byTask = await recordsByTask([file], { kind: 'line' }, 4)
  expect(byTask.map((records) => records.length).sort()).toEqual([0, 0, 0, 1])
})

test('more tasks than records leaves tasks empty, and so does no input at all', async () => {
  expect((await recordsByTask([directory.file('two', 'a\nb\n')], { kind: 'line' }, 5)).flat()).toEqual([
    'a',
    'b',
  ])
  expect((await recordsByTask([directory.file('empty', '')], { kind: 'line' }, 3)).flat()).toEqual([])
})

test('an unclosed quote is reported with file and line', async () => {
  const file = directory.file('open.csv', `a,b\nc,"d\n${'e\n'.repeat(50)}`)
  const plan = planTasks([file], { key: { kind: 'csv', column: 1 }, tasks: 3, ...limits })
  await expect(plan).rejects.toThrow(`${file.path}, line 2: opens a quoted field that is never closed`)
})

test('a record longer than allowed is refused by name, and one just as long is not', async () => {
  const file = directory.file('wide', `${'x'.repeat(99)}\ny\n`)
  expect(await readSlices([whole(file)], { kind: 'line' }, 16, 100)).toHaveLength(2)
  const tooLong = readSlices([whole(file)], { kind: 'line' }, 16, 64)
  await expect(tooLong).rejects.toThrow(`${file.path} has a record of more than 64 bytes at byte 0`)
})

test('a file that grows, shrinks or is rewritten while it is read is an error', async () => {
  const text = 'a line\n'.repeat(100)
  const changes: [string, (path: string) => void][] = [
    ['grown', (path) => appendFileSync(path, 'more\n')],
    ['shrunk', (path) => writeFileSync(path, 'a line\n')],
    ['rewritten', (path) => writeFileSync(path, text.replaceAll('a', 'b'))],
  ]
  for (const [name, change] of changes) {
    const file = { ...directory.file(name, text), mtimeMs: 1 }
    const source = new RecordSource(1000, 64)
    await source.open(whole(file))
    expect(await source.fill(0)).toBe(true)
    change(file.path)
    const rest = async (): Promise<void> => {
      while (await source.fill(source.block.bytes.length));
    }
    await expect(rest()).rejects.toThrow(`${file.path} changed while it was read`)
    source.close()
  }
  expect(inputFile(directory.join('grown')).size).toBeGreaterThan(text.length)
})
