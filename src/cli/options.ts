import { CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { parseHostPort, parseSize, ValueProblem } from '../conf/values'
import { ConfigError } from '../errors'
import { type KeySpec, parseKeySpec } from './input/key'

/** `shuffle` as it was typed: what commander hands over. */
export interface RawShuffleOptions {
  readonly key: string
  readonly partitions: string
  readonly tasks?: string
  readonly header?: boolean
  readonly filesFrom?: string
  readonly master?: string
  readonly out?: string
  readonly maxInFlight?: string
  readonly conf?: readonly string[]
  readonly json?: boolean
}

export interface ShuffleOptions {
  readonly inputs: readonly string[]
  readonly filesFrom: string | undefined
  readonly key: KeySpec
  readonly header: boolean
  readonly partitions: number
  readonly tasks: number
  /** Undefined: the embedded cluster. */
  readonly masters: readonly string[] | undefined
  readonly out: string | undefined
  readonly conf: CelebornConf
  /** What --conf set, for the embedded cluster. */
  readonly confEntries: Readonly<Record<string, string>>
  readonly json: boolean
}

const MAX_PARTITIONS = 100_000
const MAX_TASKS = 10_000
const MIN_IN_FLIGHT = 64 * 1024

/** @throws ConfigError naming the option, its value and what is accepted */
export function shuffleOptions(inputs: readonly string[], raw: RawShuffleOptions): ShuffleOptions {
  if (inputs.length === 0 && raw.filesFrom === undefined) {
    throw new ConfigError('no input: name the files to shuffle, or give a list of them with --files-from')
  }
  const key = parseKeySpec(raw.key)
  if (raw.header === true && key.kind !== 'csv') throw new ConfigError('--header only goes with --key csv:N')
  const confEntries = parseConf(raw.conf)
  // Whoever names masters as a configuration key means them.
  const { key: endpoints } = keys.MASTER_ENDPOINTS
  const master = raw.master ?? confEntries[endpoints] ?? confEntries[`spark.${endpoints}`]
  const masters = master === undefined ? undefined : parseMasters(master)
  const maxInFlight = raw.maxInFlight === undefined ? undefined : parseInFlight(raw.maxInFlight)
  return {
    inputs,
    filesFrom: raw.filesFrom,
    key,
    header: raw.header === true,
    partitions: parseCount('--partitions', raw.partitions, MAX_PARTITIONS),
    tasks: parseCount('--tasks', raw.tasks ?? '4', MAX_TASKS),
    masters,
    out: raw.out,
    conf: CelebornConf.load({
      entries: {
        ...confEntries,
        ...(masters === undefined ? {} : { [endpoints]: masters.join(',') }),
        ...(maxInFlight === undefined ? {} : { [keys.NODE_MAX_IN_FLIGHT_BYTES.key]: maxInFlight }),
      },
    }),
    confEntries,
    json: raw.json === true,
  }
}

export function parseCount(option: string, text: string, max: number, min = 1): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${option} "${text}" is not accepted: it must be an integer from ${min} to ${max}`)
}

function parseInFlight(text: string): number {
  try {
    const bytes = parseSize(text)
    if (bytes >= MIN_IN_FLIGHT) return bytes
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
  }
  throw new ConfigError(
    `--max-in-flight "${text}" is not accepted: it must be a size of 64k or more, such as 32m`,
  )
}

function parseMasters(text: string): readonly string[] {
  const masters = text.split(',').map((item) => item.trim())
  for (const master of masters) {
    try {
      parseHostPort(master)
    } catch {
      throw new ConfigError(
        `--master "${text}" is not accepted: it must be HOST:PORT, or several with commas between`,
      )
    }
  }
  return masters
}

/** `KEY=VALUE`, several times. */
export function parseConf(pairs: readonly string[] = []): Readonly<Record<string, string>> {
  const entries: Record<string, string> = {}
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    if (equals < 1) {
      throw new ConfigError(
        `--conf "${pair}" is not accepted: it must be KEY=VALUE, such as celeborn.client.shuffle.compression.codec=NONE`,
      )
    }
    entries[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim()
  }
  return entries
}
