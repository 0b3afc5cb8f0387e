import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { CelebornError } from '../../src/errors'
import { atExit } from '../../src/cli/last-moments'
import { type Answer, type Question } from './child'

/** How long a process may take to end in order. */
const STOP_DEADLINE_MS = 10_000

/** A process of this benchmark, of whatever kind: it does not outlive us, and its end is an error unless we ask for it. */
class Child {
  readonly process: ChildProcess
  readonly #name: string
  readonly #forget: () => void
  /** Rejects when the process ends before {@link stop}. */
  readonly failure: Promise<never>
  #stderr = ''
  #stopping = false

  constructor(name: string, child: ChildProcess) {
    this.#name = name
    this.process = child
    this.#forget = atExit(() => child.kill('SIGKILL'))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4096)
    })
    this.failure = new Promise((_, reject) => {
      child.once('error', reject)
      // 'close', not 'exit': its last words have been read by then.
      child.once('close', (code, signal) => {
        if (!this.#stopping) reject(this.#ended(signal ?? `status ${code ?? 'unknown'}`))
      })
    })
    this.failure.catch(() => undefined)
    child.once('exit', () => this.#forget())
  }

  async stop(tell: () => void): Promise<void> {
    this.#stopping = true
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_DEADLINE_MS)
      // Not 'close', which a process whose channel we closed ourselves never emits.
      const exited = once(this.process, 'exit')
      tell()
      await exited
      clearTimeout(timer)
    }
  }

  #ended(how: string): CelebornError {
    const lines = this.#stderr.trim().split('\n')
    const words = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? ''
    return new CelebornError(
      'CELEBORN_IO',
      `${this.#name} ended (${how})${words === '' ? '' : `: ${words.trim()}`}`,
    )
  }
}

/** A module of ours in a process of its own, which answers questions ({@link import('./child').serve}). */
export class NodeProcess {
  readonly #child: Child
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #nextId = 1

  /**
   * @param module path of the compiled module
   * @param execArgv options of Node for it
   */
  constructor(name: string, module: string, execArgv: readonly string[] = []) {
    const child = fork(module, [], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = new Child(name, child)
    child.on('message', (message) => {
      const answer = message as Answer
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  get failure(): Promise<never> {
    return this.#child.failure
  }

  /** @throws CelebornError with what the process says is wrong, or when it ends instead of answering */
  async ask<T>(question: unknown): Promise<T> {
    const id = this.#nextId++
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve))
    const message: Question = { id, question }
    this.#child.process.send(message, () => undefined)
    const answer = await Promise.race([answered, this.failure])
    if (answer.failed !== undefined) throw new CelebornError('CELEBORN_IO', answer.failed)
    return answer.value as T
  }

  async stop(): Promise<void> {
    await this.#child.stop(() => this.#child.process.disconnect())
  }
}

/** Asks a fresh process one question, and ends it. An abort of `signal` ends it, too, which fails the question. */
export async function askFreshProcess<T>(
  name: string,
  module: string,
  question: unknown,
  { signal, execArgv = [] }: { readonly signal: AbortSignal; readonly execArgv?: readonly string[] },
): Promise<T> {
  signal.throwIfAborted()
  const child = new NodeProcess(name, module, execArgv)
  const stop = (): void => void child.stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await child.ask<T>(question)
  } finally {
    signal.removeEventListener('abort', stop)
    await child.stop()
  }
}

/** A program that answers lines with lines, and ends when its input does. */
export class LineProgram {
  readonly #child: Child
  readonly #lines: Interface

  constructor(name: string, path: string, args: readonly string[] = []) {
    const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = new Child(name, child)
    this.#lines = createInterface({ input: child.stdout })
    child.stdin.on('error', () => undefined)
  }

  get failure(): Promise<never> {
    return this.#child.failure
  }

  /** Its next line. */
  async line(): Promise<string> {
    const [line] = (await Promise.race([once(this.#lines, 'line'), this.failure])) as [string]
    return line
  }

  async ask(question = ''): Promise<string> {
    const answer = this.line()
    this.#child.process.stdin?.write(`${question}\n`)
    return answer
  }

  async stop(): Promise<void> {
    await this.#child.stop(() => this.#child.process.stdin?.end())
  }
}

/** How {@link output} runs a program. */
export interface OutputOptions {
  readonly cwd?: string
  /** Added to this process's own. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends the program, which fails it. */
  readonly signal?: AbortSignal
}

/** Runs a program to its end; what it printed. @throws CelebornError with what it says is wrong */
export async function output(
  name: string,
  path: string,
  args: readonly string[],
  { cwd, env, signal }: OutputOptions = {},
): Promise<string> {
  signal?.throwIfAborted()
  const child = spawn(path, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const watched = new Child(name, child)
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  try {
    const [code] = (await Promise.race([once(child, 'close'), once(child, 'error')])) as [unknown]
    return code === 0 ? text : await watched.failure
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
