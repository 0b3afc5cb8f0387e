import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CelebornError } from '../../errors'
import { atExit } from '../last-moments'
import { systemReason } from '../../errors/system-reason'
import { type FromCluster, type ToCluster } from './messages'

const STOP_DEADLINE_MS = 10_000

export interface ClusterProcessOptions {
  readonly workers: number
  readonly conf: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * The embedded cluster in a process of its own, so that the client's memory and CPU are the client's alone. It ends
 * with this process, however that ends: losing the channel to us stops it. It runs in a session of its own, so
 * that a Ctrl-C in the terminal reaches only us and its files can be removed in order.
 */
export class ClusterProcess {
  readonly masterEndpoint: string
  /** Rejects if the process ends before {@link stop}. */
  readonly failure: Promise<never>
  readonly #child: ChildProcess
  readonly #dir: string
  readonly #exited: Promise<void>
  readonly #forget: () => void
  #stopping = false

  private constructor(child: ChildProcess, dir: string, masterEndpoint: string, lastWords: () => string) {
    this.#child = child
    this.#dir = dir
    this.masterEndpoint = masterEndpoint
    this.#forget = atExit(() => this.kill())
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()))
    this.failure = new Promise((_, reject) => {
      child.once('exit', (code, signal) => {
        if (!this.#stopping) reject(ended(code, signal, lastWords()))
      })
    })
    this.failure.catch(() => undefined)
  }

  static async start(options: ClusterProcessOptions): Promise<ClusterProcess> {
    const dir = temporaryDirectory()
    const child = fork(join(__dirname, 'cluster-child.js'), [dir], {
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const forget = atExit(() => destroy(child, dir))
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-4096)
    })
    try {
      const endpoint = await new Promise<string>((resolve, reject) => {
        const onAbort = (): void => reject(options.signal.reason as Error)
        options.signal.addEventListener('abort', onAbort, { once: true })
        if (options.signal.aborted) onAbort()
        child.once('error', reject)
        child.once('exit', (code, signal) => reject(ended(code, signal, stderr)))
        child.on('message', (message) => {
          options.signal.removeEventListener('abort', onAbort)
          const answer = message as FromCluster
          if (answer.kind === 'started') resolve(answer.masterEndpoint)
          else
            reject(new CelebornError('CELEBORN_IO', `cannot start the embedded cluster: ${answer.message}`))
        })
        send(child, { kind: 'start', workers: options.workers, conf: options.conf })
      })
      return new ClusterProcess(child, dir, endpoint, () => stderr)
    } catch (error) {
      destroy(child, dir)
      throw error
    } finally {
      forget()
    }
  }

  /** Stops the cluster, in order if it can. Its files are gone afterwards in any case. */
  async stop(): Promise<void> {
    this.#stopping = true
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_DEADLINE_MS)
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      send(this.#child, { kind: 'stop' })
      await this.#exited
    }
    clearTimeout(timer)
    this.#forget()
    remove(this.#dir)
  }

  /** Ends the cluster at once. Synchronous. */
  kill(): void {
    this.#stopping = true
    this.#forget()
    destroy(this.#child, this.#dir)
  }
}

function temporaryDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'celeborn-node-'))
  } catch (error) {
    throw new CelebornError(
      'CELEBORN_IO',
      `cannot make a directory for the embedded cluster in ${tmpdir()}: ${systemReason(error)}; ` +
        'set TMPDIR to one that can be written to',
      { path: tmpdir() },
      error,
    )
  }
}

function send(child: ChildProcess, message: ToCluster): void {
  // A child that is gone is reported by its exit.
  if (child.connected) child.send(message, () => undefined)
}

function destroy(child: ChildProcess, dir: string): void {
  child.kill('SIGKILL')
  remove(dir)
}

function remove(dir: string): void {
  // A process that was killed a moment ago may still be creating a file.
  rmSync(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
}

function ended(code: number | null, signal: NodeJS.Signals | null, stderr: string): CelebornError {
  const how = signal === null ? `with status ${code ?? 'unknown'}` : `by ${signal}`
  const lines = stderr.trim().split('\n')
  const words = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? ''
  return new CelebornError(
    'CELEBORN_CONNECTION_LOST',
    `the embedded cluster's process ended ${how}${words === '' ? '' : `: ${words.trim()}`}; run again`,
  )
}
