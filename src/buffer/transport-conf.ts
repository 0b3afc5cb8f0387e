import {
  type ConfReader,
  MODULE_IO_LAZY_FD,
  MODULE_STORAGE_MEMORY_MAP_THRESHOLD,
  type TransportModule,
} from '../conf'
import { FramePool } from '../memory'

/** Frames that wait for the next small segment, in bytes. */
const MAX_POOLED_BYTES = 64 * 1024 * 1024

/**
 * What file segments need of the configuration, for one transport module. The values are looked up here, once, however many
 * segments are made and however often they are read: a look-up walks several names, and a missing key may cost a provider an
 * exception.
 */
export class TransportConf {
  /** Segments of this many bytes and more are mapped, smaller ones are read. */
  readonly memoryMapThreshold: number
  /** Whether a segment opens its file at the first read; otherwise when it is made, and it stays open. */
  readonly lazyFD: boolean
  /**
   * Memory of small segments. Not capped: whoever holds the segments decides how many are loaded at once.
   * @internal
   */
  readonly frames: FramePool

  /**
   * @param module such as `fetch`: decides the keys `celeborn.<module>.storage.memoryMapThreshold` and
   *   `celeborn.<module>.io.lazyFD` (older names: `celeborn.storage.memoryMapThreshold`, `spark.storage.memoryMapThreshold`,
   *   `spark.shuffle.io.lazyFD`)
   * @param conf a CelebornConf, or anything that looks a key up; what it answers later has no effect
   * @throws whatever the look-up throws; RangeError for an unknown module
   */
  constructor(
    readonly module: TransportModule,
    conf: ConfReader,
  ) {
    this.memoryMapThreshold = conf.get(MODULE_STORAGE_MEMORY_MAP_THRESHOLD(module))
    this.lazyFD = conf.get(MODULE_IO_LAZY_FD(module))
    this.frames = new FramePool({
      name: `segments (${module})`,
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxPooledBytes: MAX_POOLED_BYTES,
    })
  }
}
