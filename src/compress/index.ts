import { type Codec, type CodecName, type CodecOptions } from './codec'
import { Lz4Codec } from './lz4'
import { NoneCodec } from './none'
import { ZstdCodec } from './zstd'

export { type Codec, type CodecName, type CodecOptions, type EncodedBlock } from './codec'

/** Celeborn's own. */
const DEFAULT_ZSTD_LEVEL = 1

/**
 * The codec of that name. Codecs have no state between calls: one may serve any number of shuffles.
 *
 * @throws ConfigError when the codec is not available: it needs a library that is not installed
 */
export function createCodec(name: CodecName, options: CodecOptions = {}): Codec {
  switch (name) {
    case 'LZ4':
      return new Lz4Codec()
    case 'NONE':
      return new NoneCodec()
    case 'ZSTD':
      return new ZstdCodec(options.zstdLevel ?? DEFAULT_ZSTD_LEVEL)
  }
}
