import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FramePool } from '../../src/memory'
import { iterateBatches } from '../../src/protocol'
import { StatusCode } from '../../src/protocol/status'
import { BatchFilter } from '../../src/read/batch-filter'
import { randomizer } from '../network/support'
import { releaseProbe, setUp, target, turns } from '../push/harness'

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

describe('ends', () => {
  it('close inside onRelease, with the last reference to the client dropped there (B32)', async () => {
    const { client } = await setUp()
    const closed = new Promise<void>((resolve, reject) => {
      client
        .pushBuffer(target(), Buffer.alloc(100), {
          onRelease: () => void client.close().then(resolve, reject),
        })
        .catch(reject)
    })
    await closed
    await expect(client.pushData(target(), Buffer.alloc(1))).rejects.toMatchObject({
      code: 'CELEBORN_CLOSED',
    })
  })

  it('close while a revive waits for its interval, and while it waits for its answer: no timer is left (B47)', async () => {
    for (const answered of [false, true]) {
      const timers = activeTimers()
      const { client, worker, lifecycle } = await setUp({
        'celeborn.client.push.revive.interval': answered ? '1ms' : '60s',
      })
      worker.onPush = (push) => push.failure('no')
      let asked: () => void = () => undefined
      const reviving = new Promise<void>((resolve) => (asked = resolve))
      lifecycle.onRevive = () => {
        asked()
        return new Promise(() => undefined)
      }
      const probe = releaseProbe()
      const receipt = await client.pushBuffer(target(), Buffer.from('x'), { onRelease: probe.onRelease })
      await worker.received(1)
      if (answered) await reviving
      await client.close()
      expect(await receipt.settled).toMatchObject({ outcome: 'dropped', reason: 'closed' })
      expect(await probe.released).toBe('dropped')
      await turns(5)
      expect(activeTimers()).toBeLessThanOrEqual(timers)
    }
  })
})

it('one signal for many waiting pushes, frames and calls: no warning of a leak, no listener left', async () => {
  const { client, worker } = await setUp({ 'celeborn.client.push.maxReqsInFlight.total': 1 })
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  try {
    const { signal } = new AbortController()
    const full = new FramePool({ maxBytes: 4096 })
    const frame = full.acquire(4096)
    const frames = Array.from({ length: 30 }, () => full.acquireAsync(100, { signal }))
    worker.onPush = (push) => setImmediate(() => push.ack())
    const receipts = await Promise.all(
      Array.from({ length: 30 }, (_, i) => client.pushData(target(i % 8), Buffer.from('x'), { signal })),
    )
    await Promise.all(receipts.map((receipt) => receipt.settled))
    frame.release()
    for (const one of frames) (await one).release()
    await turns(5)
    expect(warnings).toEqual([])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  } finally {
    process.off('warning', onWarning)
  }
})

describe('many failures', () => {
  it('nothing is lost, doubled by the reader, released early or twice: one push in five fails somehow (B36)', async () => {
    const { client, worker, workers } = await setUp(
      { 'celeborn.client.push.revive.maxRetries': 50, 'celeborn.client.push.timeout': '2s' },
      2,
    )
    const random = randomizer(36)
    for (const one of workers) {
      one.onPush = (push) => {
        const kind = random(20)
        if (kind === 0) push.failure('PUSH_DATA_WRITE_FAIL_PRIMARY')
        else if (kind === 1) push.status(StatusCode.HARD_SPLIT)
        else if (kind === 2) push.connection.reset()
        // Written, but the client does not learn it.
        else if (kind === 3) push.failure('PUSH_DATA_TIMEOUT_REPLICA')
        else push.ack()
      }
    }
    const released: number[] = []
    const sent = new Map<string, number>()
    const receipts = []
    for (let i = 0; i < 1000; i++) {
      const bytes = Buffer.alloc(100 + random(20_000), i % 251)
      bytes.writeUInt32BE(i)
      const partitionId = i % 8
      const receipt = await client.pushBuffer(target(partitionId), bytes, {
        onRelease: () => {
          released.push(i)
          bytes.fill(0xee) // who reads it after that reads this
        },
      })
      sent.set(`${i}`, bytes.length)
      receipts.push(receipt)
    }
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    await turns(20)
    expect(new Set(released).size).toBe(1000)
    expect(released).toHaveLength(1000)
    const seen = new Map<number, number>()
    for (const payload of [...worker.payloads, ...(workers[1]?.payloads ?? [])]) {
      const i = payload.readUInt32BE(0)
      expect(payload.length).toBe(sent.get(`${i}`))
      expect(payload.subarray(4).every((byte) => byte === i % 251)).toBe(true)
      seen.set(i, (seen.get(i) ?? 0) + 1)
    }
    expect(seen.size).toBe(1000)
    expect([...seen.values()].some((count) => count > 1)).toBe(true)
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, acked: 1000, framesAlive: 0 })
    await client.mapperEnd(target())
  })

  it('batch ids are unique within an attempt, and the reader takes each once (B64)', async () => {
    const { client, worker } = await setUp()
    worker.onPush = (push) => (push.uniqueIds[0]?.endsWith('-0') ? push.failure('again') : push.ack())
    const attempts = [0, 1].flatMap((mapId) => [0, 1].map((attemptId) => ({ mapId, attemptId })))
    const receipts = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        client.pushData(target(i % 4, attempts[i % attempts.length]), Buffer.from(`b${i}`)),
      ),
    )
    await Promise.all(receipts.map((receipt) => receipt.settled))
    const payloadOf = new Map<string, string>()
    const filter = new BatchFilter([1, 0])
    const taken: string[] = []
    for (const { batches } of worker.pushes) {
      for (const batch of batches) {
        const key = `${batch.mapId}-${batch.attemptId}-${batch.batchId}`
        const payload = Buffer.from(batch.payload).toString()
        expect(payloadOf.get(key) ?? payload).toBe(payload)
        payloadOf.set(key, payload)
        if (!filter.wants(batch, {})) continue
        filter.delivered(batch)
        taken.push(payload)
      }
    }
    expect(payloadOf.size).toBe(200)
    expect(new Set(payloadOf.values()).size).toBe(200)
    expect(new Set(taken).size).toBe(taken.length)
    expect(taken).toHaveLength(100)
    expect([...iterateBatches(new Uint8Array(0))]).toEqual([])
  })
})
