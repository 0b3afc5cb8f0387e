import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CelebornError, ConfigError } from '../errors'
import { type ZstdLibrary } from './zstd-library'

/** As in package.json: its inner files are used, so the version is fixed. */
const PACKAGE = '@bokuweb/zstd-wasm'
const VERSION = '0.0.27'

/** The types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => object
}

/** What `zstd.js` of the package exports as `Module`: zstd's C functions over one linear memory. Pointers are numbers. */
interface ZstdModule {
  /** The memory; another view after it has grown. */
  readonly HEAPU8: Uint8Array
  instantiateWasm?: (imports: object, receive: (instance: object) => object) => object
  init(): void
  readonly _malloc: (bytes: number) => number
  readonly _free: (pointer: number) => void
  readonly _ZSTD_isError: (result: number) => number
  readonly _ZSTD_compressBound: (bytes: number) => number
  readonly _ZSTD_createCCtx: () => number
  readonly _ZSTD_createDCtx: () => number
  readonly _ZSTD_compress_usingDict: (
    context: number,
    target: number,
    capacity: number,
    source: number,
    bytes: number,
    dictionary: number,
    dictionaryBytes: number,
    level: number,
  ) => number
  readonly _ZSTD_decompress_usingDict: (
    context: number,
    target: number,
    capacity: number,
    source: number,
    bytes: number,
    dictionary: number,
    dictionaryBytes: number,
  ) => number
}

/**
 * zstd as WebAssembly, for Node without its own: prebuilt in an npm package for every platform, at about half the speed
 * of native code. The package's own functions make a context for each call, take the size of the result from the frame, and
 * can only be loaded asynchronously; so the C functions are called here, with contexts that are kept, and an
 * output that is never larger than the caller says.
 *
 * The memory of a WebAssembly instance grows to what the largest batch needs (source and result) and never shrinks. It is
 * 16 MiB to begin with, one per thread.
 *
 * @throws ConfigError when the package is not installed
 */
export function wasmZstd(from: string = __filename): ZstdLibrary {
  const zstd = loadModule(from)
  const compression = zstd._ZSTD_createCCtx()
  const decompression = zstd._ZSTD_createDCtx()

  /** Runs `use` with memory for input and output, the input filled in. */
  function withMemory<T>(
    input: Uint8Array,
    outputBytes: number,
    use: (target: number, source: number) => T,
    noMemory: () => T,
  ): T {
    const pointer = zstd._malloc(outputBytes + input.byteLength)
    if (pointer === 0) return noMemory()
    try {
      const source = pointer + outputBytes
      zstd.HEAPU8.set(input, source)
      return use(pointer, source)
    } finally {
      zstd._free(pointer)
    }
  }

  return {
    name: PACKAGE,
    compress(source, level) {
      const bytes = source.byteLength
      const capacity = zstd._ZSTD_compressBound(bytes)
      return withMemory(
        source,
        capacity,
        (target, at) => {
          const length = zstd._ZSTD_compress_usingDict(compression, target, capacity, at, bytes, 0, 0, level)
          // Compression into enough room fails for want of memory only.
          if (zstd._ZSTD_isError(length) !== 0 || length >= bytes) return null
          return zstd.HEAPU8.slice(target, target + length)
        },
        () => null,
      )
    },
    decompress(frame, length) {
      return withMemory(
        frame,
        length,
        (target, at) => {
          const bytes = frame.byteLength
          const result = zstd._ZSTD_decompress_usingDict(decompression, target, length, at, bytes, 0, 0)
          // Errors are small negative numbers.
          if (zstd._ZSTD_isError(result) !== 0) throw new Error(`zstd error ${-(result | 0)}`)
          return zstd.HEAPU8.slice(target, target + result)
        },
        () => {
          throw new CelebornError(
            'CELEBORN_OUT_OF_MEMORY',
            `no memory to decompress ${length} bytes with zstd: ${PACKAGE} has at most 2 GiB`,
          )
        },
      )
    },
  }
}

function loadModule(from: string): ZstdModule {
  const require = createRequire(from)
  let zstd: ZstdModule
  let wasm: Buffer
  try {
    const folder = dirname(require.resolve(PACKAGE))
    zstd = (require(join(folder, 'zstd.js')) as { Module: ZstdModule }).Module
    wasm = readFileSync(join(folder, 'zstd.wasm'))
  } catch (cause) {
    throw new ConfigError(
      `celeborn.client.shuffle.compression.codec = ZSTD: Node ${process.versions.node} has no zstd of its own ` +
        `(22.15 and later have), and ${PACKAGE} cannot be loaded. Run: npm install ${PACKAGE}@${VERSION}`,
      cause,
    )
  }
  // The same object for whoever loads it twice.
  if ((zstd as Partial<ZstdModule>).HEAPU8 === undefined) {
    zstd.instantiateWasm = (imports, receive) =>
      receive(new WebAssembly.Instance(new WebAssembly.Module(wasm), imports))
    zstd.init()
  }
  return zstd
}
