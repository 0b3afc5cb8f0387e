const ROW_BYTES = 128
/** Bytes of a row that look like noise; LZ4 makes about half of the whole. */
const NOISE_BYTES = 50
/** Different rows, as a block that is 64 batches long. */
const DIFFERENT_ROWS = 32 * 1024

/** Batches of rows of text and noise, no batch as another. */
export class Rows {
  readonly #block = Buffer.allocUnsafe(DIFFERENT_ROWS * ROW_BYTES)

  constructor() {
    let x = 0x9e3779b9
    for (let i = 0; i < DIFFERENT_ROWS; i++) {
      const row = this.#block.subarray(i * ROW_BYTES, (i + 1) * ROW_BYTES)
      row.fill(`customer ${i % 50} of region ${i % 7}, status shipped;`)
      for (let at = ROW_BYTES - NOISE_BYTES; at < ROW_BYTES; at++) {
        x ^= x << 13
        x ^= x >>> 17
        x ^= x << 5
        row[at] = x
      }
    }
  }

  /** @param batch a number of its own, which goes into every row that begins a page */
  fill(bytes: Uint8Array, batch: number): void {
    const start = ((batch * 7919) % DIFFERENT_ROWS) * ROW_BYTES
    for (let at = 0; at < bytes.length; ) {
      const from = (start + at) % this.#block.length
      const part = this.#block.subarray(from, from + bytes.length - at)
      bytes.set(part, at)
      at += part.length
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at + 4 <= bytes.length; at += 4096) view.setUint32(at, Math.imul(batch + 1, 0x9e3779b1))
  }
}
