import { xxh32 } from '@node-rs/xxhash'
import { compress, compressSync, uncompressSync } from 'lz4-napi'
import { detachArrayBuffer } from '../memory/detach'
import {
  type BlockHeader,
  CHECKSUM_BYTES,
  checkSource,
  corrupt,
  LZ4_BLOCK,
  METHOD_STORED,
  readBlockHeader,
  verifyOriginal,
  writeBlockHeader,
} from './block'
import { type Codec, type EncodedBlock } from './codec'
import { LZ4_PREFIX_BYTES, lz4AllocatedBytes, lz4MaxAllocatedBytes } from './lz4-memory'

const CHECKSUM_SEED = 0x9747b28c
/** Celeborn keeps 28 bits of the checksum. */
const CHECKSUM_MASK = 0x0fffffff
/** A byte of an LZ4 block adds 255 bytes of output at most. */
const MAX_RATIO = 255

function checksumOf(bytes: Uint8Array): number {
  return xxh32(bytes, CHECKSUM_SEED) & CHECKSUM_MASK
}

/** lz4-napi takes Buffers; this is a view, not a copy. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const NOTHING = new Uint8Array(0)

/** A compressed block: its payload lies in lz4-napi's output, past the length prefix. */
class CompressedBlock implements EncodedBlock {
  readonly header: Uint8Array
  readonly stored = false
  payload: Uint8Array
  allocatedBytes: number

  constructor(header: Uint8Array, output: Uint8Array, allocatedBytes: number) {
    this.header = header
    this.payload = output.subarray(LZ4_PREFIX_BYTES)
    this.allocatedBytes = allocatedBytes
  }

  release(): void {
    if (this.allocatedBytes === 0) return
    freeOutput(this.payload)
    // A detached buffer can have no further view.
    this.payload = NOTHING
    this.allocatedBytes = 0
  }
}

/** Frees an output of lz4-napi at once instead of at some garbage collection. */
function freeOutput(view: Uint8Array): void {
  // Where a runtime copies outputs into its own memory, others may live in the same ArrayBuffer.
  if (view.byteOffset + view.byteLength === view.buffer.byteLength && view.byteOffset <= LZ4_PREFIX_BYTES)
    detachArrayBuffer(view.buffer as ArrayBuffer)
}

function storedBlock(source: Uint8Array, checksum: number): EncodedBlock {
  const length = source.byteLength
  const header = writeBlockHeader(LZ4_BLOCK, METHOD_STORED, length, length, checksum)
  return { header, payload: source, stored: true, allocatedBytes: 0, release() {} }
}

/**
 * Codec LZ4: Celeborn's `LZ4Block` header with an XXH32 of the original bytes, then one LZ4 block without a frame.
 *
 * lz4-napi works on LZ4 blocks with the original length in front (4 bytes, little endian). Encoding skips that prefix;
 * decoding writes it over the header's checksum, which lies directly before the block, so neither copies.
 */
export class Lz4Codec implements Codec {
  readonly name = 'LZ4'
  readonly headerBytes = LZ4_BLOCK.headerBytes

  maxAllocatedBytes(sourceBytes: number): number {
    return lz4MaxAllocatedBytes(sourceBytes)
  }

  encode(source: Uint8Array): EncodedBlock {
    checkSource(source)
    return this.block(source, compressSync(asBuffer(source)))
  }

  async encodeInThread(source: Uint8Array): Promise<EncodedBlock> {
    checkSource(source)
    return this.block(source, await compress(asBuffer(source)))
  }

  private block(source: Uint8Array, output: Uint8Array): EncodedBlock {
    const checksum = checksumOf(source)
    const length = output.byteLength - LZ4_PREFIX_BYTES
    if (length >= source.byteLength) {
      freeOutput(output)
      return storedBlock(source, checksum)
    }
    const header = writeBlockHeader(LZ4_BLOCK, LZ4_BLOCK.method, length, source.byteLength, checksum)
    return new CompressedBlock(header, output, lz4AllocatedBytes(source.byteLength, output.byteLength))
  }

  encodeStored(source: Uint8Array): EncodedBlock {
    checkSource(source)
    return storedBlock(source, checksumOf(source))
  }

  decode(block: Uint8Array, limit: number): Uint8Array {
    const header = readBlockHeader(this.name, LZ4_BLOCK, block, limit, MAX_RATIO)
    const payload = block.subarray(LZ4_BLOCK.headerBytes)
    if (header.stored) return verified(payload, header)
    const prefix = LZ4_BLOCK.headerBytes - LZ4_PREFIX_BYTES
    const view = new DataView(block.buffer, block.byteOffset + prefix, CHECKSUM_BYTES)
    view.setUint32(0, header.originalLength, true)
    try {
      return verified(inflate(block.subarray(prefix)), header)
    } finally {
      view.setUint32(0, header.checksum, true)
    }
  }

  decodeReadOnly(block: Uint8Array, limit: number): Uint8Array {
    const header = readBlockHeader(this.name, LZ4_BLOCK, block, limit, MAX_RATIO)
    const payload = block.subarray(LZ4_BLOCK.headerBytes)
    if (header.stored) return verified(payload, header)
    const prefixed = Buffer.allocUnsafe(LZ4_PREFIX_BYTES + payload.byteLength)
    prefixed.writeUInt32LE(header.originalLength, 0)
    prefixed.set(payload, LZ4_PREFIX_BYTES)
    return verified(inflate(prefixed), header)
  }
}

function inflate(prefixed: Uint8Array): Uint8Array {
  try {
    return uncompressSync(prefixed)
  } catch (cause) {
    throw corrupt(`LZ4 block: the data cannot be decompressed: ${(cause as Error).message}`, cause)
  }
}

function verified(original: Uint8Array, { originalLength, checksum }: BlockHeader): Uint8Array {
  return verifyOriginal('LZ4', original, originalLength, checksum, checksumOf)
}
