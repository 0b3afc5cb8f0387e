import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enoughWorkers, placeLocations } from '../../src/lifecycle/slot-allocation'
import { workerOf } from '../../src/lifecycle/worker-ref'
import { DISK, fakeWorker } from './fixtures'

function requests(count: number, epoch = 0) {
  return Array.from({ length: count }, (_, partitionId) => ({ partitionId, epoch, storage: DISK }))
}

describe('placeLocations', () => {
  it('puts a replica on another worker than its primary, whatever is to be avoided', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        fc.array(fc.integer({ min: 0, max: 5 })),
        (workers, partitions, random, avoided) => {
          const candidates = Array.from({ length: workers }, (_, n) => fakeWorker(n))
          const avoid = new Set(avoided.map((n) => fakeWorker(n).id))
          const placed = placeLocations(
            requests(partitions).map((r) => ({ ...r, avoid })),
            candidates,
            { replicate: true, rackAware: false, random: () => random },
          )
          expect(placed).toHaveLength(partitions)
          for (const [index, primary] of placed.entries()) {
            expect(primary).toMatchObject({ id: index, epoch: 0, mode: 0 })
            expect(primary.peer).toMatchObject({ id: index, epoch: 0, mode: 1 })
            if (primary.peer === undefined) throw new Error('no peer')
            expect(workerOf(primary.peer).id).not.toBe(workerOf(primary).id)
          }
        },
      ),
    )
  })

  it('spreads a batch evenly', () => {
    const candidates = [fakeWorker(0), fakeWorker(1), fakeWorker(2)]
    const placed = placeLocations(requests(30), candidates, {
      replicate: false,
      rackAware: false,
      random: () => 0.5,
    })
    const perWorker = new Map<string, number>()
    for (const p of placed) perWorker.set(workerOf(p).id, (perWorker.get(workerOf(p).id) ?? 0) + 1)
    expect([...perWorker.values()]).toEqual([10, 10, 10])
    expect(placed.every((p) => p.peer === undefined)).toBe(true)
  })

  it('avoids where the partition failed if there is another worker', () => {
    const [w0, w1] = [fakeWorker(0), fakeWorker(1)]
    const avoid = new Set([w0.id])
    const two = placeLocations([{ partitionId: 7, epoch: 3, storage: DISK, avoid }], [w0, w1], {
      replicate: false,
      rackAware: false,
      random: () => 0,
    })
    expect(two[0]).toMatchObject({ id: 7, epoch: 3, rpcPort: w1.rpcPort })
    const one = placeLocations([{ partitionId: 7, epoch: 3, storage: DISK, avoid }], [w0], {
      replicate: false,
      rackAware: false,
    })
    expect(one[0]).toMatchObject({ rpcPort: w0.rpcPort })
  })

  it('puts the replica into another rack where there is one', () => {
    const racks = ['/a', '/a', '/a', '/b']
    const candidates = racks.map((rack, n) => ({ ...fakeWorker(n), rack }))
    const options = { replicate: true, rackAware: true, random: () => 0 }
    const rackOf = new Map(candidates.map((w) => [w.id, w.rack]))
    for (const primary of placeLocations(requests(8), candidates, options)) {
      if (primary.peer === undefined) throw new Error('no peer')
      expect(rackOf.get(workerOf(primary.peer).id)).not.toBe(rackOf.get(workerOf(primary).id))
    }
    const oneRack = candidates.slice(0, 3)
    for (const primary of placeLocations(requests(8), oneRack, options)) {
      if (primary.peer === undefined) throw new Error('no peer')
      expect(workerOf(primary.peer).id).not.toBe(workerOf(primary).id)
    }
  })

  it('says how many workers are enough', () => {
    expect([0, 1, 2].map((n) => enoughWorkers(n, false))).toEqual([false, true, true])
    expect([0, 1, 2].map((n) => enoughWorkers(n, true))).toEqual([false, false, true])
  })
})
