/**
 * An int64 that identifies something on the wire (a request, a stream). It is a number while that is exact,
 * which is the case for every id this package makes; a peer's larger id keeps its two halves, so that it can
 * be echoed bit for bit without a BigInt on the way.
 */
export type WireId = number | WideId

/** An int64 outside of the range in which numbers are exact. */
export interface WideId {
  /** Upper 32 bits, signed. */
  readonly high: number
  /** Lower 32 bits, unsigned. */
  readonly low: number
}

const TWO_32 = 0x1_0000_0000

/** Makes an id of its two halves. */
export function wireIdFromHalves(high: number, low: number): WireId {
  const value = (high | 0) * TWO_32 + (low >>> 0)
  return Number.isSafeInteger(value) ? value : { high: high | 0, low: low >>> 0 }
}

/** Upper 32 bits, signed. */
export function highHalf(id: WireId): number {
  return typeof id === 'number' ? Math.floor(id / TWO_32) | 0 : id.high
}

/** Lower 32 bits, signed. */
export function lowHalf(id: WireId): number {
  return typeof id === 'number' ? id | 0 : id.low | 0
}

/** Something to use as a key of a Map: equal exactly for equal ids. */
export function wireIdKey(id: WireId): number | string {
  return typeof id === 'number' ? id : `${id.high}:${id.low}`
}

/** Reads a big-endian int64. The caller has checked that eight bytes are there. */
export function readWireId(bytes: Uint8Array, offset: number): WireId {
  return wireIdFromHalves(readInt32BE(bytes, offset), readInt32BE(bytes, offset + 4))
}

/** Writes a big-endian int64 and returns the offset behind it. */
export function writeWireId(bytes: Uint8Array, offset: number, id: WireId): number {
  // Numbers take their own path: this runs once per push.
  if (typeof id === 'number') {
    writeInt32BE(bytes, offset, Math.floor(id / TWO_32))
    return writeInt32BE(bytes, offset + 4, id)
  }
  writeInt32BE(bytes, offset, id.high)
  return writeInt32BE(bytes, offset + 4, id.low)
}

/** Reads a big-endian int32. The caller has checked that four bytes are there. */
export function readInt32BE(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset] as number) << 24) |
    ((bytes[offset + 1] as number) << 16) |
    ((bytes[offset + 2] as number) << 8) |
    (bytes[offset + 3] as number)
  )
}

/** Writes the low 32 bits of `value` big-endian and returns the offset behind them. */
export function writeInt32BE(bytes: Uint8Array, offset: number, value: number): number {
  bytes[offset] = value >>> 24
  bytes[offset + 1] = value >>> 16
  bytes[offset + 2] = value >>> 8
  bytes[offset + 3] = value
  return offset + 4
}
