import { type Random } from './random'

/** No input is longer. */
export const MAX_INPUT_BYTES = 64 * 1024

const INT32 = [
  0, 1, -1, 2, 16, 255, 256, 0x7fff, 0xffff, 0x10000, 0x1000000, 0x7ffffffe, 0x7fffffff, -0x80000000,
]
/** Varints at their edges, one too long for 64 bits, one without an end. */
const VARINTS = [
  'ffffffff0f',
  'ffffffffffffffffff01',
  '808080808080808001',
  'ffffffffffffffffffffff',
  '8000',
  'ffffffff07',
].map((hex) => Buffer.from(hex, 'hex'))

type Mutation = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer

function position(bytes: Buffer, random: Random): number {
  return random.below(bytes.length + 1)
}

function overwritten(bytes: Buffer, at: number, patch: Uint8Array): Buffer {
  const result = Buffer.from(bytes)
  result.set(patch.subarray(0, Math.max(0, result.length - at)), at)
  return result
}

function inserted(bytes: Buffer, at: number, piece: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

const MUTATIONS: readonly Mutation[] = [
  function flipBit(bytes, random) {
    if (bytes.length === 0) return bytes
    const at = random.below(bytes.length)
    return overwritten(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))))
  },
  function setByte(bytes, random) {
    return overwritten(
      bytes,
      position(bytes, random),
      Uint8Array.of(random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)])),
    )
  },
  function bumpByte(bytes, random) {
    if (bytes.length === 0) return bytes
    const at = random.below(bytes.length)
    return overwritten(bytes, at, Uint8Array.of((bytes[at] ?? 0) + random.pick([1, -1, 2, -2])))
  },
  function setInt32(bytes, random) {
    const value = Buffer.alloc(4)
    const number = random.pick([...INT32, bytes.length, bytes.length - 1, bytes.length + 1])
    if (random.chance(50)) value.writeInt32BE(number)
    else value.writeInt32LE(number)
    return overwritten(bytes, position(bytes, random), value)
  },
  function setInt16(bytes, random) {
    const value = Buffer.alloc(2)
    value.writeUInt16BE(random.pick([0, 1, 0x7fff, 0x8000, 0xffff]))
    return overwritten(bytes, position(bytes, random), value)
  },
  function setInt64(bytes, random) {
    const value = Buffer.alloc(8, random.pick([0, 0xff, 0x80]))
    value[0] = random.pick([0, 0x7f, 0x80, 0xff])
    return overwritten(bytes, position(bytes, random), value)
  },
  function varint(bytes, random) {
    const at = position(bytes, random)
    const value = random.pick(VARINTS)
    return random.chance(50) ? inserted(bytes, at, value) : overwritten(bytes, at, value)
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, position(bytes, random))
  },
  function remove(bytes, random) {
    const at = position(bytes, random)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(16))])
  },
  function insert(bytes, random) {
    return inserted(bytes, position(bytes, random), random.bytes(1 + random.below(16)))
  },
  function repeat(bytes, random) {
    const at = position(bytes, random)
    const piece = bytes.subarray(at, at + 1 + random.below(32))
    const times = random.pick([1, 2, 10, 100, 1000])
    return inserted(bytes, at, Buffer.concat(Array.from({ length: times }, () => piece)))
  },
  function splice(bytes, random, others) {
    const other = random.pick(others)
    return Buffer.concat([
      bytes.subarray(0, position(bytes, random)),
      other.subarray(position(other, random)),
    ])
  },
  function graft(bytes, random, others) {
    const other = random.pick(others)
    const from = position(other, random)
    return inserted(bytes, position(bytes, random), other.subarray(from, from + 1 + random.below(64)))
  },
]

/** An input made of the corpus: mostly damaged entries, a few whole ones, a few of nothing but random bytes. */
export function makeInput(corpus: readonly Buffer[], random: Random): Buffer {
  const kind = random.below(100)
  if (kind < 4) return random.bytes(random.below(200))
  let bytes = random.pick(corpus)
  if (kind < 8) return Buffer.from(bytes)
  let rounds = 1 + random.below(random.pick([1, 2, 4, 8]))
  for (; rounds > 0; rounds--) {
    bytes = random.pick(MUTATIONS)(bytes, random, corpus)
    if (bytes.length > MAX_INPUT_BYTES) bytes = bytes.subarray(0, MAX_INPUT_BYTES)
  }
  // Its own memory: a decoder that reads past its view must not find the corpus there.
  return Buffer.from(bytes)
}
