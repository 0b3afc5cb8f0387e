import { describe, expect, it, onTestFinished } from 'vitest'
import { FramePool } from '../../src/memory'
import { ChunkFetch } from '../../src/read/chunk'

function setUp() {
  const pool = new FramePool({ name: 'chunks' })
  onTestFinished(() => pool.close())
  const fetch = new ChunkFetch(1, 0, 1000, pool, 1 << 20, 'w:1')
  const target = fetch.allocate(10_000)
  target.fill(7)
  fetch.onChunk(9000)
  return { pool, fetch, target }
}

describe('a chunk’s frame', () => {
  it.each(['reader first', 'socket first'])('is alive until both have let go, %s', async (order) => {
    const { pool, fetch, target } = setUp()
    const bytes = await fetch.arrived
    const letGo = [() => fetch.release(), () => fetch.targetReleased()]
    if (order === 'socket first') letGo.reverse()
    letGo[0]?.()
    expect(pool.stats().framesAlive).toBe(1)
    // Nobody else's memory: whoever still holds it sees what was there.
    const other = pool.acquire(10_000)
    other.bytes.fill(1)
    expect(bytes.length).toBe(9000)
    expect(bytes.every((byte) => byte === 7)).toBe(true)
    expect(target.length).toBeGreaterThanOrEqual(10_000)
    other.release()
    letGo[1]?.()
    expect(pool.stats().framesAlive).toBe(0)
    expect(bytes.length).toBe(0)
  })

  it('is freed once, however often both let go', async () => {
    const { pool, fetch } = setUp()
    await fetch.arrived
    for (let i = 0; i < 3; i++) {
      fetch.release()
      fetch.targetReleased()
    }
    expect(pool.stats().framesAlive).toBe(0)
  })

  it('that is larger than accepted is refused before it is asked for', () => {
    const { pool, fetch } = setUp()
    fetch.release()
    fetch.targetReleased()
    const large = new ChunkFetch(1, 1, 1000, pool, 1 << 20, 'w:1')
    expect(() => large.allocate((1 << 20) + 1)).toThrow(/w:1 sends a chunk of 1048577 bytes/)
    expect(pool.stats().framesAlive).toBe(0)
  })
})
