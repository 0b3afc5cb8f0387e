import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchSum, combineCrc } from '../../src/protocol/integrity'

describe('combineCrc', () => {
  it('adds each byte modulo 256 by itself', () => {
    expect(combineCrc(0x01020304, 0x10203040)).toBe(0x11223344)
    expect(combineCrc(0xff000000 | 0, 0x01000000)).toBe(0)
    expect(combineCrc(0x00ff00ff, 0x00010001)).toBe(0)
    expect(combineCrc(0x80000000 | 0, 0x01000000) >>> 0).toBe(0x81000000)
  })

  it('does not depend on the order', () => {
    const crc = fc.integer({ min: -0x80000000, max: 0x7fffffff })
    fc.assert(
      fc.property(crc, crc, crc, (a, b, c) => {
        expect(combineCrc(combineCrc(a, b), c)).toBe(combineCrc(a, combineCrc(c, b)))
        const bytes = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 0xff)
        const sum = bytes(a).map((byte, i) => (byte + (bytes(b)[i] ?? 0)) & 0xff)
        expect(bytes(combineCrc(a, b))).toEqual(sum)
      }),
    )
  })
})

it('a sum counts bytes and combines checksums', () => {
  const sum = new BatchSum()
  for (const text of ['one', 'two', '']) sum.add(Buffer.from(text))
  expect(sum.bytes).toBe(6)
  expect(sum.crc32).toBe(combineCrc(crc32('one'), crc32('two')))
  expect(sum.crc32).not.toBe(combineCrc(crc32('one'), crc32('one')))
})
