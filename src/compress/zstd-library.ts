import { builtinZstd } from './zstd-builtin'
import { wasmZstd } from './zstd-wasm'

/** zstd, as far as the codec needs it: whole frames, both directions at once, no state between calls. */
export interface ZstdLibrary {
  /** For messages and tests. */
  readonly name: string

  /**
   * One frame with the size of its content in it, in memory of its own that is exactly as long; or null when it
   * would not be shorter than `source`, or when there is no memory to compress it.
   */
  compress(source: Uint8Array, level: number): Uint8Array | null

  /**
   * Decodes a frame that {@link checkZstdFrame} has accepted. Never allocates more for the result than `length` bytes:
   * a frame that holds more is an error.
   * @returns as many bytes as the frame holds, which may be fewer than `length`
   * @throws what the library throws for damaged data
   */
  decompress(frame: Uint8Array, length: number): Uint8Array
}

let known: ZstdLibrary | null = null

/**
 * The zstd of this process: Node's own where it has one (22.15 and later), otherwise WebAssembly.
 *
 * @throws ConfigError when there is none; the message says what to install
 */
export function zstdLibrary(): ZstdLibrary {
  known ??= builtinZstd() ?? wasmZstd()
  return known
}
