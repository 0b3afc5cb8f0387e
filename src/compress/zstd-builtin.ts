import * as zlib from 'node:zlib'
import { detachArrayBuffer } from '../memory/detach'
import { type ZstdLibrary } from './zstd-library'

/** What Node has from 22.15 on; the types are those of Node 20. */
interface ZstdOfZlib {
  readonly zstdCompressSync: (
    source: Uint8Array,
    options: { chunkSize: number; params: Record<number, number> },
  ) => Buffer
  readonly zstdDecompressSync: (
    frame: Uint8Array,
    options: { chunkSize: number; maxOutputLength: number },
  ) => Buffer
  readonly constants: { readonly ZSTD_c_compressionLevel: number }
}

/** zstd's own bound of an output. */
function compressBound(sourceBytes: number): number {
  return sourceBytes + (sourceBytes >> 8) + 512
}

/** `node:zlib`, or null where it has no zstd. */
export function builtinZstd(): ZstdLibrary | null {
  const zstd = zlib as unknown as Partial<ZstdOfZlib>
  const { zstdCompressSync, zstdDecompressSync, constants } = zstd
  if (zstdCompressSync === undefined || zstdDecompressSync === undefined || constants === undefined)
    return null
  const { ZSTD_c_compressionLevel } = constants
  return {
    name: 'node:zlib',
    compress(source, level) {
      // One piece of output, not in Node's pool of small buffers: it can be freed at once.
      const chunkSize = Math.max(compressBound(source.byteLength), Buffer.poolSize)
      const output = zstdCompressSync(source, { chunkSize, params: { [ZSTD_c_compressionLevel]: level } })
      const exact = output.byteLength < source.byteLength ? new Uint8Array(output) : null
      if (output.byteOffset === 0 && output.buffer.byteLength === chunkSize)
        detachArrayBuffer(output.buffer as ArrayBuffer)
      return exact
    },
    decompress(frame, length) {
      const output = zstdDecompressSync(frame, {
        chunkSize: Math.max(length, 64),
        maxOutputLength: Math.max(length, 1),
      })
      // Small ones lie in Node's pool, among others.
      return output.byteLength < Buffer.poolSize ? new Uint8Array(output) : output
    },
  }
}
