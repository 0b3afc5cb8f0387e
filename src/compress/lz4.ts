import { CelebornError } from '../errors'
import { type Codec, type EncodedBlock } from './codec'

/** Codec LZ4: Celeborn's `LZ4Block` with an XXH32 checksum. */
export class Lz4Codec implements Codec {
  readonly name = 'LZ4'
  readonly headerBytes = 21

  encode(_source: Uint8Array): EncodedBlock {
    throw new CelebornError('CELEBORN_INTERNAL', 'not written yet')
  }

  encodeStored(_source: Uint8Array): EncodedBlock {
    throw new CelebornError('CELEBORN_INTERNAL', 'not written yet')
  }

  decode(_block: Uint8Array, _limit: number): Uint8Array {
    throw new CelebornError('CELEBORN_INTERNAL', 'not written yet')
  }

  decodeReadOnly(_block: Uint8Array, _limit: number): Uint8Array {
    throw new CelebornError('CELEBORN_INTERNAL', 'not written yet')
  }
}
