/** The example of three processes, run as somebody who has just cloned the repository would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { eventually } from '../lifecycle/driver'

const root = join(__dirname, '..', '..')
/** So much text that the example is still at it when the test does something to it. */
const ENDLESS = ['--lines', '1000000000']

let temporary = ''
let cluster: EmbeddedCluster | undefined
const groups = new Set<number>()

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'celeborn-node-test-'))
})
afterEach(async () => {
  for (const group of groups) killGroup(group)
  groups.clear()
  await cluster?.stop()
  cluster = undefined
  rmSync(temporary, { recursive: true })
})

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // All of its processes have ended.
  }
}

class Run {
  readonly child: ChildProcess
  output = ''
  errors = ''

  /** `npm run example -- ...args`, in a process group of its own, as a terminal would have it. */
  constructor(...args: string[]) {
    const env = { ...process.env, TMPDIR: temporary, NODE_OPTIONS: '' }
    this.child = spawn('npm', ['run', '--silent', 'example', '--', ...args], {
      cwd: root,
      env,
      detached: true,
    })
    this.child.stdout?.on('data', (data: Buffer) => (this.output += data.toString()))
    this.child.stderr?.on('data', (data: Buffer) => (this.errors += data.toString()))
    groups.add(this.group)
  }

  get group(): number {
    return this.child.pid ?? 0
  }

  async end(): Promise<number | null> {
    const [status] = (await once(this.child, 'close')) as [number | null]
    return status
  }

  /** The process ids of driver and executors, once they are known and at work. */
  async processes(): Promise<Record<'driver' | 'executor 0' | 'executor 1', number>> {
    await eventually(() => this.output + this.errors).toMatch(/executor 1: process \d+/)
    const pid = (name: string): number =>
      Number(new RegExp(`^${name}: +process (\\d+)`, 'm').exec(this.output)?.[1])
    return { driver: pid('driver'), 'executor 0': pid('executor 0'), 'executor 1': pid('executor 1') }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Nothing of it is left: no process, no file. */
async function expectNothingLeft(pids: Record<string, number>): Promise<void> {
  await eventually(() => Object.entries(pids).filter(([, pid]) => isAlive(pid))).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
}

describe('npm run example', { timeout: 90_000 }, () => {
  it('counts words in three processes over an embedded cluster, and leaves nothing behind', async () => {
    const run = new Run()
    const status = await run.end()
    expect(run.errors).toBe('')
    expect(status).toBe(0)
    expect(run.output).toMatch(/^cluster: +127\.0\.0\.1:\d+, embedded, 2 workers$/m)
    for (const n of [0, 1]) {
      expect(run.output).toContain(`map:        executor ${n} pushed 200000 words\n`)
      expect(run.output).toMatch(new RegExp(`reduce: +executor ${n} counted \\d+ words`))
    }
    expect(run.output).toContain('verified:   400000 words counted, as many as were written\n')
    const pids = await run.processes()
    expect(new Set(Object.values(pids)).size).toBe(3)
    await expectNothingLeft(pids)
  })

  it('uses the cluster that --master names', async () => {
    cluster = await EmbeddedCluster.start({
      workers: 1,
      conf: new CelebornConf({ 'celeborn.node.embedded.heartbeatInterval': '20ms' }),
    })
    const run = new Run('--master', cluster.masterEndpoint, '--lines', '100')
    expect(await run.end()).toBe(0)
    expect(run.output).toContain(`cluster:    ${cluster.masterEndpoint}\n`)
    expect(run.output).toContain('verified:   2000 words counted')
    // The application has told the cluster that it ended: its files go.
    await eventually(() => cluster?.stats().master).toMatchObject({ applications: 0, shuffles: 0 })
    await eventually(() => cluster?.stats().workers[0]?.files).toBe(0)
  })

  it('ends everything at Ctrl-C', async () => {
    const run = new Run(...ENDLESS)
    const pids = await run.processes()
    process.kill(-run.group, 'SIGINT')
    await once(run.child, 'close')
    expect(run.errors).toBe('interrupted\n')
    expect(run.output).not.toContain('verified')
    await expectNothingLeft(pids)
  })

  it('fails with the name of an executor that dies, and ends the others', async () => {
    const run = new Run(...ENDLESS)
    const pids = await run.processes()
    process.kill(pids['executor 1'], 'SIGKILL')
    expect(await run.end()).toBe(1)
    expect(run.errors).toBe(`failed: executor 1 (process ${pids['executor 1']}) died: SIGKILL\n`)
    await expectNothingLeft(pids)
  })

  it('leaves no executor behind when its driver dies', async () => {
    const run = new Run(...ENDLESS)
    const pids = await run.processes()
    process.kill(pids.driver, 'SIGKILL')
    await eventually(() => Object.entries(pids).filter(([, pid]) => isAlive(pid))).toEqual([])
  })

  it('says what is wrong with a master that is not there, and with its arguments', async () => {
    const nobody = new Run('--master', '127.0.0.1:1')
    expect(await nobody.end()).toBe(1)
    expect(nobody.errors).toMatch(
      /^failed: master request .* 127\.0\.0\.1:1: .*; check celeborn\.master\.endpoints/,
    )
    const wrong = new Run('--lines', 'many')
    expect(await wrong.end()).toBe(1)
    expect(wrong.errors).toBe('failed: --lines many is no number of lines\n')
  })
})
