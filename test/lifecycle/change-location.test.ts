import { afterEach, describe, expect, it } from 'vitest'
import { workerOf } from '../../src/lifecycle/worker-ref'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture, eventually } from './driver'
import { offer } from './fake-cluster'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

const { HARD_SPLIT, SOFT_SPLIT, SUCCESS, STAGE_ENDED, SHUFFLE_UNREGISTERED } = StatusCode
const NON_CRITICAL = StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
const PRIMARY_GONE = StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY
const REPLICATED = { 'celeborn.client.push.replicate.enabled': true }

/** A promise to be opened by hand. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

describe('a change of location', () => {
  it('gives the next epoch, reserved on a worker of the shuffle', async () => {
    const { client, worker, manager } = await fixture.start()
    await client.register(1, 2, 2)
    const answer = await client.revive(1, [{ partitionId: 1, epoch: 0, cause: SOFT_SPLIT }], [0, 1])
    expect(answer.endedMapIds).toEqual([])
    expect(answer.partitions).toMatchObject([{ partitionId: 1, status: SUCCESS, oldAvailable: true }])
    const location = answer.partitions[0]?.location
    expect(location).toMatchObject({ id: 1, epoch: 1, mode: 0 })
    const reserved = [worker(0), worker(1)].find((w) => w.ref.rpcPort === location?.rpcPort)
    expect(reserved?.primaries.has('1-1')).toBe(true)
    const { locations } = await client.register(1, 2, 2)
    expect(locations.map((l) => [l.id, l.epoch])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(manager.stats().shuffles[0]).toMatchObject({ locations: 3, maxEpoch: 1 })
  })

  it('answers a known newer epoch at once, and never makes a second one for an old epoch', async () => {
    const { client, manager } = await fixture.start()
    await client.register(1, 1, 1)
    const first = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: NON_CRITICAL }])
    const late = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: PRIMARY_GONE }])
    const none = await client.revive(1, [{ partitionId: 0, epoch: -1, cause: NON_CRITICAL }])
    expect(late.partitions[0]?.location).toEqual(first.partitions[0]?.location)
    expect(none.partitions[0]?.location).toEqual(first.partitions[0]?.location)
    expect(manager.stats()).toMatchObject({ changeLocationRequests: 3, changeLocationRounds: 1 })
  })

  it('is made once for all who ask, before and while it is under way', async () => {
    const { client, worker, manager } = await fixture.start({ workers: 1 })
    await client.register(1, 4, 3)
    const { open, opened } = gate()
    const started = gate()
    worker(0).onReserve = async () => {
      started.open()
      await opened
      return undefined
    }
    const ask = (mapId: number, ...ids: number[]) =>
      client.revive(
        1,
        ids.map((partitionId) => ({ partitionId, epoch: 0, cause: SOFT_SPLIT })),
        [mapId],
      )
    const early = [ask(0, 0, 1), ask(1, 1, 2), ask(2, 0)]
    await started.opened
    const joined = ask(3, 0, 1, 2)
    // The join must have arrived before the round ends: the connection keeps the order.
    const marker = client.stageEnd(1)
    await marker
    open()
    const answers = await Promise.all([...early, joined])
    for (const { partitions } of answers) {
      for (const { status, location } of partitions) expect([status, location?.epoch]).toEqual([SUCCESS, 1])
    }
    expect(worker(0).reserves).toHaveLength(2)
    expect(worker(0).reserves[1]?.primaryLocations.map((l) => `${l.id}-${l.epoch}`)).toEqual([
      '0-1',
      '1-1',
      '2-1',
    ])
    expect(manager.stats().changeLocationRounds).toBe(1)
  })

  it('handles the loss of a worker with 500 partitions in few rounds', async () => {
    const { client, worker, manager } = await fixture.start({ workers: 3 })
    await client.register(1, 8, 1500)
    const gone = Array.from({ length: 500 }, (_, n) => ({
      partitionId: 3 * n,
      epoch: 0,
      cause: PRIMARY_GONE,
    }))
    const before = [1, 2].map((n) => worker(n).reserves.length)
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map((mapId) => client.revive(1, gone, [mapId])),
    )
    for (const { partitions } of answers) {
      expect(partitions).toHaveLength(500)
      for (const p of partitions) {
        expect(p).toMatchObject({ status: SUCCESS, oldAvailable: false, location: { epoch: 1 } })
        expect(p.location?.rpcPort).not.toBe(worker(0).ref.rpcPort)
      }
    }
    expect(manager.stats().changeLocationRounds).toBeLessThanOrEqual(8)
    const after = [1, 2].map((n) => worker(n).reserves.length)
    expect(Math.max(...after) - Math.max(...before)).toBeLessThanOrEqual(8)
  })

  it('without batches is made at once', async () => {
    const { client } = await fixture.start({
      conf: {
        'celeborn.client.shuffle.batchHandleChangePartition.enabled': false,
        'celeborn.client.shuffle.batchHandleChangePartition.interval': '1h',
      },
    })
    await client.register(1, 1, 1)
    const answer = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: SOFT_SPLIT }])
    expect(answer.partitions[0]?.location?.epoch).toBe(1)
  })

  it('keeps primary and replica apart, and excludes the worker that the cause blames', async () => {
    const { client, worker, manager } = await fixture.start({ workers: 3, conf: REPLICATED })
    await client.register(1, 1, 1)
    const cause = StatusCode.PUSH_DATA_TIMEOUT_REPLICA
    const answer = await client.revive(1, [{ partitionId: 0, epoch: 0, cause }])
    const location = answer.partitions[0]?.location
    expect(answer.partitions[0]).toMatchObject({ status: SUCCESS, oldAvailable: true })
    expect(location?.peer).toMatchObject({ epoch: 1, mode: 1 })
    const holders = [location, location?.peer].map((l) => l?.rpcPort)
    expect(new Set(holders)).toEqual(new Set([worker(0).ref.rpcPort, worker(2).ref.rpcPort]))
    expect(manager.stats().excludedWorkers).toEqual({ [worker(1).ref.id]: 'PUSH_DATA_TIMEOUT_REPLICA' })
  })

  it('believes the causes of its own locations only', async () => {
    const { client, worker, manager } = await fixture.start({ workers: 2 })
    await client.register(1, 1, 1)
    await client.revive(1, [{ partitionId: 0, epoch: -5, cause: PRIMARY_GONE }])
    expect(manager.stats().excludedWorkers).toEqual({})
    await client.revive(1, [{ partitionId: 0, epoch: 0, cause: PRIMARY_GONE }])
    expect(manager.stats().excludedWorkers).toEqual({
      [worker(0).ref.id]: 'PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY',
    })
  })

  it('says that there are not enough workers', async () => {
    const { client } = await fixture.start({ workers: 2, conf: REPLICATED })
    await client.register(1, 1, 2)
    const answer = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: PRIMARY_GONE }])
    expect(answer.partitions).toMatchObject([
      { partitionId: 0, status: StatusCode.SLOT_NOT_AVAILABLE, location: undefined, oldAvailable: false },
    ])
  })

  it('asks the master for more workers, if it may', async () => {
    const { client, master, worker } = await fixture.start({
      workers: 2,
      conf: { 'celeborn.client.shuffle.dynamicResourceEnabled': true },
    })
    master.onSlots = (request) => offer(request, [worker(0)])
    await client.register(1, 1, 2)
    master.onSlots = (request) => offer(request, [worker(1)])
    const answer = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: PRIMARY_GONE }])
    expect(answer.partitions[0]?.location).toMatchObject({ epoch: 1, rpcPort: worker(1).ref.rpcPort })
    expect(master.slotRequests).toHaveLength(2)
  })

  it('goes to another worker at a higher epoch when a worker refuses', async () => {
    const { client, worker, workers } = await fixture.start({ workers: 3 })
    await client.register(1, 1, 3)
    const refused: number[] = []
    for (const w of [worker(0), worker(1)]) {
      w.onReserve = () => {
        refused.push(w.ref.rpcPort)
        return { status: StatusCode.NO_AVAILABLE_WORKING_DIR, reason: 'no disk' }
      }
    }
    const ids = [0, 1, 2].map((partitionId) => ({ partitionId, epoch: 0, cause: SOFT_SPLIT }))
    const { partitions } = await client.revive(1, ids)
    for (const p of partitions) {
      expect(p.status).toBe(SUCCESS)
      expect(p.location?.rpcPort).toBe(worker(2).ref.rpcPort)
      expect(p.location?.epoch).toBeGreaterThanOrEqual(1)
    }
    expect(refused.length).toBeGreaterThan(0)
    expect(workers.flatMap((w) => [...w.primaries]).filter((id) => !id.endsWith('-0'))).toHaveLength(3)
  })

  it('fails for those that no worker takes; a later request tries anew', async () => {
    const { client, worker } = await fixture.start({ workers: 1 })
    await client.register(1, 1, 1)
    worker(0).onReserve = () => ({ status: StatusCode.RESERVE_SLOTS_FAILED, reason: 'full' })
    const failed = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: SOFT_SPLIT }])
    expect(failed.partitions).toMatchObject([{ partitionId: 0, status: StatusCode.RESERVE_SLOTS_FAILED }])
    const again = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: SOFT_SPLIT }])
    expect(again.partitions[0]?.status).toBe(StatusCode.SLOT_NOT_AVAILABLE)
  })

  it('tells which of the map tasks have ended', async () => {
    const { client } = await fixture.start()
    await client.register(1, 3, 1)
    await client.mapperEnd(1, 2, 0, 3)
    const answer = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: SOFT_SPLIT }], [0, 2, 2, 99])
    expect(answer.endedMapIds).toEqual([2])
    expect(answer.partitions[0]?.status).toBe(SUCCESS)
  })

  it('of what is not there is refused without any effect', async () => {
    const { client, manager, worker } = await fixture.start()
    await client.register(1, 1, 2)
    const bad = (partitionId: number, epoch: number) =>
      client.revive(1, [
        { partitionId: 0, epoch: 0, cause: PRIMARY_GONE },
        { partitionId, epoch, cause: SOFT_SPLIT },
      ])
    await expect(bad(2, 0)).rejects.toThrow('partition 2 is not between 0 and 1')
    await expect(bad(-1, 0)).rejects.toThrow('partition -1')
    await expect(bad(1, 1)).rejects.toThrow('partition 1 has no epoch 1 yet, the latest is 0')
    expect(manager.stats()).toMatchObject({ changeLocationRounds: 0, excludedWorkers: {} })
    expect(worker(0).reserves).toHaveLength(1)
  })

  it('of an unknown shuffle, and of one whose stage ended, is answered for the shuffle', async () => {
    const { client } = await fixture.start()
    const one = [{ partitionId: 0, epoch: 0, cause: SOFT_SPLIT }]
    const whole = (status: number) => [{ partitionId: -1, status, location: undefined, oldAvailable: false }]
    expect((await client.revive(1, one)).partitions).toEqual(whole(SHUFFLE_UNREGISTERED))
    await client.register(1, 1, 1)
    await client.mapperEnd(1, 0, 0, 1)
    await client.fileGroup(1)
    expect((await client.revive(1, one)).partitions).toEqual(whole(STAGE_ENDED))
  })

  it('that the stage’s end overtakes is answered with it, and what was reserved goes back', async () => {
    const { client, worker } = await fixture.start({ workers: 1 })
    await client.register(1, 1, 1)
    const { open, opened } = gate()
    const started = gate()
    worker(0).onReserve = async () => {
      started.open()
      await opened
      return undefined
    }
    const revive = client.revive(1, [{ partitionId: 0, epoch: 0, cause: SOFT_SPLIT }])
    await started.opened
    await client.mapperEnd(1, 0, 0, 1)
    expect((await revive).partitions).toMatchObject([{ partitionId: -1, status: STAGE_ENDED }])
    expect((await client.fileGroup(1)).status).toBe(SUCCESS)
    open()
    await eventually(() => worker(0).destroys).toMatchObject([{ primaryIds: ['0-1'] }])
    expect(worker(0).commits).toMatchObject([{ primaryIds: ['0-0'] }])
  })
})

describe('a hard split', () => {
  it('has the old location committed early, once, and the rest at the end', async () => {
    const { client, worker } = await fixture.start({ workers: 1 })
    await client.register(1, 2, 2)
    await client.mapperEnd(1, 1, 7, 2)
    await client.revive(1, [{ partitionId: 0, epoch: 0, cause: HARD_SPLIT }])
    await client.revive(1, [{ partitionId: 0, epoch: 0, cause: HARD_SPLIT }])
    await eventually(() => worker(0).commits).toMatchObject([{ primaryIds: ['0-0'], mapAttempts: [-1, 7] }])
    await client.revive(1, [{ partitionId: 0, epoch: 0, cause: HARD_SPLIT }])
    await client.mapperEnd(1, 0, 0, 2)
    const group = await client.fileGroup(1)
    expect(group.fileGroups.get(0)?.map((l) => l.epoch)).toEqual([0, 1])
    expect(group.fileGroups.get(1)?.map((l) => l.epoch)).toEqual([0])
    expect(worker(0).commits).toHaveLength(2)
    expect([...(worker(0).commits[1]?.primaryIds ?? [])].sort()).toEqual(['0-1', '1-0'])
    const epochs = worker(0).commits.map((c) => c.epoch)
    expect(new Set(epochs).size).toBe(2)
  })

  it('whose early commit is under way holds the stage’s end', async () => {
    const { client, worker } = await fixture.start({ workers: 1 })
    await client.register(1, 1, 1)
    const { open, opened } = gate()
    const started = gate()
    worker(0).onCommit = async (request) => {
      if (!request.primaryIds.includes('0-0')) return undefined
      started.open()
      await opened
      return undefined
    }
    await client.revive(1, [{ partitionId: 0, epoch: 0, cause: HARD_SPLIT }])
    await started.opened
    await client.mapperEnd(1, 0, 0, 1)
    const reader = client.fileGroup(1)
    await eventually(() => worker(0).commits.length).toBe(2)
    expect(await client.stageEnd(1)).toBe(false)
    open()
    expect((await reader).fileGroups.get(0)?.map((l) => l.epoch)).toEqual([0, 1])
  })

  it('waits for the stage’s end without early commits', async () => {
    const { client, worker } = await fixture.start({
      workers: 1,
      conf: { 'celeborn.client.shuffle.batchHandleCommitPartition.enabled': false },
    })
    await client.register(1, 1, 1)
    await client.revive(1, [{ partitionId: 0, epoch: 0, cause: HARD_SPLIT }])
    await client.mapperEnd(1, 0, 0, 1)
    await client.fileGroup(1)
    expect(worker(0).commits).toMatchObject([{ primaryIds: ['0-0', '0-1'] }])
  })
})

describe('a worker that shuts down', () => {
  it('gets no new locations, and its locations are committed early with their other copies', async () => {
    const { client, master, worker } = await fixture.start({
      workers: 3,
      conf: { ...REPLICATED, 'celeborn.client.application.heartbeatInterval': '10ms' },
    })
    await client.register(1, 1, 3)
    master.lists = { excluded: [], unknown: [], shutting: [worker(0).ref] }
    // Worker 0 has the primary of 0 (replica on 1) and the replica of 2 (primary on 2).
    await eventually(() => worker(0).commits).toMatchObject([{ primaryIds: ['0-0'], replicaIds: ['2-0'] }])
    await eventually(() => worker(1).commits).toMatchObject([{ primaryIds: [], replicaIds: ['0-0'] }])
    await eventually(() => worker(2).commits).toMatchObject([{ primaryIds: ['2-0'], replicaIds: [] }])
    const { partitions } = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: HARD_SPLIT }])
    const location = partitions[0]?.location
    if (location?.peer === undefined) throw new Error('no new location')
    const holders = [workerOf(location).id, workerOf(location.peer).id]
    expect(holders.sort()).toEqual([worker(1).ref.id, worker(2).ref.id].sort())
    expect(partitions[0]?.oldAvailable).toBe(false)
    await client.mapperEnd(1, 0, 0, 1)
    const group = await client.fileGroup(1)
    expect(group.fileGroups.get(0)?.map((l) => l.epoch)).toEqual([0, 1])
    expect(worker(0).commits).toHaveLength(1)
  })
})
