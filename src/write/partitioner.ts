import { ConfigError } from '../errors'
import { mix32, xxHash32 } from './xx-hash'

/**
 * Chooses a record's partition.
 * @typeParam K keys
 * @typeParam T records
 */
export interface Partitioner<K, T = unknown> {
  /** Partitions that it spreads over: the shuffle's number of partitions. */
  readonly numPartitions: number
  /**
   * @returns a whole number, 0 <= it < {@link numPartitions}; anything else, and anything thrown, rejects the write of that
   *   record alone
   */
  partition(key: K, record: T): number
}

/** Keys that {@link HashPartitioner} takes. A string is hashed as UTF-8, so it equals its bytes. */
export type HashKey = string | number | Uint8Array

/**
 * `xxHash32(key) mod partitions` for strings and bytes, as the command line does. A number is mixed: equal numbers meet,
 * neighbours do not; it is not in the partition of its text.
 */
export class HashPartitioner implements Partitioner<HashKey> {
  readonly numPartitions: number
  #scratch = Buffer.allocUnsafe(1024)
  readonly #double = new Float64Array(1)
  readonly #words = new Uint32Array(this.#double.buffer)

  constructor(numPartitions: number) {
    this.numPartitions = requirePartitions(numPartitions)
  }

  /** @throws ConfigError for a key of another type, or NaN */
  partition(key: HashKey): number {
    return this.hash(key) % this.numPartitions
  }

  private hash(key: HashKey): number {
    if (typeof key === 'string') return this.hashText(key)
    if (key instanceof Uint8Array) return xxHash32(key)
    if (typeof key === 'number') return this.hashNumber(key)
    throw new ConfigError(
      `a hash partitioner takes keys of type string, number or Uint8Array, not ${nameOf(key)}`,
    )
  }

  private hashText(key: string): number {
    const most = 3 * key.length
    if (most > this.#scratch.length) this.#scratch = Buffer.allocUnsafe(2 * most)
    return xxHash32(this.#scratch, this.#scratch.write(key, 0, 'utf8'))
  }

  private hashNumber(key: number): number {
    if ((key | 0) === key) return mix32(key)
    if (Number.isNaN(key)) throw new ConfigError('NaN is no key: it equals nothing, not even itself')
    this.#double[0] = key
    return mix32((this.#words[0] ?? 0) ^ mix32(this.#words[1] ?? 0))
  }
}

/** How keys compare: negative when `a` is before `b`, 0 when they are equal. */
export type Compare<K> = (a: K, b: K) => number

/**
 * Ranges of keys: partition 0 has the keys up to and including the first bound, and so on; the last one has the rest. Within a
 * partition records are in the order in which they were written, not sorted.
 */
export class RangePartitioner<K> implements Partitioner<K> {
  readonly numPartitions: number
  readonly #bounds: readonly K[]
  readonly #compare: Compare<K>

  /**
   * @param bounds ascending, each the last key of its partition; one fewer than partitions
   * @throws ConfigError when they do not ascend
   */
  constructor(bounds: readonly K[], compare: Compare<K> = naturalOrder) {
    for (let i = 1; i < bounds.length; i++) {
      if (compare(bounds[i - 1] as K, bounds[i] as K) >= 0) {
        throw new ConfigError(`the bounds of a range partitioner must ascend; bound ${i} does not`)
      }
    }
    this.#bounds = [...bounds]
    this.#compare = compare
    this.numPartitions = bounds.length + 1
  }

  /**
   * Bounds that spread a sample of the keys evenly. Equal keys stay together, so a sample with few different ones gives bounds
   * for fewer partitions: see {@link numPartitions}.
   */
  static fromSample<K>(
    sample: readonly K[],
    numPartitions: number,
    compare: Compare<K> = naturalOrder,
  ): RangePartitioner<K> {
    requirePartitions(numPartitions)
    const sorted = [...sample].sort(compare)
    const bounds: K[] = []
    for (let i = 1; i < numPartitions; i++) {
      const at = Math.ceil((i * sorted.length) / numPartitions) - 1
      if (at < 0) continue
      const bound = sorted[at] as K
      if (bounds.length === 0 || compare(bounds[bounds.length - 1] as K, bound) < 0) bounds.push(bound)
    }
    return new RangePartitioner(bounds, compare)
  }

  partition(key: K): number {
    let low = 0
    let high = this.#bounds.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(key, this.#bounds[middle] as K) <= 0) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** A function as a {@link Partitioner}. */
export function partitionBy<K, T = unknown>(
  numPartitions: number,
  choose: (key: K, record: T) => number,
): Partitioner<K, T> {
  return { numPartitions: requirePartitions(numPartitions), partition: choose }
}

/** `<` and `>`: numbers by value, strings by UTF-16 code units; bytes as unsigned numbers, shorter ones first. */
function naturalOrder<K>(a: K, b: K): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

function requirePartitions(numPartitions: number): number {
  if (Number.isInteger(numPartitions) && numPartitions >= 1 && numPartitions <= 0x7fff_ffff)
    return numPartitions
  throw new ConfigError(`numPartitions is a whole number from 1 on, not ${String(numPartitions)}`)
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return `${String(value)} (was write called without a key?)`
  return typeof value
}
