// xxHash32 with seed 0, in TypeScript: for keys of usual lengths a call into native code costs more than the hash.
const P1 = 0x9e3779b1 | 0
const P2 = 0x85ebca77 | 0
const P3 = 0xc2b2ae3d | 0
const P4 = 0x27d4eb2f | 0
const P5 = 0x165667b1 | 0

/** xxHash32 with seed 0 of the first `length` bytes: unsigned, as anybody's xxHash32 with the default seed. */
export function xxHash32(bytes: Uint8Array, length = bytes.length): number {
  let at = 0
  let hash = P5
  if (length >= 16) {
    let a = (P1 + P2) | 0
    let b = P2
    let c = 0
    let d = -P1 | 0
    for (const last = length - 16; at <= last; at += 16) {
      a = round(a, word(bytes, at))
      b = round(b, word(bytes, at + 4))
      c = round(c, word(bytes, at + 8))
      d = round(d, word(bytes, at + 12))
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0
  }
  hash = (hash + length) | 0
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(word(bytes, at), P3)) | 0, 17), P4)
  }
  for (; at < length; at++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at] ?? 0, P5)) | 0, 11), P1)
  }
  hash = Math.imul(hash ^ (hash >>> 15), P2)
  hash = Math.imul(hash ^ (hash >>> 13), P3)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Spreads a 32-bit number over all 32 bits; different numbers stay different. */
export function mix32(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b | 0)
  return (h ^ (h >>> 16)) >>> 0
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  )
}

function round(lane: number, input: number): number {
  return Math.imul(rotate((lane + Math.imul(input, P2)) | 0, 13), P1)
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by))
}
