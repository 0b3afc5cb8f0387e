import { afterEach, describe, expect, it } from 'vitest'
import { RpcFailureText } from '../../src/network'
import { workerOf } from '../../src/lifecycle/worker-ref'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture, eventually } from './driver'
import { offer } from './fake-cluster'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

describe.each(['V1', 'V2'] as const)('in the %s form', (form) => {
  it('registers, ends and reads a shuffle', async () => {
    const { client, master, worker } = await fixture.start({ form, conf: { 'celeborn.node.rpc.form': form } })
    expect(await client.checkEndpoint('LifecycleManagerEndpoint')).toBe(true)
    const registered = await client.register(3, 2, 4)
    expect(registered.status).toBe(StatusCode.SUCCESS)
    expect(registered.locations.map((l) => [l.id, l.epoch, l.mode])).toEqual(
      [0, 1, 2, 3].map((id) => [id, 0, 0]),
    )
    worker(0).empty.add('2-0')
    expect((await client.mapperEnd(3, 1, 0, 2)).status).toBe(StatusCode.SUCCESS)
    const reader = client.fileGroup(3)
    expect(await client.stageEnd(3)).toBe(false)
    expect((await client.mapperEnd(3, 0, 4, 2)).status).toBe(StatusCode.SUCCESS)
    const group = await reader
    expect(group.status).toBe(StatusCode.SUCCESS)
    expect(group.attempts).toEqual([4, 0])
    expect([...group.fileGroups.keys()].sort()).toEqual([0, 1, 3])
    expect(group.fileGroups.get(1)).toMatchObject([
      { id: 1, epoch: 0, mode: 0, storage: { finalResult: true } },
    ])
    expect(await client.stageEnd(3)).toBe(true)
    expect(master.slotRequests[0]).toMatchObject({
      applicationId: 'app-1',
      shuffleId: 3,
      partitionIds: [0, 1, 2, 3],
      shouldReplicate: false,
      packed: true,
      availableStorageTypes: 2,
      userIdentifier: { tenantId: 'default', name: 'default' },
    })
    expect(worker(0).reserves[0]).toMatchObject({
      applicationId: 'app-1',
      shuffleId: 3,
      splitThreshold: 1024 ** 3,
      splitMode: 0,
      partitionType: 0,
      pushDataTimeout: 120_000,
      partitionSplitEnabled: true,
    })
    expect(worker(1).commits).toMatchObject([
      { shuffleId: 3, primaryIds: ['1-0', '3-0'], mapAttempts: [4, 0] },
    ])
  })
})

