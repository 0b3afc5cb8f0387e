import { describe, expect, it } from 'vitest'
import { StatusCode } from '../../src/protocol/status'
import { locationAt } from '../fault/scripted-lifecycle'
import { setUp, target, turns } from './harness'

describe('limits of a client', () => {
  it('one budget for all map attempts; at most half of it to one worker', async () => {
    const { client, workers } = await setUp({ 'celeborn.node.maxInFlightBytes': '10k' }, 2)
    for (const worker of workers) worker.onPush = () => undefined
    const push = (partitionId: number, mapId: number) =>
      client.pushBuffer(target(partitionId, { mapId }), Buffer.alloc(2500), { onRelease: () => undefined })
    await push(0, 0)
    await push(0, 1)
    const third = push(0, 0)
    await turns(10)
    // Five thousand bytes are with worker 0: its half is taken, although the client has room.
    expect(client.stats()).toMatchObject({ bytesInFlight: 5000, waiting: 1 })
    await push(1, 1)
    expect(client.stats()).toMatchObject({ bytesInFlight: 7500, waiting: 1 })
    await workers[0]?.received(1)
    workers[0]?.pushes[0]?.ack()
    await third
    expect(client.stats().peakBytesInFlight).toBeLessThanOrEqual(10 * 1024)
  })

  it('hold for copies, too, which lie in whole blocks', async () => {
    const { client, worker } = await setUp({ 'celeborn.node.maxInFlightBytes': '10k' })
    worker.onPush = () => undefined
    await client.pushData(target(), Buffer.alloc(10))
    // The copy of ten bytes takes a page; charged at its length, two more would fit.
    const second = client.pushData(target(1), Buffer.alloc(10))
    await turns(5)
    const { bytesInFlight, leases, waiting } = client.stats()
    expect(bytesInFlight).toBe(leases.bytesAlive)
    expect(bytesInFlight).toBeLessThanOrEqual(10 * 1024)
    expect(waiting).toBe(1)
    await client.cleanup(target())
    await expect(second).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
  })

  it('a signal ends the wait and gives the frame back; after admission it does nothing', async () => {
    const { client, worker } = await setUp({ 'celeborn.node.maxInFlightBytes': '8k' })
    worker.onPush = () => undefined
    const controller = new AbortController()
    const first = await client.pushBuffer(target(), Buffer.alloc(4000), {
      onRelease: () => undefined,
      signal: controller.signal,
    })
    const frame = client.pool.acquire(4000)
    const waiting = client.pushFrame(target(), frame, { signal: controller.signal })
    await turns(5)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    expect(frame.state).toBe('writer')
    frame.release()
    await worker.received(1)
    worker.pushes[0]?.ack()
    expect(await first.settled).toMatchObject({ outcome: 'acked' })
  })

  it('a wait past the limit rejects with what is in flight where, and a fatal failure ends waits at once (B33)', async () => {
    const { client, worker } = await setUp({
      'celeborn.client.push.maxReqsInFlight.perWorker': 1,
      'celeborn.client.push.limit.inFlight.timeout': '300ms',
      'celeborn.client.push.revive.maxRetries': 0,
    })
    worker.onPush = () => undefined
    await client.pushData(target(), Buffer.alloc(10))
    const late = await client.pushData(target(), Buffer.alloc(10)).catch((error: unknown) => error)
    expect(late).toMatchObject({ code: 'CELEBORN_ADMISSION_TIMEOUT', context: { hostPort: worker.hostPort } })
    expect(String(late)).toContain('maxReqsInFlight.perWorker = 1')
    const waiting = client.pushData(target(), Buffer.alloc(10)).catch((error: unknown) => error)
    await turns(5)
    worker.pushes[0]?.failure('disk on fire')
    expect(await waiting).toMatchObject({ code: 'CELEBORN_PUSH_FAILED' })
    expect(String(await waiting)).toContain('disk on fire')
  })

  it('slow start: the window begins at one, grows with successes and is halved by congestion', async () => {
    const { client, worker } = await setUp({
      'celeborn.client.push.limit.strategy': 'SLOWSTART',
      'celeborn.client.push.slowStart.initialSleepTime': '1ms',
      'celeborn.client.push.slowStart.maxSleepTime': '5ms',
    })
    let congested = false
    let unanswered = 0
    let most = 0
    worker.onPush = (push) => {
      unanswered++
      most = Math.max(most, unanswered)
      setTimeout(() => {
        unanswered--
        if (congested) push.status(StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED)
        else push.ack()
      }, 20)
    }
    const burst = async (count: number): Promise<void> => {
      const receipts = await Promise.all(
        Array.from({ length: count }, () => client.pushData(target(), Buffer.alloc(10))),
      )
      for (const receipt of receipts) await receipt.settled
    }
    await burst(2)
    expect(most).toBe(1)
    await burst(60)
    expect(most).toBeGreaterThan(4)
    congested = true
    await burst(60)
    most = 0
    await burst(10)
    expect(most).toBeLessThanOrEqual(2)
    expect(client.stats().congestions).toBeGreaterThan(0)
  })

  it('an unreachable worker is avoided at once when exclusion is on, until it is offered again', async () => {
    const { client, worker, lifecycle } = await setUp({
      'celeborn.client.push.excludeWorkerOnFailure.enabled': true,
    })
    const dead = { host: '127.0.0.1', port: 1 }
    lifecycle.place = () => dead
    lifecycle.onRevive = (partition) => ({
      partitionId: partition.partitionId,
      status: StatusCode.SUCCESS,
      location: locationAt(worker, partition.partitionId, partition.epoch + 1),
      oldAvailable: false,
    })
    await (await client.pushData(target(0), Buffer.from('a'))).settled
    expect(client.stats().excludedWorkers).toEqual(['127.0.0.1:1'])
    const failures = client.stats().connections.connectFailures
    await (await client.pushData(target(1), Buffer.from('b'))).settled
    expect(client.stats().connections.connectFailures).toBe(failures)
    expect(lifecycle.revives[1]?.partitions[0]?.cause).toBe(StatusCode.PUSH_DATA_PRIMARY_WORKER_EXCLUDED)
  })
})
