import { ProtocolError } from '../../errors'

/**
 * Java's own encoding of strings in serialised streams and in `writeUTF`: U+0000 takes two bytes, and a
 * character beyond the BMP is two surrogates of three bytes each. ASCII is the same as everywhere.
 */

/** Encodes a string. */
export function encodeModifiedUtf8(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(modifiedUtf8Length(text))
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 1 && unit <= 0x7f) {
      bytes[at++] = unit
    } else if (unit <= 0x7ff) {
      bytes[at++] = 0xc0 | (unit >> 6)
      bytes[at++] = 0x80 | (unit & 0x3f)
    } else {
      bytes[at++] = 0xe0 | (unit >> 12)
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f)
      bytes[at++] = 0x80 | (unit & 0x3f)
    }
  }
  return bytes
}

/** Length of the encoded string in bytes. */
export function modifiedUtf8Length(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    length += unit >= 1 && unit <= 0x7f ? 1 : unit <= 0x7ff ? 2 : 3
  }
  return length
}

/** Decodes a string. Throws a ProtocolError for malformed bytes. */
export function decodeModifiedUtf8(bytes: Buffer): string {
  let i = 0
  while (i < bytes.length && (bytes[i] as number) <= 0x7f && bytes[i] !== 0) i++
  if (i === bytes.length) return bytes.toString('latin1')
  const units: number[] = []
  const parts: string[] = [bytes.toString('latin1', 0, i)]
  while (i < bytes.length) {
    const first = bytes[i] as number
    if (first <= 0x7f) {
      units.push(first)
      i += 1
    } else if (first >> 5 === 0b110) {
      units.push(((first & 0x1f) << 6) | continuation(bytes, i + 1))
      i += 2
    } else if (first >> 4 === 0b1110) {
      units.push(((first & 0x0f) << 12) | (continuation(bytes, i + 1) << 6) | continuation(bytes, i + 2))
      i += 3
    } else {
      throw new ProtocolError(`a Java string with byte 0x${first.toString(16)} at offset ${i}`)
    }
    if (units.length >= 4096) parts.push(String.fromCharCode(...units.splice(0)))
  }
  parts.push(String.fromCharCode(...units))
  return parts.join('')
}

function continuation(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined || byte >> 6 !== 0b10)
    throw new ProtocolError(`a Java string is malformed at offset ${at}`)
  return byte & 0x3f
}
