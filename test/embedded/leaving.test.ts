/** Workers that stop gracefully or are decommissioned, in raw protocol messages. */
import { afterEach, expect, test } from 'vitest'
import { shuffleKey, type WorkerAddress, workerUniqueId } from '../../src/protocol/ids'
import { type PartitionLocation } from '../../src/protocol/locations'
import {
  ControlMessageType,
  decodeHeartbeatFromApplicationResponse,
  encodeHeartbeatFromApplication,
  encodeUnregisterShuffle,
  encodeWorkerLost,
  type HeartbeatFromApplicationResponse,
} from '../../src/protocol/messages'
import { classifyPushMerged } from '../../src/protocol/push-response'
import { StatusCode } from '../../src/protocol/status'
import { APP, batch, TestCluster, until } from './support'

let t: TestCluster
afterEach(() => t.stop())

async function heartbeat(): Promise<HeartbeatFromApplicationResponse> {
  const payload = encodeHeartbeatFromApplication({
    appId: APP,
    totalWritten: 0,
    fileCount: 0,
    requestId: 'r#1',
    needCheckedWorkerList: [],
    shouldResponse: true,
  })
  return decodeHeartbeatFromApplicationResponse(
    await t.client.askMaster(ControlMessageType.HEARTBEAT_FROM_APPLICATION, payload),
  )
}

function workerAt(index: number): WorkerAddress {
  const worker = t.workers[index]
  if (worker === undefined) throw new Error(`no worker ${index}`)
  return worker
}

function on(worker: WorkerAddress, locations: readonly PartitionLocation[]): PartitionLocation {
  const location = locations.find(({ rpcPort }) => rpcPort === worker.rpcPort)
  if (location === undefined) throw new Error('no location there')
  return location
}

/** Resolves when the master and its applications see the worker go. */
const isShutting = (worker: WorkerAddress) => async (): Promise<boolean> =>
  (await heartbeat()).shuttingWorkers.some(({ rpcPort }) => rpcPort === worker.rpcPort)

test('a worker that stops gracefully takes nothing new, waits for its commits, answers them, and is gone', async () => {
  t = await TestCluster.start()
  const [leaver, stayer] = [workerAt(0), workerAt(1)]
  const locations = await t.client.register(2)
  const location = on(leaver, locations)
  const uniqueId = `${location.id}-0`
  expect(await t.client.push(location, batch(0, 1, 'kept'))).toEqual({ body: [] })
  const stopped = t.cluster.stopWorker(0)
  await until(isShutting(leaver))
  expect(t.cluster.stats().workers.map((w) => w?.condition)).toEqual(['graceful', 'normal'])

  expect([...(await t.client.requestSlots(4, { shuffleId: 1 })).workerResource.keys()]).toEqual([
    workerUniqueId(stayer),
  ])
  const next = { ...location, epoch: 1 }
  expect(await t.client.reserve(leaver, { primaries: [next], replicas: [] })).toEqual({
    status: StatusCode.WORKER_SHUTDOWN,
    reason: 'the worker is shutting down',
  })
  const hardSplit = { body: [StatusCode.HARD_SPLIT] }
  expect(await t.client.push(location, batch(0, 2, 'sent away'))).toEqual(hardSplit)
  const merged = await t.client.pushMerged(location, [uniqueId], [batch(0, 3, 'sent away')])
  expect('body' in merged && classifyPushMerged(Uint8Array.from(merged.body), 1)).toMatchObject({
    kind: 'split',
    hardSplit: [0],
  })
  expect(await t.client.push(on(stayer, locations), batch(0, 1, 'others go on'))).toEqual({ body: [] })

  expect(await t.client.commit(leaver, { primaryIds: [uniqueId] })).toMatchObject({
    status: StatusCode.SUCCESS,
    committedPrimaryIds: [uniqueId],
  })
  expect(await stopped).toEqual([])
  expect(t.cluster.stats().workers[0]).toBeUndefined()
  expect(t.cluster.stats().master.workers).toBe(1)
  await expect(t.client.push(location, batch(0, 4, 'x'))).rejects.toMatchObject({
    code: expect.stringMatching(/^CELEBORN_CONNECT/),
  })
  await expect(t.cluster.stopWorker(0)).rejects.toThrow('there is no worker 0')
})

test('a replica on a worker that stops splits the push for its client', async () => {
  t = await TestCluster.start()
  const leaver = workerAt(0)
  const locations = await t.client.register(2, { replicate: true })
  const location = on(workerAt(1), locations)
  const stopped = t.cluster.stopWorker(0)
  await until(isShutting(leaver))
  expect(await t.client.push(location, batch(0, 1, 'x'))).toEqual({ body: [StatusCode.HARD_SPLIT] })
  const own = on(leaver, locations)
  await t.client.commit(leaver, { primaryIds: [`${own.id}-0`], replicaIds: [`${location.id}-0`] })
  expect(await stopped).toEqual([])
})

