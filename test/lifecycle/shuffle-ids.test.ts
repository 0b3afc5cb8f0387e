import { describe, expect, it } from 'vitest'
import { ShuffleIds } from '../../src/lifecycle/shuffle-ids'

const nobody = () => false
const always = () => true
const accepted = () => 'accepted' as const

describe('ShuffleIds', () => {
  it('gives one id per run to all its tasks, and skips ids in use', () => {
    const ids = new ShuffleIds((id) => id === 0 || id === 1)
    expect(ids.forWriter(7, '7-1-0', false)).toMatchObject({ shuffleId: 2, success: true })
    expect(ids.forWriter(7, '7-1-0', false)).toMatchObject({ shuffleId: 2, success: true })
    expect(ids.forWriter(8, '8-1-0', false)).toMatchObject({ shuffleId: 3, success: true })
  })

  it('lets a re-run of a determinate stage go on with a valid run', () => {
    const ids = new ShuffleIds(nobody)
    ids.forWriter(7, 'a', false)
    expect(ids.forWriter(7, 'b', false).shuffleId).toBe(0)
  })

  it('gives a new id to the re-run of an indeterminate or a barrier stage', () => {
    const ids = new ShuffleIds(nobody)
    ids.setDeterminate(7, false)
    ids.forWriter(7, 'a', false)
    expect(ids.forWriter(7, 'b', false).shuffleId).toBe(1)
    ids.setDeterminate(7, true)
    expect(ids.forWriter(7, 'c', true).shuffleId).toBe(2)
    // The barrier's earlier runs are of no use to readers.
    expect(ids.forReader(7, (id) => id < 2)).toEqual({ shuffleId: -1, success: false })
  })

  it('gives readers the newest complete run', () => {
    const ids = new ShuffleIds(nobody)
    ids.setDeterminate(7, false)
    for (const run of ['a', 'b', 'c']) ids.forWriter(7, run, false)
    expect(ids.forReader(7, (id) => id !== 2)).toEqual({ shuffleId: 1, success: true })
    expect(ids.forReader(7, nobody)).toEqual({ shuffleId: -1, success: false })
    expect(ids.forReader(99, always)).toEqual({ shuffleId: -1, success: true })
  })

  it('makes a run that cannot be read invalid, once', () => {
    const ids = new ShuffleIds(nobody)
    ids.forWriter(7, 'a', false)
    expect(ids.reportFailure(7, 0, () => 'ignored')).toEqual({ success: false, news: false })
    expect(ids.forReader(7, always).shuffleId).toBe(0)
    expect(ids.reportFailure(7, 0, accepted)).toEqual({ success: true, news: true })
    expect(ids.reportFailure(7, 0, accepted)).toEqual({ success: true, news: false })
    expect(ids.forReader(7, always)).toEqual({ shuffleId: -1, success: false })
    expect(ids.forWriter(7, 'b', false).shuffleId).toBe(1)
    expect(ids.forReader(7, always).shuffleId).toBe(1)
  })

  it('makes a run invalid whose report the scheduler failed to take, and says so to the reader', () => {
    const ids = new ShuffleIds(nobody)
    ids.forWriter(7, 'a', false)
    expect(ids.reportFailure(7, 0, () => 'threw')).toEqual({ success: false, news: true })
    expect(ids.forWriter(7, 'b', false).shuffleId).toBe(1)
  })

  it('gives up the earlier runs of a barrier stage: when it runs again, and when a task reports', () => {
    const ids = new ShuffleIds(nobody)
    expect(ids.forWriter(7, 'a', true)).toEqual({ shuffleId: 0, success: true, superseded: [] })
    expect(ids.forWriter(7, 'b', true)).toEqual({ shuffleId: 1, success: true, superseded: [0] })
    expect(ids.forWriter(7, 'b', true)).toEqual({ shuffleId: 1, success: true, superseded: [] })
    expect(ids.invalidate(7, 'b')).toBe(1)
    expect(ids.invalidate(7, 'b')).toBeUndefined()
    expect(ids.forWriter(7, 'c', true)).toEqual({ shuffleId: 2, success: true, superseded: [] })
    expect(() => ids.invalidate(7, 'x')).toThrow('no run "x"')
    expect(() => ids.invalidate(8, 'a')).toThrow('application shuffle 8')
  })

  it('refuses reports about what it does not know', () => {
    const ids = new ShuffleIds(nobody)
    expect(() => ids.reportFailure(7, 0, accepted)).toThrow('application shuffle 7')
    ids.forWriter(7, 'a', false)
    expect(() => ids.reportFailure(7, 5, accepted)).toThrow('shuffle 5')
  })

  it('forgets an application shuffle with all its runs', () => {
    const ids = new ShuffleIds(nobody)
    ids.setDeterminate(7, false)
    ids.forWriter(7, 'a', false)
    ids.forWriter(7, 'b', false)
    expect(ids.remove(7)).toEqual([0, 1])
    expect(ids.remove(7)).toEqual([])
    expect(ids.forReader(7, always).shuffleId).toBe(-1)
  })
})
