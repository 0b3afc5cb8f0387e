import { afterEach, describe, expect, it } from 'vitest'
import { RpcFailureText } from '../../src/network'
import { StatusCode } from '../../src/protocol/status'
import { type Driver, DriverFixture, eventually } from './driver'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

const { SUCCESS, SHUFFLE_UNREGISTERED, SHUFFLE_DATA_LOST } = StatusCode
const REPLICATED = { 'celeborn.client.push.replicate.enabled': true }

async function endAll({ client }: Driver, shuffleId: number, numMappers: number): Promise<void> {
  for (let mapId = 0; mapId < numMappers; mapId++) await client.mapperEnd(shuffleId, mapId, 0, numMappers)
}

describe('the ends of map tasks', () => {
  it('may come in any order, twice, and from losers: the first attempt wins', async () => {
    const { client, worker } = await fixture.start({ workers: 1 })
    await client.register(1, 3, 1)
    for (const [mapId, attemptId] of [
      [2, 65536],
      [0, 1],
      [0, 0],
      [2, 65536],
      [0, 1],
    ] as const) {
      expect((await client.mapperEnd(1, mapId, attemptId, 3)).status).toBe(SUCCESS)
    }
    expect(await client.stageEnd(1)).toBe(false)
    expect(worker(0).commits).toHaveLength(0)
    await client.mapperEnd(1, 1, 5, 3)
    expect((await client.fileGroup(1)).attempts).toEqual([1, 5, 65536])
    expect((await client.mapperEnd(1, 1, 9, 3)).status).toBe(SUCCESS)
    expect((await client.fileGroup(1)).attempts).toEqual([1, 5, 65536])
    expect(worker(0).commits).toMatchObject([{ mapAttempts: [1, 5, 65536] }])
  })

  it('are refused when they contradict the shuffle', async () => {
    const { client } = await fixture.start()
    await client.register(1, 2, 1)
    await expect(client.mapperEnd(1, 2, 0, 2)).rejects.toThrow('mapId 2 is not between 0 and 1')
    await expect(client.mapperEnd(1, -1, 0, 2)).rejects.toThrow('mapId -1')
    await expect(client.mapperEnd(1, 0, -1, 2)).rejects.toThrow('attemptId -1')
    await expect(client.mapperEnd(1, 0, 0, 3)).rejects.toThrow('numMappers 3 differs from 2')
    await expect(client.mapperEnd(2, 0, 0, 0x7fffffff)).rejects.toThrow('numMappers 2147483647')
    await expect(client.mapperEnd(-3, 0, 0, 1)).rejects.toThrow('not negative')
    expect((await client.mapperEnd(1, 0, 0, 2)).status).toBe(SUCCESS)
  })

  it('of tasks without data count, before the shuffle is registered and without', async () => {
    const { client, manager } = await fixture.start()
    await client.mapperEnd(1, 0, 3, 2)
    await client.register(1, 2, 1)
    await client.mapperEnd(1, 1, 4, 2)
    expect((await client.fileGroup(1)).attempts).toEqual([3, 4])

    await client.mapperEnd(2, 0, 0, 2)
    const reader = client.fileGroup(2)
    expect(await client.stageEnd(2)).toBe(false)
    await client.mapperEnd(2, 1, 0, 2)
    expect(await reader).toMatchObject({ status: SHUFFLE_UNREGISTERED })
    expect(await client.stageEnd(2)).toBe(true)
    expect(await client.register(2, 2, 1)).toMatchObject({ status: SUCCESS, locations: [] })
    expect(manager.stats().shuffles.map((s) => s.phase)).toEqual(['ended', 'ended'])
  })

  it('while the shuffle is registering end the stage afterwards', async () => {
    const { client, worker } = await fixture.start({ workers: 1 })
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    worker(0).onReserve = () => opened.then(() => undefined)
    const registering = client.register(1, 1, 1)
    await client.mapperEnd(1, 0, 0, 1)
    expect(await client.stageEnd(1)).toBe(false)
    open()
    await registering
    expect((await client.fileGroup(1)).status).toBe(SUCCESS)
  })

  it('bring the batches that may have been pushed twice, of winners only', async () => {
    const { client } = await fixture.start()
    await client.register(1, 2, 1)
    const failed = (attempt: string, ids: number[]) => ({
      pushFailedBatches: new Map([['0-0', new Map([[attempt, ids]])]]),
    })
    await client.mapperEnd(1, 0, 1, 2, failed('0-1', [4, 5]))
    await client.mapperEnd(1, 0, 2, 2, failed('0-2', [6]))
    await client.mapperEnd(1, 1, 0, 2, failed('1-0', [7]))
    const { pushFailedBatches } = await client.fileGroup(1)
    expect(Object.fromEntries(pushFailedBatches.get('0-0') ?? [])).toEqual({ '0-1': [4, 5], '1-0': [7] })
  })

  it('of a shuffle that nobody knows: readers learn at once', async () => {
    const { client } = await fixture.start()
    expect((await client.fileGroup(9)).status).toBe(SHUFFLE_UNREGISTERED)
    expect(await client.stageEnd(9)).toBe(false)
  })
})

