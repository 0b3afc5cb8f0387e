import { crc32 } from 'node:zlib'

/** Every batch has so many bytes, so that blocks of a partition are batches, in whatever order they come. */
export const BATCH_BYTES = 64 * 1024
const PAGE_BYTES = 4096

/** What is counted while data is read: its bytes, and one byte of each page, as whoever uses the data touches them. */
export class Tally {
  bytes = 0
  sum = 0

  add(piece: Uint8Array): void {
    for (let at = -this.bytes & (PAGE_BYTES - 1); at < piece.length; at += PAGE_BYTES) sum(this, piece[at])
    this.bytes += piece.length
  }
}

function sum(tally: Tally, byte: number | undefined): void {
  tally.sum += byte ?? 0
}

/** Over every byte: the sum of the checksums of all blocks of {@link BATCH_BYTES}, which no order of batches changes. */
export class Checksum {
  value = 0
  #block = 0
  #bytes = 0

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BATCH_BYTES - this.#bytes)
      this.#block = crc32(part, this.#block)
      this.#bytes += part.length
      at += part.length
      if (this.#bytes < BATCH_BYTES) continue
      this.value = (this.value + this.#block) % 2 ** 32
      this.#block = 0
      this.#bytes = 0
    }
  }
}
