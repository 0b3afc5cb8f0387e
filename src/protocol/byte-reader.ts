import { isUtf8 } from 'node:buffer'
import { ProtocolError } from '../errors'
import { readInt32BE, readWireId, type WireId } from './int64'

/** A Buffer over the same memory; nothing is copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Reads big-endian values from bytes a peer sent. Every read is checked against what is there, so that a
 * wrong length becomes a ProtocolError and never an allocation or a read of foreign bytes.
 */
export class ByteReader {
  private readonly buffer: Buffer
  private readonly what: string
  private position: number

  /** `what` names the thing that is read, for error messages. */
  constructor(bytes: Uint8Array, what: string, offset = 0) {
    this.buffer = asBuffer(bytes)
    this.what = what
    this.position = offset
  }

  get offset(): number {
    return this.position
  }

  get remaining(): number {
    return this.buffer.length - this.position
  }

  /** Throws unless `count` bytes are left. */
  need(count: number, field: string): void {
    if (!(count >= 0 && count <= this.remaining)) {
      throw new ProtocolError(
        `${this.what}: ${field} wants ${count} bytes at offset ${this.position}, ${this.remaining} are left`,
      )
    }
  }

  uint8(field: string): number {
    this.need(1, field)
    const value = this.buffer[this.position] as number
    this.position += 1
    return value
  }

  uint16(field: string): number {
    this.need(2, field)
    const value = this.buffer.readUInt16BE(this.position)
    this.position += 2
    return value
  }

  int32(field: string): number {
    this.need(4, field)
    const value = readInt32BE(this.buffer, this.position)
    this.position += 4
    return value
  }

  /** An int32 that counts things of at least `bytesEach` bytes, all of which must be there. */
  count(field: string, bytesEach: number): number {
    const value = this.int32(field)
    if (value < 0 || value > this.remaining / bytesEach) {
      throw new ProtocolError(
        `${this.what}: ${field} says ${value} entries, but only ${this.remaining} bytes follow`,
      )
    }
    return value
  }

  int64(field: string): WireId {
    this.need(8, field)
    const value = readWireId(this.buffer, this.position)
    this.position += 8
    return value
  }

  float64(field: string): number {
    this.need(8, field)
    const value = this.buffer.readDoubleBE(this.position)
    this.position += 8
    return value
  }

  float32(field: string): number {
    this.need(4, field)
    const value = this.buffer.readFloatBE(this.position)
    this.position += 4
    return value
  }

  /** A view of the next `count` bytes; nothing is copied. */
  bytes(count: number, field: string): Buffer {
    this.need(count, field)
    const view = this.buffer.subarray(this.position, this.position + count)
    this.position += count
    return view
  }

  /** An int32 length and as many bytes, as a view. */
  lengthPrefixed(field: string): Buffer {
    return this.bytes(this.int32(field), field)
  }

  /** An int32 length and as many bytes of UTF-8. */
  string(field: string): string {
    const view = this.lengthPrefixed(field)
    if (!isUtf8(view)) throw new ProtocolError(`${this.what}: ${field} is not UTF-8`)
    return view.toString('utf8')
  }

  /** As {@link string}, but for free text meant for people: malformed bytes become U+FFFD. */
  text(field: string): string {
    return this.lengthPrefixed(field).toString('utf8')
  }

  /** Throws if bytes are left over. */
  end(): void {
    if (this.remaining !== 0) {
      throw new ProtocolError(`${this.what}: ${this.remaining} bytes too many after its last field`)
    }
  }
}
