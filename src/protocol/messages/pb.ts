import { ProtocolError } from '../../errors'
import { type celeborn } from '../generated/celeborn'
import { type WireId, wireIdFromHalves } from '../int64'

/** The bridge between the generated protobuf code and plain values. */

/** The form in which the generated code gives an int64. */
export type Int64 = number | { readonly low: number; readonly high: number }

interface PbDecoder<T> {
  decode(bytes: Uint8Array): T
}

interface PbEncoder<P> {
  encode(message: P): { finish(): Uint8Array }
}

/** Encodes a message. */
export function encodeWith<P>(type: PbEncoder<P>, message: P): Uint8Array {
  return type.encode(message).finish()
}

/**
 * Decodes a message and converts it. Whatever goes wrong on the way is the sender's fault and becomes a
 * ProtocolError that names the message.
 */
export function decodeWith<T, V>(
  name: string,
  type: PbDecoder<T>,
  bytes: Uint8Array,
  convert: (message: T) => V,
): V {
  try {
    return convert(type.decode(bytes))
  } catch (error) {
    if (error instanceof ProtocolError) {
      throw new ProtocolError(`${name}: ${error.message}`, error.context, error)
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProtocolError(`${name}: ${bytes.length} bytes that are no such message (${reason})`, {}, error)
  }
}

/** An int64 that counts or measures something, as a number. Throws a ProtocolError when that is not exact. */
export function toNumber(value: Int64, field: string): number {
  const number = typeof value === 'number' ? value : toWireId(value)
  if (typeof number !== 'number') throw new ProtocolError(`${field} is larger than 2^53`)
  return number
}

export function toNumbers(values: readonly Int64[], field: string): number[] {
  return values.map((value) => toNumber(value, field))
}

/** An int64 that names something. */
export function toWireId(value: Int64): WireId {
  return typeof value === 'number' ? value : wireIdFromHalves(value.high, value.low)
}

type PbInt64 = NonNullable<celeborn.PbStreamHandler.$Properties['streamId']>

/** The generated code's form of an id. */
export function fromWireId(id: WireId): PbInt64 {
  // Encoding reads nothing of a Long but its two halves.
  return typeof id === 'number' ? id : ({ low: id.low, high: id.high, unsigned: false } as PbInt64)
}

/** A protobuf map with string keys as a Map. */
export function toMap<P, V>(
  map: { readonly [key: string]: P } | null | undefined,
  convert: (value: P) => V,
): Map<string, V> {
  const result = new Map<string, V>()
  for (const [key, value] of Object.entries(map ?? {})) result.set(key, convert(value))
  return result
}

/** A Map as the object the generated code encodes; without a prototype, so that any key is just a key. */
export function fromMap<K extends string | number, V, P>(
  map: ReadonlyMap<K, V> | undefined,
  convert: (value: V) => P,
): { [key: string]: P } {
  const result = Object.create(null) as { [key: string]: P }
  if (map !== undefined) for (const [key, value] of map) result[key] = convert(value)
  return result
}

/** The generated code types its lists as mutable, but encoding only reads them. */
export function list<T>(values: readonly T[] | undefined): T[] {
  return (values ?? []) as T[]
}

/** Bytes that outlive the message they came in. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

export const same = <T>(value: T): T => value
