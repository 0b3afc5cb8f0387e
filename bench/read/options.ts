import { ConfigError } from '../../src/errors'
import { countOption, listOption, sizeOption } from '../lib/options'
import { realCluster, type RealCluster } from '../push/options'
import { CODECS, type ReadCodec, type Variant, VARIANTS } from './messages'
import { type ReadShape } from './sampler'
import { type ReadOptions } from './suite'
import { BATCH_BYTES } from './tally'

/** As commander gives them. */
export interface RawReadOptions {
  readonly cluster: string
  readonly bytes: string
  readonly partitions: string
  readonly codecs: string
  readonly variants?: string
  readonly rounds: string
  readonly warm: string
  readonly readBuffer: string
  readonly javaHeap: string
  readonly json?: string
}

export interface ReadCommandOptions extends ReadOptions, ReadShape {
  readonly cluster: RealCluster
  /** Variants were asked for by name: none of them may be left out. */
  readonly variantsGiven: boolean
  readonly json: string | undefined
}

const MIB = 1024 ** 2

/** @throws ConfigError that names the option */
export function parseReadOptions(raw: RawReadOptions): ReadCommandOptions {
  const partitions = countOption('--partitions', raw.partitions, 1, 10_000)
  return {
    cluster: realCluster(raw.cluster, 'embedded'),
    partitions,
    // All partitions have the same, at least what was asked for.
    batches: Math.max(1, Math.ceil(sizeOption('--bytes', raw.bytes) / BATCH_BYTES / partitions)),
    codecs: some('--codecs', raw.codecs, CODECS),
    variants: raw.variants === undefined ? VARIANTS : some('--variants', raw.variants, VARIANTS),
    variantsGiven: raw.variants !== undefined,
    rounds: countOption('--rounds', raw.rounds, 1, 1000),
    warmRuns: countOption('--warm', raw.warm, 1, 1000),
    readBufferBytes: within('--read-buffer', raw.readBuffer, 1, 1024 * MIB),
    javaHeapMib: Math.ceil(within('--java-heap', raw.javaHeap, 64 * MIB, 1024 ** 2 * MIB) / MIB),
    json: raw.json,
  }
}

function within(option: string, text: string, min: number, max: number): number {
  const value = sizeOption(option, text)
  if (value >= min && value <= max) return value
  throw new ConfigError(`${option} ${text}: give ${min} to ${max} bytes`)
}

/** Those of `all` that were asked for, in their own order. */
function some<T extends ReadCodec | Variant>(option: string, text: string, all: readonly T[]): readonly T[] {
  const wanted = listOption(text)
  if (wanted.length === 0 || wanted.some((name) => !all.some((known) => known === name)))
    throw new ConfigError(`${option} ${text}: give some of ${all.join(',')}`)
  return all.filter((item) => wanted.includes(item))
}
