import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeRoaringBitmap, roaringBitmapMayContain } from '../../src/protocol/roaring-bitmap'

// Vectors made with RoaringBitmap 1.0.6, as Celeborn 0.6.3 has it.

test('no id', () => {
  expect(encodeRoaringBitmap([]).toString('hex')).toBe('3a30000000000000')
})

test('few ids, over several containers, in any order', () => {
  expect(encodeRoaringBitmap([0x7fffffff, 5, 1, 0, 65535, 65536, 200000, 5]).toString('hex')).toBe(
    '3a30000004000000000003000100000003000000ff7f000028000000300000003200000034000000000001000500ffff0000400dffff',
  )
})

test('more ids than a list may hold', () => {
  const bytes = encodeRoaringBitmap(Array.from({ length: 10_000 }, (_, i) => i * 3))
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '82714df6227276c0364da3782dc34e70336c3fd7c586618519ef6c76ba1c1f30',
  )
})

function reads(bytes: Uint8Array, ids: ReadonlySet<number>, edges: readonly number[]): void {
  for (const edge of edges)
    for (const start of [edge - 1, edge, edge + 1]) {
      if (start < 0) continue
      expect([start, roaringBitmapMayContain(bytes, start, start + 1)]).toEqual([start, ids.has(start)])
    }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

test('what was written is found, and nothing else', () => {
  const id = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 65_500, max: 65_600 }),
    fc.nat(0x7ffffffe),
  )
  const ids = fc.oneof(
    fc.array(id, { maxLength: 60 }),
    fc.tuple(fc.nat(200_000), fc.integer({ min: 4000, max: 9000 })).map(([at, n]) => range(at, at + n)),
  )
  fc.assert(
    fc.property(ids, id, id, (values, a, b) => {
      const bytes = encodeRoaringBitmap(values)
      const [start, end] = [Math.min(a, b), Math.max(a, b) + 1]
      const there = values.some((value) => value >= start && value < end)
      expect(roaringBitmapMayContain(bytes, start, end)).toBe(there)
      const edges = [values[0] ?? 0, values[values.length - 1] ?? 0]
      reads(bytes, new Set(values), edges)
    }),
    { numRuns: 200 },
  )
})

// Vectors made with CRoaring, its runs optimised: as other writers may have them.
test.each([
  ['3b3000000100006b07010064006b07', range(100, 2000)],
  [
    '3b3002000300007d13010009000300000001000a007d13010070110900400d',
    [...range(10, 5000), ...range(70_000, 70_010), 200_000],
  ],
  [
    '3b3005001f0000e3030100e2030200e2030300e2030400e20305000000350000003f000000450000004b00000051000000570000000200030000000500e20301000500e20301000500e20301000500e20301000500e2030900',
    [...[0, 1, 2, 3, 4].flatMap((k) => range(k * 65_536 + 5, k * 65_536 + 1000)), 3, 5 * 65_536 + 9],
  ],
])('runs are read: %s', (hex, values) => {
  const bytes = Buffer.from(hex, 'hex')
  const ids = new Set(values)
  const edges = values.filter((value) => !ids.has(value - 1) || !ids.has(value + 1))
  expect(edges.length).toBeGreaterThan(1)
  reads(bytes, ids, edges)
  expect(roaringBitmapMayContain(bytes, 400_000, 500_000)).toBe(false)
  expect(roaringBitmapMayContain(bytes, 0, 0x7fffffff)).toBe(true)
})

test('what is no bitmap, or is cut off, may contain anything', () => {
  for (const text of [
    '',
    '00',
    'ffffffffffffffff',
    '3a300000ffffffff',
    '3b30ffff00',
    '3a3000000100000000000000',
  ])
    expect(roaringBitmapMayContain(Buffer.from(text, 'hex'), 5, 6)).toBe(true)
  const whole = encodeRoaringBitmap([...range(0, 5000), 70_000])
  for (let length = 0; length < whole.length; length++)
    expect(roaringBitmapMayContain(whole.subarray(0, length), 200_000, 200_001)).toBe(true)
  expect(roaringBitmapMayContain(whole, 200_000, 200_001)).toBe(false)
})
