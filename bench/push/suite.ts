import { CelebornError } from '../../src/errors'
import { type NativePrograms } from '../lib/compiler'
import { type Metric, type Row, Samples } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import { rotated } from '../lib/turns'
import { type SampleResult, type Variant } from './messages'
import { type PushOptions } from './options'
import { Sampler } from './sampler'
import { compiledTarget, PushTargetProcesses } from './target'

export const SUITE = 'push'

export const METRICS = {
  cpu: { name: 'cpu_ms', unit: 'ms' },
  wall: { name: 'wall_ms', unit: 'ms' },
  allocated: { name: 'allocated_bytes', unit: 'bytes' },
  copies: { name: 'payload_copies', unit: 'copies per batch' },
  framesAlive: { name: 'frames_alive_peak', unit: 'frames' },
  inFlight: { name: 'in_flight_peak_bytes', unit: 'bytes' },
} as const satisfies Record<string, Metric>

/** Allocations hardly vary: a few rounds tell. */
const ALLOCATION_ROUNDS = 3

export interface SuiteResult {
  readonly target: string
  readonly rows: readonly Row[]
}

/**
 * Runs the suite. Within a round the variants take turns, and which of them begins moves on from round to round, so
 * that whatever else the machine does meets all of them.
 */
export async function runPushSuite(
  options: PushOptions,
  programs: NativePrograms,
  signal: AbortSignal,
  progress: (text: string) => void,
): Promise<SuiteResult> {
  const target = await PushTargetProcesses.start(await compiledTarget(options.cluster, programs), signal)
  try {
    const sampler = new Sampler(target, programs, signal)
    const samples = new Samples(SUITE)
    const rounds = options.warmRounds + options.rounds
    for (const batchBytes of options.batchSizes) {
      const name = sizeName(batchBytes)
      const batches = Math.ceil(options.totalBytes / batchBytes)
      for (let round = 0; round < rounds; round++) {
        const warm = round < options.warmRounds
        const number = warm
          ? `warm round ${round + 1}`
          : `round ${round + 1 - options.warmRounds} of ${options.rounds}`
        for (const variant of rotated(options.variants, round)) {
          progress(`${name}, ${number}: ${variant}`)
          const take = { variant, batchBytes, batches, limits: options.limits }
          const timed = await sampler.sample({ ...take, measureAllocations: false })
          const measured =
            warm || round - options.warmRounds >= ALLOCATION_ROUNDS
              ? undefined
              : await sampler.sample({ ...take, measureAllocations: true })
          if (!warm) record(samples, { case: String(batchBytes), variant }, batches, timed, measured)
        }
      }
    }
    return { target: target.name, rows: samples.rows() }
  } finally {
    await target.stop()
  }
}

function record(
  samples: Samples,
  at: { readonly case: string; readonly variant: Variant },
  batches: number,
  timed: SampleResult,
  measured: SampleResult | undefined,
): void {
  for (const sample of [timed, measured]) {
    if (sample === undefined || sample.framesAliveEnd === 0) continue
    throw new CelebornError(
      'CELEBORN_INTERNAL',
      `${at.variant} left ${sample.framesAliveEnd} frames unreleased`,
    )
  }
  samples.add(at, METRICS.cpu, timed.cpuMs)
  samples.add(at, METRICS.wall, timed.wallMs)
  if (measured?.allocations !== undefined) {
    const { heapBytes, arrayBufferBytes, nativeBytes } = measured.allocations
    samples.add(at, METRICS.allocated, heapBytes + arrayBufferBytes + nativeBytes)
  }
  samples.add(at, METRICS.copies, timed.payloadCopies / batches)
  samples.add(at, METRICS.framesAlive, timed.framesAlivePeak)
  samples.add(at, METRICS.inFlight, timed.inFlightPeakBytes)
}
