import { describe, expect, it } from 'vitest'
import { encodePushMergedSplit } from '../../src/protocol/push-response'
import { ControlMessageType } from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { encodeBare } from '../../src/protocol/transport-message'
import { locationAt } from '../fault/scripted-lifecycle'
import { releaseProbe, setUp, target, turns } from './harness'

describe('merged pushes', () => {
  it('gathers small batches per worker pair into one request and releases each by itself', async () => {
    const { client, workers } = await setUp({}, 2)
    const probes = [0, 1, 2, 3].map(() => releaseProbe())
    const receipts = await Promise.all(
      probes.map((probe, i) =>
        client.mergeBuffer(target(i), Buffer.from(`batch ${i}`), { onRelease: probe.onRelease }),
      ),
    )
    await turns(20)
    expect(workers.map((worker) => worker.pushes.length)).toEqual([0, 0])
    await client.pushMergedData(target())
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    await Promise.all(probes.map((probe) => probe.released))
    expect(workers.map((worker) => worker.pushes.map((push) => push.uniqueIds))).toEqual([
      [['0-0', '2-0']],
      [['1-0', '3-0']],
    ])
    expect(workers[0]?.payloads.map(String)).toEqual(['batch 0', 'batch 2'])
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, acked: 4 })
  })

  it('goes out by itself beyond celeborn.client.push.buffer.max.size, and at mapperEnd', async () => {
    const { client, worker } = await setUp({ 'celeborn.client.push.buffer.max.size': '1k' })
    for (let i = 0; i < 3; i++) await client.mergeData(target(i), Buffer.alloc(400, i))
    await worker.received(1)
    expect(worker.pushes[0]?.uniqueIds).toEqual(['0-0', '1-0', '2-0'])
    await client.mergeData(target(4), Buffer.alloc(10))
    await client.mapperEnd(target())
    expect(worker.pushes.map((push) => push.uniqueIds.length)).toEqual([3, 1])
  })

  it('resends only the batches that hard-split, to their new places, with their own bytes (B45)', async () => {
    const { client, worker, workers, lifecycle } = await setUp({}, 2)
    const other = workers[1]
    if (other === undefined) throw new Error('no second worker')
    lifecycle.place = () => worker
    lifecycle.onRevive = (partition) => ({
      partitionId: partition.partitionId,
      status: StatusCode.SUCCESS,
      location: locationAt(other, partition.partitionId, partition.epoch + 1),
      oldAvailable: true,
    })
    worker.onPush = (push) => push.answer(encodePushMergedSplit([1, 3], [4]))
    const receipts = []
    for (let i = 0; i < 5; i++) receipts.push(await client.mergeData(target(i), Buffer.from(`batch ${i}`)))
    await client.pushMergedData(target())
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(worker.pushes).toHaveLength(1)
    expect(other.pushes.map((push) => push.uniqueIds)).toEqual([['1-1', '3-1']])
    expect(other.payloads.map(String)).toEqual(['batch 1', 'batch 3'])
    expect(other.pushes[0]?.batches.map((batch) => batch.batchId)).toEqual([2, 4])
    const asked = lifecycle.revives.flatMap((revive) =>
      revive.partitions.map(({ partitionId, cause }) => [partitionId, cause]),
    )
    expect(asked.sort()).toEqual([
      [1, StatusCode.HARD_SPLIT],
      [3, StatusCode.HARD_SPLIT],
      [4, StatusCode.SOFT_SPLIT],
    ])
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, hardSplits: 2, softSplits: 1 })
  })

  it('[21] alone, as a 0.5 worker says it, resends all of them', async () => {
    const { client, worker } = await setUp()
    worker.onPush = (push) => (worker.pushes.length === 1 ? push.status(StatusCode.HARD_SPLIT) : push.ack())
    const receipts = []
    for (let i = 0; i < 3; i++) receipts.push(await client.mergeData(target(i), Buffer.from(`batch ${i}`)))
    await client.pushMergedData(target())
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(worker.pushes.map((push) => push.uniqueIds)).toEqual([
      ['0-0', '1-0', '2-0'],
      ['0-1', '1-1', '2-1'],
    ])
  })

  it('is sent when somebody waits for room: what is gathered never starves others (B65)', async () => {
    const { client } = await setUp({ 'celeborn.node.maxInFlightBytes': '10k' })
    await client.mergeData(target(0), Buffer.alloc(4000))
    const receipt = await client.pushData(target(1), Buffer.alloc(4000))
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
  })

  it('goes out with pushMergedData although the attempt has failed, so that every receipt has an end', async () => {
    const { client, worker } = await setUp({ 'celeborn.client.push.revive.maxRetries': 0 })
    worker.onPush = (push) => (worker.pushes.length === 1 ? push.failure('no luck') : push.ack())
    const merged = await client.mergeData(target(1), Buffer.from('merged'))
    const failed = await client.pushData(target(0), Buffer.from('fails'))
    const settlement = await failed.settled
    expect(settlement).toMatchObject({ outcome: 'failed' })
    if (settlement.outcome !== 'failed') return
    await expect(client.pushMergedData(target())).rejects.toBe(settlement.error)
    expect(await merged.settled).toMatchObject({ outcome: 'acked' })
    expect(client.stats().bytesInFlight).toBe(0)
  })

  it('is dropped by cleanup, gathered or on its way', async () => {
    const { client, worker } = await setUp()
    worker.onPush = () => undefined
    const sent = releaseProbe()
    const gathered = releaseProbe()
    await client.mergeBuffer(target(0), Buffer.alloc(10), { onRelease: sent.onRelease })
    await client.pushMergedData(target())
    await worker.received(1)
    await client.mergeBuffer(target(1), Buffer.alloc(10), { onRelease: gathered.onRelease })
    await client.cleanup(target())
    expect([await sent.released, await gathered.released]).toEqual(['dropped', 'dropped'])
    worker.pushes[0]?.ack()
    await turns(10)
    expect([sent.reasons, gathered.reasons]).toEqual([['dropped'], ['dropped']])
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, dropped: 2 })
  })

  it('fails together when its request fails, each batch with its own retries', async () => {
    const { client, worker } = await setUp({ 'celeborn.client.push.revive.maxRetries': 1 })
    worker.onPush = (push) => push.failure('PUSH_DATA_WRITE_FAIL_REPLICA')
    const receipts = [
      await client.mergeData(target(0), Buffer.from('a')),
      await client.mergeData(target(1), Buffer.from('b')),
    ]
    await client.pushMergedData(target())
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'failed' })
    expect(worker.pushes.map((push) => push.uniqueIds)).toEqual([
      ['0-0', '1-0'],
      ['0-1', '1-1'],
    ])
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, failed: 2 })
  })

  it('each batch once, also when several groups wait for their request at the same time', async () => {
    const { client, workers } = await setUp({ 'celeborn.client.push.maxReqsInFlight.total': 3 }, 2)
    for (const worker of workers) worker.onPush = () => undefined
    for (let i = 0; i < 3; i++) await client.pushData(target(0), Buffer.from('holds one of three requests'))
    const receipts = [
      await client.mergeData(target(0), Buffer.from('a')),
      await client.mergeData(target(1), Buffer.from('b')),
    ]
    const waits = client.pushData(target(0), Buffer.from('waits, so that all that is gathered goes out'))
    for (const worker of workers) worker.onPush = (push) => push.ack()
    await workers[0]?.received(3)
    for (const push of workers[0]?.pushes.slice() ?? []) push.ack()
    await (await waits).settled
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    await client.mapperEnd(target())
    const batches = workers.flatMap((worker) => worker.pushes.flatMap((push) => push.batches))
    expect(batches.map(({ batchId }) => batchId).sort()).toEqual([1, 2, 3, 4, 5, 6])
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, acked: 6, waiting: 0 })
  })

  it.each([
    ['a batch that there is not', encodePushMergedSplit([100], [])],
    ['half a message', Buffer.concat([Uint8Array.of(StatusCode.HARD_SPLIT), Buffer.alloc(3, 0xff)])],
    ['another message', encodePushAnswerOf(ControlMessageType.OPEN_STREAM)],
  ])('an answer about %s is a failure: another connection, another try', async (_name, body) => {
    const { client, worker } = await setUp()
    worker.onPush = (push) => (worker.pushes.length === 1 ? push.answer(body) : push.ack())
    const receipts = [
      await client.mergeData(target(0), Buffer.from('a')),
      await client.mergeData(target(1), Buffer.from('b')),
    ]
    await client.mapperEnd(target())
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(worker.pushes.map((push) => push.uniqueIds)).toEqual([
      ['0-0', '1-0'],
      ['0-1', '1-1'],
    ])
    expect(worker.connections).toHaveLength(2)
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, retries: 2 })
  })

  it('mapperEnd sends what is admitted while it waits', async () => {
    const { client, worker, lifecycle } = await setUp({ 'celeborn.node.maxInFlightBytes': '10k' })
    worker.onPush = (push) => void turns(3).then(() => push.ack())
    // Both wait for the registration, and the second one then for room: mapperEnd has nothing to send when it begins.
    const first = client.mergeData(target(0), Buffer.alloc(7000))
    const second = client.mergeData(target(1), Buffer.alloc(7000))
    await client.mapperEnd(target())
    for (const receipt of [await first, await second]) {
      expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    }
    expect(lifecycle.mapperEnds).toHaveLength(1)
  })

  it('mapperEnd sends what is gathered anew, because its place has changed before it was sent', async () => {
    const { client, worker, workers, lifecycle } = await setUp(
      { 'celeborn.client.push.maxReqsInFlight.perWorker': 1 },
      2,
    )
    const other = workers[1]
    if (other === undefined) throw new Error('no second worker')
    lifecycle.place = () => worker
    lifecycle.onRevive = (partition) => ({
      partitionId: partition.partitionId,
      status: StatusCode.SUCCESS,
      location: locationAt(other, partition.partitionId, partition.epoch + 1),
      oldAvailable: true,
    })
    // Another attempt learns that partition 0 has moved, while this one's merged push waits for its request.
    worker.onPush = (push) => {
      if (push.uniqueIds[0] === '0-0') push.status(StatusCode.SOFT_SPLIT)
    }
    const mine = target(0, { mapId: 0 })
    await client.pushData({ ...mine, partitionId: 1 }, Buffer.from('holds the only request'))
    const merged = await client.mergeData(mine, Buffer.from('merged'))
    const ended = client.mapperEnd(mine)
    await (await client.pushData(target(0, { mapId: 1 }), Buffer.from('splits'))).settled
    while (lifecycle.revives.length === 0) await turns(1)
    await turns(20)
    worker.pushes.find((push) => push.uniqueIds[0] === '1-0')?.ack()
    expect(await merged.settled).toMatchObject({ outcome: 'acked' })
    await ended
    expect(other.payloads.map(String)).toEqual(['merged'])
  })
})

/** A split answer that carries another message. */
function encodePushAnswerOf(type: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(StatusCode.HARD_SPLIT), encodeBare(type, new Uint8Array(2))])
}
