import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type Row } from '../../bench/lib/rows'
import { DIST } from './build'

export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** What the run left in its temporary folder. */
  readonly left: string[]
  readonly rows: readonly Row[]
}

/** Folders that go with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the program as `npm run bench` does, with a temporary folder of its own. */
export async function runBench(
  args: readonly string[],
  how: {
    readonly env?: Readonly<Record<string, string>>
    /** Asked again and again what is in the temporary folder; true is a Ctrl-C. */
    readonly interruptWhen?: ((left: string[]) => boolean) | undefined
  } = {},
): Promise<Run> {
  const dir = temporaryFolder()
  const work = temporaryFolder()
  const file = join(dir, 'rows.json')
  const json = args.length > 1 && !args.includes('--json') && !args.includes('--help') ? ['--json', file] : []
  const child = spawn(process.execPath, [resolve(DIST, 'bench/main.js'), ...args, ...json], {
    env: { ...process.env, ...how.env, TMPDIR: work },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const looking = setInterval(() => {
    if (how.interruptWhen?.(readdirSync(work)) === true) child.kill('SIGINT')
  }, 20)
  const closed = new Promise<number | null>((done) => child.once('close', done))
  void closed.then(() => clearInterval(looking))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  const rows = readdirSync(dir).includes('rows.json')
    ? (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows
    : []
  return { status, stdout, stderr, left: readdirSync(work), rows }
}
