import { afterEach, describe, expect, it } from 'vitest'
import {
  AbortedError,
  type CelebornError,
  ClosedError,
  ConfigError,
  PoolExhaustedError,
} from '../../src/errors'
import { FramePool, type FramePoolOptions } from '../../src/memory'
import { native } from '../../src/memory/native'

const KIB = 1024
const MIB = 1024 * KIB

const pools: FramePool[] = []
function pool(options?: FramePoolOptions): FramePool {
  const made = new FramePool(options)
  pools.push(made)
  return made
}

afterEach(() => {
  for (const each of pools.splice(0)) {
    // Whatever a test does, its accounts balance.
    expect(each.stats()).toMatchObject({ framesAlive: 0, bytesAlive: 0, waiting: 0 })
    each.close()
    expect(each.stats().pooledBytes).toBe(0)
  }
})

// Both kinds of memory must behave alike (B01).
describe.each([{ copied: false }, { copied: true }])('FramePool, copied: $copied', ({ copied }) => {
  it('gives frames of the size asked for, whole pages behind them', () => {
    const p = pool({ copied })
    expect(p.zeroCopy).toBe(!copied)
    const frame = p.acquire(100)
    expect([frame.capacity, frame.length, frame.bytes.byteLength, frame.state]).toEqual([
      100,
      100,
      100,
      'writer',
    ])
    expect(p.stats()).toMatchObject({
      framesAlive: 1,
      bytesAlive: 4096,
      framesAllocated: 1,
      peakBytesAlive: 4096,
    })
    frame.release()
    expect(p.stats()).toMatchObject({ framesAlive: 0, bytesAlive: 0, peakFramesAlive: 1 })
  })

  it('counts alike whatever the memory is', () => {
    const p = pool({ copied })
    const frames = [1, 5000, 64 * KIB, 70 * KIB, MIB].map((size) => p.acquire(size))
    expect(p.stats().bytesAlive).toBe(4096 + 8192 + 64 * KIB + 80 * KIB + MIB)
    for (const frame of frames) frame.release()
  })

  it('gives an empty frame for size 0', () => {
    const p = pool({ copied })
    const frame = p.acquire(0)
    expect(frame.length).toBe(0)
    expect(frame.bytes.byteLength).toBe(0)
    frame.trim(0)
    frame.release()
  })

  it.each([-1, NaN, 2 ** 40, 0.5, Infinity, -0.1, 2 ** 31, 2 ** 53])(
    'refuses size %s (B15)',
    async (size) => {
      const p = pool({ copied })
      expect(() => p.acquire(size)).toThrow(ConfigError)
      expect(() => p.acquire(size)).toThrow(String(size))
      await expect(p.acquireAsync(size)).rejects.toThrow(ConfigError)
    },
  )

  it('refuses what is no number', () => {
    const p = pool({ copied })
    for (const size of ['64', undefined, null, {}, 5n] as unknown as number[]) {
      expect(() => p.acquire(size)).toThrow(ConfigError)
    }
  })

  it('throws a typed error at its cap and names it', () => {
    const p = pool({ copied, maxBytes: 256 * KIB, name: 'writers' })
    const frames = [1, 2, 3, 4].map(() => p.acquire(64 * KIB))
    expect(() => p.acquire(1)).toThrow(PoolExhaustedError)
    expect(() => p.acquire(1)).toThrow(/'writers'.*262144 of 262144 bytes.*4 frames/)
    frames.pop()?.release()
    frames.push(p.acquire(64 * KIB))
    expect(() => p.acquire(1)).toThrow(PoolExhaustedError)
    for (const frame of frames) frame.release()
  })

  it('tells a size that can never be had from a full pool', () => {
    const p = pool({ copied, maxBytes: 100 * KIB })
    expect(() => p.acquire(101 * KIB)).toThrow(ConfigError)
    p.acquire(100 * KIB).release() // its class would be 112 KiB: the rounding does not count against it
  })

  it('serves waiters in order, and nobody overtakes them', async () => {
    const p = pool({ copied, maxBytes: 128 * KIB })
    const first = p.acquire(64 * KIB)
    const second = p.acquire(64 * KIB)
    const order: string[] = []
    const large = p.acquireAsync(128 * KIB).then((frame) => (order.push('large'), frame))
    const small = p.acquireAsync(4 * KIB).then((frame) => (order.push('small'), frame))
    expect(p.stats().waiting).toBe(2)
    first.release()
    // There is room for the small one, and for a synchronous caller; the large one stands in front.
    expect(() => p.acquire(4 * KIB)).toThrow(PoolExhaustedError)
    expect(p.stats().waiting).toBe(2)
    second.release()
    ;(await large).release()
    ;(await small).release()
    expect(order).toEqual(['large', 'small'])
  })

  it('serves several waiters with one release', async () => {
    const p = pool({ copied, maxBytes: 64 * KIB })
    const all = p.acquire(64 * KIB)
    const waiting = [1, 2, 3].map(() => p.acquireAsync(16 * KIB))
    all.release()
    for (const frame of await Promise.all(waiting)) frame.release()
  })

  it('acquireAsync does not wait when there is room', async () => {
    const p = pool({ copied })
    const frame = await p.acquireAsync(10)
    expect(p.stats().waiting).toBe(0)
    frame.release()
  })

  it('a signal ends a wait, and whoever stood behind it goes on', async () => {
    const p = pool({ copied, maxBytes: 64 * KIB })
    const held = p.acquire(32 * KIB)
    const abort = new AbortController()
    const large = p.acquireAsync(64 * KIB, { signal: abort.signal })
    const small = p.acquireAsync(16 * KIB)
    const reason = new Error('enough')
    abort.abort(reason)
    const error = await large.catch((e: unknown) => e)
    expect(error).toBeInstanceOf(AbortedError)
    expect((error as CelebornError).cause).toBe(reason)
    ;(await small).release()
    held.release()
    await expect(p.acquireAsync(1, { signal: abort.signal })).rejects.toThrow(AbortedError)
  })

  it('a signal that fires after the frame was given does nothing', async () => {
    const p = pool({ copied, maxBytes: 64 * KIB })
    const held = p.acquire(64 * KIB)
    const abort = new AbortController()
    const wait = p.acquireAsync(64 * KIB, { signal: abort.signal })
    held.release()
    abort.abort()
    ;(await wait).release()
  })

  it('close rejects who waits and leaves frames alive valid', async () => {
    const p = pool({ copied, maxBytes: 64 * KIB })
    const held = p.acquire(64 * KIB)
    const waits = [p.acquireAsync(1), p.acquireAsync(2)]
    p.close()
    p.close()
    for (const wait of waits) await expect(wait).rejects.toThrow(ClosedError)
    expect(() => p.acquire(1)).toThrow(ClosedError)
    await expect(p.acquireAsync(1)).rejects.toThrow(ClosedError)
    held.bytes[0] = 1
    held.release()
  })

  it('is re-entrant: a waiter that is served acquires, releases and closes at once (B53)', async () => {
    const p = pool({ copied, maxBytes: 64 * KIB })
    const held = p.acquire(64 * KIB)
    const done = p.acquireAsync(64 * KIB).then(async (frame) => {
      const next = p.acquireAsync(32 * KIB)
      frame.release()
      ;(await next).release()
      p.close()
    })
    held.release()
    await done
  })

  it('waiting alone does not keep a process handle', () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const p = pool({ copied, maxBytes: 64 * KIB })
    const held = p.acquire(64 * KIB)
    const wait = p.acquireAsync(1)
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before)
    held.release()
    return wait.then((frame) => frame.release())
  })
})

