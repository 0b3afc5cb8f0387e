import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { ScriptedLifecycle } from '../fault/scripted-lifecycle'
import { ScriptedWorker } from '../fault/scripted-worker'

const DIST = join(__dirname, '../../dist/index.js')

/** Longer than any process here may live: then it hangs. */
const HANG_MS = 200_000

/** Freed memory; a compressed block's checksum may hold one such byte. */
const POISON = Buffer.alloc(16, 0xee)

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** What threads.cjs reports. */
export interface Report {
  readonly codes: Record<string, number>
  readonly errors: Record<string, number>
  readonly messages: Record<string, number>
  readonly native: { readonly framesAlive: number; readonly bytesAlive: number; readonly pooledBytes: number }
  readonly framesAllocated: number
  /** After a quarter of the threads, and after all. */
  readonly samples: readonly {
    readonly descriptors: number
    readonly handles: number
    readonly rss: number
  }[]
  /** Between a thread's last word and its end. */
  readonly lingeredMs: number
}

/** Scripted workers and a LifecycleManager in the test's process; clients run in processes of their own. */
export class Scene {
  private constructor(
    readonly workers: readonly ScriptedWorker[],
    private readonly lifecycle: ScriptedLifecycle,
    private readonly address: { readonly host: string; readonly port: number },
  ) {}

  static async start(): Promise<Scene> {
    if (!existsSync(DIST)) throw new Error(`${DIST} is missing: run npm run build first`)
    const [one, two] = [await ScriptedWorker.start(), await ScriptedWorker.start()]
    const workers = [one, two]
    for (const worker of workers) {
      worker.keepsPushes = false
      // Threads that are ended leave messages unfinished, never broken ones.
      worker.onPush = (push) => {
        for (const { payload } of push.batches)
          if (Buffer.from(payload.buffer, payload.byteOffset, payload.length).includes(POISON))
            throw new Error('freed memory was sent')
        push.ack()
      }
    }
    const lifecycle = new ScriptedLifecycle((id) => (id % 2 === 0 ? one : two))
    return new Scene(workers, lifecycle, await lifecycle.start())
  }

  async close(): Promise<void> {
    await this.lifecycle.close()
    await Promise.all(this.workers.map((worker) => worker.close()))
  }

  /** Runs client.cjs in a process of its own. */
  client(init: { ends: string; code?: number; afterMs?: number; codec?: string }): Promise<Ended> {
    return run('client.cjs', { lifecycle: this.address, ...init })
  }

  /** Runs threads.cjs: that many threads come to that end. */
  async threads(kind: string, count: number, seed: number): Promise<{ ended: Ended; report: Report }> {
    const ended = await run('threads.cjs', { lifecycle: this.address, kind, count, seed })
    if (ended.code !== 0) throw new Error(`seed ${seed}: ${JSON.stringify(ended)}`)
    return { ended, report: JSON.parse(ended.stdout) as Report }
  }
}

/** A scene for the tests of one file. */
export function scene(): () => Scene {
  let one: Scene | undefined
  beforeAll(async () => {
    one = await Scene.start()
  })
  afterAll(() => one?.close())
  return () => {
    if (one === undefined) throw new Error('not started')
    return one
  }
}

function run(script: string, init: unknown): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const args = ['--expose-gc', join(__dirname, script), JSON.stringify(init)]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NODE_OPTIONS: '', CELEBORN_NODE_POISON: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HANG_MS,
      killSignal: 'SIGABRT',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}
