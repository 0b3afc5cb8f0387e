import { describe, expect, it } from 'vitest'
import { MapperAttempts } from '../../src/lifecycle/mapper-attempts'

describe('MapperAttempts', () => {
  it('lets the first attempt of a map task win, and nobody after it', () => {
    const attempts = new MapperAttempts(2)
    expect(attempts.finish(0, 3)).toBe('won')
    expect(attempts.finish(0, 3)).toBe('again')
    expect(attempts.finish(0, 4)).toBe('lost')
    expect(attempts.finish(0, 0)).toBe('lost')
    expect(attempts.toArray()).toEqual([3, -1])
  })

  it('counts each map task once, in whatever order they end', () => {
    const attempts = new MapperAttempts(3)
    attempts.finish(2, 0)
    attempts.finish(2, 0)
    attempts.finish(2, 1)
    attempts.finish(0, 0)
    expect(attempts.allEnded).toBe(false)
    expect(attempts.endedCount).toBe(2)
    attempts.finish(1, 7)
    expect(attempts.allEnded).toBe(true)
    expect(attempts.toArray()).toEqual([0, 7, 0])
  })

  it('refuses map tasks and attempts that do not exist', () => {
    const attempts = new MapperAttempts(1)
    expect(() => attempts.finish(1, 0)).toThrow(RangeError)
    expect(() => attempts.finish(-1, 0)).toThrow(RangeError)
    expect(() => attempts.finish(0, -1)).toThrow(RangeError)
    expect(attempts.isEnded(0)).toBe(false)
    expect(attempts.isEnded(5)).toBe(false)
  })

  it('gives out copies', () => {
    const attempts = new MapperAttempts(1)
    attempts.toArray()[0] = 9
    expect(attempts.toArray()).toEqual([-1])
  })
})
