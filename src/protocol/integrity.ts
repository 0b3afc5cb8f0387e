import { crc32 } from 'node:zlib'

/**
 * Sums of Celeborn's integrity check: bytes and checksum of what was written to a partition, or read from it. The
 * order of the batches does not matter, so that writer, driver and reader can compare theirs.
 */

/** Adds two checksums: each of the four bytes by itself, modulo 256. */
export function combineCrc(a: number, b: number): number {
  const even = ((a & 0x00ff00ff) + (b & 0x00ff00ff)) & 0x00ff00ff
  const odd = (((a >>> 8) & 0x00ff00ff) + ((b >>> 8) & 0x00ff00ff)) & 0x00ff00ff
  return even | (odd << 8) | 0
}

/** A sum over batches, as they are before compression. */
export class BatchSum {
  crc32 = 0
  bytes = 0

  add(batch: Uint8Array): void {
    this.crc32 = combineCrc(this.crc32, crc32(batch))
    this.bytes += batch.byteLength
  }
}
