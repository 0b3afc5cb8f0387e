import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDON, compileMemory, type Compiled, run } from './compiled'

let compiled: Compiled
beforeAll(() => {
  compiled = compileMemory()
})
afterAll(() => compiled.remove())

const script = (name: string, text: string): string =>
  compiled.script(name, `const memory = require(${JSON.stringify(compiled.memory)})\n${text}`)

/** Frames in every state, leases, waiters, free memory, and finalizers that are still to come. */
const BUSY = `
  const pool = new memory.FramePool()
  const frames = Array.from({ length: 8 }, () => pool.acquire(65536))
  frames.slice(0, 2).forEach((frame) => frame.release())
  memory.pend(frames[2])
  memory.take(frames[3])
  memory.take(frames[4]); memory.giveBack(frames[4])
  globalThis.kept = frames
  for (let i = 0; i < 50; i++) pool.acquire(70000) // dropped
  const full = new memory.FramePool({ maxBytes: 65536 })
  globalThis.held = full.acquire(65536)
  full.acquireAsync(65536).catch(() => {})
  const leases = new memory.LeasePool({ maxBytes: 1 << 20, maxPooledBytes: 1 << 20 })
  leases.lease(1000).release()
  globalThis.lease = leases.lease(100)
`

// Each starts processes of its own, which a busy machine takes its time for.
describe('a process that ends with frames alive (B06, B07)', { timeout: 180_000 }, () => {
  it('exits naturally with 0 and nothing on stderr, 20 times', async () => {
    const path = script('natural.js', `${BUSY}\nif (process.argv[2] % 2) gc()`)
    for (let i = 0; i < 10; i++) {
      const [a, b] = await Promise.all(
        [0, 1].map((odd) => run(path, { args: [String(odd)], flags: ['--expose-gc'] })),
      )
      expect(a).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
      expect(b).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
    }
  })

  it.each([0, 3])('keeps the code of process.exit(%i)', async (code) => {
    const path = script('exit.js', `${BUSY}\nprocess.exit(${code})`)
    expect(await run(path)).toEqual({ code, signal: null, stdout: '', stderr: '' })
  })

  it('keeps the code of process.exit in a later turn, with finalizers queued', async () => {
    const path = script('later.js', `${BUSY}\nsetImmediate(() => { gc(); process.exit(5) })`)
    const end = await run(path, { flags: ['--expose-gc', '--no-warnings'] })
    expect(end).toEqual({ code: 5, signal: null, stdout: '', stderr: '' })
  })

  it('an uncaught exception ends it with 1 and its own message only', async () => {
    const path = script('uncaught.js', `${BUSY}\nthrow new Error('on purpose')`)
    const end = await run(path)
    expect([end.code, end.signal]).toEqual([1, null])
    expect(end.stderr).toContain('on purpose')
    expect(end.stderr).not.toMatch(/FATAL|native|addon/i)
  })

  it('in copied mode, too, and it says so once', async () => {
    const path = script('copied.js', BUSY)
    const end = await run(path, { env: { CELEBORN_NODE_NO_EXTERNAL_BUFFERS: '1' } })
    expect([end.code, end.signal]).toEqual([0, null])
    expect(end.stderr.match(/CELEBORN_COPIED_FRAMES/g)).toHaveLength(1)
  })

  it('with the debug modes of the environment on', async () => {
    const path = script(
      'debug.js',
      `${BUSY}
       const again = pool.acquire(65536)
       if (again.bytes[0] !== 0xee) throw new Error('not poisoned')`,
    )
    const end = await run(path, { env: { CELEBORN_NODE_POISON: '1', CELEBORN_NODE_TRACE_FRAMES: '1' } })
    expect(end).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  })
})

describe('memory of a process', { timeout: 60_000 }, () => {
  it('hardly grows over 100,000 frames in one turn (B02): what waits are small records, not frames', async () => {
    const path = script(
      'loop.js',
      `const pool = new memory.FramePool()
       const before = process.memoryUsage().rss
       for (let i = 0; i < 100_000; i++) {
         const frame = pool.acquire(65536)
         frame.bytes[0] = i
         frame.release()
       }
       console.log(process.memoryUsage().rss - before)`,
    )
    const { code, stdout } = await run(path)
    expect(code).toBe(0)
    // AddressSanitizer keeps what is freed for a while.
    const limit = process.env['LD_PRELOAD']?.includes('asan') === true ? 500 : 50
    expect(Number(stdout)).toBeLessThan(limit * 1e6)
  })
})

describe('the addon that cannot be loaded', { timeout: 60_000 }, () => {
  const load = `try { new memory.FramePool() } catch (e) { console.log(e.code + '|' + e.message + '|' + (e.cause !== undefined)) }`

  it('is missing: the error names the cause and the command that repairs it', async () => {
    // An installed package without its build; one that lies further up belongs to somebody else.
    mkdirSync(join(compiled.dir, 'outer/build/Release'), { recursive: true })
    copyFileSync(ADDON, join(compiled.dir, 'outer/build/Release/celeborn_native.node'))
    const root = join(compiled.dir, 'outer/node_modules/celeborn-node')
    for (const folder of ['errors', 'memory']) {
      cpSync(join(compiled.dir, folder), join(root, 'dist', folder), { recursive: true })
    }
    writeFileSync(join(root, 'binding.gyp'), '{}')
    const path = compiled.script(
      'missing.js',
      `const memory = require(${JSON.stringify(join(root, 'dist/memory/index.js'))})\n${load}`,
    )
    const end = await run(path, { env: { CELEBORN_NODE_ADDON: undefined } })
    expect(end.stdout).toMatch(
      /^CELEBORN_NATIVE_UNAVAILABLE\|.*celeborn_native\.node is missing.*npm rebuild celeborn-node.*\|false\n$/,
    )
    // With its build it is found, from any folder below the root.
    mkdirSync(join(root, 'build/Release'), { recursive: true })
    copyFileSync(ADDON, join(root, 'build/Release/celeborn_native.node'))
    expect(await run(path, { env: { CELEBORN_NODE_ADDON: undefined } })).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    })
  })

  it('is broken: the error says what the system said', async () => {
    const broken = compiled.script('broken.node', 'no library')
    const end = await run(script('broken.js', load), { env: { CELEBORN_NODE_ADDON: broken } })
    expect(end.stdout).toMatch(
      /^CELEBORN_NATIVE_UNAVAILABLE\|.*broken\.node could not be loaded: .+npm rebuild.*\|true\n$/,
    )
  })
})
