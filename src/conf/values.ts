/**
 * How configuration values are written as text. The grammar is Celeborn's, so that one file serves both sides;
 * whatever does not fit it is refused, never guessed.
 */

/** Why a text is no value of its type: says what would have been accepted. */
export class ValueProblem extends Error {}

/** A kind of value: how it is parsed and what is accepted, in words. */
export interface ValueType<T> {
  readonly accepted: string
  /** @throws ValueProblem */
  parse(text: string): T
}

export interface Range {
  readonly min?: number
  readonly max?: number
}

/** Longest duration: what a timer can hold. A longer one would fire at once instead of never. */
export const MAX_DURATION_MS = 0x7fffffff

const KIB = 1024
const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: KIB,
  m: KIB ** 2,
  g: KIB ** 3,
  t: KIB ** 4,
  p: KIB ** 5,
}
/** In microseconds, so that every unit is an integer. */
const DURATION_UNITS: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  min: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
}

/**
 * Bytes of a size such as `64k`, `1g`, `8MiB` or `512` (bytes). Units count by 1024, in any case, with or without
 * a trailing `b` or `ib`.
 *
 * @throws ValueProblem
 */
export function parseSize(text: string): number {
  const match = /^(\d+)(?:(b)|([kmgtp])(?:ib?|b)?)?$/.exec(text.trim().toLowerCase())
  const unit = SIZE_UNITS[match?.[2] ?? match?.[3] ?? 'b']
  if (match === null || unit === undefined) throw new ValueProblem('a size')
  const bytes = Number(match[1]) * unit
  if (!Number.isSafeInteger(bytes)) throw new ValueProblem('a size below 8p')
  return bytes
}

/**
 * Milliseconds of a duration such as `120s`, `500ms`, `2min` or `50` (milliseconds). Parts of a millisecond are
 * rounded up, so that only zero is zero.
 *
 * @throws ValueProblem
 */
export function parseDuration(text: string): number {
  const match = /^(\d+)([a-z]+)?$/.exec(text.trim().toLowerCase())
  const unit = Object.hasOwn(DURATION_UNITS, match?.[2] ?? 'ms')
    ? DURATION_UNITS[match?.[2] ?? 'ms']
    : undefined
  if (match === null || unit === undefined) throw new ValueProblem('a duration')
  const milliseconds = Math.ceil((Number(match[1]) * unit) / 1_000)
  if (milliseconds > MAX_DURATION_MS) throw new ValueProblem('at most 24d')
  return milliseconds
}

/** A host and a port. IPv6 addresses are kept without their brackets. */
export interface HostPort {
  readonly host: string
  readonly port: number
}

/**
 * `host:port`, `[v6 address]:port`, or a host alone where `defaultPort` is given.
 *
 * @throws ValueProblem
 */
export function parseHostPort(text: string, defaultPort?: number): HostPort {
  const match = /^(?:\[([0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]|([^\s:,[\]/@]+))(?::(\d{1,5}))?$/.exec(text.trim())
  const host = match?.[1] ?? match?.[2]
  const port = match?.[3] === undefined ? defaultPort : Number(match[3])
  if (host === undefined || port === undefined) throw new ValueProblem('host:port')
  if (port < 1 || port > 65535) throw new ValueProblem('a port from 1 to 65535')
  return { host, port }
}

/** The text form that {@link parseHostPort} reads. */
export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function inRange(value: number, { min, max }: Range): number {
  if ((min !== undefined && value < min) || (max !== undefined && value > max))
    throw new ValueProblem('in range')
  return value
}

function rangeText({ min, max }: Range, format: (value: number) => string): string {
  if (min !== undefined && max !== undefined) return `, from ${format(min)} to ${format(max)}`
  if (min !== undefined) return `, ${format(min)} or more`
  if (max !== undefined) return `, at most ${format(max)}`
  return ''
}

export function sizeType(range: Range = {}): ValueType<number> {
  return {
    accepted: `a size such as 64k, 8m or 1g (units b, k, m, g, t, p; a bare number means bytes)${rangeText(range, (n) => `${n} bytes`)}`,
    parse: (text) => inRange(parseSize(text), range),
  }
}

export function durationType(range: Range = {}): ValueType<number> {
  return {
    accepted:
      'a duration such as 120s, 500ms or 2min (units us, ms, s, m, min, h, d; a bare number means ms), ' +
      `at most 24d${range.min === undefined ? '' : ` and at least ${range.min}ms`}`,
    parse: (text) => inRange(parseDuration(text), range),
  }
}

export function intType(range: Range = {}): ValueType<number> {
  return {
    accepted: `an integer${rangeText(range, String)}`,
    parse: (text) => {
      const value = /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
      if (!Number.isSafeInteger(value)) throw new ValueProblem('an integer')
      return inRange(value, range)
    },
  }
}

export function doubleType(range: Range = {}): ValueType<number> {
  return {
    accepted: `a number${rangeText(range, String)}`,
    parse: (text) => {
      const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN
      if (!Number.isFinite(value)) throw new ValueProblem('a number')
      return inRange(value, range)
    },
  }
}

export const booleanType: ValueType<boolean> = {
  accepted: 'true or false',
  parse: (text) => {
    switch (text.trim().toLowerCase()) {
      case 'true':
        return true
      case 'false':
        return false
      default:
        throw new ValueProblem('true or false')
    }
  },
}

export const stringType: ValueType<string> = { accepted: 'any text', parse: (text) => text.trim() }

/** One of `values`, in any case. */
export function enumType<const T extends string>(values: readonly T[]): ValueType<T> {
  return {
    accepted: `one of ${values.join(', ')}`,
    parse: (text) => {
      const wanted = text.trim().toUpperCase()
      const value = values.find((candidate) => candidate.toUpperCase() === wanted)
      if (value === undefined) throw new ValueProblem('one of the names')
      return value
    },
  }
}

/** Comma separated items; blanks around them and empty items are dropped. */
export function listType<T>(item: ValueType<T>, o: { nonEmpty?: boolean } = {}): ValueType<readonly T[]> {
  return {
    accepted: `${o.nonEmpty === true ? 'one or more' : 'zero or more'}, separated by commas, of: ${item.accepted}`,
    parse: (text) => {
      const items = text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
      if (o.nonEmpty === true && items.length === 0) throw new ValueProblem('at least one')
      return items.map((part) => item.parse(part))
    },
  }
}

/** `host:port`, normalised; the port may be left out. Celeborn's placeholder `<localhost>` is this machine. */
export function endpointType(defaultPort: number): ValueType<string> {
  return {
    accepted: `host:port, [IPv6 address]:port, or a host alone (port ${defaultPort})`,
    parse: (text) => formatHostPort(parseHostPort(text.replace('<localhost>', 'localhost'), defaultPort)),
  }
}
