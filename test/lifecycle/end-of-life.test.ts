import { afterEach, describe, expect, it } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { LifecycleManager } from '../../src/lifecycle'
import { RpcFailureText, RpcServer } from '../../src/network'
import { ControlMessageType as Type } from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture, eventually } from './driver'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

describe('unregisterShuffle', () => {
  it('forgets the shuffle, tells the master, and never takes the id again', async () => {
    const { client, master, manager } = await fixture.start()
    await client.register(1, 1, 2)
    await client.mapperEnd(1, 0, 0, 1)
    await client.fileGroup(1)
    await manager.unregisterShuffle(1)
    expect(master.unregistered).toEqual([1])
    expect(manager.stats().shuffles).toEqual([])
    await expect(client.fileGroup(1)).rejects.toThrow('shuffle 1: it was unregistered, its data is deleted')
    await expect(client.register(1, 1, 2)).rejects.toThrow('never used twice')
    expect((await client.mapperEnd(1, 0, 1, 1)).status).toBe(StatusCode.SUCCESS)
    const revive = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: StatusCode.SOFT_SPLIT }])
    expect(revive.partitions).toMatchObject([{ partitionId: -1, status: StatusCode.SHUFFLE_UNREGISTERED }])
    await manager.unregisterShuffle(1)
    expect(master.unregistered).toEqual([1])
  })

  it('of a shuffle that is being written answers all who wait and destroys its files', async () => {
    const { client, worker, manager } = await fixture.start({
      workers: 1,
      conf: { 'celeborn.client.shuffle.batchHandleChangePartition.interval': '1h' },
    })
    await client.register(1, 2, 2)
    const reader = expect(client.fileGroup(1)).rejects.toThrow('shuffle 1: it was unregistered')
    const revive = client.revive(1, [{ partitionId: 0, epoch: 0, cause: StatusCode.SOFT_SPLIT }])
    await eventually(() => manager.stats().changeLocationRequests).toBe(1)
    await manager.unregisterShuffle(1)
    await reader
    expect((await revive).partitions[0]?.status).toBe(StatusCode.SHUFFLE_UNREGISTERED)
    await eventually(() => worker(0).destroys).toMatchObject([{ primaryIds: ['0-0', '1-0'] }])
    expect(worker(0).commits).toHaveLength(0)
  })

  it('commits nothing any more, not even what was split for good', async () => {
    const { client, worker, manager } = await fixture.start({
      workers: 1,
      conf: { 'celeborn.client.shuffle.batchHandleCommitPartition.interval': '100ms' },
    })
    const split = [{ partitionId: 0, epoch: 0, cause: StatusCode.HARD_SPLIT }]
    await client.register(1, 1, 1)
    await client.revive(1, split)
    await manager.unregisterShuffle(1)
    await client.register(2, 1, 1)
    await client.revive(2, split)
    await eventually(() => worker(0).commits).toMatchObject([{ shuffleId: 2, primaryIds: ['0-0'] }])
  })

  it.each([true, false])(
    'while a commit is under way (early: %s) destroys nothing under the worker, and does not blame it',
    async (early) => {
      const { client, worker, manager } = await fixture.start({
        workers: 1,
        conf: { 'celeborn.client.shuffle.batchHandleCommitPartition.interval': '5ms' },
      })
      let answer: () => void = () => undefined
      const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
      worker(0).onCommit = async (request) => {
        await mayAnswer
        // It has heard from the master that the shuffle is gone.
        return {
          ...worker(0).commit(request),
          status: StatusCode.PARTIAL_SUCCESS,
          committedPrimaryIds: [],
          failedPrimaryIds: request.primaryIds,
        }
      }
      await client.register(1, 1, 2)
      if (early) await client.revive(1, [{ partitionId: 0, epoch: 0, cause: StatusCode.HARD_SPLIT }])
      else await client.mapperEnd(1, 0, 0, 1)
      await eventually(() => worker(0).commits.length).toBe(1)
      await manager.unregisterShuffle(1)
      await client.register(2, 1, 1)
      expect(worker(0).destroys).toEqual([])
      answer()
      await eventually(() => worker(0).destroys.length).toBe(1)
      expect(manager.stats().excludedWorkers).toEqual({})
      await client.register(3, 1, 1)
    },
  )

  it('of a shuffle that is registering gives back what was reserved', async () => {
    const { client, worker, manager } = await fixture.start({ workers: 1 })
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    worker(0).onReserve = () => opened.then(() => undefined)
    const register = client.register(1, 1, 1)
    await eventually(() => worker(0).reserves.length).toBe(1)
    const refused = expect(register).rejects.toThrow('it was unregistered')
    await manager.unregisterShuffle(1)
    await refused
    open()
    await eventually(() => worker(0).destroys).toMatchObject([{ primaryIds: ['0-0'] }])
  })

  it('of one without data, or of an unknown one, does not bother the master', async () => {
    const { client, master, manager } = await fixture.start()
    await client.mapperEnd(1, 0, 0, 1)
    await manager.unregisterShuffle(1)
    await manager.unregisterShuffle(77)
    expect(master.unregistered).toEqual([])
    expect((await client.fileGroup(1)).status).toBe(StatusCode.SHUFFLE_UNREGISTERED)
  })

  it('that the master refuses is an error, and tried again by itself', async () => {
    const { client, master, manager } = await fixture.start({
      conf: { 'celeborn.client.shuffle.expired.checkInterval': '20ms' },
    })
    await client.register(1, 1, 1)
    let refusals = 2
    master.onUnregister = () => (refusals-- > 0 ? { status: StatusCode.REQUEST_FAILED } : undefined)
    await expect(manager.unregisterShuffle(1)).rejects.toThrow(/did not unregister shuffle 1: REQUEST_FAILED/)
    await eventually(() => master.unregistered).toEqual([1])
  })

  it.each([false, true])('later lets readers finish (batched: %s)', async (batched) => {
    const { client, master, manager } = await fixture.start({
      conf: {
        'celeborn.client.shuffle.expired.checkInterval': '500ms',
        'celeborn.client.shuffle.batchHandleRemoveExpiredShuffles.enabled': batched,
      },
    })
    await client.register(1, 1, 1)
    await client.register(2, 1, 1)
    const reader = client.fileGroup(1)
    await eventually(() => manager.stats().shuffles[0]?.waitingReaders).toBe(1)
    await manager.unregisterShuffle(1, { deferred: true })
    await manager.unregisterShuffle(2, { deferred: true })
    expect(master.unregistered).toEqual([])
    // The stage is ended, so that nobody waits for map tasks that will not come.
    expect((await reader).status).toBe(StatusCode.SUCCESS)
    await eventually(() => [...master.unregistered].sort()).toEqual([1, 2])
    expect(manager.stats().shuffles).toEqual([])
  })
})

