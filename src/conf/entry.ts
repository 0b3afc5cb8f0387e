import {
  booleanType,
  doubleType,
  durationType,
  enumType,
  intType,
  type Range,
  sizeType,
  stringType,
  type ValueType,
} from './values'

/** What a derived default may look at. */
export interface ConfReader {
  get<T>(entry: ConfigEntry<T>): T
}

export interface ConfigEntryOptions<T> {
  readonly key: string
  readonly type: ValueType<T>
  /** The default as text, parsed like any other value, or computed from other keys. */
  readonly default: string | ((conf: ConfReader) => T)
  /** The default in words; needed where it is computed. */
  readonly defaultText?: string
  /** Older names of the key, newest first. */
  readonly alternatives?: readonly string[]
  readonly doc: string
}

/** One configuration key: its names, its type and its default. */
export class ConfigEntry<T> {
  readonly key: string
  /** Older names that are still accepted; where several are set in one place, `key` wins, then the first of these. */
  readonly alternatives: readonly string[]
  readonly doc: string
  /** The default in words, as the documentation shows it. */
  readonly defaultText: string
  readonly type: ValueType<T>
  /** The value when no source sets the key. */
  readonly defaultValue: (conf: ConfReader) => T

  constructor(o: ConfigEntryOptions<T>) {
    this.key = o.key
    this.alternatives = o.alternatives ?? []
    this.doc = o.doc
    this.type = o.type
    if (typeof o.default === 'string') {
      const value = o.type.parse(o.default)
      this.defaultValue = () => value
      this.defaultText = o.defaultText ?? o.default
    } else {
      this.defaultValue = o.default
      this.defaultText = o.defaultText ?? 'derived'
    }
  }
}

interface Details {
  readonly doc: string
  readonly alternatives?: readonly string[]
}
type Default<T> = string | { readonly from: (conf: ConfReader) => T; readonly text: string }

/** An entry of any type; the functions below are its short forms. */
export function entry<T>(
  key: string,
  type: ValueType<T>,
  value: Default<T>,
  details: Details,
): ConfigEntry<T> {
  const { doc, alternatives = [] } = details
  return typeof value === 'string'
    ? new ConfigEntry({ key, type, default: value, alternatives, doc })
    : new ConfigEntry({ key, type, default: value.from, defaultText: value.text, alternatives, doc })
}

/** Default taken from another key. */
export function sameAs<T>(other: ConfigEntry<T>): Default<T> {
  return { from: (conf) => conf.get(other), text: `value of ${other.key}` }
}

/** No default: the value is undefined unless set. */
export function optional<T>(
  key: string,
  type: ValueType<T>,
  details: Details & { readonly unset?: string },
): ConfigEntry<T | undefined> {
  return entry<T | undefined>(key, type, { from: () => undefined, text: details.unset ?? '(unset)' }, details)
}

/** A size in bytes. */
export function size(key: string, value: Default<number>, details: Details & Range): ConfigEntry<number> {
  return entry(key, sizeType(details), value, details)
}

/** A duration in milliseconds. */
export function duration(key: string, value: Default<number>, details: Details & Range): ConfigEntry<number> {
  return entry(key, durationType(details), value, details)
}

export function int(key: string, value: Default<number>, details: Details & Range): ConfigEntry<number> {
  return entry(key, intType(details), value, details)
}

export function double(key: string, value: Default<number>, details: Details & Range): ConfigEntry<number> {
  return entry(key, doubleType(details), value, details)
}

export function bool(key: string, value: Default<boolean>, details: Details): ConfigEntry<boolean> {
  return entry(key, booleanType, value, details)
}

export function text(key: string, value: Default<string>, details: Details): ConfigEntry<string> {
  return entry(key, stringType, value, details)
}

export function oneOf<const T extends string>(
  key: string,
  values: readonly T[],
  value: Default<NoInfer<T>>,
  details: Details,
): ConfigEntry<T> {
  return entry<T>(key, enumType(values), value, details)
}

/** Transport modules: who speaks to whom, so that each can be tuned by itself. */
export const TRANSPORT_MODULES = [
  'rpc',
  'rpc_service',
  'rpc_app',
  'push',
  'fetch',
  'replicate',
  'data',
] as const
export type TransportModule = (typeof TRANSPORT_MODULES)[number]

/** A key with `<module>` in its name: a function from the module to the entry, the same entry each time. */
export interface ModuleEntry<T> {
  (module: TransportModule): ConfigEntry<T>
  /** One entry per module, for those who list all keys. */
  readonly entries: readonly ConfigEntry<T>[]
}

/**
 * Makes a {@link ModuleEntry}. The modules `rpc_service` and `rpc_app` take the value set for `rpc` where they have
 * none of their own.
 */
export function perModule<T>(
  pattern: string,
  type: ValueType<T>,
  value: Default<T>,
  details: Details,
): ModuleEntry<T> {
  const make = (module: TransportModule, fallback: Default<T>): ConfigEntry<T> =>
    entry(pattern.replace('<module>', module), type, fallback, details)
  const rpc = make('rpc', value)
  const byModule = new Map<TransportModule, ConfigEntry<T>>()
  for (const module of TRANSPORT_MODULES) {
    const own = module === 'rpc' ? rpc : make(module, module.startsWith('rpc_') ? sameAs(rpc) : value)
    byModule.set(module, own)
  }
  const of = (module: TransportModule): ConfigEntry<T> => {
    const found = byModule.get(module)
    if (found === undefined) throw new RangeError(`unknown transport module "${String(module)}"`)
    return found
  }
  return Object.assign(of, { entries: [...byModule.values()] })
}
