import { crc32 } from 'node:zlib'
import { CelebornError } from '../errors'
import { detachArrayBuffer } from '../memory/detach'
import {
  checkSource,
  corrupt,
  METHOD_STORED,
  readBlockHeader,
  verifyOriginal,
  writeBlockHeader,
  ZSTD_BLOCK,
} from './block'
import { type Codec, type EncodedBlock } from './codec'
import { checkZstdFrame, ZSTD_MAX_RATIO } from './zstd-frame'
import { type ZstdLibrary, zstdLibrary } from './zstd-library'

const NOTHING = new Uint8Array(0)

/** A compressed block: the frame lies in memory of its own, which is exactly as long. */
class CompressedBlock implements EncodedBlock {
  readonly header: Uint8Array
  readonly stored = false
  payload: Uint8Array
  allocatedBytes: number

  constructor(header: Uint8Array, frame: Uint8Array) {
    this.header = header
    this.payload = frame
    this.allocatedBytes = frame.byteLength
  }

  release(): void {
    if (this.allocatedBytes === 0) return
    detachArrayBuffer(this.payload.buffer as ArrayBuffer)
    // A detached buffer can have no further view.
    this.payload = NOTHING
    this.allocatedBytes = 0
  }
}

function storedBlock(source: Uint8Array, checksum: number): EncodedBlock {
  const length = source.byteLength
  const header = writeBlockHeader(ZSTD_BLOCK, METHOD_STORED, length, length, checksum)
  return { header, payload: source, stored: true, allocatedBytes: 0, release() {} }
}

/**
 * Codec ZSTD: Celeborn's `ZSTDBlock` header with a CRC32 of the original bytes, then one zstd frame. Decoding never
 * writes into the block, so both ways to decode are one.
 */
export class ZstdCodec implements Codec {
  readonly name = 'ZSTD'
  readonly headerBytes = ZSTD_BLOCK.headerBytes

  /** @throws ConfigError when this Node has no zstd, and none is installed */
  constructor(
    private readonly level: number,
    private readonly library: ZstdLibrary = zstdLibrary(),
  ) {}

  /** An output that is not shorter than its source is not kept. */
  maxAllocatedBytes(sourceBytes: number): number {
    return sourceBytes
  }

  encode(source: Uint8Array): EncodedBlock {
    checkSource(source)
    const checksum = crc32(source)
    const frame = this.library.compress(source, this.level)
    if (frame === null) return storedBlock(source, checksum)
    const { byteLength } = frame
    return new CompressedBlock(
      writeBlockHeader(ZSTD_BLOCK, ZSTD_BLOCK.method, byteLength, source.byteLength, checksum),
      frame,
    )
  }

  encodeStored(source: Uint8Array): EncodedBlock {
    checkSource(source)
    return storedBlock(source, crc32(source))
  }

  decode(block: Uint8Array, limit: number): Uint8Array {
    const { stored, originalLength, checksum } = readBlockHeader(
      this.name,
      ZSTD_BLOCK,
      block,
      limit,
      ZSTD_MAX_RATIO,
    )
    const payload = block.subarray(ZSTD_BLOCK.headerBytes)
    const original = stored ? payload : this.inflate(payload, originalLength, limit)
    return verifyOriginal(this.name, original, originalLength, checksum, crc32)
  }

  decodeReadOnly(block: Uint8Array, limit: number): Uint8Array {
    return this.decode(block, limit)
  }

  private inflate(frame: Uint8Array, originalLength: number, limit: number): Uint8Array {
    checkZstdFrame(frame, originalLength, limit)
    try {
      return this.library.decompress(frame, originalLength)
    } catch (cause) {
      if (cause instanceof CelebornError) throw cause
      throw corrupt(`ZSTD block: the data cannot be decompressed: ${(cause as Error).message}`, cause)
    }
  }
}
