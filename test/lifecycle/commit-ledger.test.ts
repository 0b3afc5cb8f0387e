import { describe, expect, it } from 'vitest'
import {
  type CommitBatch,
  CommitLedger,
  type CommitOutcome,
  describeLost,
} from '../../src/lifecycle/commit-ledger'
import { LocationTable } from '../../src/lifecycle/location-table'
import { EMPTY_STORAGE } from '../../src/protocol/locations'
import { fakeWorker, location } from './fixtures'

const [w0, w1] = [fakeWorker(0), fakeWorker(1)]

function outcome(o: Partial<CommitOutcome>): CommitOutcome {
  return {
    unlistedAreEmpty: true,
    committedPrimaryIds: [],
    committedReplicaIds: [],
    failedPrimaryIds: [],
    failedReplicaIds: [],
    primaryStorage: new Map(),
    replicaStorage: new Map(),
    mapIdBitmaps: new Map(),
    words: 'it answered PARTIAL_SUCCESS',
    ...o,
  }
}

function batchOf(batches: CommitBatch[], workerId: string): CommitBatch {
  const batch = batches.find((b) => b.worker.id === workerId)
  if (batch === undefined) throw new Error(`no batch for ${workerId}`)
  return batch
}

/** Two partitions on two workers, each the other's replica. */
function replicated() {
  const table = new LocationTable(2)
  table.add(location(0, 0, w0, w1))
  table.add(location(1, 0, w1, w0))
  const ledger = new CommitLedger()
  const batches = ledger.take(table.entries())
  return { table, ledger, first: batchOf(batches, w0.id), second: batchOf(batches, w1.id) }
}

