/**
 * RoaringBitmap in its portable serialised form, as the map ids of a partition file travel. Little-endian: a cookie, the
 * number of containers, for each container its key (the upper 16 bits of its values) and its cardinality less one, for
 * each container where it begins, then the containers: the lower 16 bits of up to 4096 values as a sorted list, of more
 * as a bitmap of 65,536 bits.
 */
const COOKIE_WITHOUT_RUNS = 12346
/** Others may also write runs of values: the cookie then holds the number of containers, less one, above itself. */
const COOKIE_WITH_RUNS = 12347
/** With runs, few containers have no table of where they begin. */
const MIN_CONTAINERS_WITH_OFFSETS = 4
const MAX_LIST_VALUES = 4096
const BITMAP_BYTES = 8192

/** Encodes a set of ids, which are not negative. */
export function encodeRoaringBitmap(ids: Iterable<number>): Buffer {
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  const containers = new Map<number, number[]>()
  for (const id of sorted) {
    const container = containers.get(id >>> 16)
    if (container === undefined) containers.set(id >>> 16, [id & 0xffff])
    else container.push(id & 0xffff)
  }
  const bodies = [...containers.values()].map(encodeContainer)
  const head = Buffer.alloc(8 + 8 * containers.size)
  head.writeUInt32LE(COOKIE_WITHOUT_RUNS, 0)
  head.writeUInt32LE(containers.size, 4)
  let entry = 8
  for (const [key, values] of containers) {
    head.writeUInt16LE(key, entry)
    head.writeUInt16LE(values.length - 1, entry + 2)
    entry += 4
  }
  let start = head.length
  for (const body of bodies) {
    head.writeUInt32LE(start, entry)
    entry += 4
    start += body.length
  }
  return Buffer.concat([head, ...bodies])
}

function encodeContainer(values: readonly number[]): Buffer {
  if (values.length > MAX_LIST_VALUES) {
    const bits = Buffer.alloc(BITMAP_BYTES)
    for (const value of values) bits[value >>> 3] = (bits[value >>> 3] ?? 0) | (1 << (value & 7))
    return bits
  }
  const list = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => list.writeUInt16LE(value, 2 * i))
  return list
}

/**
 * Whether a bitmap has an id from `start` to below `end`. True as well for bytes that are no such bitmap: who asks wants
 * to leave out what is surely not there.
 */
export function roaringBitmapMayContain(bytes: Uint8Array, start: number, end: number): boolean {
  try {
    return containsAny(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), start, end)
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}

/** @throws RangeError where the bytes end too early or are of another format */
function containsAny(view: DataView, start: number, end: number): boolean {
  const cookie = view.getUint32(0, true)
  const withRuns = (cookie & 0xffff) === COOKIE_WITH_RUNS
  if (!withRuns && cookie !== COOKIE_WITHOUT_RUNS) throw new RangeError('no bitmap')
  const count = withRuns ? (cookie >>> 16) + 1 : view.getUint32(4, true)
  const flagsAt = withRuns ? 4 : 8
  const keysAt = withRuns ? flagsAt + ((count + 7) >>> 3) : flagsAt
  const offsets = !withRuns || count >= MIN_CONTAINERS_WITH_OFFSETS
  let at = keysAt + 4 * count + (offsets ? 4 * count : 0)
  for (let i = 0; i < count; i++) {
    const base = view.getUint16(keysAt + 4 * i, true) * 65_536
    const cardinality = view.getUint16(keysAt + 4 * i + 2, true) + 1
    const isRuns = withRuns && ((view.getUint8(flagsAt + (i >>> 3)) >>> (i & 7)) & 1) === 1
    const from = Math.max(start - base, 0)
    const to = Math.min(end - base, 65_536)
    const container = isRuns ? runs : cardinality > MAX_LIST_VALUES ? bits : list
    const { found, bytes } = container(view, at, cardinality, from, to)
    if (found) return true
    at += bytes
  }
  return false
}

interface Searched {
  readonly found: boolean
  readonly bytes: number
}

function runs(view: DataView, at: number, _cardinality: number, from: number, to: number): Searched {
  const count = view.getUint16(at, true)
  let found = false
  for (let i = 0; i < count; i++) {
    const first = view.getUint16(at + 2 + 4 * i, true)
    const last = first + view.getUint16(at + 4 + 4 * i, true)
    if (first < to && last >= from && from < to) found = true
  }
  return { found, bytes: 2 + 4 * count }
}

function list(view: DataView, at: number, cardinality: number, from: number, to: number): Searched {
  let found = false
  for (let i = 0; i < cardinality; i++) {
    const value = view.getUint16(at + 2 * i, true)
    if (value >= from && value < to) found = true
  }
  return { found, bytes: 2 * cardinality }
}

function bits(view: DataView, at: number, _cardinality: number, from: number, to: number): Searched {
  let found = false
  for (let value = from; value < to && !found; value++)
    found = ((view.getUint8(at + (value >>> 3)) >>> (value & 7)) & 1) === 1
  // Were it cut off, that would show here.
  view.getUint8(at + BITMAP_BYTES - 1)
  return { found, bytes: BITMAP_BYTES }
}
