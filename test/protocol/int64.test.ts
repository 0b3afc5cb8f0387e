import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { highHalf, lowHalf, readWireId, wireIdFromHalves, wireIdKey, writeWireId } from '../../src/protocol'
import { anyWireId, hex } from './support'

describe('int64 ids', () => {
  it('are big-endian', () => {
    const bytes = Buffer.alloc(10, 0xaa)
    expect(writeWireId(bytes, 1, 0x0102_0304_0506)).toBe(9)
    expect(bytes).toEqual(hex('aa 0000010203040506 aa'))
  })

  it('round trip bit for bit, also where numbers are not exact', () => {
    fc.assert(
      fc.property(anyWireId, (id) => {
        const bytes = Buffer.alloc(8)
        writeWireId(bytes, 0, id)
        expect(readWireId(bytes, 0)).toEqual(id)
        expect(wireIdFromHalves(highHalf(id), lowHalf(id))).toEqual(id)
        expect(bytes.readBigInt64BE(0)).toBe(
          typeof id === 'number' ? BigInt(id) : (BigInt(id.high) << 32n) | BigInt(id.low),
        )
      }),
    )
  })

  it('echo any eight bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        const copy = Buffer.alloc(8)
        writeWireId(copy, 0, readWireId(bytes, 0))
        expect(copy).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('are numbers exactly as long as numbers are exact', () => {
    expect(readWireId(hex('001fffffffffffff'), 0)).toBe(Number.MAX_SAFE_INTEGER)
    expect(readWireId(hex('0020000000000000'), 0)).toEqual({ high: 0x200000, low: 0 })
    expect(readWireId(hex('ffffffffffffffff'), 0)).toBe(-1)
    expect(readWireId(hex('8000000000000000'), 0)).toEqual({ high: -0x80000000, low: 0 })
  })

  it('have keys that are equal exactly for equal ids', () => {
    expect(wireIdKey(readWireId(hex('0020000000000001'), 0))).toBe(wireIdKey({ high: 0x200000, low: 1 }))
    expect(wireIdKey({ high: 0x200000, low: 1 })).not.toBe(wireIdKey({ high: 0x200000, low: 2 }))
    expect(wireIdKey(5)).toBe(5)
  })
})
