import { afterEach, describe, expect, it, vi } from 'vitest'
import { WorkerTracker } from '../../src/lifecycle/worker-tracker'
import { StatusCode } from '../../src/protocol/status'
import { fakeWorker } from './fixtures'

const [w0, w1] = [fakeWorker(0), fakeWorker(1)]
const NOBODY = { excluded: [], unknown: [], shutting: [] }

function tracker(o: { excludeReplica?: boolean } = {}) {
  let now = 1_000
  const t = new WorkerTracker({ expireMs: 180_000, excludeReplica: o.excludeReplica ?? true, now: () => now })
  return { t, advance: (ms: number) => (now += ms) }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('WorkerTracker', () => {
  it('follows the master’s list', () => {
    const { t } = tracker()
    t.applyHeartbeat({ ...NOBODY, excluded: [w0] })
    expect(t.isAvailable(w0)).toBe(false)
    expect(t.isAvailable(w1)).toBe(true)
    t.applyHeartbeat(NOBODY)
    expect(t.isAvailable(w0)).toBe(true)
  })

  it('keeps what it saw itself until the time is over and the master does not list it', () => {
    const { t, advance } = tracker()
    t.recordFailure(w0, StatusCode.PUSH_DATA_TIMEOUT_PRIMARY)
    t.applyHeartbeat(NOBODY)
    expect(t.isAvailable(w0)).toBe(false)
    advance(180_001)
    t.applyHeartbeat({ ...NOBODY, excluded: [w0] })
    expect(t.isAvailable(w0)).toBe(false)
    t.applyHeartbeat(NOBODY)
    expect(t.isAvailable(w0)).toBe(true)
  })

  it('keeps it when somebody sets the time of day', () => {
    const timeOfDay = vi.spyOn(Date, 'now').mockReturnValue(0)
    const t = new WorkerTracker({ expireMs: 180_000, excludeReplica: true })
    t.recordFailure(w0, StatusCode.PUSH_DATA_TIMEOUT_PRIMARY)
    timeOfDay.mockReturnValue(3_600_000)
    t.applyHeartbeat(NOBODY)
    expect(t.isAvailable(w0)).toBe(false)
  })

  it('forgets a write failure at the next heartbeat that does not list the worker', () => {
    const { t } = tracker()
    t.recordFailure(w0, StatusCode.PUSH_DATA_WRITE_FAIL_PRIMARY)
    t.applyHeartbeat(NOBODY)
    expect(t.isAvailable(w0)).toBe(true)
  })

  it.each([
    StatusCode.PUSH_DATA_WRITE_FAIL_PRIMARY,
    StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY,
    StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY,
    StatusCode.PUSH_DATA_TIMEOUT_PRIMARY,
  ])('blames the primary for status %i', (cause) => {
    const { t } = tracker()
    t.recordPushFailure(cause, w0, w1)
    expect([t.isAvailable(w0), t.isAvailable(w1)]).toEqual([false, true])
  })

  it.each([
    StatusCode.PUSH_DATA_WRITE_FAIL_REPLICA,
    StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA,
    StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_REPLICA,
    StatusCode.PUSH_DATA_TIMEOUT_REPLICA,
  ])('blames the replica for status %i, if told to', (cause) => {
    const { t } = tracker()
    t.recordPushFailure(cause, w0, w1)
    expect([t.isAvailable(w0), t.isAvailable(w1)]).toEqual([true, false])
    const lenient = tracker({ excludeReplica: false }).t
    lenient.recordPushFailure(cause, w0, w1)
    expect(lenient.isAvailable(w1)).toBe(true)
    lenient.recordPushFailure(cause, w0, undefined)
    expect(lenient.excludedWorkers()).toEqual([])
  })

  it.each([
    StatusCode.HARD_SPLIT,
    StatusCode.SOFT_SPLIT,
    StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY,
    StatusCode.PUSH_DATA_FAIL_PARTITION_NOT_FOUND,
    StatusCode.PUSH_DATA_PRIMARY_WORKER_EXCLUDED,
  ])('blames nobody for status %i', (cause) => {
    const { t } = tracker()
    t.recordPushFailure(cause, w0, w1)
    expect(t.excludedWorkers()).toEqual([])
  })

  it('knows workers that shut down, from the master and from answers', () => {
    const { t } = tracker()
    t.recordFailure(w0, StatusCode.WORKER_SHUTDOWN)
    expect(t.isAvailable(w0)).toBe(false)
    expect(t.excludedWorkers()).toEqual([])
    t.applyHeartbeat({ ...NOBODY, shutting: [w1] })
    expect(t.shuttingWorkers()).toEqual([w1])
    expect(t.isAvailable(w0)).toBe(true)
  })

  it('asks the master about excluded and shutting workers, each once', () => {
    const { t } = tracker()
    t.recordFailure(w0, StatusCode.RESERVE_SLOTS_FAILED)
    t.recordFailure(w0, StatusCode.WORKER_SHUTDOWN)
    t.recordFailure(w1, StatusCode.WORKER_SHUTDOWN)
    expect(
      t
        .needChecked()
        .map((w) => w.id)
        .sort(),
    ).toEqual([w0.id, w1.id].sort())
  })

  it('takes a worker back that the master offers anew', () => {
    const { t } = tracker()
    t.recordFailure(w0, StatusCode.WORKER_UNRESPONSIVE)
    t.readmit(w0)
    expect(t.isAvailable(w0)).toBe(true)
  })

  it('keeps the first reason, but lets news about the worker itself replace it', () => {
    const { t } = tracker()
    t.recordFailure(w0, StatusCode.PUSH_DATA_TIMEOUT_PRIMARY)
    t.recordFailure(w0, StatusCode.COMMIT_FILE_EXCEPTION)
    expect(t.excludedWorkers()).toEqual([{ worker: w0, status: StatusCode.PUSH_DATA_TIMEOUT_PRIMARY }])
    t.applyHeartbeat({ ...NOBODY, unknown: [w0] })
    expect(t.excludedWorkers()).toEqual([{ worker: w0, status: StatusCode.WORKER_UNKNOWN }])
  })
})