describe('commit', () => {
  it('gives all readers the same answer, early and late ones', async () => {
    const driver = await fixture.start({ workers: 2, conf: REPLICATED })
    const { client, manager } = driver
    await client.register(1, 1, 5)
    const early = [1, 2, 3].map(() => client.fileGroup(1))
    await eventually(() => manager.stats().shuffles[0]?.waitingReaders).toBe(3)
    await endAll(driver, 1, 1)
    const answers = [...(await Promise.all(early)), await client.fileGroup(1)]
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect([...(answers[0]?.fileGroups.values() ?? [])]).toHaveLength(5)
    for (const [location] of answers[0]?.fileGroups.values() ?? []) {
      expect(location).toMatchObject({ mode: 0, storage: { finalResult: true, fileSize: 100 } })
      expect(location?.peer).toMatchObject({ mode: 1, storage: { finalResult: true } })
    }
    expect(manager.stats().shuffles[0]).toMatchObject({ phase: 'ended', waitingReaders: 0 })
  })

  it('is tried again with the same epoch until the worker answers', async () => {
    const driver = await fixture.start({ workers: 1 })
    const { client, worker } = driver
    await client.register(1, 1, 1)
    let failures = 3
    worker(0).onCommit = () => (failures-- > 0 ? new RpcFailureText('java.io.IOException: busy') : undefined)
    await endAll(driver, 1, 1)
    expect((await client.fileGroup(1)).status).toBe(SUCCESS)
    expect(worker(0).commits).toHaveLength(4)
    expect(new Set(worker(0).commits.map((c) => c.epoch)).size).toBe(1)
  })

  it('of a worker that stays silent loses its data without replication', async () => {
    const driver = await fixture.start({ workers: 2 })
    const { client, worker, manager } = driver
    await client.register(1, 1, 2)
    const { ref } = worker(1)
    await worker(1).close()
    await endAll(driver, 1, 1)
    const group = await client.fileGroup(1)
    expect(group.status).toBe(SHUFFLE_DATA_LOST)
    expect(group.fileGroups.size).toBe(0)
    expect(manager.stats().shuffles[0]?.phase).toBe('data-lost')
    expect(group.errorMsg).toMatch(
      new RegExp(`1-0 on worker 127.0.0.1:${ref.rpcPort} \\(no answer in 4 tries: .*ECONNREFUSED`),
    )
    expect(manager.stats().shuffles[0]?.failure).toBe(group.errorMsg)
    expect(manager.stats().excludedWorkers[ref.id]).toBe('WORKER_UNRESPONSIVE')
    expect(await client.stageEnd(1)).toBe(true)
  })

  it('of a dead worker loses nothing with replication: readers get the other copies', async () => {
    const driver = await fixture.start({ workers: 3, conf: REPLICATED })
    const { client, worker } = driver
    await client.register(1, 1, 3)
    const [gone, next] = [worker(1).ref, worker(2).ref]
    await worker(1).close()
    await endAll(driver, 1, 1)
    const group = await client.fileGroup(1)
    expect(group.status).toBe(SUCCESS)
    // Its primary is read from the replica, its replica is missing as a peer.
    expect(group.fileGroups.get(1)).toMatchObject([{ mode: 1, rpcPort: next.rpcPort }])
    expect(group.fileGroups.get(1)?.[0]?.peer).toBeUndefined()
    expect(group.fileGroups.get(0)).toMatchObject([{ mode: 0 }])
    expect(group.fileGroups.get(0)?.[0]?.peer).toBeUndefined()
    expect(group.fileGroups.get(2)?.[0]?.peer).toBeDefined()
    const ports = [...group.fileGroups.values()].flat().flatMap((l) => [l.rpcPort, l.peer?.rpcPort])
    expect(ports).not.toContain(gone.rpcPort)
  })

  it('that fails on both sides loses data', async () => {
    const driver = await fixture.start({ workers: 2, conf: REPLICATED })
    const { client, worker } = driver
    await client.register(1, 1, 2)
    worker(0).primaries.delete('0-0')
    worker(1).replicas.delete('0-0')
    await endAll(driver, 1, 1)
    expect((await client.fileGroup(1)).status).toBe(SHUFFLE_DATA_LOST)
  })

  it('that fails for one location only loses the shuffle’s data, not the worker’s answer', async () => {
    const driver = await fixture.start({ workers: 1 })
    const { client, worker, manager } = driver
    await client.register(1, 1, 2)
    worker(0).primaries.delete('1-0')
    await endAll(driver, 1, 1)
    expect((await client.fileGroup(1)).status).toBe(SHUFFLE_DATA_LOST)
    expect(manager.stats().filesWritten).toBe(1)
  })

  it('answered with an error that lists nothing is a loss, not an empty shuffle', async () => {
    const driver = await fixture.start({ workers: 1 })
    const { client, worker } = driver
    await client.register(1, 1, 1)
    worker(0).onCommit = (request) => ({
      ...worker(0).commit({ ...request, primaryIds: [] }),
      status: StatusCode.COMMIT_FILE_EXCEPTION,
    })
    await endAll(driver, 1, 1)
    const group = await client.fileGroup(1)
    expect(group.status).toBe(SHUFFLE_DATA_LOST)
    expect(group.errorMsg).toContain('(it answered COMMIT_FILE_EXCEPTION)')
    expect(worker(0).commits).toHaveLength(1)
  })

  it('of nothing but empty locations is a shuffle without partitions', async () => {
    const driver = await fixture.start({ workers: 1 })
    const { client, worker } = driver
    await client.register(1, 1, 2)
    worker(0).empty.add('0-0').add('1-0')
    await endAll(driver, 1, 1)
    const group = await client.fileGroup(1)
    expect(group.status).toBe(SUCCESS)
    expect(group.fileGroups.size).toBe(0)
    expect(group.attempts).toEqual([0])
  })

  it('counts its requests over all shuffles', async () => {
    const driver = await fixture.start({ workers: 2 })
    for (const shuffleId of [1, 2]) {
      await driver.client.register(shuffleId, 1, 2)
      await endAll(driver, shuffleId, 1)
      await driver.client.fileGroup(shuffleId)
    }
    const epochs = driver.workers.flatMap((w) => w.commits.map((c) => c.epoch))
    expect(epochs.sort()).toEqual([1, 2, 3, 4])
  })
})

