import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { encodeRoaringBitmap } from '../../src/protocol/roaring-bitmap'

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
