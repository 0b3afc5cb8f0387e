import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FramePool } from '../../src/memory'
import { setUp, target } from '../push/harness'
import { type Place } from './scripted-lifecycle'

/** In front of a worker, with a receive buffer of about 2 KiB. */
async function smallWindow(port: number): Promise<Place> {
  const relay = spawn('python3', [join(__dirname, 'small-window.py'), String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    const ended = once(relay, 'exit')
    relay.stdin.end()
    await ended
  })
  const [line] = (await once(createInterface(relay.stdout), 'line')) as [string]
  return { host: '127.0.0.1', port: Number(line) }
}

const pattern = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 17 + (i >> 8)) & 0xff)

describe('a peer with a tiny receive window', () => {
  it('takes frames of every size whole and in order, each released once', async () => {
    const { client, worker, lifecycle } = await setUp({ 'celeborn.client.push.maxReqsInFlight.perWorker': 8 })
    const place = await smallWindow(worker.port)
    lifecycle.place = () => place
    const pool = new FramePool()
    const sizes = [1, 500, 2303, 2304, 2305, 16_384, 65_537, 300_000]
    const receipts = await Promise.all(
      sizes.map((size, i) => {
        const frame = pool.acquire(size)
        frame.bytes.set(pattern(size, i))
        return client.pushFrame(target(i % 8), frame)
      }),
    )
    const settled = await Promise.all(receipts.map((receipt) => receipt.settled))
    expect(settled.map(({ outcome }) => outcome)).toEqual(sizes.map(() => 'acked'))
    const received = worker.pushes.flatMap(({ batches }) => batches)
    expect(received.map(({ payload }) => payload.length)).toEqual(sizes)
    for (const [i, { payload }] of received.entries())
      expect(Buffer.compare(payload, pattern(payload.length, i))).toBe(0)
    expect(pool.stats().framesAlive).toBe(0)
  })

  it('loses nothing of merged pushes, whose gathers end anywhere', async () => {
    const { client, worker, lifecycle } = await setUp({ 'celeborn.client.push.buffer.max.size': '8k' })
    const place = await smallWindow(worker.port)
    lifecycle.place = () => place
    const sizes = Array.from({ length: 200 }, (_, i) => 1 + ((i * 97) % 900))
    const receipts = await Promise.all(
      sizes.map((size, i) => client.mergeData(target(i % 8), pattern(size, i))),
    )
    await client.pushMergedData(target())
    for (const receipt of receipts) expect((await receipt.settled).outcome).toBe('acked')
    const lengths = worker.pushes.flatMap(({ batches }) => batches.map(({ payload }) => payload.length))
    expect(lengths.sort((a, b) => a - b)).toEqual([...sizes].sort((a, b) => a - b))
  })

  it('is given up with its connection when the client closes, the write under way included', async () => {
    const { client, worker, lifecycle } = await setUp()
    const place = await smallWindow(worker.port)
    lifecycle.place = () => place
    const pool = new FramePool()
    const reached = new Promise<void>((resolve) => {
      worker.onHead = () => resolve()
    })
    const receipt = await client.pushFrame(target(), pool.acquire(16 * 1024 * 1024))
    await reached
    await client.close()
    expect((await receipt.settled).outcome).toBe('dropped')
    expect(pool.stats().framesAlive).toBe(0)
  })
})
