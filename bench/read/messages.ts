/** How the data is read back; see docs/benchmarks.md. */
export const VARIANTS = ['ours', 'ours-local', 'java-0.5.4', 'floor'] as const
export type Variant = (typeof VARIANTS)[number]
/** Celeborn's own client, with which the others are compared. */
export const JAVA = 'java-0.5.4' satisfies Variant
export type NodeVariant = Exclude<Variant, typeof JAVA>

export const CODECS = ['NONE', 'LZ4', 'ZSTD'] as const
export type ReadCodec = (typeof CODECS)[number]

/** Of the writer, and of every reader in either language. Everything else is as both clients have it by default. */
export function clientConf(codec: ReadCodec, readLocal: boolean): Readonly<Record<string, string>> {
  return {
    'celeborn.client.shuffle.compression.codec': codec,
    'celeborn.client.readLocalShuffleFile.enabled': String(readLocal),
  }
}

export interface Shuffle {
  readonly appId: string
  readonly shuffleId: number
  readonly codec: ReadCodec
  readonly partitions: number
  readonly lifecycleManager: { readonly host: string; readonly port: number }
}

export interface WriteRequest extends Shuffle {
  /** Of each partition. */
  readonly batches: number
}

/** What was written, and what therefore must be read. */
export interface Written {
  readonly bytes: number
  /** As {@link import('./tally').Tally} counts. */
  readonly sum: number
  /** As {@link import('./tally').Checksum} does. */
  readonly checksum: number
}

/** One sample, as asked of a fresh process. */
export interface ReadRequest extends Shuffle {
  readonly variant: NodeVariant
  /** How often everything is read before the time that is measured; the first of them checks every byte. */
  readonly warmRuns: number
}

export interface SampleResult {
  /** Of the measured run. */
  readonly bytes: number
  readonly sum: number
  readonly wallMs: number
  /** User and system time of the whole process. */
  readonly cpuMs: number
  /** Of the first run. */
  readonly checksum: number
  /** Chunks of the measured run, as they came; Java does not tell. */
  readonly fetchedBytes?: number
  /** Since the process began; 0 where the system does not tell. */
  readonly peakRssBytes: number
}
