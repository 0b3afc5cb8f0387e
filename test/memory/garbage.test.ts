import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FramePool, LeasePool, nativeStats, setPoison, type NativeFrame } from '../../src/memory'
import { native } from '../../src/memory/native'
import { collect, collectUntil, turn } from './gc'

const KIB = 1024
const MIB = 1024 * KIB

/** Frames made in a function of their own, so that no stack slot keeps one. */
function dropFrames(pool: FramePool, count: number, size = 64 * KIB): void {
  for (let i = 0; i < count; i++) pool.acquire(size).bytes[0] = i
}

let warnings: Error[]
function onWarning(warning: Error): void {
  warnings.push(warning)
}

beforeEach(() => {
  warnings = []
  process.on('warning', onWarning)
})
afterEach(() => {
  process.off('warning', onWarning)
})

describe.each([{ copied: false }, { copied: true }])('garbage collection, copied: $copied', ({ copied }) => {
  it('a dropped frame is freed, counted, and a warning says where it was acquired', async () => {
    const p = new FramePool({ copied, name: 'leaky' })
    dropFrames(p, 3)
    await collectUntil(() => p.stats().framesAlive === 0, 'all frames are freed')
    expect(p.stats()).toMatchObject({ bytesAlive: 0, finalizedWithoutRelease: 3 })
    dropFrames(p, 3)
    await collectUntil(() => p.stats().finalizedWithoutRelease === 6, 'the next ones, too')
    await turn()
    const dropped = warnings.filter((w) => (w as { code?: string }).code === 'CELEBORN_FRAME_DROPPED')
    expect(dropped).toHaveLength(1) // once per pool
    expect(dropped[0]?.message).toContain("'leaky'")
    expect(dropped[0]?.message).toMatch(/65536 bytes was acquired at:\n\s+at dropFrames .*garbage\.test\.ts/)
  })

  it('the warning needs nobody to ask', async () => {
    const p = new FramePool({ copied })
    dropFrames(p, 1)
    await collectUntil(() => warnings.length > 0, 'a warning came')
    expect(p.name).toBe('frames') // the pool was alive all the time
  })

  it('releases are not reported as drops', async () => {
    const p = new FramePool({ copied })
    for (let i = 0; i < 100; i++) p.acquire(1000).release()
    for (let i = 0; i < 5; i++) {
      collect()
      await turn()
    }
    expect(p.stats().finalizedWithoutRelease).toBe(0)
    expect(warnings.filter((w) => (w as { code?: string }).code === 'CELEBORN_FRAME_DROPPED')).toHaveLength(0)
  })

  it('the memory of a dropped frame serves who waits for it', async () => {
    const p = new FramePool({ copied, maxBytes: 64 * KIB })
    dropFrames(p, 1)
    let frame: NativeFrame | undefined
    void p.acquireAsync(64 * KIB).then((given) => {
      frame = given
    })
    // Collected now; the pool looks by itself from time to time.
    await collectUntil(() => nativeStats().framesAlive === 0 || frame !== undefined, 'the frame is freed')
    while (frame === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    frame.release()
  })

  // V8 promises no collection of one object at one time; a pool that something holds fails each time.
  it('a dropped pool gives its memory back once its frames are over', { retry: 3 }, async () => {
    // Of the pools of the tests before nothing may be left, either.
    const nothing = (): boolean => nativeStats().framesAlive === 0 && nativeStats().pooledBytes === 0
    await collectUntil(nothing, 'earlier pools are gone')
    const makeAndDrop = (): void => {
      const p = new FramePool({ copied })
      p.acquire(MIB).release()
      dropFrames(p, 2)
    }
    makeAndDrop()
    expect(nothing()).toBe(false)
    await collectUntil(nothing, 'frames and free lists are gone')
  })
})

describe('garbage collection', () => {
  it('the late finalizer of an earlier life does not touch the next owner', async () => {
    const p = new FramePool()
    setPoison(true)
    try {
      const first = p.acquire(64 * KIB)
      first.release() // its finalizer is still to come
      const second = p.acquire(64 * KIB)
      expect(p.stats().blocksAllocated).toBe(1) // the same block
      second.bytes.fill(0x5a)
      for (let i = 0; i < 10; i++) {
        collect()
        await turn()
      }
      expect(second.bytes.every((byte) => byte === 0x5a)).toBe(true)
      expect(p.stats()).toMatchObject({ framesAlive: 1, finalizedWithoutRelease: 0, pooledBytes: 0 })
      second.release()
    } finally {
      setPoison(false)
    }
  })

  it('100,000 frames acquired and released without a turn of the event loop (B02)', () => {
    const p = new FramePool()
    for (let i = 0; i < 100_000; i++) {
      const frame = p.acquire(64 * KIB)
      frame.bytes[0] = i
      frame.release()
    }
    const stats = p.stats()
    expect(stats).toMatchObject({
      framesAlive: 0,
      peakFramesAlive: 1,
      framesAllocated: 100_000,
      blocksAllocated: 1,
      finalizedWithoutRelease: 0,
    })
  })

  it('V8 sees what is alive and what is pooled, once (B12)', async () => {
    const settle = async (): Promise<number> => {
      for (let i = 0; i < 3; i++) {
        collect()
        await turn()
      }
      return native().externalMemory()
    }
    const p = new FramePool({ maxPooledBytes: 64 * MIB })
    const before = await settle()
    const { external } = process.memoryUsage()
    const frames = Array.from({ length: 100 }, () => p.acquire(MIB))
    const alive = (await settle()) - before
    expect(alive).toBeGreaterThan(95 * MIB)
    expect(alive).toBeLessThan(105 * MIB)
    expect(process.memoryUsage().external - external).toBeGreaterThan(95 * MIB)
    expect(process.memoryUsage().external - external).toBeLessThan(105 * MIB)
    for (const frame of frames) frame.release()
    const pooled = (await settle()) - before
    expect(Math.abs(process.memoryUsage().external - external)).toBeLessThan(2 * MIB)
    expect(p.stats().pooledBytes).toBe(64 * MIB)
    expect(pooled).toBeGreaterThan(60 * MIB)
    expect(pooled).toBeLessThan(68 * MIB)
    p.trim()
    const after = (await settle()) - before
    expect(Math.abs(after)).toBeLessThan(2 * MIB)
    // A pool that dies with free memory takes its report along.
    const dying = (): void => {
      const other = new FramePool()
      other.acquire(16 * MIB).release()
    }
    dying()
    await settle()
    const held = p.acquire(1)
    held.release()
    expect(Math.abs((await settle()) - before)).toBeLessThan(2 * MIB)
  })

  it('a frame survives any number of collections while a socket-like reader holds only its payload', async () => {
    const p = new FramePool()
    const payload = ((): Uint8Array => {
      const frame = p.acquire(64 * KIB)
      frame.bytes.fill(7)
      return frame.bytes // the frame itself is dropped
    })()
    for (let i = 0; i < 5; i++) {
      collect()
      await turn()
    }
    expect(p.stats().framesAlive).toBe(1)
    expect(payload.every((byte) => byte === 7)).toBe(true)
  })

  it('200 pools come and go without a trace (B19)', async () => {
    const before = nativeStats()
    for (let i = 0; i < 200; i++) {
      const p = new FramePool({ maxBytes: MIB })
      p.acquire(64 * KIB).release()
      const leases = new LeasePool({ maxBytes: MIB, maxPooledBytes: MIB })
      leases.lease(1000).release()
      leases.close()
      p.close()
    }
    expect(nativeStats()).toMatchObject({ framesAlive: before.framesAlive, pooledBytes: before.pooledBytes })
    await turn()
  })
})