describe('CommitLedger', () => {
  it('groups by worker and asks for each side once', () => {
    const { table, ledger, first, second } = replicated()
    expect(first).toEqual({ worker: w0, primaryIds: ['0-0'], replicaIds: ['1-0'] })
    expect(second).toEqual({ worker: w1, primaryIds: ['1-0'], replicaIds: ['0-0'] })
    expect(ledger.take(table.entries())).toEqual([])
    table.add(location(1, 1, w0, w1))
    expect(ledger.take(table.entries())).toEqual([
      { worker: w0, primaryIds: ['1-1'], replicaIds: [] },
      { worker: w1, primaryIds: [], replicaIds: ['1-1'] },
    ])
  })

  it('gives readers the committed locations with their peers and the committed storage', () => {
    const { ledger, first, second } = replicated()
    const storage = { ...EMPTY_STORAGE, type: 2, finalResult: true, fileSize: 77 }
    const bitmap = Uint8Array.of(1, 2)
    ledger.record(
      first,
      outcome({
        committedPrimaryIds: ['0-0'],
        committedReplicaIds: ['1-0'],
        primaryStorage: new Map([['0-0', storage]]),
        mapIdBitmaps: new Map([['0-0', bitmap]]),
      }),
    )
    ledger.record(second, outcome({ committedPrimaryIds: ['1-0'], committedReplicaIds: ['0-0'] }))
    const groups = ledger.fileGroups()
    expect([...groups.keys()]).toEqual([0, 1])
    const [primary] = groups.get(0) ?? []
    expect(primary).toMatchObject({
      id: 0,
      epoch: 0,
      mode: 0,
      rpcPort: w0.rpcPort,
      storage,
      mapIdBitmap: bitmap,
    })
    expect(primary?.peer).toMatchObject({ mode: 1, rpcPort: w1.rpcPort })
    expect(primary?.peer?.storage.finalResult).toBe(true)
    expect(primary?.peer?.peer).toBeUndefined()
    expect(ledger.lost()).toEqual([])
  })

  it('lists several epochs of a partition, and leaves empty ones out', () => {
    const table = new LocationTable(2)
    for (const epoch of [0, 1, 2]) table.add(location(0, epoch, w0))
    table.add(location(1, 0, w0))
    const ledger = new CommitLedger()
    const [batch] = ledger.take(table.entries())
    if (batch === undefined) throw new Error('no batch')
    ledger.record(batch, outcome({ committedPrimaryIds: ['0-0', '0-2'] }))
    expect(ledger.lost()).toEqual([])
    expect(
      ledger
        .fileGroups()
        .get(0)
        ?.map((l) => l.epoch),
    ).toEqual([0, 2])
    expect(ledger.fileGroups().has(1)).toBe(false)
  })

  it('lists the replica itself where only that was committed', () => {
    const { ledger, first, second } = replicated()
    ledger.record(first, outcome({ failedPrimaryIds: ['0-0'], failedReplicaIds: ['1-0'] }))
    ledger.record(second, outcome({ committedPrimaryIds: ['1-0'], committedReplicaIds: ['0-0'] }))
    expect(ledger.lost()).toEqual([])
    expect(ledger.fileGroups().get(0)).toMatchObject([{ mode: 1, rpcPort: w1.rpcPort }])
    expect(ledger.fileGroups().get(1)).toMatchObject([{ mode: 0, rpcPort: w1.rpcPort }])
    expect(ledger.fileGroups().get(1)?.[0]?.peer).toBeUndefined()
  })

  it('loses data when a primary without replica fails, and names the worker', () => {
    const table = new LocationTable(2)
    table.add(location(0, 0, w0))
    table.add(location(1, 0, w1))
    const ledger = new CommitLedger()
    const batches = ledger.take(table.entries())
    ledger.fail(batchOf(batches, w0.id), 'no answer')
    ledger.record(batchOf(batches, w1.id), outcome({ committedPrimaryIds: ['1-0'] }))
    expect(ledger.lost()).toEqual([
      { id: '0-0', copies: [{ worker: '127.0.0.1:1000', reason: 'no answer' }] },
    ])
  })

  it('loses data with replication only when both sides fail', () => {
    const { ledger, first, second } = replicated()
    ledger.fail(first, 'no answer')
    expect(ledger.lost()).toEqual([])
    ledger.record(second, outcome({ committedPrimaryIds: ['1-0'], failedReplicaIds: ['0-0'] }))
    expect(describeLost(ledger.lost())).toBe(
      'data of 1 location(s) is lost: 0-0 on worker 127.0.0.1:1000 (no answer) and ' +
        'on worker 127.0.0.1:1001 (it answered PARTIAL_SUCCESS)',
    )
  })

  it('does not lose data when the primary fails and the replica never got any', () => {
    const { ledger, first, second } = replicated()
    ledger.fail(first, 'no answer')
    ledger.record(second, outcome({ committedPrimaryIds: ['1-0'] }))
    expect(ledger.lost()).toEqual([])
  })

  it('counts ids as failed that an unsuccessful answer leaves out', () => {
    const table = new LocationTable(1)
    table.add(location(0, 0, w0))
    const ledger = new CommitLedger()
    const [batch] = ledger.take(table.entries())
    if (batch === undefined) throw new Error('no batch')
    ledger.record(batch, outcome({ unlistedAreEmpty: false }))
    expect(ledger.lost()).toMatchObject([{ copies: [{ reason: 'it answered PARTIAL_SUCCESS' }] }])
  })

  it('ignores ids that were not asked for, and believes a failure before a commit', () => {
    const table = new LocationTable(2)
    table.add(location(0, 0, w0))
    table.add(location(1, 0, w1))
    const ledger = new CommitLedger()
    const batches = ledger.take(table.entries())
    ledger.record(
      batchOf(batches, w0.id),
      outcome({ committedPrimaryIds: ['0-0', '1-0', '9-9'], failedPrimaryIds: ['0-0'] }),
    )
    expect(ledger.lost().map((l) => l.id)).toEqual(['0-0'])
    expect(ledger.fileGroups().size).toBe(0)
  })

  it('names a few of many lost locations, and counts the rest', () => {
    const table = new LocationTable(9)
    for (let id = 0; id < 9; id++) table.add(location(id, 0, w0))
    const ledger = new CommitLedger()
    for (const batch of ledger.take(table.entries())) ledger.fail(batch, 'gone')
    const text = describeLost(ledger.lost())
    expect(text).toMatch(/^data of 9 location\(s\) is lost: 0-0 on worker 127\.0\.0\.1:1000 \(gone\); /)
    expect(text).toMatch(/4-0 on worker [^;]+; and 4 more$/)
  })
})
