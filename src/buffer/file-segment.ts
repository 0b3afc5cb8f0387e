import { closeSync } from 'node:fs'
import { type Readable } from 'node:stream'
import { ConfigError } from '../errors'
import { canMapFiles, mapFile, type NativeFrame } from '../memory'
import { type ManagedBuffer, type NetworkBody, Retained } from './managed-buffer'
import { Once } from './once'
import { SegmentFile } from './segment-file'
import { type TransportConf } from './transport-conf'

/** Bytes of one piece of a stream. */
const PIECE_BYTES = 256 * 1024

/** Pages are this large at most, and every smaller size divides it. */
const LARGEST_PAGE = 64 * 1024

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
 * ends the process (SIGBUS), as with every mapped file. A socket that is given {@link toNetwork} fails then, and whoever reads
 * from it gets all bytes of the file as it was, or not all. Deleting or replacing the file is harmless.
 */
export class FileSegmentManagedBuffer extends Retained implements ManagedBuffer {
  readonly size: number
  readonly #conf: TransportConf
  readonly #file: SegmentFile
  readonly #descriptor: number | undefined
  readonly #loaded = new Once<Loaded>()
  readonly #sent = new Once<readonly Uint8Array[]>()
  /** Of a mapped segment that is sent: see {@link sentFromMapping}. */
  #end: NativeFrame | undefined

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
    return this.#loaded.value?.state ?? 'not loaded'
  }

  bytes(): Promise<Uint8Array> {
    return this.whileRetained(async () => {
      const { bytes } = await this.#loaded.get(() => this.#use((descriptor) => this.#load(descriptor)))
      return bytes
    })
  }

  stream(): Readable {
    return this.streamOf(this.#pieces())
  }

  toNetwork(): Promise<NetworkBody> {
    return this.whileRetained(async () => this.bodyOf(await this.#sent.get(() => this.#parts()), this.size))
  }

  protected free(): void {
    this.#loaded.take()?.free()
    this.#end?.release()
    if (this.#descriptor === undefined) return
    forgotten.unregister(this)
    closeSync(this.#descriptor)
  }

  protected describe(): string {
    return `the segment at ${this.offset} of ${this.path}`
  }

  async #load(descriptor: number): Promise<Loaded> {
    if (this.size === 0) return EMPTY
    if (this.size >= this.#conf.memoryMapThreshold && canMapFiles()) {
      const map = mapFile(descriptor, this.offset, this.size)
      return { bytes: map.bytes, state: 'mapped', free: () => map.release() }
    }
    const frame = await this.#read(descriptor, 0)
    return { bytes: frame.bytes, state: 'read', free: () => frame.release() }
  }

  /** What a socket is given. */
  async #parts(): Promise<readonly Uint8Array[]> {
    const loaded = this.#loaded.value
    if (loaded?.state === 'read') return [loaded.bytes]
    return this.#use(async (descriptor) => {
      const { bytes, state } = await this.#loaded.get(() => this.#load(descriptor))
      const mapped = state === 'read' ? this.size : sentFromMapping(this.offset, this.size)
      if (mapped === this.size) return [bytes]
      this.#end = await this.#read(descriptor, mapped)
      return mapped === 0 ? [this.#end.bytes] : [bytes.subarray(0, mapped), this.#end.bytes]
    })
  }

  /** From `skip` bytes behind the start to the end. */
  async #read(descriptor: number, skip: number): Promise<NativeFrame> {
    const frame = this.#conf.frames.acquire(this.size - skip)
    try {
      await this.#file.fill(descriptor, frame.bytes, skip)
      return frame
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

/**
 * How much of a mapped segment a socket may be given from the mapping; the rest is to be a copy that was read before. A file
 * that is cut while it is sent has zeros up to the end of the page in which it ends now, and only behind that page the
 * system refuses to read: a reader could take those zeros for the segment's last bytes. So what is sent from the mapping
 * ends with the first byte of a page, which is there only if the cut lies behind all that was sent before.
 */
function sentFromMapping(offset: number, length: number): number {
  const last = offset + length - 1
  return Math.max(0, last - (last % LARGEST_PAGE) + 1 - offset)
}

/** The net for descriptors of segments that nobody released. */
const forgotten = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor))
