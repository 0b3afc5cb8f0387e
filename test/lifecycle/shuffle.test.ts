import { describe, expect, it } from 'vitest'
import { MAX_MAPPERS, MAX_PARTITIONS } from '../../src/lifecycle/limits'
import { LocationTable } from '../../src/lifecycle/location-table'
import { Shuffle } from '../../src/lifecycle/shuffle'
import { StatusCode } from '../../src/protocol/status'
import { fakeWorker, location } from './fixtures'

const w0 = fakeWorker(0)

function table(): LocationTable {
  const t = new LocationTable(1)
  t.add(location(0, 0, w0))
  return t
}

describe('Shuffle', () => {
  it('answers everybody who asked while registering with one outcome', async () => {
    const shuffle = new Shuffle(1)
    shuffle.attemptsFor(2)
    shuffle.beginRegistration(1)
    const callers = [shuffle.registration(), shuffle.registration()]
    expect(shuffle.registered(table(), StatusCode.SUCCESS)).toBe(true)
    const [a, b] = await Promise.all(callers)
    expect(a).toBe(b)
    expect(a?.locations.map((l) => l.id)).toEqual([0])
    expect(shuffle.phase).toBe('registered')
  })

  it('can be registered again after a failure, even with another number of partitions', async () => {
    const shuffle = new Shuffle(1)
    shuffle.beginRegistration(1)
    const caller = shuffle.registration()
    shuffle.registrationFailed({ status: StatusCode.SLOT_NOT_AVAILABLE, locations: [] })
    expect((await caller).status).toBe(StatusCode.SLOT_NOT_AVAILABLE)
    shuffle.beginRegistration(2)
    const second = shuffle.registration()
    shuffle.registrationFailed(new Error('no master'))
    await expect(second).rejects.toThrow('no master')
    expect(shuffle.phase).toBe('unregistered')
  })

  it('knows the winners of map tasks that ended before the shuffle was registered', () => {
    const shuffle = new Shuffle(1)
    shuffle.attemptsFor(2).finish(0, 5)
    shuffle.beginRegistration(1)
    shuffle.registered(table(), StatusCode.SUCCESS)
    expect(shuffle.attemptsFor(2).toArray()).toEqual([5, -1])
  })

  it('commits once, and forgets its locations at the end', async () => {
    const shuffle = new Shuffle(1)
    shuffle.beginRegistration(1)
    shuffle.registered(table(), StatusCode.SUCCESS)
    expect(shuffle.beginCommit()).toBe(true)
    expect(shuffle.beginCommit()).toBe(false)
    const result = shuffle.endCommitted()
    expect(result).toEqual({ kind: 'committed', fileGroups: new Map() })
    expect(await shuffle.stageEnd()).toBe(result)
    expect(shuffle.table).toBeUndefined()
    expect(shuffle.stats()).toMatchObject({ phase: 'ended', locations: 1, maxEpoch: 0, workers: 1 })
  })

  it('ends without data', async () => {
    const shuffle = new Shuffle(1)
    shuffle.endWithoutData()
    expect(await shuffle.stageEnd()).toEqual({ kind: 'no-data' })
    expect(shuffle.beginCommit()).toBe(false)
  })

  it('answers all who wait when it is aborted, and nothing can revive it', async () => {
    const shuffle = new Shuffle(3)
    shuffle.beginRegistration(1)
    const caller = shuffle.registration()
    const reader = shuffle.stageEnd()
    shuffle.abort('was unregistered')
    await expect(caller).rejects.toThrow('shuffle 3: was unregistered')
    expect(await reader).toEqual({ kind: 'aborted', reason: 'was unregistered' })
    expect(shuffle.registered(table(), StatusCode.SUCCESS)).toBe(false)
    expect(shuffle.beginCommit()).toBe(false)
    expect(shuffle.phase).toBe('aborted')
  })

  it('keeps its end when it is aborted afterwards', async () => {
    const shuffle = new Shuffle(3)
    shuffle.endWithoutData()
    shuffle.abort('stopping')
    expect(await shuffle.stageEnd()).toEqual({ kind: 'no-data' })
    expect(shuffle.phase).toBe('ended')
  })

  it.each([0, -1, 1.5, MAX_MAPPERS + 1, 0x7fffffff])('refuses %d map tasks', (numMappers) => {
    expect(() => new Shuffle(1).attemptsFor(numMappers)).toThrow(/numMappers/)
  })

  it.each([0, -1, MAX_PARTITIONS + 1])('refuses %d partitions', (numPartitions) => {
    expect(() => new Shuffle(1).checkPartitions(numPartitions)).toThrow(/numPartitions/)
  })

  it('refuses a shape that differs from what was told before', () => {
    const shuffle = new Shuffle(1)
    shuffle.attemptsFor(4)
    expect(() => shuffle.attemptsFor(5)).toThrow('numMappers 5 differs from 4')
    shuffle.beginRegistration(3)
    expect(() => shuffle.checkPartitions(2)).toThrow('numPartitions 2 differs from 3')
  })
})
