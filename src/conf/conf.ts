import { ConfigError } from '../errors'
import { type ConfigEntry, type ConfReader } from './entry'
import { entriesNamed, isKnownName } from './registry'
import {
  type ConfEntries,
  configurationFile,
  type Setting,
  type Settings,
  settingsOfEntries,
  settingsOfEnvironment,
  settingsOfFile,
} from './sources'
import { ValueProblem } from './values'

export interface ConfLoadOptions {
  /** A properties file; replaces the one that the environment names. It must exist. */
  readonly file?: string
  /** Stands for `process.env`. */
  readonly env?: NodeJS.ProcessEnv
  /** Settings of the program; they win over the environment and the file. */
  readonly entries?: ConfEntries
}

/**
 * The configuration: Celeborn's keys, with or without `spark.` in front, from a program, the environment and a
 * properties file. Immutable. Each value is parsed once and kept; what changes in the sources later has no effect.
 *
 * Where several sources set a key the program wins over the environment, and that over the file, also when they use
 * an older name of the key.
 */
export class CelebornConf implements ConfReader {
  /** Strongest first. */
  #layers: readonly Settings[]
  readonly #values = new Map<ConfigEntry<unknown>, unknown>()

  /**
   * Settings of the program alone: neither the environment nor a file is read.
   *
   * @throws ConfigError when a value is wrong, naming key, value, source and what is accepted
   */
  constructor(entries: ConfEntries = {}) {
    this.#layers = [settingsOfEntries(entries)]
    this.#checkAll()
  }

  /**
   * Settings of all sources: `entries`, then the environment, then the file that is named here or by
   * `CELEBORN_CONF_FILE`, or `celeborn-defaults.conf` in `CELEBORN_CONF_DIR` or in `CELEBORN_HOME`/conf.
   *
   * @throws ConfigError when a value is wrong or the named file cannot be read
   */
  static load(o: ConfLoadOptions = {}): CelebornConf {
    const env = o.env ?? process.env
    const file = o.file ?? configurationFile(env)
    return CelebornConf.#of([
      settingsOfEntries(o.entries ?? {}),
      settingsOfEnvironment(env),
      ...(file === undefined ? [] : [settingsOfFile(file)]),
    ])
  }

  static #of(layers: readonly Settings[]): CelebornConf {
    const conf = new CelebornConf()
    conf.#layers = layers
    conf.#checkAll()
    return conf
  }

  /** The value: as set, else the default. Durations are milliseconds, sizes are bytes. */
  get<T>(entry: ConfigEntry<T>): T {
    const known = this.#values.get(entry)
    if (known !== undefined || this.#values.has(entry)) return known as T
    const value = this.#resolve(entry)
    this.#values.set(entry, value)
    return value
  }

  /** Whether a source sets the key, or an older name of it. */
  isSet(entry: ConfigEntry<unknown>): boolean {
    return this.#find(entry) !== undefined
  }

  /** Where the value comes from, in words. */
  sourceOf(entry: ConfigEntry<unknown>): string {
    return this.#find(entry)?.setting.source ?? `default: ${entry.defaultText}`
  }

  /**
   * This configuration with `entries` on top.
   *
   * @throws ConfigError when a value is wrong
   */
  with(entries: ConfEntries): CelebornConf {
    return CelebornConf.#of([settingsOfEntries(entries), ...this.#layers])
  }

  /**
   * Keys that are set and mean nothing to this package, sorted: settings of other components, or misspelt ones.
   * Celeborn ignores what it does not know, and so does {@link get}.
   */
  unknownKeys(): string[] {
    const names = new Set(this.#layers.flatMap((layer) => [...layer.keys()]))
    return [...names].filter((name) => !isKnownName(name)).sort()
  }

  /** Wrong values are found here, not by the first push that needs them. */
  #checkAll(): void {
    for (const layer of this.#layers)
      for (const name of layer.keys()) for (const entry of entriesNamed(name)) this.get(entry)
  }

  #find(entry: ConfigEntry<unknown>): { name: string; setting: Setting } | undefined {
    for (const layer of this.#layers)
      for (const name of [entry.key, ...entry.alternatives]) {
        const setting = layer.get(name)
        if (setting !== undefined) return { name, setting }
      }
    return undefined
  }

  #resolve<T>(entry: ConfigEntry<T>): T {
    const found = this.#find(entry)
    if (found === undefined) return entry.defaultValue(this)
    const { name, setting } = found
    try {
      return entry.type.parse(setting.value)
    } catch (cause) {
      if (!(cause instanceof ValueProblem)) throw cause
      const key = name === entry.key ? name : `${name} (older name of ${entry.key})`
      throw new ConfigError(
        `${key} = ${JSON.stringify(setting.value)} (${setting.source}) is not accepted: it must be ${entry.type.accepted}`,
        cause,
      )
    }
  }
}
