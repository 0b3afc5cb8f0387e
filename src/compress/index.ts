import { ConfigError } from '../errors'
import { type Codec, type CodecName, type CodecOptions } from './codec'
import { Lz4Codec } from './lz4'
import { NoneCodec } from './none'

export { type Codec, type CodecName, type CodecOptions, type EncodedBlock } from './codec'

/**
 * The codec of that name. Codecs have no state between calls: one may serve any number of shuffles.
 *
 * @throws ConfigError when the codec is not available
 */
export function createCodec(name: CodecName, _options: CodecOptions = {}): Codec {
  switch (name) {
    case 'LZ4':
      return new Lz4Codec()
    case 'NONE':
      return new NoneCodec()
    case 'ZSTD':
      throw new ConfigError(
        'celeborn.client.shuffle.compression.codec = "ZSTD": ZSTD is not available yet, use LZ4 or NONE',
      )
  }
}
