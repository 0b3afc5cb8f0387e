import { CelebornError, ConfigError } from '../errors'

/**
 * The header that Celeborn's codecs put in front of a batch's payload: the codec's magic, then method (1 byte),
 * compressed length, original length and checksum of the original bytes (4 bytes each, little endian).
 */
export interface BlockFormat {
  readonly magic: Uint8Array
  readonly method: number
  readonly headerBytes: number
}

/** The method of a stored payload, in every codec. */
export const METHOD_STORED = 0x10
/** Longest payload: what LZ4 can take, and within the header's signed 32 bits. */
export const MAX_BLOCK_SOURCE = 0x7e000000

const FIELDS_BYTES = 13
export const CHECKSUM_BYTES = 4

export function blockFormat(magic: string, method: number): BlockFormat {
  const bytes = Buffer.from(magic, 'latin1')
  return { magic: bytes, method, headerBytes: bytes.length + FIELDS_BYTES }
}

export const LZ4_BLOCK = blockFormat('LZ4Block', 0x20)
export const ZSTD_BLOCK = blockFormat('ZSTDBlock', 0x30)

export interface BlockHeader {
  readonly stored: boolean
  readonly originalLength: number
  readonly checksum: number
}

export function corrupt(message: string, cause?: unknown): CelebornError {
  return new CelebornError('CELEBORN_CORRUPT_DATA', message, {}, cause)
}

/** @throws ConfigError when the source is too long for a block */
export function checkSource(source: Uint8Array): void {
  if (source.byteLength > MAX_BLOCK_SOURCE)
    throw new ConfigError(
      `a batch of ${source.byteLength} bytes cannot be one block: at most ${MAX_BLOCK_SOURCE} bytes`,
    )
}

export function writeBlockHeader(
  format: BlockFormat,
  method: number,
  compressedLength: number,
  originalLength: number,
  checksum: number,
): Uint8Array {
  const header = Buffer.allocUnsafe(format.headerBytes)
  header.set(format.magic, 0)
  let offset = header.writeUInt8(method, format.magic.length)
  offset = header.writeInt32LE(compressedLength, offset)
  offset = header.writeInt32LE(originalLength, offset)
  header.writeUInt32LE(checksum, offset)
  return header
}

function startsWith(block: Uint8Array, magic: Uint8Array): boolean {
  if (block.byteLength < magic.length) return false
  for (let i = 0; i < magic.length; i++) if (block[i] !== magic[i]) return false
  return true
}

const FORMATS = [
  ['LZ4', LZ4_BLOCK],
  ['ZSTD', ZSTD_BLOCK],
] as const

function sameCodec(what: string, reader: string): CelebornError {
  return corrupt(
    `${what}. Writers and readers of a shuffle need the same celeborn.client.shuffle.compression.codec; ` +
      `this reader has ${reader}`,
  )
}

function wrongMagic(expected: string, block: Uint8Array): CelebornError {
  const [writer] = FORMATS.find(([, { magic }]) => startsWith(block, magic)) ?? []
  const found = writer === undefined ? 'NONE, or is damaged' : writer
  return sameCodec(`a batch is no ${expected} block: it was written with ${found}`, expected)
}

/**
 * What a reader without a codec must not take for data: one complete block, nothing before or behind it.
 *
 * @throws CelebornError CELEBORN_CORRUPT_DATA that names the writer's codec
 */
export function refuseBlock(bytes: Uint8Array): void {
  // Both begin with a capital letter; hardly any data gets further than that.
  if (bytes[0] !== LZ4_BLOCK.magic[0] && bytes[0] !== ZSTD_BLOCK.magic[0]) return
  for (const [writer, { magic, method, headerBytes }] of FORMATS) {
    if (!startsWith(bytes, magic) || bytes.byteLength < headerBytes) continue
    const view = new DataView(bytes.buffer, bytes.byteOffset + magic.length, FIELDS_BYTES)
    const known = view.getUint8(0) === method || view.getUint8(0) === METHOD_STORED
    if (known && view.getInt32(1, true) === bytes.byteLength - headerBytes && view.getInt32(5, true) >= 0)
      throw sameCodec(`a batch is a block that was written with ${writer}`, 'NONE')
  }
}

/**
 * Reads a block's header and checks everything that can be known without decompressing: nothing has been allocated
 * by the length it claims when this returns.
 *
 * @param maxRatio most bytes that one compressed byte can stand for
 * @throws CelebornError CELEBORN_CORRUPT_DATA
 */
export function readBlockHeader(
  name: string,
  format: BlockFormat,
  block: Uint8Array,
  limit: number,
  maxRatio: number,
): BlockHeader {
  if (!startsWith(block, format.magic)) throw wrongMagic(name, block)
  if (block.byteLength < format.headerBytes)
    throw corrupt(`${name} block: ${block.byteLength} bytes are too few for the header`)
  const view = new DataView(block.buffer, block.byteOffset + format.magic.length, FIELDS_BYTES)
  const method = view.getUint8(0)
  const compressedLength = view.getInt32(1, true)
  const originalLength = view.getInt32(5, true)
  const checksum = view.getUint32(9, true)
  const payload = block.byteLength - format.headerBytes
  if (method !== METHOD_STORED && method !== format.method)
    throw corrupt(`${name} block: unknown method 0x${method.toString(16).padStart(2, '0')}`)
  if (compressedLength !== payload)
    throw corrupt(`${name} block: the header claims ${compressedLength} bytes of data, there are ${payload}`)
  if (originalLength < 0 || originalLength > limit)
    throw corrupt(
      `${name} block: claims ${originalLength} bytes of original data, accepted are 0 to ${limit}`,
    )
  const stored = method === METHOD_STORED
  if (!stored && originalLength > payload * maxRatio)
    throw corrupt(
      `${name} block: ${payload} bytes of data cannot be ${originalLength} bytes of original data`,
    )
  return { stored, originalLength, checksum }
}

/**
 * Checks decoded data against its block's header. Libraries may give less without an error where a block ends early,
 * so the length is checked as well.
 *
 * @throws CelebornError CELEBORN_CORRUPT_DATA
 */
export function verifyOriginal(
  name: string,
  original: Uint8Array,
  length: number,
  checksum: number,
  checksumOf: (bytes: Uint8Array) => number,
): Uint8Array {
  if (original.byteLength !== length)
    throw corrupt(`${name} block: ${original.byteLength} bytes of original data, the header claims ${length}`)
  const actual = checksumOf(original)
  if (actual !== checksum)
    throw corrupt(
      `${name} block: the checksum of ${length} bytes is ${hex(actual)}, the header claims ${hex(checksum)}`,
    )
  return original
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`
}
