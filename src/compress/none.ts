import { corrupt, refuseBlock } from './block'
import { type Codec, type EncodedBlock } from './codec'

const EMPTY = new Uint8Array(0)

/** Codec NONE: the batch's bytes as they are, without header or checksum. */
export class NoneCodec implements Codec {
  readonly name = 'NONE'
  readonly headerBytes = 0

  maxAllocatedBytes(): number {
    return 0
  }

  encode(source: Uint8Array): EncodedBlock {
    return { header: EMPTY, payload: source, stored: true, allocatedBytes: 0, release() {} }
  }

  encodeStored(source: Uint8Array): EncodedBlock {
    return this.encode(source)
  }

  decode(block: Uint8Array, limit: number): Uint8Array {
    if (block.byteLength > limit)
      throw corrupt(`a batch of ${block.byteLength} bytes exceeds the limit of ${limit} bytes`)
    refuseBlock(block)
    return block
  }

  decodeReadOnly(block: Uint8Array, limit: number): Uint8Array {
    return this.decode(block, limit)
  }
}
