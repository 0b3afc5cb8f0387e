import { describe, expect, it } from 'vitest'
import { type EncodedBlock } from '../../src/compress'
import { Admission } from '../../src/push/admission'
import { PushBatch } from '../../src/push/batch'
import { encodeInThread } from '../../src/push/encoding'
import { type PushSource } from '../../src/push/payload'
import { PushShuffle } from '../../src/push/shuffle'

function makeBatch() {
  const admission = new Admission({
    maxBytes: 1000,
    maxBytesPerWorker: 1000,
    maxRequests: 10,
    maxRequestsPerWorker: 10,
    timeoutMs: 1000,
  })
  const shuffle = new PushShuffle('app', 1, 2, 8, admission, false)
  const attempt = shuffle.attempt({ shuffleId: 1, mapId: 0, attemptId: 4, numMappers: 2, numPartitions: 8 })
  const charge = admission.tryAdmit(attempt.budget.lane(admission.worker('w:1')), 100)
  if (charge === null) throw new Error('not admitted')
  const batch = new PushBatch(shuffle, shuffle.partition(3), attempt, 1, 100, charge, admission, 3, false)
  attempt.batchAdmitted(batch)
  const events: string[] = []
  const bytes = new Uint8Array(100)
  const source: PushSource = {
    length: 100,
    charge: 100,
    consumedByEncoding: false,
    hold: () => undefined,
    handBack: () => undefined,
    read: () => bytes,
    own: () => ({ bytes, allocated: 100, free: (reason) => void events.push(`source ${reason}`) }),
  }
  const block: EncodedBlock = {
    header: new Uint8Array(21),
    payload: new Uint8Array(40),
    stored: false,
    allocatedBytes: 60,
    release: () => void events.push('output'),
  }
  let finish: (block: EncodedBlock) => void = () => undefined
  const encoding = encodeInThread(batch, source, () => new Promise((resolve) => (finish = resolve)), null)
  return { admission, batch, events, block, encoding, finish: (one: EncodedBlock) => finish(one) }
}

describe('a batch whose bytes a thread compresses', () => {
  it('exchanges them when the thread is done: the source is free at once, the charge is the output’s', async () => {
    const { admission, batch, events, block, encoding, finish } = makeBatch()
    expect(admission.stats().bytesInFlight).toBe(100)
    finish(block)
    expect(await encoding).toBe(true)
    batch.unref()
    expect(events).toEqual(['source encoded'])
    expect(admission.stats().bytesInFlight).toBe(60)
    batch.settle({ outcome: 'acked', batchId: 1 })
    expect(events).toEqual(['source encoded', 'output'])
    expect(admission.stats().bytesInFlight).toBe(0)
  })

  it('that ends meanwhile keeps the source until the thread is done with it, and drops the output', async () => {
    const { admission, batch, events, block, encoding, finish } = makeBatch()
    batch.settle({ outcome: 'dropped', batchId: 1, reason: 'aborted' })
    expect(events).toEqual([])
    expect(admission.stats().bytesInFlight).toBe(100)
    finish(block)
    expect(await encoding).toBe(false)
    expect(events).toEqual(['output'])
    batch.unref()
    expect(events).toEqual(['output', 'source dropped'])
    expect(admission.stats().bytesInFlight).toBe(0)
  })

  it('of which nothing compresses goes out as it is', async () => {
    const { batch, events, block, encoding, finish } = makeBatch()
    finish({ ...block, stored: true, payload: new Uint8Array(100), allocatedBytes: 0 })
    expect(await encoding).toBe(true)
    batch.unref()
    expect(events).toEqual([])
    batch.settle({ outcome: 'acked', batchId: 1 })
    expect(events).toEqual(['source acked'])
  })
})
