import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../errors'
import { parseProperties } from './properties'
import { isKnownName, keyOfEnvironmentVariable, withoutSparkPrefix } from './registry'

/** A value as it was written, and where. */
export interface Setting {
  readonly value: string
  /** In words, for error messages. */
  readonly source: string
}

/** What one source sets, by key without `spark.` in front. */
export type Settings = ReadonlyMap<string, Setting>

/** Settings as a program writes them: durations given as numbers are milliseconds, sizes are bytes. */
export type ConfEntries = Readonly<Record<string, string | number | boolean | undefined>>

/** Keys of a source, the plain ones after the prefixed ones, so that `celeborn.x` wins over `spark.celeborn.x`. */
function plainLast<T extends readonly [string, ...unknown[]]>(pairs: readonly T[]): T[] {
  const prefixed = (pair: T): boolean => withoutSparkPrefix(pair[0]) !== pair[0]
  return [...pairs.filter(prefixed), ...pairs.filter((pair) => !prefixed(pair))]
}

/** @throws ConfigError for a key that is neither Celeborn's nor Spark's, and for a value that is no plain value */
export function settingsOfEntries(entries: ConfEntries): Settings {
  const settings = new Map<string, Setting>()
  for (const [name, value] of plainLast(Object.entries(entries))) {
    if (value === undefined) continue
    const key = withoutSparkPrefix(name)
    if (!key.startsWith('celeborn.') && !isKnownName(key)) {
      // A Spark configuration may be handed over whole.
      if (key.startsWith('spark.')) continue
      throw new ConfigError(
        `"${name}" is no configuration key: keys begin with "celeborn." or "spark.celeborn."`,
      )
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new ConfigError(
        `${name}: a value must be a string, a number or a boolean, not ${value === null ? 'null' : typeof value}`,
      )
    settings.set(key, {
      value: String(value),
      source: name === key ? 'set by the program' : `set by the program as ${name}`,
    })
  }
  return settings
}

export function settingsOfEnvironment(env: NodeJS.ProcessEnv): Settings {
  const settings = new Map<string, Setting>()
  for (const [variable, value] of plainLast(Object.entries(env))) {
    const key = keyOfEnvironmentVariable(variable)
    if (key === undefined || value === undefined) continue
    settings.set(key, { value, source: `environment variable ${variable}` })
  }
  return settings
}

/** @throws ConfigError when the file cannot be read */
export function settingsOfFile(path: string): Settings {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`cannot read the configuration file ${path}: ${(cause as Error).message}`, cause)
  }
  const settings = new Map<string, Setting>()
  const properties = parseProperties(text).map(({ key, value, line }) => [key, value, line] as const)
  for (const [name, value, line] of plainLast(properties)) {
    const key = withoutSparkPrefix(name)
    // The file may be shared with other programs: their keys are no concern of ours.
    if (!key.startsWith('celeborn.') && !isKnownName(key)) continue
    settings.set(key, { value, source: `${path}, line ${line}` })
  }
  return settings
}

/**
 * The configuration file that the environment names: `CELEBORN_CONF_FILE`, which must exist, else
 * `celeborn-defaults.conf` in `CELEBORN_CONF_DIR` or in `CELEBORN_HOME`/conf, if it exists.
 */
export function configurationFile(env: NodeJS.ProcessEnv): string | undefined {
  const given = (name: string): string | undefined => (env[name] === '' ? undefined : env[name])
  const file = given('CELEBORN_CONF_FILE')
  if (file !== undefined) return file
  const home = given('CELEBORN_HOME')
  const directory = given('CELEBORN_CONF_DIR') ?? (home === undefined ? undefined : join(home, 'conf'))
  if (directory === undefined) return undefined
  const defaults = join(directory, 'celeborn-defaults.conf')
  return existsSync(defaults) ? defaults : undefined
}
