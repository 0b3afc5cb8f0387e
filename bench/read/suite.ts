import { type Metric, type Row, Samples } from '../lib/rows'
import { rotated } from '../lib/turns'
import { JAVA, type ReadCodec, type SampleResult, type Variant } from './messages'
import { type ReadSampler } from './sampler'

export const METRICS = {
  cpu: { name: 'cpu_ms', unit: 'ms' },
  wall: { name: 'wall_ms', unit: 'ms' },
  cpuRatio: { name: 'cpu_to_java', unit: 'ratio' },
  wallRatio: { name: 'wall_to_java', unit: 'ratio' },
  rss: { name: 'peak_rss_mib', unit: 'MiB' },
  fetched: { name: 'fetched_bytes', unit: 'bytes' },
} as const satisfies Record<string, Metric>

export interface ReadOptions {
  readonly codecs: readonly ReadCodec[]
  readonly variants: readonly Variant[]
  readonly rounds: number
}

/**
 * Reads a shuffle of each codec. Within a round the variants take turns, and which of them begins moves on from round to
 * round; ratios are of the samples of one round.
 */
export async function runReadSuite(
  { codecs, variants, rounds }: ReadOptions,
  sampler: ReadSampler,
  progress: (text: string) => void,
): Promise<Row[]> {
  const samples = new Samples('read')
  for (const codec of codecs) {
    progress(`${codec}: writing`)
    const { shuffle, written } = await sampler.write(codec)
    for (let round = 0; round < rounds; round++) {
      const taken = new Map<Variant, SampleResult>()
      for (const variant of rotated(variants, round)) {
        progress(`${codec}, round ${round + 1} of ${rounds}: ${variant}`)
        taken.set(variant, await sampler.read(variant, shuffle, written))
      }
      for (const variant of variants) record(samples, codec, variant, taken)
    }
    await sampler.forget(shuffle)
  }
  return samples.rows()
}

function record(
  samples: Samples,
  codec: ReadCodec,
  variant: Variant,
  taken: ReadonlyMap<Variant, SampleResult>,
): void {
  const sample = taken.get(variant)
  const java = taken.get(JAVA)
  if (sample === undefined) return
  const at = { case: codec, variant }
  samples.add(at, METRICS.cpu, sample.cpuMs)
  samples.add(at, METRICS.wall, sample.wallMs)
  if (java !== undefined) {
    samples.add(at, METRICS.cpuRatio, sample.cpuMs / java.cpuMs)
    samples.add(at, METRICS.wallRatio, sample.wallMs / java.wallMs)
  }
  if (sample.peakRssBytes > 0) samples.add(at, METRICS.rss, sample.peakRssBytes / 1024 ** 2)
  if (sample.fetchedBytes !== undefined) samples.add(at, METRICS.fetched, sample.fetchedBytes)
}
