import { createHash } from 'node:crypto'

/**
 * The batches that tests push: the same bytes for the same seed as Content.java makes.
 *
 * A batch is one record. Below 16 bytes: its length in the low half of the first byte, its map task in the high half,
 * noise. From 16 bytes on: a zero, map task (2 bytes), index (4) and length (4), big endian, then noise, a repeated
 * piece of noise, or both by turns, so that codecs find all there is.
 */
const HEADER_BYTES = 11
const SMALL = 16
const PIECE = 97

class Noise {
  private state: number

  constructor(seed: number, mapId: number, index: number) {
    this.state = seed ^ Math.imul(mapId, 0x9e3779b1) ^ Math.imul(index, 0x85ebca6b)
    if (this.state === 0) this.state = 1
    for (let i = 0; i < 4; i++) this.next()
  }

  next(): number {
    let x = this.state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.state = x
    return x
  }

  fill(to: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end; ) {
      const word = this.next()
      for (let i = 0; i < 4 && at < end; i++, at++) to[at] = word >>> (8 * i)
    }
  }
}

/** Fills `batch` with the batch of that length. */
export function fillBatch(batch: Uint8Array, seed: number, mapId: number, index: number): void {
  const noise = new Noise(seed, mapId, index)
  const size = batch.length
  if (size < SMALL) {
    batch[0] = size | ((mapId & 15) << 4)
    noise.fill(batch, 1, size)
    return
  }
  const header = new DataView(batch.buffer, batch.byteOffset, HEADER_BYTES)
  header.setUint8(0, 0)
  header.setUint16(1, mapId)
  header.setUint32(3, index)
  header.setUint32(7, size)
  const kind = (noise.next() >>> 8) % 3
  if (kind === 0) noise.fill(batch, HEADER_BYTES, size)
  else fillPieces(batch, noise, kind === 2)
}

/** The first piece over and over; with `mixed` every other piece is new noise. */
function fillPieces(batch: Uint8Array, noise: Noise, mixed: boolean): void {
  const size = batch.length
  noise.fill(batch, HEADER_BYTES, Math.min(size, HEADER_BYTES + PIECE))
  let pieces = 1
  for (let at = HEADER_BYTES + PIECE; at < size; at += PIECE, pieces++) {
    const length = Math.min(PIECE, size - at)
    if (mixed && pieces % 2 === 1) noise.fill(batch, at, at + length)
    else batch.copyWithin(at, HEADER_BYTES, HEADER_BYTES + length)
  }
}

/** What a partition holds, or what was read of it. */
export interface Contents {
  /** SHA-256 of the sorted SHA-256s of all records, as hexadecimal lines: the same in whatever order they come. */
  readonly sha: string
  readonly records: number
  readonly bytes: number
}

/** Adds records up. */
export class Digest {
  private readonly records: string[] = []
  private bytes = 0

  /** @throws Error when the batch is not exactly one record */
  add(batch: Uint8Array): void {
    const small = (batch[0] ?? 0) & 15
    const length =
      small > 0 ? small : batch.length < SMALL ? -1 : Buffer.from(batch.subarray(7, 11)).readUInt32BE()
    if (length !== batch.length) {
      throw new Error(`a batch of ${batch.length} bytes holds a record of ${length}`)
    }
    this.records.push(createHash('sha256').update(batch).digest('hex'))
    this.bytes += batch.length
  }

  get contents(): Contents {
    const sha = createHash('sha256')
    for (const record of [...this.records].sort()) sha.update(`${record}\n`)
    return { sha: sha.digest('hex'), records: this.records.length, bytes: this.bytes }
  }
}
