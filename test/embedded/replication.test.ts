import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PartitionLocation } from '../../src/protocol/locations'
import { decodePushMergedDataSplitPartitionInfo } from '../../src/protocol/messages'
import { classifyPushMerged } from '../../src/protocol/push-response'
import { StatusCode } from '../../src/protocol/status'
import { decodeBare } from '../../src/protocol/transport-message'
import { batch, TestCluster } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start({ workers: 2 })
})
afterEach(() => t.stop())

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing')
  return value
}

/** Commits everything on both workers and gives the bytes of a location's two copies. */
async function commitBoth(locations: readonly PartitionLocation[]): Promise<void> {
  for (const worker of t.workers) {
    const ids = (mine: (location: PartitionLocation) => boolean) =>
      locations.filter(mine).map(({ id, epoch }) => `${id}-${epoch}`)
    const answer = await t.client.commit(worker, {
      primaryIds: ids((location) => location.rpcPort === worker.rpcPort),
      replicaIds: ids((location) => location.peer?.rpcPort === worker.rpcPort),
    })
    expect(answer.status).toBe(StatusCode.SUCCESS)
  }
}

test('a push is on both workers when it is answered', async () => {
  const locations = await t.client.register(4, { replicate: true })
  const first = found(locations[0])
  const body = batch(0, 1, randomBytes(100_000))
  expect(await t.client.push(first, body)).toEqual({ body: [] })
  const mine = locations.filter((location) => location.rpcPort === first.rpcPort)
  const ids = mine.map(({ id }) => `${id}-0`)
  const merged = ids.map((_id, i) => batch(0, 2 + i, `merged ${i}`))
  expect(await t.client.pushMerged(first, ids, merged)).toEqual({ body: [0] })
  await commitBoth(locations)
  for (const [i, location] of mine.entries()) {
    const expected = Buffer.concat([...(location === first ? [body] : []), found(merged[i])])
    expect(expected.equals(Buffer.concat(await t.client.read(location)))).toBe(true)
    expect(expected.equals(Buffer.concat(await t.client.read(found(location.peer))))).toBe(true)
  }
})

test('a replica that is gone fails the push with its cause', async () => {
  const [location] = await t.client.register(1, { replicate: true })
  const primary = found(location)
  const index = t.workers.findIndex((worker) => worker.rpcPort === primary.peer?.rpcPort)
  await t.cluster.killWorker(index)
  expect(await t.client.push(primary, batch(0, 1, 'a'))).toEqual({
    failure: expect.stringMatching(/^PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA/),
  })
  expect(await t.client.pushMerged(primary, ['0-0'], [batch(0, 2, 'b')])).toEqual({
    failure: expect.stringMatching(/^PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA/),
  })
})

test('a replica that has no such partition says so', async () => {
  const [location] = await t.client.register(1, { replicate: true })
  const primary = found(location)
  await t.client.commit(found(primary.peer), { replicaIds: ['0-0'], mapAttempts: [-1] })
  // Committed there already: the batch has to go elsewhere.
  expect(await t.client.push(primary, batch(0, 1, 'a'))).toEqual({ body: [StatusCode.HARD_SPLIT] })
  const merged = await t.client.pushMerged(primary, ['0-0', '0-0'], [batch(0, 2, 'b'), batch(0, 3, 'c')])
  expect('body' in merged && classifyPushMerged(Uint8Array.from(merged.body), 2)).toMatchObject({
    hardSplit: [0, 1],
  })
  const stray = { ...primary, id: 7, peer: { ...found(primary.peer), id: 7 } }
  await t.client.reserve(primary, { primaries: [stray], replicas: [] }, { shuffleId: 1 })
  expect(await t.client.push(stray, batch(0, 1, 'a'), { key: 'test-app-1' })).toEqual({
    failure: 'PUSH_DATA_FAIL_PARTITION_NOT_FOUND',
  })
})

