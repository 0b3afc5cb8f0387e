import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { linesOf, TestDirectory } from './records'

const MAIN = join(__dirname, '../../dist/cli/main.js')

export interface Result {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly fileSizeLimitKiB?: number
  readonly openFileLimit?: number
  /** A descriptor in place of the pipe. */
  readonly stdout?: number
  /** Given on standard input. */
  readonly input?: string
}

export class RunningProgram {
  readonly result: Promise<Result>
  stdout = ''
  stderr = ''

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    this.result = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (status) => resolve({ status, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  /** Waits until `condition` holds; fails if the program ends before. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`the program ended too early: ${this.stdout}${this.stderr}`)
      }
      await sleep(5)
    }
  }
}

/** Runs the compiled program with a directory of its own for temporary files, so that whatever stays behind shows. */
export class ProgramTest {
  readonly directory = new TestDirectory()
  readonly tmp = this.directory.join('tmp')
  readonly #running = new Set<RunningProgram>()

  constructor() {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build first`)
    mkdirSync(this.tmp)
  }

  start(args: readonly string[], options: RunOptions = {}): RunningProgram {
    const command = [process.execPath, MAIN, ...args]
    const { fileSizeLimitKiB, openFileLimit } = options
    const limits = [
      ...(fileSizeLimitKiB === undefined ? [] : [`ulimit -f ${fileSizeLimitKiB} && `]),
      ...(openFileLimit === undefined ? [] : [`ulimit -n ${openFileLimit} && `]),
    ]
    const argv =
      limits.length === 0 ? command : ['bash', '-c', `${limits.join('')}exec "$@"`, 'bash', ...command]
    const env: NodeJS.ProcessEnv = { ...process.env, TMPDIR: this.tmp }
    delete env['NODE_OPTIONS']
    const child = spawn(argv[0] ?? '', argv.slice(1), {
      env,
      cwd: this.directory.path,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', options.stdout ?? 'pipe', 'pipe'],
    })
    child.stdin?.end(options.input)
    const program = new RunningProgram(child)
    this.#running.add(program)
    return program
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<Result> {
    return this.start(args, options).result
  }

  /** Names in the directory for temporary files. */
  leftovers(): string[] {
    return readdirSync(this.tmp)
  }

  /** Command lines of processes that have to do with this test's directory. */
  processes(): string[] {
    return execFileSync('ps', ['-eo', 'pid,stat,args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(this.directory.path) && !/^\s*\d+ Z/.test(line))
  }

  async remove(): Promise<void> {
    for (const program of this.#running) {
      program.child.kill('SIGKILL')
      await program.result
    }
    this.directory.remove()
  }
}

/** Records of every part file, in the order of the parts. */
export function readParts(out: string): string[][] {
  return readdirSync(out)
    .sort()
    .map((name) => linesOf(readFileSync(join(out, name))))
}

/** The one line of an error, checked to be one. */
export function errorLine(result: Result): string {
  const lines = result.stderr.split('\n')
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line: ${JSON.stringify(result)}`)
  return lines[0] ?? ''
}
