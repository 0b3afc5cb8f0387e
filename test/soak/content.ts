/** Batches that both sides can make from a number, so that what arrives is compared and not only counted. */

const TABLE_BYTES = 1 << 20
const HEAD_BYTES = 8

export class Content {
  private readonly table: Buffer

  constructor(
    seed: number,
    readonly bytes: number,
  ) {
    if (bytes <= HEAD_BYTES || bytes > TABLE_BYTES) throw new Error(`batches of ${bytes} bytes`)
    this.table = Buffer.alloc(TABLE_BYTES + bytes)
    const next = random(seed)
    for (let i = 0; i < this.table.length; i += 4) this.table.writeUInt32LE((next() * 2 ** 32) >>> 0, i)
  }

  write(number: number, into: Uint8Array): void {
    const head = Buffer.from(into.buffer, into.byteOffset, HEAD_BYTES)
    head.writeUInt32LE(number, 0)
    head.writeUInt32LE(~number >>> 0, 4)
    into.set(this.body(number), HEAD_BYTES)
  }

  /** The batch's number, or -1 when it is none, whole. */
  read(payload: Uint8Array): number {
    if (payload.length !== this.bytes) return -1
    const buffer = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
    const number = buffer.readUInt32LE(0)
    if (buffer.readUInt32LE(4) !== ~number >>> 0) return -1
    return this.body(number).equals(buffer.subarray(HEAD_BYTES)) ? number : -1
  }

  private body(number: number): Buffer {
    const from = Math.imul(number, 2654435761) >>> 12
    return this.table.subarray(from, from + this.bytes - HEAD_BYTES)
  }
}

/** mulberry32: numbers in [0, 1) that a seed gives again. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
