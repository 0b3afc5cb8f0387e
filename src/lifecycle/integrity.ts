import { combineCrc } from '../protocol/integrity'

/**
 * The integrity check of one shuffle: bytes and checksum of each partition as its map tasks reported them, compared
 * with what readers saw. Checksums are combined byte by byte, so that the order of batches does not matter.
 */

export interface PartitionSum {
  readonly crc32: number
  readonly bytes: number
}

export type CheckResult = { readonly ok: true } | { readonly ok: false; readonly reason: string }

interface RangeSum extends PartitionSum {
  readonly start: number
  readonly end: number
}

/** Reader of all map tasks. */
export const ALL_MAPS = 0x7fff_ffff

export class IntegrityCheck {
  private readonly crcs: Int32Array
  private readonly bytes: Float64Array
  private readonly ranges = new Map<number, RangeSum[]>()

  constructor(
    private readonly numPartitions: number,
    private readonly numMappers: number,
  ) {
    this.crcs = new Int32Array(numPartitions)
    this.bytes = new Float64Array(numPartitions)
  }

  /** What a winning attempt wrote. False when the arrays do not fit the shuffle. */
  add(crc32PerPartition: readonly number[], bytesPerPartition: readonly number[]): boolean {
    if (crc32PerPartition.length === 0 && bytesPerPartition.length === 0) return true
    if (crc32PerPartition.length !== this.numPartitions || bytesPerPartition.length !== this.numPartitions)
      return false
    for (const [partition, bytes] of bytesPerPartition.entries()) {
      if (bytes === 0) continue
      this.crcs[partition] = combineCrc(this.crcs[partition] ?? 0, crc32PerPartition[partition] ?? 0)
      this.bytes[partition] = (this.bytes[partition] ?? 0) + bytes
    }
    return true
  }

  /** What the reader of a partition, or of some of its map tasks (`end` exclusive), saw. */
  check(partitionId: number, start: number, end: number, seen: PartitionSum): CheckResult {
    const expected: PartitionSum = { crc32: this.crcs[partitionId] ?? 0, bytes: this.bytes[partitionId] ?? 0 }
    if (end === ALL_MAPS) return compare(partitionId, expected, seen)
    if (start < 0 || start >= end || end > this.numMappers) {
      return { ok: false, reason: `partition ${partitionId}: no such range of map tasks: ${start} to ${end}` }
    }
    return this.checkRange(partitionId, expected, { start, end, ...seen })
  }

  /** Collects ranges; the last one that is missing decides. */
  private checkRange(partitionId: number, expected: PartitionSum, range: RangeSum): CheckResult {
    let ranges = this.ranges.get(partitionId)
    if (ranges === undefined) {
      ranges = []
      this.ranges.set(partitionId, ranges)
    }
    const same = ranges.find((r) => r.start === range.start && r.end === range.end)
    if (same !== undefined) {
      // A task that ran twice must have seen the same.
      if (same.crc32 !== range.crc32 || same.bytes !== range.bytes) return mismatch(partitionId, same, range)
    } else {
      const overlap = ranges.find((r) => r.start < range.end && range.start < r.end)
      if (overlap !== undefined) {
        const reason = `partition ${partitionId}: ranges ${overlap.start}-${overlap.end} and ${range.start}-${range.end} overlap`
        return { ok: false, reason }
      }
      ranges.push(range)
    }
    const covered = ranges.reduce((sum, r) => sum + r.end - r.start, 0)
    if (covered < this.numMappers) return { ok: true }
    const total = ranges.reduce<PartitionSum>(
      (sum, r) => ({ crc32: combineCrc(sum.crc32, r.crc32), bytes: sum.bytes + r.bytes }),
      { crc32: 0, bytes: 0 },
    )
    return compare(partitionId, expected, total)
  }
}

function compare(partitionId: number, expected: PartitionSum, seen: PartitionSum): CheckResult {
  const equal = expected.bytes === seen.bytes && (expected.crc32 | 0) === (seen.crc32 | 0)
  return equal ? { ok: true } : mismatch(partitionId, expected, seen)
}

function mismatch(partitionId: number, expected: PartitionSum, seen: PartitionSum): CheckResult {
  const text = ({ bytes, crc32 }: PartitionSum): string => `${bytes} bytes with checksum ${crc32 >>> 0}`
  return { ok: false, reason: `partition ${partitionId}: written ${text(expected)}, read ${text(seen)}` }
}
