import { describe, expect, it } from 'vitest'
import { LocationTable } from '../../src/lifecycle/location-table'
import { fakeWorker, location } from './fixtures'

const [w0, w1, w2] = [fakeWorker(0), fakeWorker(1), fakeWorker(2)]

describe('LocationTable', () => {
  it('keeps all epochs and knows the latest', () => {
    const table = new LocationTable(2)
    table.add(location(0, 0, w0))
    table.add(location(1, 0, w1))
    table.add(location(0, 1, w1))
    expect(table.latest(0)?.id).toBe('0-1')
    expect(table.find(0, 0)?.primaryWorker.id).toBe(w0.id)
    expect(table.latestPrimaries().map((p) => [p.id, p.epoch])).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect([...table.entries()].map((e) => e.id)).toEqual(['0-0', '1-0', '0-1'])
    expect(table.size).toBe(3)
    expect(table.maxEpoch).toBe(1)
  })

  it('takes no epoch twice and none that is older', () => {
    const table = new LocationTable(1)
    table.add(location(0, 1, w0))
    expect(() => table.add(location(0, 1, w1))).toThrow(RangeError)
    expect(() => table.add(location(0, 0, w1))).toThrow(RangeError)
  })

  it('knows the workers of primaries and replicas, and those offered without a location', () => {
    const table = new LocationTable(1)
    table.add(location(0, 0, w0, w1))
    table.addWorker(w2)
    table.addWorker(w0)
    expect([...table.workers.keys()].sort()).toEqual([w0.id, w1.id, w2.id].sort())
    expect(table.find(0, 0)?.replicaWorker?.id).toBe(w1.id)
  })

  it('answers nothing for partitions out of range', () => {
    const table = new LocationTable(1)
    expect(table.latest(1)).toBeUndefined()
    expect(table.latest(-1)).toBeUndefined()
    expect(table.find(0, 0)).toBeUndefined()
  })
})
