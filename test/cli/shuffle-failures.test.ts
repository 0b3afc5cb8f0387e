import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { errorLine, ProgramTest } from './program'

let program: ProgramTest
beforeEach(() => {
  program = new ProgramTest()
})
afterEach(() => program.remove())

/** Runs a shuffle that must fail cleanly, and returns its one line of complaint. */
async function failing(args: readonly string[], status: number, limitKiB?: number): Promise<string> {
  const options = limitKiB === undefined ? {} : { fileSizeLimitKiB: limitKiB }
  const result = await program.run(['shuffle', ...args, '--out', 'out'], options)
  expect(result.stdout).toBe('')
  expect(result.status).toBe(status)
  expectNothingLeft()
  return errorLine(result)
}

function expectNothingLeft(): void {
  expect(program.leftovers()).toEqual([])
  expect(program.processes()).toEqual([])
  expect(readdirSync(program.directory.path).filter((name) => name.includes('out'))).toEqual([])
}

const line = ['--key', 'line', '--partitions', '2']

function bigFile(name: string, megabytes: number): string {
  const block = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${(i * 7919) % 10_007} of a text\n`).join(
    '',
  )
  const size = megabytes * 1024 * 1024
  return program.directory.file(name, block.repeat(Math.ceil(size / block.length))).path
}

describe('inputs', () => {
  test('one that does not exist', async () => {
    program.directory.file('there', 'a\n')
    expect(await failing(['there', 'nowhere', ...line], 1)).toBe(
      'error: cannot read nowhere: no such file or directory; check the name and that you may read it',
    )
  })

  test('one below a file', async () => {
    program.directory.file('file', 'a\n')
    expect(await failing(['file/in', ...line], 1)).toMatch(
      /^error: cannot read file\/in: not a directory; check/,
    )
  })

  test('a directory', async () => {
    expect(await failing(['tmp', ...line], 2)).toMatch(/^error: tmp is a directory: give its files/)
  })

  test('a CSV row without the field, by file and line', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => (i === 2_500 ? 'short' : `"a\n",${i}`))
    program.directory.file('rows.csv', rows.join('\n'))
    const args = ['rows.csv', '--key', 'csv:2', '--partitions', '3']
    expect(await failing(args, 1)).toBe('error: rows.csv, line 5001: has 1 field, and the key is field 2')
  })

  test('a JSON line without the field, by file and line', async () => {
    program.directory.file('good.jsonl', '{"id":1}\n')
    program.directory.file('bad.jsonl', '{"id":1}\n{"id":2}\n{"di":3}\n')
    const args = ['good.jsonl', 'bad.jsonl', '--key', 'json:id', '--partitions', '3', '--tasks', '1']
    expect(await failing(args, 1)).toBe('error: bad.jsonl, line 3: has no field "id"')
  })

  test('a record longer than is allowed', async () => {
    program.directory.file('long', `a\n${'x'.repeat(9 << 20)}\n`)
    const args = ['long', ...line, '--tasks', '1', '--max-in-flight', '1m']
    expect(await failing(args, 1)).toBe(
      'error: long has a record of more than 8388608 bytes at byte 2; raise --max-in-flight, and ' +
        'celeborn.node.maxFrameBytes if it is less, above its length',
    )
  })
})

describe('masters', () => {
  test('nobody listens', async () => {
    program.directory.file('in', 'a\n')
    const message = await failing(['in', ...line, '--master', '127.0.0.1:1'], 1)
    expect(message).toMatch(/^error: no Celeborn master answers: .*127\.0\.0\.1:1.*ECONNREFUSED/)
    expect(message).toMatch(/leave --master out to use the embedded cluster$/)
  })

  test('somebody else listens', async () => {
    program.directory.file('in', 'a\n')
    const server = createServer((socket) => socket.end('220 mail.example.org ready\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    expect(await failing(['in', ...line, '--master', `127.0.0.1:${port}`], 1)).toMatch(
      /^error: no Celeborn master answers: /,
    )
    server.close()
  })
})

describe('disks', () => {
  test('the output does not fit', async () => {
    const input = bigFile('big', 4)
    const cluster = program.start(['cluster', '--port', '0'])
    await cluster.until(() => cluster.stdout.includes('\n'))
    const before = program.leftovers()
    const args = ['shuffle', input, ...line, '--master', cluster.stdout.trim(), '--out', 'out']
    const result = await program.run(args, { fileSizeLimitKiB: 256 })
    expect(errorLine(result)).toMatch(
      /^error: cannot write out\/part-00000: file too large; free some space, or give another directory to --out$/,
    )
    expect(result.status).toBe(1)
    expect(existsSync(program.directory.join('out'))).toBe(false)
    expect(program.leftovers()).toEqual(before)
    cluster.child.kill('SIGTERM')
    expect((await cluster.result).status).toBe(0)
    expectNothingLeft()
  })

  test('the workers have no room', async () => {
    const message = await failing([bigFile('big', 8), ...line], 1, 64)
    expect(message).toMatch(
      /did a worker die, or is its disk full\? \(the embedded cluster writes to .* TMPDIR names\)$/,
    )
  })

  test('the output is there already', async () => {
    program.directory.file('in', 'a\n')
    mkdirSync(program.directory.join('full'))
    writeFileSync(program.directory.join('full', 'part-00007'), 'precious')
    const result = await program.run(['shuffle', 'in', ...line, '--out', 'full'])
    expect(result.status).toBe(2)
    expect(errorLine(result)).toBe(
      'error: full already holds part-00007: remove it, or give another directory to --out',
    )
    expect(readdirSync(program.directory.join('full'))).toEqual(['part-00007'])
  })

  test('the output cannot be made', async () => {
    program.directory.file('in', 'a\n')
    program.directory.file('file', '')
    const result = await program.run(['shuffle', 'in', ...line, '--out', 'file/out'])
    expect(result.status).toBe(1)
    expect(errorLine(result)).toMatch(/^error: cannot write file\/out: /)
  })
})

describe('signals', () => {
  /** A run with enough to do that it is still at it when the signal comes. */
  const busy = (): string[] => [
    'shuffle',
    bigFile('big', 96),
    ...line,
    '--max-in-flight',
    '1m',
    '--out',
    'out',
  ]
  const tmpHas = (what: RegExp): boolean =>
    readdirSync(program.tmp, { recursive: true }).some((name) => what.test(String(name)))

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s while pushing leaves nothing, and the status is %i', async (signal, status) => {
    const run = program.start(busy())
    await run.until(() => tmpHas(/shuffle_data\/.*\/\d+-\d+-\d+$/))
    run.child.kill(signal)
    const result = await run.result
    expect(result.status).toBe(status)
    expect(result.stdout).toBe('')
    expect(errorLine(result)).toBe(`stopped by ${signal}: nothing was written`)
    expectNothingLeft()
  })

  test('SIGINT while writing the output leaves nothing', async () => {
    const run = program.start(busy())
    await run.until(() =>
      readdirSync(program.directory.path, { recursive: true }).some((name) =>
        /part-00000$/.test(String(name)),
      ),
    )
    run.child.kill('SIGINT')
    expect((await run.result).status).toBe(130)
    expectNothingLeft()
  })

  test('the embedded cluster ends when the program is killed', async () => {
    const run = program.start(busy())
    await run.until(() => tmpHas(/shuffle_data\/.*\/\d+-\d+-\d+$/))
    run.child.kill('SIGKILL')
    await run.result
    await expect.poll(() => program.processes(), { timeout: 15_000 }).toEqual([])
    await expect.poll(() => program.leftovers(), { timeout: 15_000 }).toEqual([])
    expect(existsSync(program.directory.join('out'))).toBe(false)
  })

  test('an embedded cluster that dies is an error', async () => {
    const run = program.start(busy())
    await run.until(() => tmpHas(/shuffle_data\/.*\/\d+-\d+-\d+$/))
    const [cluster] = program.processes().filter((command) => command.includes('cluster-child'))
    process.kill(Number.parseInt(cluster ?? '', 10), 'SIGKILL')
    const result = await run.result
    expect(result.status).toBe(1)
    expect(errorLine(result)).toBe("error: the embedded cluster's process ended by SIGKILL; run again")
    expectNothingLeft()
  })
})
