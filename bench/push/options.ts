import { parseHostPort, ValueProblem } from '../../src/conf'
import { ConfigError } from '../../src/errors'
import { countOption, listOption, sizeOption } from '../lib/options'
import { type Limits, type Variant, VARIANTS } from './messages'

/** As commander gives them. */
export interface RawPushOptions {
  readonly cluster: string
  readonly rounds: string
  readonly warmRounds: string
  readonly total: string
  readonly batches: string
  readonly variants?: string
  readonly maxInFlight: string
  readonly maxRequests: string
  readonly json?: string
}

export type RealCluster =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'external'; readonly masterEndpoint: string }
export type ClusterOption = { readonly kind: 'sink' } | RealCluster

export interface PushOptions {
  readonly cluster: ClusterOption
  readonly rounds: number
  readonly warmRounds: number
  readonly totalBytes: number
  readonly batchSizes: readonly number[]
  readonly variants: readonly Variant[]
  readonly limits: Limits
  readonly json: string | undefined
}

/** Largest batch: what one frame may hold by default. */
const MAX_BATCH_BYTES = 64 * 1024 ** 2

/** @throws ConfigError that names the option */
export function parsePushOptions(raw: RawPushOptions): PushOptions {
  const totalBytes = sizeOption('--total', raw.total)
  const batchSizes = listOption(raw.batches).map((text) => sizeOption('--batches', text))
  if (batchSizes.length === 0) throw new ConfigError('--batches: give at least one size')
  for (const batch of batchSizes) {
    if (batch < 1 || batch > MAX_BATCH_BYTES) throw new ConfigError('--batches: a batch has 1 byte to 64 MiB')
    if (batch > totalBytes) throw new ConfigError(`--batches: a batch of ${batch} bytes is more than --total`)
  }
  return {
    cluster: cluster(raw.cluster),
    rounds: countOption('--rounds', raw.rounds, 1, 1000),
    warmRounds: countOption('--warm-rounds', raw.warmRounds, 0, 1000),
    totalBytes,
    batchSizes,
    variants: variants(raw.variants),
    limits: {
      maxBytes: Math.max(1, sizeOption('--max-in-flight', raw.maxInFlight)),
      maxRequests: countOption('--max-requests', raw.maxRequests, 1, 4096),
    },
    json: raw.json,
  }
}

function cluster(text: string): ClusterOption {
  return text === 'sink' ? { kind: text } : realCluster(text, 'sink, embedded')
}

/** A cluster that keeps what is pushed. @throws ConfigError that says what else may be given */
export function realCluster(text: string, others: string): RealCluster {
  if (text === 'embedded') return { kind: text }
  try {
    parseHostPort(text)
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    throw new ConfigError(`--cluster ${text}: give ${others}, or a master's HOST:PORT`)
  }
  return { kind: 'external', masterEndpoint: text }
}

function variants(text: string | undefined): readonly Variant[] {
  if (text === undefined) return VARIANTS
  const wanted = listOption(text)
  const unknown = wanted.find((name) => !VARIANTS.some((variant) => variant === name))
  if (unknown !== undefined || wanted.length === 0) {
    throw new ConfigError(`--variants ${text}: give some of ${VARIANTS.join(',')}`)
  }
  return VARIANTS.filter((variant) => wanted.includes(variant))
}
