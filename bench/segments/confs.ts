import { TransportConf } from '../../src/buffer'
import {
  type ConfigEntry,
  type ConfReader,
  MODULE_IO_LAZY_FD,
  MODULE_STORAGE_MEMORY_MAP_THRESHOLD,
} from '../../src/conf'

/** A configuration as Spark's providers are: a missing key is an exception, caught by whoever has a default. */
export class ThrowingConf implements ConfReader {
  /** Values that were looked up. */
  lookups = 0
  /** Keys that were not there, each an exception. */
  missing = 0
  readonly #settings: ReadonlyMap<string, string>

  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#settings = new Map(Object.entries(settings))
  }

  get<T>(entry: ConfigEntry<T>): T {
    this.lookups++
    for (const name of [entry.key, ...entry.alternatives]) {
      try {
        return entry.type.parse(this.#setting(name))
      } catch (error) {
        if (!(error instanceof NoSuchKey)) throw error
      }
    }
    return entry.defaultValue(this)
  }

  #setting(name: string): string {
    const value = this.#settings.get(name)
    if (value !== undefined) return value
    this.missing++
    throw new NoSuchKey(name)
  }
}

class NoSuchKey extends Error {}

/** As it was before: both values are looked up wherever they are needed. */
export class PerCallConf extends TransportConf {
  readonly #conf: ConfReader

  constructor(conf: ConfReader) {
    super('fetch', conf)
    this.#conf = conf
    Object.defineProperties(this, {
      memoryMapThreshold: { get: () => this.#conf.get(MODULE_STORAGE_MEMORY_MAP_THRESHOLD('fetch')) },
      lazyFD: { get: () => this.#conf.get(MODULE_IO_LAZY_FD('fetch')) },
    })
  }
}