test('a worker that holds nothing leaves at once, one whose slots are given up then', async () => {
  t = await TestCluster.start()
  const location = on(workerAt(1), await t.client.register(2))
  // What the other one has is given up with its shuffle's unregistration, which the master tells it.
  const stopped = t.cluster.stopWorker(1)
  await until(isShutting(workerAt(1)))
  await t.client.askMaster(
    ControlMessageType.UNREGISTER_SHUFFLE,
    encodeUnregisterShuffle({ appId: APP, shuffleId: 0, requestId: 'r#1' }),
  )
  expect(await stopped).toEqual([])
  await expect(t.client.push(location, batch(0, 1, 'x'))).rejects.toThrow()
  expect(await t.cluster.stopWorker(0)).toEqual([])
  expect(t.cluster.stats().master.workers).toBe(0)
})

test('one that nobody commits leaves when its time is over, and names what was not committed', async () => {
  const key = 'celeborn.worker.graceful.shutdown.checkSlotsFinished.timeout'
  t = await TestCluster.start({ workers: 1, entries: { [key]: '30ms' } })
  await t.client.register(1, { shuffleId: 7 })
  expect(await t.cluster.stopWorker(0)).toEqual([`${shuffleKey(APP, 7)}/0-0-0`])
})

test('a master that forgets a worker on its way out is told again that it leaves', async () => {
  t = await TestCluster.start({ workers: 1 })
  const leaver = workerAt(0)
  const [location] = await t.client.register(1)
  if (location === undefined) throw new Error('no location')
  const stopped = t.cluster.stopWorker(0)
  await until(isShutting(leaver))
  await t.client.askMaster(ControlMessageType.WORKER_LOST, encodeWorkerLost({ ...leaver, requestId: 'r#1' }))
  await until(isShutting(leaver))
  expect((await t.client.requestSlots(1, { shuffleId: 1 })).status).toBe(StatusCode.WORKER_EXCLUDED)
  await t.client.commit(leaver, { primaryIds: ['0-0'] })
  expect(await stopped).toEqual([])
})

test('a worker that is decommissioned serves its files until nobody needs them', async () => {
  t = await TestCluster.start()
  const leaver = workerAt(0)
  const location = on(leaver, await t.client.register(2))
  await t.client.push(location, batch(0, 1, 'kept'))
  let gone = false
  const stopped = t.cluster.decommissionWorker(0).finally(() => {
    gone = true
  })
  await until(isShutting(leaver))
  expect(t.cluster.stats().workers[0]?.condition).toBe('decommission')
  expect(await t.client.push(location, batch(0, 2, 'x'))).toEqual({ body: [StatusCode.HARD_SPLIT] })
  await t.client.commit(leaver, { primaryIds: [`${location.id}-0`] })
  expect(Buffer.concat(await t.client.read(location))).toEqual(batch(0, 1, 'kept'))
  // Several heartbeats of a worker that has nothing more to commit.
  for (let i = 0; i < 5; i++) expect(Buffer.concat(await t.client.read(location))).toHaveLength(20)
  expect(gone).toBe(false)
  await t.client.askMaster(
    ControlMessageType.UNREGISTER_SHUFFLE,
    encodeUnregisterShuffle({ appId: APP, shuffleId: 0, requestId: 'r#1' }),
  )
  expect(await stopped).toEqual([])
  expect(t.cluster.stats().master.workers).toBe(1)
})

test('a worker that leaves can be killed, and the end of the cluster does not wait for it', async () => {
  t = await TestCluster.start()
  const locations = await t.client.register(2)
  const leaves = [t.cluster.stopWorker(0), t.cluster.decommissionWorker(1)]
  await expect(t.cluster.stopWorker(0)).rejects.toThrow('leaving already')
  expect(t.cluster.stats().workers.map((w) => w?.condition)).toEqual(['graceful', 'decommission'])
  await t.cluster.killWorker(0)
  expect(await leaves[0]).toEqual([`${shuffleKey(APP, 0)}/${on(workerAtPort(locations), locations).id}-0-0`])
  await t.cluster.stop()
  expect(await leaves[1]).toEqual([shuffleKey(APP, 0)])
})

/** The worker that is gone: the one of a location that no living worker has. */
function workerAtPort(locations: readonly PartitionLocation[]): WorkerAddress {
  const alive = new Set(t.workers.map(({ rpcPort }) => rpcPort))
  const gone = locations.find(({ rpcPort }) => !alive.has(rpcPort))
  if (gone === undefined) throw new Error('all are alive')
  return gone
}

test('a cluster can begin with a master alone', async () => {
  t = await TestCluster.start({ workers: 0 })
  expect((await t.client.requestSlots(1)).status).toBe(StatusCode.WORKER_EXCLUDED)
  expect(await t.cluster.startWorker()).toBe(0)
  expect(await t.client.register(1)).toHaveLength(1)
})
