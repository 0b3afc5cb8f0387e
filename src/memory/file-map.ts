import { getSystemErrorMap } from 'node:util'
import { CelebornError, FrameStateError } from '../errors'
import { type Counters, readCounters } from './counters'
import { AcquireStatus, N, native, type NativeAddon, type NativeMaps } from './native'

/** Mapped files of this thread. */
export interface MapStats {
  readonly mapsAlive: number
  readonly bytesMapped: number
  readonly peakMapsAlive: number
  /** Mappings made so far. */
  readonly mapsMade: number
  /** Mappings that nobody released: the garbage collector unmapped them, late. */
  readonly finalizedWithoutRelease: number
}

/**
 * Part of a file, mapped. The memory is the file's: whoever truncates the file takes it away, and a read of the lost part
 * ends the process (SIGBUS). What is written into it by mistake stays in this process.
 * @internal
 */
export class MappedFile {
  /** Exactly the part. Drops to length 0 at the release. */
  readonly bytes: Uint8Array
  readonly #maps: NativeMaps
  readonly #index: number
  readonly #generation: number
  readonly #buffer: ArrayBuffer
  #released = false

  constructor(maps: NativeMaps, buffer: ArrayBuffer, index: number, generation: number) {
    this.#maps = maps
    this.#buffer = buffer
    this.#index = index
    this.#generation = generation
    this.bytes = new Uint8Array(buffer)
  }

  /**
   * Unmaps at once. Exactly once, and not while a socket reads the memory.
   * @throws FrameStateError the second time
   */
  release(): void {
    if (this.#released) throw new FrameStateError('the mapped file has been released already')
    this.#released = true
    this.#maps.release(this.#index, this.#generation, this.#buffer)
  }
}

interface Loaded {
  readonly addon: NativeAddon
  readonly maps: NativeMaps
  readonly allowed: boolean
}

let loaded: Loaded | undefined

function load(): Loaded {
  const addon = native()
  const maps = addon.newMaps()
  return { addon, maps, allowed: addon.numbers[N.COPIED] === 0 }
}

/** False where the runtime forbids external buffers: files are read then. @internal */
export function canMapFiles(): boolean {
  loaded ??= load()
  return loaded.allowed
}

/**
 * Maps `bytes` (more than 0) from `offset` on. The descriptor may be closed afterwards.
 *
 * @param descriptor of a file that the caller has found to be that long
 * @throws CelebornError CELEBORN_IO with the system's reason, or CELEBORN_OUT_OF_MEMORY
 * @internal
 */
export function mapFile(descriptor: number, offset: number, bytes: number): MappedFile {
  loaded ??= load()
  const { addon, maps } = loaded
  const buffer = maps.map(descriptor, offset, bytes)
  const { numbers } = addon
  if (buffer !== undefined) {
    return new MappedFile(maps, buffer, numbers[N.INDEX] ?? 0, numbers[N.GENERATION] ?? 0)
  }
  const errno = numbers[N.ERRNO] ?? 0
  const [name = '', words = ''] = getSystemErrorMap().get(-errno) ?? []
  const where = `${bytes} bytes at ${offset} cannot be mapped`
  if (numbers[N.STATUS] === AcquireStatus.ABOVE_CAP) {
    throw new CelebornError('CELEBORN_IO', `${where}: more than ${addon.maxFrameBytes} bytes at once`)
  }
  if (errno === 0 || name === 'ENOMEM') {
    const reason = `${where}: the system has no room for one more mapping (${mapStats().mapsAlive} are alive)`
    throw new CelebornError('CELEBORN_OUT_OF_MEMORY', reason)
  }
  throw new CelebornError('CELEBORN_IO', `${where}: ${words} (${name})`)
}

/** The counters, as they are now. */
export function mapStats(): MapStats {
  loaded ??= load()
  loaded.maps.stats()
  const counters: Counters = readCounters(loaded.addon.numbers, N)
  return {
    mapsAlive: counters.framesAlive,
    bytesMapped: counters.bytesAlive,
    peakMapsAlive: counters.peakFramesAlive,
    mapsMade: counters.framesAllocated,
    finalizedWithoutRelease: counters.finalizedWithoutRelease,
  }
}
