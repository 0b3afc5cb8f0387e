import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PartitionLocation } from '../../src/protocol/locations'
import {
  ControlMessageType,
  decodeDestroyWorkerSlotsResponse,
  encodeDestroyWorkerSlots,
} from '../../src/protocol/messages'
import { encodeRoaringBitmap } from '../../src/protocol/roaring-bitmap'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { StatusCode } from '../../src/protocol/status'
import { batch, TestClient, TestCluster } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start({ workers: 1 })
})
afterEach(() => t.stop())

async function oneLocation(): Promise<PartitionLocation> {
  const [location] = await t.client.register(1)
  if (location === undefined) throw new Error('no location')
  return location
}

test('endpoints are found, by either form of requests', async () => {
  const [worker] = t.workers
  if (worker === undefined) throw new Error('no worker')
  const { host, port } = t.client.master
  expect(await t.client.rpc.checkEndpoint(host, port, Endpoint.MASTER)).toBe(true)
  expect(await t.client.rpc.checkEndpoint(host, port, Endpoint.WORKER)).toBe(false)
  expect(await t.client.rpc.checkEndpoint(host, worker.rpcPort, Endpoint.WORKER)).toBe(true)
  const v2 = new TestClient(t.cluster.masterEndpoint, 'V2')
  try {
    const [location] = await v2.register(1)
    expect(location).toMatchObject({ id: 0, rpcPort: worker.rpcPort })
  } finally {
    await v2.close()
  }
})

test('a repeated reserve keeps what was written', async () => {
  const location = await oneLocation()
  await t.client.push(location, batch(0, 1, 'a'))
  const again = await t.client.reserve(location, { primaries: [location], replicas: [] })
  expect(again.status).toBe(StatusCode.SUCCESS)
  await t.client.push(location, batch(0, 2, 'b'))
  await t.client.commit(location, { primaryIds: ['0-0'] })
  // Not even a late repetition touches the committed file.
  expect((await t.client.reserve(location, { primaries: [location], replicas: [] })).status).toBe(0)
  expect(await t.client.push(location, batch(0, 3, 'c'))).toEqual({ body: [StatusCode.MAP_ENDED] })
  expect(Buffer.concat(await t.client.read(location))).toEqual(
    Buffer.concat([batch(0, 1, 'a'), batch(0, 2, 'b')]),
  )
})

test('what the embedded cluster does not have is refused with a reason', async () => {
  const location = await oneLocation()
  const reserve = (o: Parameters<TestClient['reserve']>[2]) =>
    t.client.reserve(location, { primaries: [location], replicas: [] }, { shuffleId: 9, ...o })
  expect(await reserve({ partitionType: 1 })).toEqual({
    status: StatusCode.RESERVE_SLOTS_FAILED,
    reason: expect.stringContaining('no map partitions'),
  })
  expect(await reserve({ availableStorageTypes: 4 })).toEqual({
    status: StatusCode.RESERVE_SLOTS_FAILED,
    reason: expect.stringContaining('local disk only'),
  })
  const odd = await t.client.reserve(
    location,
    { primaries: [location, { ...location, id: -1 }], replicas: [] },
    { shuffleId: 9 },
  )
  expect(odd.status).toBe(StatusCode.RESERVE_SLOTS_FAILED)
  // All or nothing.
  expect(await t.client.commit(location, { shuffleId: 9, primaryIds: ['0-0'] })).toMatchObject({
    status: StatusCode.SHUFFLE_UNREGISTERED,
  })
  await expect(
    t.client.askWorker(location, ControlMessageType.REGISTER_MAP_PARTITION_TASK, new Uint8Array(0)),
  ).rejects.toThrow('no answer to REGISTER_MAP_PARTITION_TASK')
  await expect(t.client.askMaster(ControlMessageType.WORKER_EXCLUDE, new Uint8Array(0))).rejects.toThrow(
    'no answer to WORKER_EXCLUDE',
  )
})

test('a commit of an unknown shuffle, and of ids that were not reserved', async () => {
  const location = await oneLocation()
  expect(
    await t.client.commit(location, { shuffleId: 5, primaryIds: ['0-0'], replicaIds: ['1-0'] }),
  ).toMatchObject({
    status: StatusCode.SHUFFLE_UNREGISTERED,
    failedPrimaryIds: ['0-0'],
    failedReplicaIds: ['1-0'],
  })
  await t.client.push(location, batch(0, 1, 'a'))
  expect(await t.client.commit(location, { primaryIds: ['0-0', '4-0'] })).toMatchObject({
    status: StatusCode.PARTIAL_SUCCESS,
    committedPrimaryIds: ['0-0'],
    failedPrimaryIds: ['4-0'],
  })
})

