/** Stages that run again, as Spark's scheduler does it: over the wire, with the methods of ShuffleClient. */
import { afterEach, describe, expect, it } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { StatusCode } from '../../src/protocol/status'
import { type Driver, DriverFixture, type DriverOptions, eventually } from './driver'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

const OFF = { 'celeborn.client.spark.stageRerun.enabled': false }

async function setUp(o: DriverOptions = {}, clientConf = {}): Promise<Driver & { executor: ShuffleClient }> {
  const driver = await fixture.start(o)
  const { host, port } = driver.manager
  const executor = new ShuffleClient({
    appId: 'app-1',
    conf: new CelebornConf({ 'celeborn.client.rpc.maxRetries': 0, ...clientConf }),
    lifecycleManager: { host, port },
  })
  fixture.onCleanup(() => executor.close())
  return { ...driver, executor }
}

describe('a fetch failure', () => {
  it('gives the next attempt of the stage an id of its own, and readers the newest complete run', async () => {
    const reports: unknown[] = []
    const { client, executor } = await setUp({
      manager: { onFetchFailure: (failure) => reports.push(failure) > 0 },
    })
    expect(await executor.getShuffleId(5, '', { isWriter: false })).toBe(-1)
    const first = await executor.getShuffleId(5, '5-0', { isWriter: true })
    await expect(executor.getShuffleId(5, '', { isWriter: false })).rejects.toMatchObject({
      code: 'CELEBORN_FETCH_FAILED',
      message: expect.stringMatching(/application shuffle 5 has no complete run/),
    })
    await client.register(first, 1, 1)
    await client.mapperEnd(first, 0, 0, 1)
    expect(await executor.getShuffleId(5, '', { isWriter: false })).toBe(first)
    expect(await executor.reportShuffleFetchFailure(5, first, 2 ** 40)).toBe(true)
    expect(await executor.reportShuffleFetchFailure(5, first, 8)).toBe(true)
    expect(reports).toEqual([{ appShuffleId: 5, shuffleId: first, taskId: 2 ** 40 }])
    const second = await executor.getShuffleId(5, '5-1', { isWriter: true })
    expect(second).not.toBe(first)
    await expect(executor.reportShuffleFetchFailure(6, first)).rejects.toThrow('application shuffle 6')
  })

  it('that the scheduler ignores changes nothing; one whose callback throws is not taken, but the run is', async () => {
    let verdict: () => boolean = () => false
    const { executor } = await setUp({ manager: { onFetchFailure: () => verdict() } })
    const first = await executor.getShuffleId(5, '5-0', { isWriter: true })
    expect(await executor.reportShuffleFetchFailure(5, first)).toBe(false)
    expect(await executor.getShuffleId(5, '5-1', { isWriter: true })).toBe(first)
    verdict = () => {
      throw new Error('the scheduler is stopped')
    }
    expect(await executor.reportShuffleFetchFailure(5, first)).toBe(false)
    expect(await executor.getShuffleId(5, '5-2', { isWriter: true })).not.toBe(first)
  })
})

describe('a barrier stage', () => {
  it('whose task failed is given up with what it wrote', async () => {
    const reports: unknown[] = []
    const { client, executor, manager, master } = await setUp({
      conf: { 'celeborn.client.shuffle.expired.checkInterval': '20ms' },
      manager: { onBarrierStageFailure: (failure) => reports.push(failure) > 0 },
    })
    const first = await executor.getShuffleId(5, '5-0', { isWriter: true, isBarrierStage: true })
    await client.register(first, 2, 1)
    expect(await executor.reportBarrierStageFailure(5, '5-0')).toBe(true)
    expect(await executor.reportBarrierStageFailure(5, '5-0')).toBe(true)
    expect(reports).toEqual([{ appShuffleId: 5, appShuffleIdentifier: '5-0', shuffleId: first }])
    await eventually(() => master.unregistered).toEqual([first])
    expect(manager.stats().shuffles).toEqual([])
    const second = await executor.getShuffleId(5, '5-1', { isWriter: true, isBarrierStage: true })
    expect(second).not.toBe(first)
    await expect(executor.reportBarrierStageFailure(5, '5-9')).rejects.toThrow('no run "5-9"')
  })

  it('that runs again without a report gives its earlier run up too', async () => {
    const { client, executor, master } = await setUp({
      conf: { 'celeborn.client.shuffle.expired.checkInterval': '20ms' },
    })
    const first = await executor.getShuffleId(5, '5-0', { isWriter: true, isBarrierStage: true })
    expect((await client.register(first, 1, 1)).status).toBe(StatusCode.SUCCESS)
    const second = await executor.getShuffleId(5, '5-1', { isWriter: true, isBarrierStage: true })
    expect(second).not.toBe(first)
    await eventually(() => master.unregistered).toEqual([first])
  })
})

describe('without re-runs', () => {
  it('an application’s shuffle has its own id, and nothing is reported', async () => {
    const { executor, client } = await setUp({ conf: OFF }, OFF)
    expect(await executor.getShuffleId(5, '5-0', { isWriter: true })).toBe(5)
    expect(await executor.getShuffleId(5, '', { isWriter: false })).toBe(5)
    expect(await executor.reportShuffleFetchFailure(5, 5)).toBe(false)
    expect(await executor.reportBarrierStageFailure(5, '5-0')).toBe(false)
    await expect(client.fetchFailure({ appShuffleId: 5, shuffleId: 5, taskId: 0 })).rejects.toThrow(
      'not run again',
    )
  })

  it('executors that expect them are told which key differs', async () => {
    const { executor } = await setUp({ conf: OFF })
    await expect(executor.getShuffleId(5, '5-0', { isWriter: true })).rejects.toThrow(
      /celeborn\.client\.spark\.stageRerun\.enabled the same value/,
    )
  })
})
