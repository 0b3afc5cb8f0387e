/**
 * A protobuf writer of a few lines, so that tests can spell out a message field by field as the protocol's
 * tables have it, independently of the generated code.
 */

function varint(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}

function delimited(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes])
}

/** An int32, int64, bool or enum. */
export function int(field: number, value: number | bigint | boolean): Buffer {
  return Buffer.concat([varint(field << 3), varint(typeof value === 'boolean' ? Number(value) : value)])
}

/** One or several strings. */
export function str(field: number, ...values: string[]): Buffer {
  return Buffer.concat(values.map((value) => delimited(field, Buffer.from(value))))
}

/** One or several byte strings. */
export function bytes(field: number, ...values: Uint8Array[]): Buffer {
  return Buffer.concat(values.map((value) => delimited(field, value)))
}

/** A packed list of numbers. */
export function packed(field: number, ...values: (number | bigint | boolean)[]): Buffer {
  return delimited(field, Buffer.concat(values.map((v) => varint(typeof v === 'boolean' ? Number(v) : v))))
}

/** A message, or an entry of a map, made of the given fields. */
export function msg(field: number, ...fields: Uint8Array[]): Buffer {
  return delimited(field, Buffer.concat(fields))
}