describe('FramePool', () => {
  it.each([{ maxBytes: -1 }, { maxBytes: NaN }, { maxPooledBytes: 1.5 }, { maxPooledBytes: Infinity }])(
    'refuses the option %o by name',
    (options) => {
      const [name] = Object.keys(options)
      expect(() => new FramePool(options)).toThrow(ConfigError)
      expect(() => new FramePool(options)).toThrow(name)
    },
  )

  it('recycles memory and keeps no more of it than it may', () => {
    const p = pool({ maxPooledBytes: 128 * KIB })
    const frames = [1, 2, 3, 4].map(() => p.acquire(64 * KIB))
    for (const frame of frames) frame.release()
    expect(p.stats()).toMatchObject({ pooledBytes: 128 * KIB, blocksAllocated: 4 })
    const again = p.acquire(64 * KIB)
    expect(p.stats()).toMatchObject({ pooledBytes: 64 * KIB, blocksAllocated: 4, framesAllocated: 5 })
    again.release()
    expect(p.trim()).toBe(128 * KIB)
    expect(p.stats().pooledBytes).toBe(0)
    expect(p.trim()).toBe(0)
  })

  it('the options object may change afterwards without effect (B71)', () => {
    const options = { maxBytes: 64 * KIB }
    const p = pool(options)
    options.maxBytes = 1
    p.acquire(64 * KIB).release()
  })

  it('a trim that gives pages back makes room for who waits', async () => {
    const p = pool({ maxBytes: 4 * MIB })
    const frame = p.acquire(4 * MIB)
    const wait = p.acquireAsync(2 * MIB)
    frame.trim(1000)
    ;(await wait).release()
    frame.release()
  })

  it('reports the system that refuses memory as a typed error, after giving up its free blocks (B73)', async () => {
    const p = pool({ maxBytes: 2 * MIB })
    p.acquire(64 * KIB).release()
    native().failAllocations(1)
    const frame = p.acquire(MIB)
    expect(p.stats()).toMatchObject({ framesAlive: 1, pooledBytes: 0 })
    native().failAllocations(1)
    const error = await p.acquireAsync(MIB).catch((e: unknown) => e)
    expect((error as CelebornError).code).toBe('CELEBORN_OUT_OF_MEMORY')
    native().failAllocations(0)

    // Who waits is told, too, and does not wait for ever.
    const second = p.acquire(MIB)
    const wait = p.acquireAsync(2 * MIB)
    frame.release()
    p.trim()
    native().failAllocations(2)
    second.release()
    await expect(wait).rejects.toThrow(/refused 2097152 bytes/)
    native().failAllocations(0)
  })
})
