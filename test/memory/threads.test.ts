import { Worker, type WorkerOptions } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nativeStats } from '../../src/memory'
import { ADDON, compileMemory, type Compiled, run } from './compiled'
import { collectUntil, turn } from './gc'

let compiled: Compiled
beforeAll(() => {
  compiled = compileMemory()
})
afterAll(() => compiled.remove())

interface End {
  readonly code: number
  readonly error: Error | undefined
  readonly messages: unknown[]
}

function worker(name: string, text: string, options: WorkerOptions = {}): Worker {
  const path = compiled.script(name, `const memory = require(${JSON.stringify(compiled.memory)})\n${text}`)
  return new Worker(path, { env: { ...process.env, CELEBORN_NODE_ADDON: ADDON }, execArgv: [], ...options })
}

function ended(thread: Worker): Promise<End> {
  return new Promise((resolve) => {
    let error: Error | undefined
    const messages: unknown[] = []
    thread.on('message', (message) => messages.push(message))
    thread.on('error', (e: Error) => (error = e))
    thread.on('exit', (code) => resolve({ code, error, messages }))
  })
}

async function balanced(before: { framesAlive: number; pooledBytes: number }): Promise<void> {
  await turn()
  const now = nativeStats()
  expect({ framesAlive: now.framesAlive, pooledBytes: now.pooledBytes }).toEqual({
    framesAlive: before.framesAlive,
    pooledBytes: before.pooledBytes,
  })
}

describe('worker threads', { timeout: 180_000 }, () => {
  it('have pools of their own, counted in the process', async () => {
    const before = nativeStats()
    const end = await ended(
      worker(
        'own.js',
        `const { parentPort } = require('node:worker_threads')
         const pool = new memory.FramePool()
         const frame = pool.acquire(65536)
         frame.bytes.fill(7)
         parentPort.postMessage([pool.stats().framesAlive, memory.nativeStats().framesAllocated, frame.bytes[65535]])
         frame.release()`,
      ),
    )
    expect(end).toMatchObject({ code: 0, error: undefined })
    expect(end.messages).toEqual([[1, before.framesAllocated + 1, 7]])
    await balanced(before)
  })

  it('a worker that closes nothing ends by itself, and its memory comes back (B10)', async () => {
    const before = nativeStats()
    const end = await ended(
      worker(
        'careless.js',
        `const pool = new memory.FramePool()
         globalThis.kept = [1, 2, 3].map(() => pool.acquire(1 << 20))
         pool.acquire(65536).release()
         const full = new memory.FramePool({ maxBytes: 65536 })
         globalThis.held = full.acquire(65536)
         full.acquireAsync(1)
         globalThis.lease = new memory.LeasePool({ maxBytes: 1 << 20, maxPooledBytes: 1 << 20 }).lease(10)`,
      ),
    )
    expect(end).toMatchObject({ code: 0, error: undefined })
    await balanced(before)
  })

  it('a worker that throws with frames alive reports its error and nothing else happens (B11)', async () => {
    const before = nativeStats()
    const end = await ended(
      worker(
        'thrower.js',
        `const pool = new memory.FramePool()
         globalThis.kept = [1, 2, 3].map(() => pool.acquire(65536))
         throw new Error('on purpose')`,
      ),
    )
    expect(end.error?.message).toBe('on purpose')
    expect(end.code).toBe(1)
    await balanced(before)
  })

  it('a worker that exits with frames alive keeps its code', async () => {
    const before = nativeStats()
    const end = await ended(
      worker('exiter.js', `globalThis.f = new memory.FramePool().acquire(65536); process.exit(7)`),
    )
    expect(end).toMatchObject({ code: 7, error: undefined })
    await balanced(before)
  })

  it.each([false, true])(
    'terminated with frames alive, it gives its memory back, copied: %s',
    async (copied) => {
      const before = nativeStats()
      for (let i = 0; i < 10; i++) {
        const thread = worker(
          'busy.js',
          `const { parentPort } = require('node:worker_threads')
         const pool = new memory.FramePool({ copied: ${String(copied)} })
         const frames = []
         parentPort.postMessage('ready')
         const work = () => {
           for (let i = 0; i < 50; i++) {
             if (frames.length < 20) frames.push(pool.acquire(65536))
             else frames.splice(0, 10).forEach((frame) => frame.release())
           }
           setImmediate(work)
         }
         work()`,
        )
        await new Promise((resolve) => thread.once('message', resolve))
        await thread.terminate()
      }
      await collectUntil(() => nativeStats().framesAlive === before.framesAlive, 'all frames are back')
      await balanced(before)
    },
  )

  it('churn side by side, each on its own memory (B08)', async () => {
    const before = nativeStats()
    const ends = await Promise.all(
      Array.from({ length: 4 }, (_, mark) =>
        ended(
          worker(
            `churn-${mark}.js`,
            `const pool = new memory.FramePool({ maxPooledBytes: 1 << 20 })
             const frames = []
             let wrong = 0
             for (let i = 0; i < 20000; i++) {
               const frame = pool.acquire(1 + (i * 7919) % 100000)
               frame.bytes.fill(${mark + 1}, 0, 16)
               frames.push(frame)
               if (frames.length > 16) {
                 const old = frames.splice((i * 31) % 16, 1)[0]
                 if (old.bytes[0] !== ${mark + 1}) wrong++
                 if (i % 5 !== 0) old.release() // the rest is left to the garbage collector
               }
             }
             require('node:worker_threads').parentPort.postMessage(wrong)`,
          ),
        ),
      ),
    )
    for (const end of ends) expect(end).toMatchObject({ code: 0, error: undefined, messages: [0] })
    await balanced(before)
  })

  it('terminations while the addon loads leave the process alive (fact 13)', async () => {
    const script = compiled.script(
      'terminations.js',
      `const { Worker, isMainThread, workerData } = require('node:worker_threads')
       if (!isMainThread) {
         const memory = require(${JSON.stringify(compiled.memory)})
         Atomics.store(workerData, 0, 1)
         globalThis.kept = [1, 2, 3].map(() => new memory.FramePool().acquire(65536))
         setInterval(() => {}, 1000)
       } else {
         // The addon is loaded by workers only, each time anew; they are ended at its first lines, or a little later.
         const main = async () => {
           for (let i = 0; i < 40; i++) {
             const flag = new Int32Array(new SharedArrayBuffer(4))
             const worker = new Worker(__filename, { workerData: flag })
             await new Promise((resolve) => worker.once('online', resolve))
             while (Atomics.load(flag, 0) === 0);
             const until = process.hrtime.bigint() + BigInt((i % 20) * 20_000)
             while (process.hrtime.bigint() < until);
             await worker.terminate()
           }
           console.log('alive')
         }
         main()
       }`,
    )
    expect(await run(script)).toEqual({ code: 0, signal: null, stdout: 'alive\n', stderr: '' })
  })
})
