import { describe, expect, it } from 'vitest'
import { Admission } from '../../src/push/admission'
import { PushBatch } from '../../src/push/batch'
import { PushShuffle } from '../../src/push/shuffle'
import { type ReleaseReason } from '../../src/push/types'
import { locationAt } from '../fault/scripted-lifecycle'

function setUp() {
  const admission = new Admission({
    maxBytes: 1000,
    maxBytesPerWorker: 1000,
    maxRequests: 10,
    maxRequestsPerWorker: 10,
    timeoutMs: 1000,
  })
  const shuffle = new PushShuffle('app', 1, 2, 8, admission)
  const attempt = shuffle.attempt({ shuffleId: 1, mapId: 0, attemptId: 4, numMappers: 2, numPartitions: 8 })
  const charge = admission.tryAdmit(attempt.budget.lane(admission.worker('w:1')), 100)
  if (charge === null) throw new Error('not admitted')
  const partition = shuffle.partition(3)
  const id = attempt.takeBatchId()
  const batch = new PushBatch(shuffle, partition, attempt, id, 100, charge, admission, 3, false)
  attempt.batchAdmitted(batch)
  const freed: ReleaseReason[] = []
  batch.setPayload({ bytes: new Uint8Array(100), allocated: 100, free: (reason) => void freed.push(reason) })
  return { admission, shuffle, batch, freed }
}

describe('a batch', () => {
  it('is settled once: what comes later changes nothing and gives no reference back', () => {
    const { admission, batch, freed } = setUp()
    batch.retain()
    expect(batch.settle({ outcome: 'acked', batchId: 1 })).toBe(true)
    expect(batch.settle({ outcome: 'dropped', batchId: 1, reason: 'aborted' })).toBe(false)
    // A write is still under way.
    expect(freed).toEqual([])
    expect(admission.stats().bytesInFlight).toBe(100)
    batch.unref()
    expect(freed).toEqual(['acked'])
    expect(batch.settlement).toEqual({ outcome: 'acked', batchId: 1 })
    expect(admission.stats().bytesInFlight).toBe(0)
  })

  it('that is used after its end is an internal error that names the batch, and frees nothing twice', () => {
    const { admission, batch, freed } = setUp()
    batch.settle({ outcome: 'acked', batchId: 1 })
    const where = {
      code: 'CELEBORN_INTERNAL',
      context: { shuffleId: 1, mapId: 0, attemptId: 4, partitionId: 3, batchId: 1 },
    }
    for (const use of [() => batch.unref(), () => batch.retain(), () => batch.payload]) {
      expect(use).toThrow(expect.objectContaining(where))
    }
    expect(freed).toEqual(['acked'])
    expect(admission.stats().bytesInFlight).toBe(0)
  })

  it('cannot be freed before it is settled', () => {
    const { batch, freed } = setUp()
    expect(() => batch.unref()).toThrow(/batch 1 was freed before it was settled/)
    expect(freed).toEqual([])
  })
})

describe('a partition', () => {
  it('never goes back to an older location, whatever the order of the answers', () => {
    const { shuffle } = setUp()
    const place = (epoch: number) => shuffle.place(locationAt({ host: 'w', port: 1 }, 3, epoch))
    place(0)
    place(2)
    place(1)
    expect(shuffle.partition(3).epoch).toBe(2)
  })
})
