import { closeSync } from 'node:fs'
import { type Readable } from 'node:stream'
import { ConfigError } from '../errors'
import { canMapFiles, mapFile } from '../memory'
import { type ManagedBuffer, type NetworkBody, Retained } from './managed-buffer'
import { SegmentFile } from './segment-file'
import { type TransportConf } from './transport-conf'

/** Bytes of one piece of a stream. */
const PIECE_BYTES = 256 * 1024

/** A segment's bytes in memory. */
interface Loaded {
  readonly bytes: Uint8Array
  readonly state: SegmentState
  free(): void
}

const EMPTY: Loaded = { bytes: new Uint8Array(0), state: 'read', free: () => undefined }

/** Where a segment's bytes are. */
export type SegmentState = 'not loaded' | 'mapped' | 'read'

/**
 * A part of a file. From {@link TransportConf.memoryMapThreshold} on its bytes are mapped (page offsets are no concern of the
 * caller's), below it they are read into a native frame; either happens at the first call that needs them, and lasts until
 * the last release.
 *
 * Mapped bytes are the file's: whoever truncates the file while they are in use takes them away, and a read of the lost part
 * ends the process (SIGBUS), as with every mapped file. Deleting or replacing the file is harmless.
 */
export class FileSegmentManagedBuffer extends Retained implements ManagedBuffer {
  readonly size: number
  readonly #conf: TransportConf
  readonly #file: SegmentFile
  readonly #descriptor: number | undefined
  #loading: Promise<Loaded> | undefined
  #loaded: Loaded | undefined

  /**
   * @param file its path
   * @param offset of the first byte
   * @param length bytes
   * @throws ConfigError for an offset or a length that is no whole number from 0 on; without `lazyFD` CelebornError
   *   CELEBORN_IO if the file cannot be opened or is too short
   */
  constructor(conf: TransportConf, file: string, offset: number, length: number) {
    super()
    for (const [name, value] of [
      ['offset', offset],
      ['length', length],
      ['offset + length', offset + length],
    ] as const) {
      if (!Number.isSafeInteger(value) || value < 0)
        throw new ConfigError(
          `${name} = ${String(value)} of a segment of ${file} must be a whole number from 0 on`,
        )
    }
    this.size = length
    this.#conf = conf
    this.#file = new SegmentFile({ path: file, offset, length })
    if (!conf.lazyFD) {
      this.#descriptor = this.#file.openNow()
      forgotten.register(this, this.#descriptor, this)
    }
  }

  get path(): string {
    return this.#file.part.path
  }

  get offset(): number {
    return this.#file.part.offset
  }

  /** Where the bytes are now. */
  get state(): SegmentState {
    return this.#loaded?.state ?? 'not loaded'
  }

  bytes(): Promise<Uint8Array> {
    return this.whileRetained(async () => (await this.#load()).bytes)
  }

  stream(): Readable {
    return this.streamOf(this.#pieces())
  }

  toNetwork(): Promise<NetworkBody> {
    return this.whileRetained(async () => {
      const { bytes } = await this.#load()
      return this.bodyOf([bytes], bytes.length)
    })
  }

  protected free(): void {
    this.#loaded?.free()
    this.#loaded = undefined
    if (this.#descriptor === undefined) return
    forgotten.unregister(this)
    closeSync(this.#descriptor)
  }

  protected describe(): string {
    return `the segment at ${this.offset} of ${this.path}`
  }

  /** Once for all callers; after a failure anew. The caller holds a reference. */
  #load(): Promise<Loaded> {
    this.#loading ??= this.whileRetained(async () => {
      try {
        this.#loaded = await this.#use((descriptor) => this.#fetch(descriptor))
        return this.#loaded
      } catch (error) {
        this.#loading = undefined
        throw error
      }
    })
    return this.#loading
  }

  async #fetch(descriptor: number): Promise<Loaded> {
    if (this.size === 0) return EMPTY
    if (this.size >= this.#conf.memoryMapThreshold && canMapFiles()) {
      const map = mapFile(descriptor, this.offset, this.size)
      return { bytes: map.bytes, state: 'mapped', free: () => map.release() }
    }
    const frame = this.#conf.frames.acquire(this.size)
    try {
      const { bytes } = frame
      await this.#file.fill(descriptor, bytes, 0)
      return { bytes, state: 'read', free: () => frame.release() }
    } catch (error) {
      frame.release()
      throw error
    }
  }

  async #use<T>(work: (descriptor: number) => Promise<T>): Promise<T> {
    if (this.#descriptor === undefined) return this.#file.use(work)
    await this.#file.recheck(this.#descriptor)
    return work(this.#descriptor)
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.size; at += PIECE_BYTES) {
      // A stream may take its time: no descriptor is held from one piece to the next.
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, this.size - at))
      await this.#use((descriptor) => this.#file.fill(descriptor, piece, at))
      yield piece
    }
  }
}

/** The net for descriptors of segments that nobody released. */
const forgotten = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor))