test('what a split leaves here is not sent to the replica; its indexes are the original ones', async () => {
  const locations = await t.client.register(4, { replicate: true, splitThreshold: 50, splitMode: 1 })
  const first = found(locations[0])
  const ids = locations.filter(({ rpcPort }) => rpcPort === first.rpcPort).map(({ id }) => `${id}-0`)
  const [a, b] = [found(ids[0]), found(ids[1])]
  await t.client.push(first, batch(0, 1, Buffer.alloc(80)), { uniqueId: a })
  const answer = await t.client.pushMerged(
    first,
    [a, b, a],
    [batch(0, 2, 'x'), batch(0, 3, 'y'), batch(0, 4, 'z')],
  )
  expect('body' in answer && classifyPushMerged(Uint8Array.from(answer.body), 3)).toMatchObject({
    hardSplit: [0, 2],
    softSplit: [],
  })
  await commitBoth(locations)
  const replica = found(locations[Number(b.split('-')[0])]?.peer)
  expect(Buffer.concat(await t.client.read(replica))).toEqual(batch(0, 3, 'y'))
})

test('where the primary has taken a batch and the replica has not, it must go to a new location', async () => {
  const [location] = await t.client.register(1, { replicate: true, splitThreshold: 50 })
  const primary = found(location)
  await t.client.push(primary, batch(0, 1, Buffer.alloc(80)))
  expect(await t.client.push(primary, batch(0, 2, 'soft'))).toEqual({ body: [StatusCode.SOFT_SPLIT] })
  await t.client.commit(found(primary.peer), { replicaIds: ['0-0'], mapAttempts: [-1] })
  const answer = await t.client.pushMerged(primary, ['0-0'], [batch(0, 3, 'x')])
  const body = 'body' in answer ? Uint8Array.from(answer.body) : new Uint8Array(0)
  const { payload } = decodeBare(body.subarray(1))
  expect(decodePushMergedDataSplitPartitionInfo(payload)).toEqual({
    splitPartitionIndexes: [0],
    statusCodes: [StatusCode.HARD_SPLIT],
  })
})

test('splits here and splits at the replica are told together', async () => {
  const locations = await t.client.register(4, { replicate: true, splitThreshold: 50, splitMode: 1 })
  const first = found(locations[0])
  const mine = locations.filter(({ rpcPort }) => rpcPort === first.rpcPort)
  const [a, b] = [found(mine[0]), found(mine[1])]
  await t.client.push(a, batch(0, 1, Buffer.alloc(80)))
  await t.client.commit(found(b.peer), { replicaIds: [`${b.id}-0`], mapAttempts: [-1] })
  const answer = await t.client.pushMerged(
    a,
    [`${a.id}-0`, `${b.id}-0`],
    [batch(0, 2, 'x'), batch(0, 3, 'y')],
  )
  expect('body' in answer && classifyPushMerged(Uint8Array.from(answer.body), 2)).toMatchObject({
    hardSplit: [0, 1],
  })
})

test('congestion is told when it is asked for: of the primary, or of the replica', async () => {
  await t.stop()
  // So small that any push waiting for the disk is more than half of it.
  t = await TestCluster.start({
    entries: {
      'celeborn.worker.congestionControl.enabled': 'true',
      'celeborn.node.embedded.maxUnwrittenBytes': '1b',
    },
  })
  const [alone] = await t.client.register(1, { shuffleId: 1 })
  const key = 'test-app-1'
  const primary = StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED
  expect(await t.client.push(found(alone), batch(0, 1, 'a'), { key })).toEqual({ body: [primary] })
  expect(await t.client.pushMerged(found(alone), ['0-0'], [batch(0, 2, 'b')], { key })).toEqual({
    body: [primary],
  })
  const [location] = await t.client.register(1, { replicate: true })
  const replica = StatusCode.PUSH_DATA_SUCCESS_REPLICA_CONGESTED
  expect(await t.client.push(found(location), batch(0, 1, 'a'))).toEqual({ body: [replica] })
  expect(await t.client.pushMerged(found(location), ['0-0'], [batch(0, 2, 'b')])).toEqual({ body: [replica] })
  await t.client.commit(found(location), { primaryIds: ['0-0'] })
  expect(Buffer.concat(await t.client.read(found(location)))).toEqual(
    Buffer.concat([batch(0, 1, 'a'), batch(0, 2, 'b')]),
  )
})