describe('stop', () => {
  it('answers all who wait, tells the master, and leaves no socket', async () => {
    const { client, master, manager, worker } = await fixture.start({
      workers: 1,
      conf: { 'celeborn.client.shuffle.batchHandleChangePartition.interval': '1h' },
    })
    await client.register(1, 2, 1)
    worker(0).onReserve = () => new Promise(() => undefined)
    const waiting = [
      client.fileGroup(1),
      client.register(2, 1, 1),
      client.register(2, 1, 1),
      client.revive(1, [{ partitionId: 0, epoch: 0, cause: StatusCode.SOFT_SPLIT }]),
    ]
    const settled = Promise.allSettled(waiting)
    await eventually(() => worker(0).reserves.length).toBe(2)
    await eventually(() => manager.stats().changeLocationRequests).toBe(1)
    const { host, port } = manager
    await manager.stop()
    const [group, first, second, revive] = await settled
    for (const answer of [group, first, second]) {
      expect(answer?.status).toBe('rejected')
      expect(String((answer as PromiseRejectedResult).reason)).toContain(
        'LifecycleManager of app-1 is stopping',
      )
    }
    expect(revive).toMatchObject({
      status: 'fulfilled',
      value: { partitions: [{ partitionId: -1, status: 4 }] },
    })
    expect(master.lost).toEqual(['app-1'])
    const successor = new RpcServer({ name: 'successor', host, port })
    await successor.listen()
    await successor.close()
    await manager.stop()
    expect(master.lost).toEqual(['app-1'])
    await expect(manager.unregisterShuffle(1)).rejects.toThrow('not running')
  })

  it('does not wait for a master or a worker that is gone', async () => {
    const { client, master, manager, worker } = await fixture.start({
      workers: 1,
      conf: {
        'celeborn.client.requestCommitFiles.retryWait': '1h',
        'celeborn.masterClient.maxRetries': 1000,
      },
    })
    await client.register(1, 1, 1)
    worker(0).onCommit = () => new RpcFailureText('no')
    await client.mapperEnd(1, 0, 0, 1)
    await eventually(() => worker(0).commits.length).toBe(1)
    await master.close()
    await manager.stop()
    expect(manager.stats().shuffles[0]?.phase).toBe('aborted')
  })

  it('tells the master nothing if it shall not, but those who wait', async () => {
    const { client, master, manager } = await fixture.start({
      conf: { 'celeborn.client.application.unregister.enabled': false },
    })
    await client.register(1, 1, 1)
    const reader = expect(client.fileGroup(1)).rejects.toThrow('is stopping')
    await eventually(() => manager.stats().shuffles[0]?.waitingReaders).toBe(1)
    await manager.stop()
    await reader
    expect(master.lost).toEqual([])
  })

  it('before start is nothing', async () => {
    const manager = new LifecycleManager({ appId: 'a', conf: new CelebornConf() })
    await manager.stop()
    await expect(manager.start()).rejects.toThrow(/cannot be started/)
  })
})