test('a commit is known by its epoch: repeated it gets the same answer, another one is another commit', async () => {
  const location = await oneLocation()
  await t.client.push(location, batch(0, 1, 'a'))
  const first = await t.client.commit(location, { epoch: 7, primaryIds: ['0-0'] })
  expect(first.committedPrimaryIds).toEqual(['0-0'])
  // Even with other ids in it.
  expect(await t.client.commit(location, { epoch: 7, primaryIds: ['3-3'] })).toEqual(first)
  expect(await t.client.commit(location, { epoch: 8, primaryIds: ['0-0'] })).toMatchObject({
    status: StatusCode.PARTIAL_SUCCESS,
    failedPrimaryIds: ['0-0'],
  })
  expect(Buffer.concat(await t.client.read(location))).toEqual(batch(0, 1, 'a'))
})

test('several epochs of a partition are several files', async () => {
  const location = await oneLocation()
  const next = { ...location, epoch: 1 }
  await t.client.push(location, batch(0, 1, 'a'))
  await t.client.commit(location, { epoch: 1, primaryIds: ['0-0'], mapAttempts: [-1] })
  expect((await t.client.reserve(next, { primaries: [next], replicas: [] })).status).toBe(0)
  await t.client.push(next, batch(0, 2, 'b'))
  await t.client.commit(next, { epoch: 2, primaryIds: ['0-1'] })
  expect(Buffer.concat(await t.client.read(location))).toEqual(batch(0, 1, 'a'))
  expect(Buffer.concat(await t.client.read(next))).toEqual(batch(0, 2, 'b'))
})

test('a commit tells which map tasks are in a file, when filters were asked for', async () => {
  const [location] = await t.client.register(2, { rangeReadFilter: true })
  if (location === undefined) throw new Error('no location')
  for (const mapId of [7, 70_000, 7]) await t.client.push(location, batch(mapId, 1, 'a'))
  const merged = [batch(9, 1, 'b'), batch(9, 2, 'c')]
  await t.client.pushMerged(location, ['0-0', '1-0'], merged)
  const { mapIdBitmap } = await t.client.commit(location, { primaryIds: ['0-0', '1-0'] })
  expect(new Map([...mapIdBitmap].map(([id, bytes]) => [id, Buffer.from(bytes)]))).toEqual(
    new Map([
      ['0-0', encodeRoaringBitmap([7, 9, 70_000])],
      ['1-0', encodeRoaringBitmap([9])],
    ]),
  )
})

test('destroy gives up what was reserved and its data', async () => {
  const location = await oneLocation()
  await t.client.push(location, batch(0, 1, 'a'))
  const destroy = async (shuffleKey: string) =>
    decodeDestroyWorkerSlotsResponse(
      await t.client.askWorker(
        location,
        ControlMessageType.DESTROY,
        encodeDestroyWorkerSlots({ shuffleKey, primaryIds: ['0-0'], replicaIds: [], mockFailure: false }),
      ),
    )
  expect(await destroy('test-app-0')).toMatchObject({ status: StatusCode.SUCCESS, failedPrimaries: [] })
  expect(readdirSync(join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data/test-app/0'))).toEqual([])
  expect(await t.client.push(location, batch(0, 2, 'b'))).toEqual({
    failure: 'PUSH_DATA_FAIL_PARTITION_NOT_FOUND',
  })
  expect(await destroy('test-app-44')).toMatchObject({
    status: StatusCode.SHUFFLE_UNREGISTERED,
    failedPrimaries: ['0-0'],
  })
})

test('slots: none for excluded workers, none for replicas without a second worker', async () => {
  const { status, workerResource } = await t.client.requestSlots(2, { replicate: true })
  expect(status).toBe(StatusCode.SLOT_NOT_AVAILABLE)
  expect(workerResource.size).toBe(0)
  const excluded = await t.client.requestSlots(2, { excluded: t.workers })
  expect(excluded.status).toBe(StatusCode.WORKER_EXCLUDED)
})
