import { describe, expect, it } from 'vitest'
import { CelebornError } from '../../src/errors'
import { StatusCode } from '../../src/protocol/status'
import { locationAt } from '../fault/scripted-lifecycle'
import { releaseProbe, setUp, target, turns } from './harness'

describe('answers', () => {
  it('reads back what was pushed, in the wire layout of a batch', async () => {
    const { client, worker } = await setUp()
    const receipts = [
      await client.pushData(target(3, { mapId: 1, attemptId: 7 }), Buffer.from('one')),
      await client.pushData(target(3, { mapId: 1, attemptId: 7 }), Buffer.from('two')),
    ]
    await Promise.all(receipts.map((receipt) => receipt.settled))
    expect(worker.pushes.map((push) => push.uniqueIds)).toEqual([['3-0'], ['3-0']])
    expect(worker.pushes[0]?.shuffleKey).toBe('test-app-1')
    expect(
      worker.pushes.flatMap((push) =>
        push.batches.map(({ mapId, attemptId, batchId, size }) => [mapId, attemptId, batchId, size]),
      ),
    ).toEqual([
      [1, 7, 1, 3],
      [1, 7, 2, 3],
    ])
    expect(worker.payloads.map(String)).toEqual(['one', 'two'])
  })

  it.each([
    ['empty', new Uint8Array(0)],
    ['0', Uint8Array.of(0)],
    ['primary congested', Uint8Array.of(StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED)],
    ['replica congested', Uint8Array.of(StatusCode.PUSH_DATA_SUCCESS_REPLICA_CONGESTED)],
  ])('%s is success', async (_name, body) => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => push.answer(body)
    const receipt = await client.pushData(target(), Buffer.from('x'))
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(lifecycle.revives).toEqual([])
  })

  it('a soft split is success, and later pushes go to the new location', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => (push.uniqueIds[0] === '0-0' ? push.status(StatusCode.SOFT_SPLIT) : push.ack())
    expect(await (await client.pushData(target(), Buffer.from('a'))).settled).toMatchObject({
      outcome: 'acked',
    })
    while (lifecycle.revives.length === 0) await turns(1)
    await turns(20)
    await (await client.pushData(target(), Buffer.from('b'))).settled
    expect(worker.pushes.map((push) => push.uniqueIds[0])).toEqual(['0-0', '0-1'])
    expect(lifecycle.revives[0]?.partitions[0]).toMatchObject({
      partitionId: 0,
      epoch: 0,
      cause: StatusCode.SOFT_SPLIT,
    })
  })

  it('a hard split resends the same batch to the new location and costs no retry', async () => {
    const { client, worker } = await setUp({ 'celeborn.client.push.revive.maxRetries': 0 })
    worker.onPush = (push) => (push.uniqueIds[0] === '0-2' ? push.ack() : push.status(StatusCode.HARD_SPLIT))
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.from('abc'), { onRelease: probe.onRelease })
    expect(await receipt.settled).toEqual({ outcome: 'acked', batchId: 1 })
    expect(worker.pushes.map((push) => push.uniqueIds[0])).toEqual(['0-0', '0-1', '0-2'])
    expect(worker.payloads.map(String)).toEqual(['abc', 'abc', 'abc'])
    await turns(5)
    expect(probe.reasons).toEqual(['acked'])
  })

  it('MAP_ENDED drops the batch and the rest of the attempt, without an error', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => push.status(StatusCode.MAP_ENDED)
    const first = await client.pushData(target(), Buffer.from('a'))
    expect(await first.settled).toMatchObject({ outcome: 'dropped', reason: 'map-ended' })
    const probe = releaseProbe()
    const later = await client.pushBuffer(target(), Buffer.from('b'), { onRelease: probe.onRelease })
    expect(await later.settled).toMatchObject({ outcome: 'dropped', reason: 'map-ended' })
    expect(await probe.released).toBe('dropped')
    await client.mapperEnd(target())
    expect(lifecycle.mapperEnds).toHaveLength(1)
    expect(worker.pushes).toHaveLength(1)
  })

  it('an unknown status byte is a failure that is retried (B46)', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => (worker.pushes.length === 1 ? push.status(99) : push.ack())
    expect(await (await client.pushData(target(), Buffer.from('a'))).settled).toMatchObject({
      outcome: 'acked',
    })
    expect(lifecycle.revives).toHaveLength(1)
    expect(client.stats().retries).toBe(1)
  })

  it('a failure is retried at the new location with its cause, the same bytes, exactly one release (B28, B39)', async () => {
    const { client, worker, workers, lifecycle } = await setUp({}, 2)
    const other = workers[1]
    if (other === undefined) throw new Error('no second worker')
    worker.onPush = (push) => push.failure('PUSH_DATA_WRITE_FAIL_PRIMARY: disk full')
    lifecycle.onRevive = (partition) => ({
      partitionId: partition.partitionId,
      status: StatusCode.SUCCESS,
      location: locationAt(other, partition.partitionId, partition.epoch + 1),
      oldAvailable: false,
    })
    const frame = client.pool.acquire(300)
    frame.bytes.fill(5)
    const receipt = await client.pushFrame(target(), frame)
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(lifecycle.revives[0]?.partitions[0]).toMatchObject({
      epoch: 0,
      cause: StatusCode.PUSH_DATA_WRITE_FAIL_PRIMARY,
    })
    expect(lifecycle.revives[0]?.mapIds).toEqual([0])
    expect(other.payloads[0]?.equals(Buffer.alloc(300, 5))).toBe(true)
    expect(client.stats()).toMatchObject({ framesAlive: 0, bytesInFlight: 0 })
    expect(client.stats().perWorker[worker.hostPort]).toEqual({ bytes: 0, requests: 0 })
  })

  it('fails after maxRetries with the history in the message; the next call and mapperEnd throw it (B38, B55)', async () => {
    const { client, worker, lifecycle } = await setUp({ 'celeborn.client.push.revive.maxRetries': 2 })
    worker.onPush = (push) => push.failure(`no luck ${worker.pushes.length}`)
    lifecycle.onRevive = (partition) => ({
      partitionId: partition.partitionId,
      status: StatusCode.SUCCESS,
      location: locationAt(worker, partition.partitionId, partition.epoch + 1),
      oldAvailable: true,
    })
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.from('x'), { onRelease: probe.onRelease })
    const settlement = await receipt.settled
    expect(settlement.outcome).toBe('failed')
    if (settlement.outcome !== 'failed') return
    expect(settlement.error).toBeInstanceOf(CelebornError)
    expect(settlement.error).toMatchObject({
      code: 'CELEBORN_PUSH_FAILED',
      context: {
        shuffleId: 1,
        mapId: 0,
        attemptId: 0,
        partitionId: 0,
        batchId: 1,
        hostPort: worker.hostPort,
      },
    })
    expect(settlement.error.context.attempts).toHaveLength(3)
    expect(settlement.error.message).toMatch(/no luck 1.*no luck 2.*no luck 3/)
    expect(await probe.released).toBe('failed')
    await expect(client.pushData(target(), Buffer.from('y'))).rejects.toBe(settlement.error)
    await expect(client.mapperEnd(target())).rejects.toBe(settlement.error)
    expect(lifecycle.mapperEnds).toEqual([])
  })

  it('revives are gathered: one request for many failed batches of many partitions (B37)', async () => {
    const { client, worker, lifecycle } = await setUp({
      'celeborn.client.push.maxReqsInFlight.total': 4000,
      'celeborn.client.push.maxReqsInFlight.perWorker': 4000,
      'celeborn.client.push.revive.interval': '100ms',
    })
    worker.onPush = (push) => (push.uniqueIds[0]?.endsWith('-0') ? push.failure('gone') : push.ack())
    const receipts = []
    for (let i = 0; i < 2000; i++) {
      receipts.push(await client.pushData(target(i % 500, { numPartitions: 500 }), Buffer.from(`b${i}`)))
    }
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(lifecycle.revives.length).toBeLessThan(20)
    const asked = lifecycle.revives.flatMap((revive) =>
      revive.partitions.map((one) => `${one.partitionId}-${one.epoch}`),
    )
    expect(new Set(asked).size).toBe(asked.length)
    expect(new Set(worker.payloads.slice(-2000).map(String)).size).toBe(2000)
  })

  it('mapperEnd waits for retries, and for pushes whose promise nobody awaited (B30, B70)', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => (worker.pushes.length === 1 ? push.failure('once') : push.ack())
    void client.pushData(target(0), Buffer.from('a'))
    void client.pushData(target(1), Buffer.from('b'))
    lifecycle.onMapperEnd = () => {
      expect(client.stats()).toMatchObject({ acked: 2, bytesInFlight: 0 })
      return StatusCode.SUCCESS
    }
    await client.mapperEnd(target())
    expect(lifecycle.mapperEnds).toHaveLength(1)
    // Once ended, further pushes are dropped with that reason.
    const late = await client.pushData(target(), Buffer.from('late'))
    expect(await late.settled).toMatchObject({ outcome: 'dropped', reason: 'attempt-ended' })
    await client.mapperEnd(target())
    expect(lifecycle.mapperEnds).toHaveLength(1)
  })

  it('mapperEnd waits for a push that a callback of the last release makes', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => void turns(20).then(() => push.ack())
    lifecycle.onMapperEnd = () => {
      expect(client.stats()).toMatchObject({ acked: 2, bytesInFlight: 0 })
      return StatusCode.SUCCESS
    }
    const late = (): void => void client.pushData(target(1), Buffer.from('late'))
    await client.pushBuffer(target(0), Buffer.from('first'), { onRelease: late })
    await client.mapperEnd(target())
    expect(worker.payloads.map(String)).toEqual(['first', 'late'])
    expect(lifecycle.mapperEnds).toHaveLength(1)
  })

  it('mapperEnd waits for a push that is made before it has begun to report', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => void turns(20).then(() => push.ack())
    const inFlight: number[] = []
    lifecycle.onMapperEnd = () => {
      inFlight.push(client.stats().bytesInFlight)
      return StatusCode.SUCCESS
    }
    for (let attemptId = 0; attemptId < 20; attemptId++) {
      const mine = target(0, { attemptId })
      await (await client.pushData(mine, Buffer.from('first'))).settled
      const ended = client.mapperEnd(mine)
      for (let i = 0; i < attemptId; i++) await Promise.resolve()
      const late = await client.pushData(mine, Buffer.from('late'))
      await ended
      const outcome = worker.pushes.length % 2 === 0 ? 'acked' : 'dropped'
      expect(await late.settled).toMatchObject({ outcome })
      worker.pushes.length = 0
    }
    expect(inFlight).toEqual(Array.from({ length: 20 }, () => 0))
  })

  it('an empty push is acknowledged without a byte sent (B15)', async () => {
    const { client, worker } = await setUp()
    const receipt = await client.pushData(target(), Buffer.alloc(0))
    expect(receipt).toMatchObject({ batchId: 0, bytes: 0 })
    expect(await receipt.settled).toEqual({ outcome: 'acked', batchId: 0 })
    const frame = client.pool.acquire(10)
    frame.trim(0)
    await (await client.pushFrame(target(), frame)).settled
    expect(client.stats().framesAlive).toBe(0)
    expect(worker.pushes).toEqual([])
  })

  it('a timed-out push is retried, and its late acknowledgement is ignored (B26)', async () => {
    const { client, worker } = await setUp({ 'celeborn.client.push.timeout': '200ms' })
    worker.onPush = (push) => {
      if (worker.pushes.length > 1) push.ack()
    }
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.from('abc'), { onRelease: probe.onRelease })
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    worker.pushes[0]?.ack()
    await turns(20)
    expect(probe.reasons).toEqual(['acked'])
    expect(client.stats()).toMatchObject({ acked: 1, bytesInFlight: 0, retries: 1 })
    expect(client.stats().connections.strayAnswers).toBe(1)
  })

  it('a refused connection is a retriable failure with cause CREATE_CONNECTION_FAIL', async () => {
    const { client, worker, lifecycle } = await setUp()
    const dead = { host: '127.0.0.1', port: 1 }
    lifecycle.place = () => dead
    lifecycle.onRevive = (partition) => ({
      partitionId: partition.partitionId,
      status: StatusCode.SUCCESS,
      location: locationAt(worker, partition.partitionId, partition.epoch + 1),
      oldAvailable: false,
    })
    const receipt = await client.pushData(target(), Buffer.from('x'))
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(lifecycle.revives[0]?.partitions[0]?.cause).toBe(
      StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY,
    )
  })
})
