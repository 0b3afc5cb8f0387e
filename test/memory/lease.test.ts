import { afterEach, describe, expect, it } from 'vitest'
import { ClosedError, ConfigError, FrameStateError, PoolExhaustedError } from '../../src/errors'
import { LeasePool, nativeStats, setPoison } from '../../src/memory'
import { native } from '../../src/memory/native'
import { blockBytes } from '../../src/memory/size-class'
import { collectUntil } from './gc'

const KIB = 1024
const MIB = 1024 * KIB

const pools: LeasePool[] = []
function pool(maxBytes = 16 * MIB, maxPooledBytes = 4 * MIB): LeasePool {
  const made = new LeasePool({ maxBytes, maxPooledBytes })
  pools.push(made)
  return made
}

afterEach(() => {
  for (const each of pools.splice(0)) {
    expect(each.stats()).toMatchObject({ leasesAlive: 0, bytesAlive: 0 })
    each.close()
    expect(each.stats().pooledBytes).toBe(0)
  }
})

describe('LeasePool', () => {
  it('recycles a block together with its ArrayBuffer', () => {
    const p = pool()
    const first = p.lease(64 * KIB)
    const { buffer } = first.bytes
    expect([first.capacity, first.bytes.byteLength]).toEqual([64 * KIB, 64 * KIB])
    first.release()
    const second = p.lease(60 * KIB)
    expect(second.bytes.buffer).toBe(buffer)
    expect(p.stats()).toMatchObject({
      leasesAlive: 1,
      bytesAlive: 64 * KIB,
      pooledBytes: 0,
      blocksAllocated: 1,
    })
    second.release()
    expect(p.stats()).toMatchObject({
      leasesAlive: 0,
      bytesAlive: 0,
      pooledBytes: 64 * KIB,
      peakLeasesAlive: 1,
    })
  })

  it('is released exactly once; a second release throws and changes nothing', () => {
    const p = pool()
    const first = p.lease(10)
    first.release()
    const second = p.lease(10) // the same block
    expect(() => first.release()).toThrow(FrameStateError)
    expect(p.stats().leasesAlive).toBe(1)
    second.release()
    expect(() => second.release()).toThrow(FrameStateError)
  })

  it('knows the sizes of the native core', () => {
    const p = pool(256 * MIB, 0)
    const { pageBytes } = native()
    for (let size = 0; size < 100 * MIB; size = Math.ceil(size * 1.37) + 1) {
      const lease = p.lease(size)
      expect(lease.capacity).toBe(blockBytes(size, pageBytes))
      expect(lease.capacity).toBeGreaterThanOrEqual(size)
      lease.release()
    }
    for (const size of [1, 8, 9, 10, 11, 63, 64, 65, 1023, 1024, 1025].map((pages) => pages * pageBytes)) {
      p.lease(size).release()
      p.lease(size + 1).release()
    }
  })

  it('throws at its cap, and a release makes room', () => {
    const p = pool(128 * KIB)
    const leases = [p.lease(64 * KIB), p.lease(64 * KIB)]
    expect(() => p.lease(1)).toThrow(PoolExhaustedError)
    leases.pop()?.release()
    leases.push(p.lease(1))
    for (const lease of leases) lease.release()
    expect(() => pool(120 * KIB).lease(120 * KIB)).toThrow(ConfigError) // its block has 128
    expect(() => p.lease(128 * KIB + 1)).toThrow(ConfigError)
    for (const wrong of [-1, NaN, 1.5, 2 ** 40, 2 ** 31]) expect(() => p.lease(wrong)).toThrow(ConfigError)
    p.close()
    expect(() => p.lease(1)).toThrow(ClosedError)
    pools.length = 0
  })

  it('keeps no more than it may, and sizes that nobody asks for make room', () => {
    const p = pool(16 * MIB, 256 * KIB)
    const small = Array.from({ length: 8 }, () => p.lease(64 * KIB))
    for (const lease of small) lease.release()
    expect(p.stats().pooledBytes).toBe(256 * KIB)
    const large = p.lease(256 * KIB)
    large.release()
    expect(p.stats().pooledBytes).toBe(256 * KIB)
    const blocks = p.stats().blocksAllocated
    p.lease(256 * KIB).release()
    expect(p.stats().blocksAllocated).toBe(blocks)
    p.lease(MIB).release() // larger than all that may wait: the others stay
    expect(p.stats().pooledBytes).toBe(256 * KIB)
    expect(p.trim()).toBe(256 * KIB)
    expect(nativeStats().pooledBytes).toBe(0)
  })

  it('leases alive survive close and are freed at their release', () => {
    const p = pool()
    const lease = p.lease(MIB)
    const before = nativeStats().framesAlive
    p.close()
    lease.bytes.fill(1)
    lease.release()
    expect(nativeStats().framesAlive).toBe(before - 1)
    expect(lease.bytes.byteLength).toBe(0)
  })

  it('poison fills what is released', () => {
    const p = pool()
    setPoison(true)
    try {
      const lease = p.lease(4 * KIB)
      lease.bytes.fill(1)
      lease.release()
      expect(p.lease(4 * KIB).bytes.every((byte) => byte === 0xee)).toBe(true)
    } finally {
      setPoison(false)
      pools.length = 0
    }
  })

  it('a dropped lease leaves the account once it is collected', async () => {
    const p = pool(128 * KIB)
    const drop = (): void => {
      p.lease(128 * KIB).bytes[0] = 1
    }
    drop()
    await collectUntil(() => p.stats().finalizedWithoutRelease === 1, 'the lease is freed')
    p.lease(128 * KIB).release()
  })
})
