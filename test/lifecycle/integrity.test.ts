import { describe, expect, it } from 'vitest'
import { ALL_MAPS, IntegrityCheck } from '../../src/lifecycle/integrity'

describe('IntegrityCheck', () => {
  function written(): IntegrityCheck {
    const check = new IntegrityCheck(2, 3)
    expect(check.add([1, 9], [100, 0])).toBe(true)
    expect(check.add([2, 5], [50, 7])).toBe(true)
    expect(check.add([], [])).toBe(true)
    return check
  }

  it('accepts a reader that saw what was written, and no other', () => {
    const check = written()
    expect(check.check(0, 0, ALL_MAPS, { crc32: 3, bytes: 150 })).toEqual({ ok: true })
    // The checksum of a map task without bytes does not count.
    expect(check.check(1, 0, ALL_MAPS, { crc32: 5, bytes: 7 })).toEqual({ ok: true })
    expect(check.check(0, 0, ALL_MAPS, { crc32: 3, bytes: 149 })).toMatchObject({ ok: false })
    expect(check.check(0, 0, ALL_MAPS, { crc32: 4, bytes: 150 })).toMatchObject({ ok: false })
  })

  it('lets the last range decide', () => {
    const good = written()
    expect(good.check(0, 0, 1, { crc32: 1, bytes: 100 })).toEqual({ ok: true })
    expect(good.check(0, 0, 1, { crc32: 1, bytes: 100 })).toEqual({ ok: true })
    expect(good.check(0, 1, 3, { crc32: 2, bytes: 50 })).toEqual({ ok: true })
    const bad = written()
    expect(bad.check(0, 1, 3, { crc32: 2, bytes: 49 })).toEqual({ ok: true })
    expect(bad.check(0, 0, 1, { crc32: 1, bytes: 100 })).toMatchObject({ ok: false })
  })

  it('refuses ranges that overlap, do not exist, or changed', () => {
    const check = written()
    check.check(0, 0, 2, { crc32: 1, bytes: 10 })
    expect(check.check(0, 1, 3, { crc32: 1, bytes: 10 })).toMatchObject({ ok: false })
    expect(check.check(0, 2, 4, { crc32: 1, bytes: 10 })).toMatchObject({ ok: false })
    expect(check.check(0, 2, 2, { crc32: 1, bytes: 10 })).toMatchObject({ ok: false })
    expect(check.check(0, 0, 2, { crc32: 1, bytes: 11 })).toMatchObject({ ok: false })
  })

  it('does not take arrays of another length', () => {
    const check = new IntegrityCheck(2, 1)
    expect(check.add([1], [1])).toBe(false)
    expect(check.add([1, 2], [1])).toBe(false)
  })
})
