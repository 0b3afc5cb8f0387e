/**
 * RoaringBitmap in its portable serialised form, as the map ids of a partition file travel. Little-endian: a cookie, the
 * number of containers, for each container its key (the upper 16 bits of its values) and its cardinality less one, for
 * each container where it begins, then the containers: the lower 16 bits of up to 4096 values as a sorted list, of more
 * as a bitmap of 65,536 bits.
 */
const COOKIE_WITHOUT_RUNS = 12346
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
