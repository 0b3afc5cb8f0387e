import { xxh32 } from '@node-rs/xxhash'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PartitionChecksums } from '../../src/cli/job/checksums'
import { CHECK_SEED, type HashPair, hashRange, PARTITION_SEED } from '../../src/cli/job/record-hash'

function hash(bytes: Uint8Array, before: number): HashPair {
  const padded = new Uint8Array(before + bytes.length + 5).fill(0xaa)
  padded.set(bytes, before)
  const out = { first: 0, second: 0 }
  hashRange(new DataView(padded.buffer), before, before + bytes.length, out)
  return out
}

test('is xxHash32, with both seeds, for every length and alignment', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(7), (bytes, before) => {
      const { first, second } = hash(bytes, before)
      expect(first).toBe(xxh32(bytes, PARTITION_SEED))
      expect(second).toBe(xxh32(bytes, CHECK_SEED))
    }),
    { numRuns: 2000 },
  )
})

test('known value: a partition can be computed by anybody who has xxHash32', () => {
  expect(hash(Buffer.from('abc'), 0).first).toBe(0x32d153ff)
  expect(hash(new Uint8Array(), 0).first).toBe(0x02cc5d05)
})

test('checksums do not depend on order and notice a lost, a doubled, a changed and a moved record', () => {
  const records = Array.from({ length: 500 }, (_, i) => Buffer.from(`record ${i}`))
  const sums = (list: readonly Buffer[], shift = 0): PartitionChecksums => {
    const checksums = new PartitionChecksums(4)
    for (const record of list) {
      const { first, second } = hash(record, 0)
      checksums.add((first + shift) % 4, record.length + 1, first, second)
    }
    return checksums
  }
  const pushed = sums(records)
  expect(pushed.difference(sums([...records].reverse()))).toBeUndefined()
  expect(pushed.total().records).toBe(500)
  expect(pushed.total().bytes).toBe(records.reduce((sum, record) => sum + record.length + 1, 0))

  expect(pushed.difference(sums(records.slice(1)))).toMatch(/^partition \d: pushed \d+ records/)
  const [head] = records
  if (head === undefined) throw new Error('no record')
  expect(pushed.difference(sums([...records, head]))).toBeDefined()
  expect(pushed.difference(sums([Buffer.from('Record 0'), ...records.slice(1)]))).toBeDefined()
  expect(pushed.difference(sums(records, 1))).toBeDefined()
  expect(pushed.total().hash).toBe(sums(records, 1).total().hash)
})