describe('registration', () => {
  it('is done once, however many ask at the same time and later', async () => {
    const { client, master, workers } = await fixture.start()
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.register(1, 20, 8)))
    answers.push(await client.register(1, 20, 8))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.locations).toHaveLength(8)
    expect(master.slotRequests).toHaveLength(1)
    expect(workers.map((w) => w.reserves.length)).toEqual([1, 1])
  })

  it('reserves primaries and replicas, linked with each other', async () => {
    const { client, workers, worker } = await fixture.start({
      workers: 3,
      conf: { 'celeborn.client.push.replicate.enabled': true },
    })
    const { locations } = await client.register(1, 1, 3)
    for (const location of locations) {
      if (location.peer === undefined) throw new Error('no replica')
      expect(workerOf(location.peer).id).not.toBe(workerOf(location).id)
    }
    expect(workers.map((w) => [[...w.primaries], [...w.replicas]])).toEqual([
      [['0-0'], ['2-0']],
      [['1-0'], ['0-0']],
      [['2-0'], ['1-0']],
    ])
    const [request] = worker(0).reserves
    expect(request?.primaryLocations[0]?.peer).toMatchObject({ mode: 1, rpcPort: worker(1).ref.rpcPort })
    expect(request?.replicaLocations[0]?.peer).toMatchObject({ mode: 0, rpcPort: worker(2).ref.rpcPort })
  })

  it('asks no worker that got no location, but keeps it for later', async () => {
    const { client, master, worker, manager } = await fixture.start({ workers: 3 })
    master.onSlots = (request) => {
      const workerResource = new Map(offer({ ...request, partitionIds: [] }, master.workers).workerResource)
      for (const [id, resource] of offer(request, [worker(0)]).workerResource)
        workerResource.set(id, resource)
      return { status: StatusCode.SUCCESS, workerResource }
    }
    await client.register(1, 1, 2)
    expect(worker(1).reserves).toHaveLength(0)
    expect(manager.stats().shuffles[0]?.workers).toBe(3)
  })

  it('moves what a dead worker was to hold to others, at the same epoch', async () => {
    const { client, worker, manager } = await fixture.start({ workers: 3 })
    const dead = worker(1).ref
    await worker(1).close()
    const { status, locations } = await client.register(1, 1, 6)
    expect(status).toBe(StatusCode.SUCCESS)
    expect(locations).toHaveLength(6)
    for (const location of locations) {
      expect(location.epoch).toBe(0)
      expect(workerOf(location).id).not.toBe(dead.id)
    }
    expect(manager.stats().excludedWorkers).toEqual({ [dead.id]: 'WORKER_UNRESPONSIVE' })
  })

  it('destroys the other copy of what a worker refused before it is placed anew', async () => {
    const { client, worker, workers } = await fixture.start({
      workers: 3,
      conf: { 'celeborn.client.push.replicate.enabled': true },
    })
    worker(1).onReserve = () => ({ status: StatusCode.RESERVE_SLOTS_FAILED, reason: 'disk full' })
    const { status, locations } = await client.register(1, 1, 3)
    expect(status).toBe(StatusCode.SUCCESS)
    expect(locations.map((l) => l.id)).toEqual([0, 1, 2])
    // Worker 1 was to hold the primary of 1 and the replica of 0.
    expect(worker(0).destroys).toMatchObject([{ shuffleKey: 'app-1-1', primaryIds: ['0-0'], replicaIds: [] }])
    expect(worker(2).destroys).toMatchObject([{ primaryIds: [], replicaIds: ['1-0'] }])
    expect(worker(1).destroys).toHaveLength(0)
    const held = workers.map((w) => [[...w.primaries].sort(), [...w.replicas].sort()])
    expect(held[1]).toEqual([[], []])
    expect([...(held[0]?.[0] ?? []), ...(held[2]?.[0] ?? [])].sort()).toEqual(['0-0', '1-0', '2-0'])
    expect([...(held[0]?.[1] ?? []), ...(held[2]?.[1] ?? [])].sort()).toEqual(['0-0', '1-0', '2-0'])
  })

  it('goes to other workers when one says that it shuts down, and offers it nothing until the master vouches for it', async () => {
    const { client, master, worker, manager } = await fixture.start({ workers: 3 })
    worker(1).onReserve = () => ({
      status: StatusCode.WORKER_SHUTDOWN,
      reason: 'the worker is shutting down',
    })
    const { status, locations } = await client.register(1, 1, 3)
    expect(status).toBe(StatusCode.SUCCESS)
    expect(locations.map((l) => l.epoch)).toEqual([0, 0, 0])
    expect(locations.map((l) => l.rpcPort)).not.toContain(worker(1).ref.rpcPort)
    expect(manager.stats()).toMatchObject({ shuttingWorkers: [worker(1).ref.id], excludedWorkers: {} })
    await client.register(2, 1, 3)
    expect(master.slotRequests[0]?.excludedWorkers).toEqual([])
    expect(master.slotRequests[1]?.excludedWorkers.map((w) => w.rpcPort)).toEqual([worker(1).ref.rpcPort])
  })

  it('gives everything back and says so when too few workers are left; the next caller tries anew', async () => {
    const { client, master, worker } = await fixture.start({ workers: 1 })
    worker(0).onReserve = () => ({ status: StatusCode.RESERVE_SLOTS_FAILED, reason: 'disk full' })
    expect(await client.register(1, 1, 2)).toMatchObject({
      status: StatusCode.RESERVE_SLOTS_FAILED,
      locations: [],
      errorMsg: `worker 127.0.0.1:${worker(0).ref.rpcPort} did not reserve: RESERVE_SLOTS_FAILED disk full; only 0 other worker(s) left`,
    })
    worker(0).onReserve = () => undefined
    expect((await client.register(1, 1, 2)).status).toBe(StatusCode.SUCCESS)
    expect(master.slotRequests).toHaveLength(2)
    expect(master.slotRequests[1]?.excludedWorkers.map(workerOf)).toEqual([worker(0).ref])
  })

  it('destroys on the good workers what was reserved when the rest fails', async () => {
    const { client, worker } = await fixture.start({
      workers: 2,
      conf: { 'celeborn.client.reserveSlots.maxRetries': 1 },
    })
    worker(1).onReserve = () => new RpcFailureText('java.lang.NullPointerException')
    expect((await client.register(1, 1, 2)).status).toBe(StatusCode.RESERVE_SLOTS_FAILED)
    await eventually(() => [...worker(0).primaries]).toEqual([])
    expect(worker(0).destroys).toMatchObject([{ primaryIds: ['0-0'] }])
  })

  it('passes on that the master has no slots, after a second request', async () => {
    const { client, master } = await fixture.start()
    master.onSlots = () => ({ status: StatusCode.WORKER_EXCLUDED, workerResource: new Map() })
    expect(await client.register(1, 1, 2)).toEqual({
      status: StatusCode.WORKER_EXCLUDED,
      locations: [],
      errorMsg: `the master at ${master.endpoint} offers no slots`,
    })
    expect(master.slotRequests).toHaveLength(2)
  })

  it.each<[string, (id: number) => number]>([
    ['lack', (id) => (id === 1 ? 0 : id)],
    ['not asked for', (id) => id + 1],
  ])('refuses slots of a master that %s partitions', async (_, rename) => {
    const { client, master, worker } = await fixture.start({ workers: 1 })
    master.onSlots = (request) =>
      offer({ ...request, partitionIds: request.partitionIds.map(rename) }, [worker(0)])
    await expect(client.register(1, 1, 2)).rejects.toThrow(/cannot be registered: the master's slots/)
    expect(worker(0).reserves).toHaveLength(0)
  })

  it('refuses slots without replicas when there must be some', async () => {
    const { client, master, worker } = await fixture.start({
      conf: { 'celeborn.client.push.replicate.enabled': true },
    })
    master.onSlots = (request) => offer({ ...request, shouldReplicate: false }, [worker(0)])
    await expect(client.register(1, 1, 2)).rejects.toThrow('no replica for partition 0')
  })

  it.each<[number, number, RegExp]>([
    [-1, 1, /numMappers -1/],
    [0x7fffffff, 1, /numMappers 2147483647/],
    [1, 0, /numPartitions 0/],
    [1, 0x7fffffff, /numPartitions 2147483647/],
  ])(
    'refuses %d map tasks and %d partitions without asking anybody',
    async (mappers, partitions, message) => {
      const { client, master, manager } = await fixture.start()
      await expect(client.register(1, mappers, partitions)).rejects.toThrow(message)
      expect(master.slotRequests).toHaveLength(0)
      expect(manager.stats().shuffles).toEqual([])
    },
  )

  it('answers no map tasks with the status for it', async () => {
    const { client } = await fixture.start()
    expect(await client.register(1, 0, 4)).toMatchObject({
      status: StatusCode.NUM_MAPPER_ZERO,
      locations: [],
    })
  })

  it('refuses another shape than the registered one', async () => {
    const { client } = await fixture.start()
    await client.register(1, 2, 4)
    await expect(client.register(1, 3, 4)).rejects.toThrow('numMappers 3 differs from 2')
    await expect(client.register(1, 2, 5)).rejects.toThrow('numPartitions 5 differs from 4')
    await expect(client.register(-1, 2, 5)).rejects.toThrow('not negative')
  })

  it('answers a late writer with SUCCESS and no locations', async () => {
    const { client } = await fixture.start()
    await client.register(1, 1, 2)
    await client.mapperEnd(1, 0, 0, 1)
    await client.fileGroup(1)
    expect(await client.register(1, 1, 2)).toEqual({
      status: StatusCode.SUCCESS,
      locations: [],
      errorMsg: '',
    })
  })

  it('takes 2,000 partitions on 7 workers', async () => {
    const { client, workers } = await fixture.start({ workers: 7 })
    const { locations } = await client.register(1, 3, 2000)
    expect(locations.map((l) => l.id)).toEqual(Array.from({ length: 2000 }, (_, id) => id))
    expect(workers.reduce((sum, w) => sum + w.primaries.size, 0)).toBe(2000)
    for (const mapId of [0, 1, 2]) await client.mapperEnd(1, mapId, 0, 3)
    expect((await client.fileGroup(1)).fileGroups.size).toBe(2000)
  })
})
