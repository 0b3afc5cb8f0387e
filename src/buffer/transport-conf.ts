import {
  type ConfigEntry,
  type ConfReader,
  MODULE_IO_LAZY_FD,
  MODULE_STORAGE_MEMORY_MAP_THRESHOLD,
  type TransportModule,
} from '../conf'
import { CelebornError, ConfigError } from '../errors'
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
   * @throws ConfigError that names the key and has what the look-up threw as its cause; RangeError for an unknown module
   */
  constructor(
    readonly module: TransportModule,
    conf: ConfReader,
  ) {
    this.memoryMapThreshold = lookedUp(conf, MODULE_STORAGE_MEMORY_MAP_THRESHOLD(module))
    this.lazyFD = lookedUp(conf, MODULE_IO_LAZY_FD(module))
    this.frames = new FramePool({
      name: `segments (${module})`,
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxPooledBytes: MAX_POOLED_BYTES,
    })
  }
}

/** A provider of its own may throw what it likes where it has no value. */
function lookedUp<T>(conf: ConfReader, entry: ConfigEntry<T>): T {
  try {
    return conf.get(entry)
  } catch (error) {
    if (error instanceof CelebornError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${entry.key} cannot be looked up: ${reason}`, error)
  }
}
