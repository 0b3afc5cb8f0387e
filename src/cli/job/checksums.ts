/**
 * What is known of every partition's records without regard to their order: how many, how many bytes, and the sum
 * of their 64-bit hashes (two 32-bit halves, each modulo 2^32). Two of these, one filled while pushing and one while
 * reading back, agree only if no record was lost, doubled, changed or put elsewhere.
 */
export class PartitionChecksums {
  readonly numPartitions: number
  readonly #records: Float64Array
  readonly #bytes: Float64Array
  readonly #firstSums: Uint32Array
  readonly #secondSums: Uint32Array

  constructor(numPartitions: number) {
    this.numPartitions = numPartitions
    this.#records = new Float64Array(numPartitions)
    this.#bytes = new Float64Array(numPartitions)
    this.#firstSums = new Uint32Array(numPartitions)
    this.#secondSums = new Uint32Array(numPartitions)
  }

  /** Counts one record of `bytes` bytes (its newline included) whose content has these two hashes. */
  add(partitionId: number, bytes: number, firstHash: number, secondHash: number): void {
    this.#records[partitionId] = (this.#records[partitionId] ?? 0) + 1
    this.#bytes[partitionId] = (this.#bytes[partitionId] ?? 0) + bytes
    this.#firstSums[partitionId] = (this.#firstSums[partitionId] ?? 0) + firstHash
    this.#secondSums[partitionId] = (this.#secondSums[partitionId] ?? 0) + secondHash
  }

  of(partitionId: number): PartitionChecksum {
    return {
      records: this.#records[partitionId] ?? 0,
      bytes: this.#bytes[partitionId] ?? 0,
      hash: hex(this.#firstSums[partitionId] ?? 0) + hex(this.#secondSums[partitionId] ?? 0),
    }
  }

  /** Over all partitions. */
  total(): PartitionChecksum {
    let records = 0
    let bytes = 0
    let first = 0
    let second = 0
    for (let p = 0; p < this.numPartitions; p++) {
      records += this.#records[p] ?? 0
      bytes += this.#bytes[p] ?? 0
      first = (first + (this.#firstSums[p] ?? 0)) >>> 0
      second = (second + (this.#secondSums[p] ?? 0)) >>> 0
    }
    return { records, bytes, hash: hex(first) + hex(second) }
  }

  /** The first partition in which `other` differs, in words; undefined if there is none. */
  difference(other: PartitionChecksums): string | undefined {
    for (let p = 0; p < this.numPartitions; p++) {
      const mine = this.of(p)
      const theirs = other.of(p)
      if (mine.records === theirs.records && mine.bytes === theirs.bytes && mine.hash === theirs.hash)
        continue
      return `partition ${p}: pushed ${describe(mine)}, read back ${describe(theirs)}`
    }
    return undefined
  }
}

/** Order-independent checksum of some records. */
export interface PartitionChecksum {
  readonly records: number
  /** Newlines included. */
  readonly bytes: number
  /** 16 hexadecimal digits. */
  readonly hash: string
}

function describe(sum: PartitionChecksum): string {
  return `${sum.records} records of ${sum.bytes} bytes with checksum ${sum.hash}`
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