describe('the endpoint', () => {
  it('refuses what it does not serve, in words', async () => {
    const { client } = await fixture.start()
    await expect(client.ask(Type.CHECK_QUOTA, new Uint8Array(0), Type.CHECK_QUOTA_RESPONSE)).rejects.toThrow(
      /does not serve CHECK_QUOTA/,
    )
    await expect(client.ask(12345, new Uint8Array(0), 0)).rejects.toThrow(
      /does not serve control message 12345/,
    )
  })

  it('refuses bytes that are no message, and goes on', async () => {
    const { client, manager } = await fixture.start()
    const junk = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff)
    for (const type of [
      Type.REGISTER_SHUFFLE,
      Type.CHANGE_LOCATION,
      Type.MAPPER_END,
      Type.GET_REDUCER_FILE_GROUP,
    ]) {
      await expect(client.ask(type, junk, 0)).rejects.toThrow()
    }
    expect(manager.stats().shuffles).toEqual([])
    expect((await client.register(1, 1, 1)).status).toBe(StatusCode.SUCCESS)
  })
})

describe('runs of a stage', () => {
  it('get ids of their own after a fetch failure', async () => {
    const reports: unknown[] = []
    const { client } = await fixture.start({
      manager: {
        onFetchFailure(failure) {
          reports.push(failure)
          return true
        },
      },
    })
    await client.register(0, 1, 1)
    const writer = (identifier: string) =>
      client.shuffleId({
        appShuffleId: 5,
        appShuffleIdentifier: identifier,
        isShuffleWriter: true,
        isBarrierStage: false,
      })
    const reader = () =>
      client.shuffleId({
        appShuffleId: 5,
        appShuffleIdentifier: '',
        isShuffleWriter: false,
        isBarrierStage: false,
      })
    expect(await reader()).toEqual({ shuffleId: -1, success: true })
    // 0 is taken by a shuffle that was registered under an id of its own.
    expect(await writer('5-1-0')).toEqual({ shuffleId: 1, success: true })
    expect(await reader()).toEqual({ shuffleId: -1, success: false })
    await client.register(1, 1, 1)
    await client.mapperEnd(1, 0, 0, 1)
    expect(await reader()).toEqual({ shuffleId: 1, success: true })
    expect(await client.fetchFailure({ appShuffleId: 5, shuffleId: 1, taskId: 3 })).toEqual({ success: true })
    expect(await client.fetchFailure({ appShuffleId: 5, shuffleId: 1, taskId: 4 })).toEqual({ success: true })
    expect(reports).toEqual([{ appShuffleId: 5, shuffleId: 1, taskId: 3 }])
    expect(await reader()).toEqual({ shuffleId: -1, success: false })
    expect(await writer('5-1-1')).toEqual({ shuffleId: 2, success: true })
    await expect(client.fetchFailure({ appShuffleId: 6, shuffleId: 1, taskId: 3 })).rejects.toThrow(
      '6 is not known',
    )
  })

  it('are unregistered together', async () => {
    const { client, master, manager } = await fixture.start()
    for (const run of ['a', 'b']) {
      const { shuffleId } = await client.shuffleId({
        appShuffleId: 5,
        appShuffleIdentifier: run,
        isShuffleWriter: true,
        isBarrierStage: true,
      })
      await client.register(shuffleId, 1, 1)
    }
    await manager.unregisterAppShuffle(5)
    expect([...master.unregistered].sort()).toEqual([0, 1])
  })
})