describe('the integrity check', () => {
  it('compares what readers saw with what the winners wrote', async () => {
    const { client } = await fixture.start({
      conf: { 'celeborn.client.shuffle.integrityCheck.enabled': true },
    })
    await client.register(1, 2, 2)
    const wrote = (crc32PerPartition: number[], bytesWrittenPerPartition: number[]) => ({
      numPartitions: 2,
      crc32PerPartition,
      bytesWrittenPerPartition,
    })
    await expect(client.mapperEnd(1, 0, 0, 2, wrote([1], [1]))).rejects.toThrow(/1 and 1 entries, not 2/)
    await client.mapperEnd(1, 0, 0, 2, wrote([0x01020304, 0], [10, 0]))
    await client.mapperEnd(1, 0, 1, 2, wrote([9, 9], [99, 99]))
    await client.mapperEnd(1, 1, 0, 2, wrote([0x00000101, 7], [5, 3]))
    await client.fileGroup(1)
    const read = (partitionId: number, crc32: number, bytesWritten: number) =>
      client.partitionRead({
        shuffleId: 1,
        partitionId,
        startMapIndex: 0,
        endMapIndex: 0x7fffffff,
        crc32,
        bytesWritten,
      })
    expect(await read(0, 0x01020405, 15)).toEqual({ status: SUCCESS, errorMsg: '' })
    const wrong = await read(0, 0x01020405, 14)
    expect(wrong.status).toBe(StatusCode.READ_REDUCER_PARTITION_END_FAILED)
    expect(wrong.errorMsg).toContain('shuffle 1: partition 0')
    expect((await read(5, 0, 0)).errorMsg).toContain('partition 5 does not exist')
  })

  it('says so when the driver keeps no checksums', async () => {
    const { client } = await fixture.start()
    const read = { shuffleId: 1, partitionId: 0, startMapIndex: 0, endMapIndex: 1, crc32: 0, bytesWritten: 0 }
    expect((await client.partitionRead(read)).errorMsg).toContain('integrityCheck.enabled')
  })
})
