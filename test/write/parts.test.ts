import { xxh32 } from '@node-rs/xxhash'
import { describe, expect, it } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { ConfigError } from '../../src/errors'
import { writerKind } from '../../src/write/create-writer'
import { HashPartitioner, partitionBy, RangePartitioner } from '../../src/write/partitioner'
import {
  LengthPrefixedSerializer,
  NdjsonSerializer,
  RawBytesSerializer,
  readLengthPrefixed,
  readNdjson,
  type Serializer,
} from '../../src/write/serializer'
import { xxHash32 } from '../../src/write/xx-hash'
import { makeRecords } from './harness'

describe('HashPartitioner', () => {
  it('is xxHash32 mod partitions, for bytes of every length and for strings as UTF-8', () => {
    const partitioner = new HashPartitioner(1000)
    for (const bytes of [...makeRecords(300, 80), Buffer.alloc(0), Buffer.alloc(100_000, 0xf1)]) {
      expect(xxHash32(bytes)).toBe(xxh32(bytes, 0))
      expect(partitioner.partition(bytes)).toBe(xxh32(bytes, 0) % 1000)
    }
    for (const text of ['', 'a', 'Käse', '日本語', '🧀'.repeat(500), 'x'.repeat(5000)]) {
      expect(partitioner.partition(text)).toBe(xxh32(Buffer.from(text), 0) % 1000)
    }
  })

  it('spreads numbers, puts equal ones together, and refuses what is no key', () => {
    const partitioner = new HashPartitioner(16)
    const counts = new Array<number>(16).fill(0)
    for (let i = -5000; i < 5000; i++) {
      const p = partitioner.partition(i)
      counts[p] = (counts[p] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 625)).toBeLessThan(150)
    expect(partitioner.partition(-0)).toBe(partitioner.partition(0))
    const fractions = new Set(Array.from({ length: 200 }, (_, i) => partitioner.partition(i + 0.5)))
    expect(fractions.size).toBe(16)
    expect(new Set([1e300, 1e301, 2 ** 60].map((n) => partitioner.partition(n))).size).toBeGreaterThan(1)
    expect(() => partitioner.partition(Number.NaN)).toThrow(ConfigError)
    for (const wrong of [undefined, null, true, {}, 5n]) {
      expect(() => partitioner.partition(wrong as unknown as string)).toThrow(ConfigError)
    }
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('has no %s partitions', (count) => {
    expect(() => new HashPartitioner(count)).toThrow(ConfigError)
    expect(() => partitionBy(count, () => 0)).toThrow(ConfigError)
  })
})

describe('RangePartitioner', () => {
  it('puts a key up to and including a bound before it', () => {
    const partitioner = new RangePartitioner([10, 20])
    expect(partitioner.numPartitions).toBe(3)
    expect([-5, 10, 10.5, 20, 21, 1e9].map((key) => partitioner.partition(key))).toEqual([0, 0, 1, 1, 2, 2])
    const bytes = new RangePartitioner([Buffer.from('b'), Buffer.from('m')])
    expect(['a', 'b', 'ba', 'm', 'z'].map((key) => bytes.partition(Buffer.from(key)))).toEqual([
      0, 0, 1, 1, 2,
    ])
    expect(() => new RangePartitioner([1, 1])).toThrow(/must ascend/)
  })

  it('takes bounds from a sample, also from one with few different keys', () => {
    const sample = Array.from({ length: 1000 }, (_, i) => (i * 37) % 1000)
    const partitioner = RangePartitioner.fromSample(sample, 4)
    expect(partitioner.numPartitions).toBe(4)
    const counts = [0, 0, 0, 0]
    for (const key of sample) {
      const p = partitioner.partition(key)
      counts[p] = (counts[p] ?? 0) + 1
    }
    expect(counts).toEqual([250, 250, 250, 250])
    const few = RangePartitioner.fromSample(['a', 'a', 'a', 'b'], 4)
    expect(few.partition('a')).toBe(0)
    expect(few.partition('b')).toBeLessThan(few.numPartitions)
    expect(RangePartitioner.fromSample<number>([], 3).partition(5)).toBe(0)
  })
})

/** Writes records one after the other into buffers of a size, as writers do. */
function writeAll<T>(serializer: Serializer<T>, records: readonly T[], size: number): Buffer[] {
  const batches: Buffer[] = []
  let buffer = Buffer.alloc(size)
  let at = 0
  for (const record of records) {
    let end = serializer.write(record, buffer, at)
    if (end < 0) {
      if (at > 0) batches.push(buffer.subarray(0, at))
      buffer = Buffer.alloc(Math.max(size, -end))
      at = 0
      end = serializer.write(record, buffer, at)
    }
    expect(end).toBeGreaterThanOrEqual(at)
    at = end
  }
  batches.push(buffer.subarray(0, at))
  return batches
}

describe('serializers', () => {
  it('raw bytes follow each other', () => {
    const records = makeRecords(200, 100)
    const batches = writeAll(new RawBytesSerializer(), records, 256)
    expect(batches.length).toBeGreaterThan(20)
    expect(Buffer.concat(batches).equals(Buffer.concat(records))).toBe(true)
  })

  it('length-prefixed records come back one by one; a batch cut short is said to be', () => {
    const records = [...makeRecords(200, 100), Buffer.alloc(70_000, 5), Buffer.alloc(0)]
    const batches = writeAll(new LengthPrefixedSerializer(), records, 256)
    const read = batches.flatMap((batch) =>
      [...readLengthPrefixed(batch)].map((record) => Buffer.from(record)),
    )
    expect(read).toEqual(records)
    const [batch] = batches
    for (const cut of [1, 3, 5]) {
      expect(() => [...readLengthPrefixed((batch as Buffer).subarray(0, -cut))]).toThrow(/ends within/)
    }
  })

  it('NDJSON needs what the record takes as UTF-8, to the byte', () => {
    const rows = ['a', 'Käse', '🧀', 'x'.repeat(300)].map((text, n) => ({ text, n }))
    const batches = writeAll(new NdjsonSerializer(), rows, 64)
    expect(batches.flatMap((batch) => [...readNdjson(batch)])).toEqual(rows)
    const serializer = new NdjsonSerializer()
    const needed = Buffer.byteLength(JSON.stringify(rows[2])) + 1
    expect(serializer.write(rows[2], Buffer.alloc(needed), 0)).toBe(needed)
    expect(serializer.write(rows[2], Buffer.alloc(needed - 1), 0)).toBe(-needed)
    expect(() => serializer.write(undefined, Buffer.alloc(10), 0)).toThrow(/has no JSON/)
  })

  it.each([readNdjson, readLengthPrefixed])('%o reads one batch, and refuses a whole reader', (read) => {
    const reader = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('unread')) }) }
    expect(() => [...read(reader as unknown as Uint8Array)]).toThrow(
      'takes the bytes of one batch: for await',
    )
  })

  it('refuse what is no record of theirs', () => {
    for (const serializer of [new RawBytesSerializer(), new LengthPrefixedSerializer()]) {
      expect(() => serializer.write('text' as unknown as Uint8Array, Buffer.alloc(10), 0)).toThrow(TypeError)
    }
  })
})

describe('the choice of a writer', () => {
  it.each([
    [{}, 5000, 'HASH'],
    [{ 'celeborn.client.spark.shuffle.writer': 'sort' }, 1, 'SORT'],
    [{ 'spark.celeborn.client.spark.shuffle.writer': 'hash' }, 1, 'HASH'],
    [{ 'celeborn.client.spark.push.dynamicWriteMode.enabled': true }, 2000, 'HASH'],
    [{ 'celeborn.client.spark.push.dynamicWriteMode.enabled': true }, 2001, 'SORT'],
    [
      {
        'celeborn.client.spark.push.dynamicWriteMode.enabled': true,
        'celeborn.client.spark.push.dynamicWriteMode.partitionNum.threshold': 10,
        'celeborn.client.spark.shuffle.writer': 'SORT',
      },
      10,
      'HASH',
    ],
  ])('%j with %i partitions: %s', (entries, numPartitions, kind) => {
    expect(writerKind(new CelebornConf(entries as Record<string, string>), numPartitions)).toBe(kind)
  })
})
