import { afterEach, describe, expect, it, vi } from 'vitest'
import { StatusCode } from '../../src/protocol/status'
import { ExcludedWorkers } from '../../src/push/excluded-workers'
import { location } from '../protocol/support'

const HOUR = 3_600_000

afterEach(() => {
  vi.restoreAllMocks()
})

function avoided(expireMs: number): ExcludedWorkers {
  const workers = new ExcludedWorkers(true, expireMs)
  workers.failed(location(), StatusCode.PUSH_DATA_TIMEOUT_PRIMARY)
  return workers
}

describe('excluded workers', () => {
  it('come back when their time is over', async () => {
    const workers = avoided(30)
    expect(workers.causeFor(location())).toBe(StatusCode.PUSH_DATA_PRIMARY_WORKER_EXCLUDED)
    await vi.waitFor(() => expect(workers.causeFor(location())).toBeNull())
    expect(workers.names).toEqual([])
  })

  it('do not come back because somebody has set the time of day', () => {
    const timeOfDay = vi.spyOn(Date, 'now').mockReturnValue(HOUR)
    const workers = avoided(HOUR / 2)
    timeOfDay.mockReturnValue(2 * HOUR)
    expect(workers.causeFor(location())).toBe(StatusCode.PUSH_DATA_PRIMARY_WORKER_EXCLUDED)
  })
})
