/** What freed memory is filled with in the debug mode of src/memory. */
export const POISON = 0xee

/** A run of this many poisoned bytes is no accident: contents hold none, and block headers are shorter. */
const POISON_RUN = Buffer.alloc(16, POISON)

export const MAX_CONTENT_BYTES = 7 << 20
/** Where contents begin in their table: far more places than a program has contents. */
const PLACES = 1_000_003

interface Tables {
  /** Does not compress. */
  readonly noise: Buffer
  /** Compresses well. */
  readonly text: Buffer
  /** Compresses a little: the codec's output takes nearly as much as its worst case. */
  readonly mixed: Buffer
}

let tables: Tables | undefined

function makeTables(): Tables {
  const size = MAX_CONTENT_BYTES + PLACES
  const noise = Buffer.allocUnsafe(size)
  let x = 0x9e3779b9
  for (let i = 0; i < size; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    const byte = x & 0xff
    noise[i] = byte === POISON ? 0x11 : byte
  }
  const text = Buffer.allocUnsafe(size)
  for (let at = 0, n = 0; at < size; n++) at += text.write(`row ${n} of many rows;`, at, 'latin1')
  const mixed = Buffer.from(noise)
  for (let at = 0; at + 100 <= size; at += 100) text.copy(mixed, at, at, at + 40)
  return { noise, text, mixed }
}

/**
 * The first `length` bytes of content number `id`. Contents are places in three tables, so that they cost nothing to
 * make and to compare; two contents of four bytes and more differ. Do not write to it.
 */
export function content(id: number, length: number): Buffer {
  tables ??= makeTables()
  const table = [tables.noise, tables.text, tables.mixed][id % 3] as Buffer
  const place = Math.imul(id, 0x9e3779b1) >>> 0
  return table.subarray(place % PLACES, (place % PLACES) + length)
}

/** Whether somebody read memory after it was freed. */
export function isPoisoned(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.includes(POISON_RUN)
}
