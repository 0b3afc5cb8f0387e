import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { FramePool, detachArrayBuffer, setPoison } from '../../src/memory'
import { collect, collectUntil, turn } from '../memory/gc'
import { releaseProbe, setUp, target, turns } from '../push/harness'

const MIB = 1024 * 1024

afterEach(() => setPoison(false))

describe('memory that a stalled socket still reads', () => {
  it('arrives intact though nobody refers to it any more (B16), is not poisoned (B22), and nothing foreign is sent (B75)', async () => {
    setPoison(true)
    const { client, worker } = await setUp({
      'celeborn.node.maxInFlightBytes': '64m',
      'celeborn.client.push.timeout': '300ms',
      // A stalled socket is destroyed after that time, its batches are tried again.
      'celeborn.client.push.revive.maxRetries': 100,
    })
    worker.stall()
    const settled: Promise<unknown>[] = []
    for (let i = 0; i < 20; i++) {
      const frame = client.pool.acquire(MIB)
      frame.bytes.fill(i + 1)
      settled.push((await client.pushFrame(target(i % 8), frame)).settled)
    }
    while (client.stats().retries === 0) {
      collect()
      await turn()
      // Under pressure: whatever is free is taken and overwritten at once.
      const other = client.pool.acquire(MIB)
      other.bytes.fill(0xdd)
      other.release()
      await sleep(1)
    }
    worker.unstall()
    await Promise.all(settled)
    const byIndex = new Map<number, number>()
    for (const push of worker.pushes) {
      for (const { batchId, payload } of push.batches) {
        expect(Buffer.from(payload).equals(Buffer.alloc(MIB, payload[0]))).toBe(true)
        const before = byIndex.get(batchId)
        expect(before ?? payload[0]).toBe(payload[0])
        byIndex.set(batchId, payload[0] ?? 0)
      }
    }
    expect([...byIndex.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(client.stats()).toMatchObject({ framesAlive: 0, bytesInFlight: 0, acked: 20 })
  })

  it('is left alone by an abort between queue and encoder (B63)', async () => {
    setPoison(true)
    const { client, worker } = await setUp()
    const frame = client.pool.acquire(1000)
    frame.bytes.fill(1)
    // The push is admitted and queued; the encoder runs at the end of the turn.
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.alloc(1000, 2), { onRelease: probe.onRelease })
    const second = client.pushFrame(target(), frame)
    const cleaned = client.cleanup(target())
    expect(await receipt.settled).toMatchObject({ outcome: 'dropped' })
    await second.then(
      async (late) => expect(await late.settled).toMatchObject({ outcome: 'dropped' }),
      () => frame.release(),
    )
    await cleaned
    await turns(20)
    expect(probe.reasons).toEqual(['dropped'])
    for (const payload of worker.payloads) expect(new Set(payload)).toEqual(new Set([payload[0]]))
    expect(worker.payloads.flatMap((payload) => [...payload]).includes(0xee)).toBe(false)
    expect(client.stats()).toMatchObject({ framesAlive: 0, bytesInFlight: 0 })
  })
})

describe('memory comes back', () => {
  it('all of it at the end: nothing alive after close, free blocks given back by trim (B17)', async () => {
    const { client } = await setUp()
    const pool = new FramePool({ maxPooledBytes: 32 * MIB })
    for (let i = 0; i < 200; i++) {
      const frame = pool.acquire(MIB)
      await (await client.pushFrame(target(i % 8), frame)).settled
    }
    await turns(5)
    expect(pool.stats()).toMatchObject({ framesAlive: 0, bytesAlive: 0 })
    expect(pool.stats().pooledBytes).toBeLessThanOrEqual(32 * MIB)
    expect(pool.stats().pooledBytes).toBeGreaterThan(0)
    pool.trim()
    expect(pool.stats().pooledBytes).toBe(0)
    await client.close()
    expect(client.stats()).toMatchObject({ framesAlive: 0, bytesInFlight: 0 })
    pool.close()
  })

  it('a buffer that cannot be detached is reported, not asserted (B05)', () => {
    // Memory of WebAssembly cannot be detached; the compiler's settings here do not know its types.
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: { Memory: new (o: { initial: number }) => { buffer: ArrayBuffer } }
    }
    const { buffer } = new WebAssembly.Memory({ initial: 1 })
    expect(detachArrayBuffer(buffer)).toBe(false)
    expect(buffer.byteLength).toBe(65_536)
    const frame = new FramePool().acquire(10)
    const view = frame.bytes
    frame.release()
    expect(view.length).toBe(0)
  })

  it('idle clients and map tasks hold next to nothing (B49)', async () => {
    const idle = (): ShuffleClient =>
      new ShuffleClient({
        appId: 'idle',
        conf: new CelebornConf(),
        lifecycleManager: { host: '127.0.0.1', port: 1 },
      })
    const warm = Array.from({ length: 5 }, idle)
    await collectUntil(() => true, 'a collection')
    const before = process.memoryUsage()
    const clients = Array.from({ length: 200 }, idle)
    collect()
    await turn()
    const after = process.memoryUsage()
    const each = (after.heapUsed + after.external - before.heapUsed - before.external) / clients.length
    expect(each).toBeLessThan(64 * 1024)
    for (const client of clients) expect(client.stats().leases.bytesAlive).toBe(0)
    await Promise.all([...warm, ...clients].map((client) => client.close()))
  })
})
