import { ConfigEntry } from './entry'
import * as keys from './keys'

/** All keys that this package reads, those of modules once per module. */
export const ALL_ENTRIES: readonly ConfigEntry<unknown>[] = Object.values(keys).flatMap(
  (exported): readonly ConfigEntry<unknown>[] =>
    exported instanceof ConfigEntry ? [exported] : exported.entries,
)

/** The entries that a name, current or older, stands for. An older name may stand for one key of every module. */
const BY_NAME = new Map<string, ConfigEntry<unknown>[]>()
for (const entry of ALL_ENTRIES)
  for (const name of [entry.key, ...entry.alternatives]) {
    const entries = BY_NAME.get(name)
    if (entries === undefined) BY_NAME.set(name, [entry])
    else entries.push(entry)
  }

export function entriesNamed(name: string): readonly ConfigEntry<unknown>[] {
  return BY_NAME.get(name) ?? []
}

export function isKnownName(name: string): boolean {
  return BY_NAME.has(name)
}

/**
 * `celeborn.x` for `spark.celeborn.x`: Spark hands its jobs only settings that begin with `spark.`. Other names,
 * Spark's own older ones among them, stay as they are.
 */
export function withoutSparkPrefix(name: string): string {
  return name.startsWith('spark.celeborn.') ? name.slice('spark.'.length) : name
}

function environmentForm(name: string): string {
  return name
    .split('.')
    .map((part) => part.replace(/[-_]/g, ''))
    .join('.')
    .toLowerCase()
}

const BY_ENVIRONMENT_FORM = new Map([...BY_NAME.keys()].map((name) => [environmentForm(name), name]))

/**
 * The key that an environment variable sets, or undefined where it sets none. Two forms: the key itself
 * (`celeborn.client.push.timeout`, which container runtimes can set and shells cannot), and `CELEBORN__` names with
 * two underscores for each dot, in any case and with or without single underscores inside a word:
 * `CELEBORN__CLIENT__PUSH__MAX_REQS_IN_FLIGHT__TOTAL` or `CELEBORN__CLIENT__PUSH__MAXREQSINFLIGHT__TOTAL`.
 */
export function keyOfEnvironmentVariable(variable: string): string | undefined {
  const plain = withoutSparkPrefix(variable)
  if (plain.startsWith('celeborn.')) return plain
  if (!/^(SPARK__)?CELEBORN__/i.test(variable)) return undefined
  const dotted = variable.replace(/^SPARK__/i, '').replace(/__/g, '.')
  return BY_ENVIRONMENT_FORM.get(environmentForm(dotted)) ?? dotted.toLowerCase()
}
