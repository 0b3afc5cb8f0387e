import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { errorLine, ProgramTest } from './program'

let program: ProgramTest
beforeAll(() => {
  program = new ProgramTest()
  program.directory.file('in', 'a\nb\n')
})
afterAll(() => program.remove())

test('--help of the program and of each command shows its options and an example', async () => {
  const [top, shuffle, cluster] = await Promise.all([
    program.run(['--help']),
    program.run(['shuffle', '--help']),
    program.run(['cluster', '--help']),
  ])
  for (const result of [top, shuffle, cluster]) expect(result).toMatchObject({ status: 0, stderr: '' })
  expect(top.stdout).toMatch(/shuffle .*\n(.*\n)* +cluster /)
  const options = [
    '--key',
    '--partitions',
    '--tasks',
    '--master',
    '--out',
    '--max-in-flight',
    '--conf',
    '--json',
  ]
  for (const option of options) expect(shuffle.stdout).toContain(option)
  expect(shuffle.stdout).toContain('celeborn-node shuffle access.log --key line --partitions 8 --out by-line')
  for (const option of ['--workers', '--dir', '--host', '--port']) expect(cluster.stdout).toContain(option)
})

test('--version', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
  expect(await program.run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
})

const job = ['shuffle', 'in', '--key', 'line', '--partitions', '2']

test.each([
  [['shufle'], /unknown command 'shufle' .*; celeborn-node --help shows what is known/],
  [['shuffle', 'in', '--partitions', '2'], /required option '--key <KEY>' not specified/],
  [['shuffle', 'in', '--key', 'line'], /required option '--partitions <N>' not specified/],
  [['shuffle', '--key', 'line', '--partitions', '2'], /no input: name the files/],
  [['shuffle', 'in', '--key', 'csv:0', '--partitions', '2'], /--key "csv:0" is not known: use line, csv:N/],
  [['shuffle', 'in', '--key', 'json:', '--partitions', '2'], /--key "json:" is not known/],
  [['shuffle', 'in', '--key', 'line', '--partitions', '0'], /--partitions "0" is not accepted/],
  [['shuffle', 'in', '--key', 'line', '--partitions', '1e3'], /--partitions "1e3" is not accepted/],
  [[...job, '--tasks', '-1'], /--tasks "-1" is not accepted/],
  [[...job, '--header'], /--header only goes with --key csv:N/],
  [[...job, '--max-in-flight', '32q'], /--max-in-flight "32q" is not accepted: .* 64k or more/],
  [[...job, '--max-in-flight', '1'], /--max-in-flight "1" is not accepted/],
  [[...job, '--master', 'host'], /--master "host" is not accepted: it must be HOST:PORT/],
  [[...job, '--conf', 'celeborn.x'], /--conf "celeborn.x" is not accepted: it must be KEY=VALUE/],
  [[...job, '--conf', 'x=1'], /"x" is no configuration key/],
  [
    [...job, '--conf', 'celeborn.client.push.timeout=soon'],
    /celeborn.client.push.timeout = "soon" .* a duration/,
  ],
  [[...job, '--colour'], /unknown option '--colour'; celeborn-node shuffle --help shows what is known/],
  [
    ['shuffle', '--files-from', '/dev/null', '--key', 'line', '--partitions', '2'],
    /no input: \/dev\/null names no file/,
  ],
  [['cluster', '--workers', '0'], /--workers "0" is not accepted/],
  [['cluster', '--port', '70000'], /--port "70000" is not accepted/],
])('%j is refused in one line with status 2', async (args, message) => {
  const result = await program.run(args)
  expect(result.stdout).toBe('')
  expect(errorLine(result)).toMatch(/^error: /)
  expect(errorLine(result)).toMatch(message)
  expect(result.status).toBe(2)
})

test('a summary that cannot be written is said', async () => {
  const full = openSync('/dev/full', 'w')
  try {
    const result = await program.run(job, { stdout: full })
    expect(result.status).toBe(1)
    expect(errorLine(result)).toBe('error: cannot write the summary: no space left on device')
  } finally {
    closeSync(full)
  }
})

test('a celeborn key that nobody knows is a warning', async () => {
  const result = await program.run([...job, '--conf', 'celeborn.client.push.timeoot=1s'])
  expect(result.status).toBe(0)
  expect(errorLine(result)).toMatch(/^warning: celeborn.client.push.timeoot means nothing/)
})

describe('cluster', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its endpoint, serves, and ends cleanly with %s',
    async (signal) => {
      const cluster = program.start(['cluster', '--workers', '3', '--port', '0', '--dir', 'data'])
      await cluster.until(() => cluster.stdout.includes('\n'))
      expect(cluster.stdout).toMatch(/^127\.0\.0\.1:\d+\n$/)
      const master = ['--master', cluster.stdout.trim()]
      expect((await program.run([...job, ...master])).status).toBe(0)
      cluster.child.kill(signal)
      expect(await cluster.result).toMatchObject({ status: 0 })
      expect(program.leftovers()).toEqual([])
      expect(program.processes()).toEqual([])
    },
  )

  test('listens where it is told, and tells clients so; an address that they cannot connect to is refused', async () => {
    const cluster = program.start(['cluster', '--workers', '1', '--host', 'localhost', '--port', '0'])
    await cluster.until(() => cluster.stdout.includes('\n'))
    expect(cluster.stdout).toMatch(/^localhost:\d+\n$/)
    expect((await program.run([...job, '--master', cluster.stdout.trim()])).status).toBe(0)
    cluster.child.kill('SIGTERM')
    expect(await cluster.result).toMatchObject({ status: 0 })
    const anywhere = await program.run(['cluster', '--host', '0.0.0.0'])
    expect(anywhere.status).toBe(2)
    expect(errorLine(anywhere)).toMatch(/^error: host = 0\.0\.0\.0: an address that clients can connect to/)
  })

  test('a port that is taken is an error', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const result = await program.run(['cluster', '--port', String(port)])
    expect(result.status).toBe(1)
    expect(errorLine(result)).toMatch(/^error: .*EADDRINUSE/)
    server.close()
  })
})
