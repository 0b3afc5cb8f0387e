import { join } from 'node:path'
import { CelebornError } from '../../src/errors'
import { permutationTest } from '../lib/permutation'
import { askFreshProcess } from '../lib/processes'
import { type Metric, type Row, Samples } from '../lib/rows'
import { type Limits } from '../push/messages'
import { type PushTargetProcesses } from '../push/target'
import {
  HAND_OVERS,
  type HandOver,
  type IterationResult,
  type WriterKind,
  type WritersRequest,
} from './messages'

export const METRICS = {
  cpu: { name: 'cpu_ms', unit: 'ms' },
  wall: { name: 'wall_ms', unit: 'ms' },
  shuffle: { name: 'shuffle_bytes', unit: 'bytes' },
  cpuP: { name: 'cpu_p', unit: 'p' },
  wallP: { name: 'wall_p', unit: 'p' },
  taskWait: { name: 'task_wait_ms', unit: 'ms' },
  peak: { name: 'peak_bytes', unit: 'bytes' },
} as const satisfies Record<string, Metric>

export const CASES = ['hash-lz4', 'sort-lz4', 'hash-none', 'sort-none'] as const
export type WritersCase = (typeof CASES)[number]

export interface WritersOptions {
  readonly cases: readonly WritersCase[]
  readonly rows: number
  readonly partitions: number
  readonly submissions: number
  readonly warmIterations: number
  readonly iterations: number
  readonly memoryPartitions: readonly number[]
  readonly memoryRows: number
  readonly limits: Limits
}

/** Takes samples, each in a fresh process, and shuffles that nobody has used. */
class Sampler {
  #shuffleId = 0

  constructor(
    private readonly target: PushTargetProcesses,
    private readonly limits: Limits,
    private readonly signal: AbortSignal,
  ) {}

  async take(
    of: Pick<
      WritersRequest,
      'kind' | 'codec' | 'handOver' | 'rows' | 'partitions' | 'warmIterations' | 'iterations'
    >,
  ): Promise<IterationResult[]> {
    const firstShuffleId = this.#shuffleId
    const shuffles = of.warmIterations + of.iterations
    this.#shuffleId += shuffles
    const { appId, lifecycleManager } = this.target
    try {
      const request: WritersRequest = { ...of, appId, lifecycleManager, firstShuffleId, limits: this.limits }
      const child = join(__dirname, 'writers-child.js')
      const { signal } = this
      return await this.target.guarded(askFreshProcess('the measured writer', child, request, { signal }))
    } finally {
      for (let i = 0; i < shuffles; i++) await this.target.unregister(firstShuffleId + i)
    }
  }
}

/**
 * The repartition, swap against copy in alternating order, and the memory of both writers by the number of partitions. Every
 * iteration of a case must have sent the same number of bytes.
 */
export async function runWritersSuite(
  options: WritersOptions,
  target: PushTargetProcesses,
  signal: AbortSignal,
  progress: (text: string) => void,
): Promise<Row[]> {
  const samples = new Samples('writers')
  const sampler = new Sampler(target, options.limits, signal)
  for (const name of options.cases) await repartition(name, options, sampler, samples, progress)
  for (const partitions of options.memoryPartitions) {
    for (const kind of ['HASH', 'SORT'] as const) {
      progress(`memory, ${partitions} partitions: ${kind}`)
      const { memoryRows: rows } = options
      const shape = { rows, partitions, warmIterations: 0, iterations: 1 }
      const [result] = await sampler.take({ kind, codec: 'NONE', handOver: 'swap', ...shape })
      const at = { case: `memory-${partitions}`, variant: kind.toLowerCase() }
      if (result !== undefined) samples.add(at, METRICS.peak, result.peakBytes)
    }
  }
  return samples.rows()
}

async function repartition(
  name: WritersCase,
  options: WritersOptions,
  sampler: Sampler,
  samples: Samples,
  progress: (text: string) => void,
): Promise<void> {
  const kind: WriterKind = name.startsWith('hash') ? 'HASH' : 'SORT'
  const codec = name.endsWith('lz4') ? 'LZ4' : 'NONE'
  const { rows, partitions, warmIterations, iterations, submissions } = options
  const results: Record<HandOver, IterationResult[]> = { swap: [], copy: [] }
  for (let i = 0; i < submissions; i++) {
    for (const handOver of i % 2 === 0 ? HAND_OVERS : [...HAND_OVERS].reverse()) {
      progress(`${name}, submission ${i + 1} of ${submissions}: ${handOver}`)
      const taken = await sampler.take({
        kind,
        codec,
        handOver,
        rows,
        partitions,
        warmIterations,
        iterations,
      })
      results[handOver].push(...taken)
    }
  }
  sameBytes(name, [...results.swap, ...results.copy])
  for (const variant of HAND_OVERS) {
    for (const result of results[variant]) {
      const at = { case: name, variant }
      samples.add(at, METRICS.cpu, result.cpuMs)
      samples.add(at, METRICS.wall, result.wallMs)
      samples.add(at, METRICS.shuffle, result.shuffleBytes)
      samples.add(at, METRICS.taskWait, result.taskWaitMs)
      samples.add(at, METRICS.peak, result.peakBytes)
    }
  }
  const p = (of: (result: IterationResult) => number): number =>
    permutationTest(results.swap.map(of), results.copy.map(of))
  samples.add(
    { case: name, variant: 'swap' },
    METRICS.cpuP,
    p(({ cpuMs }) => cpuMs),
  )
  samples.add(
    { case: name, variant: 'swap' },
    METRICS.wallP,
    p(({ wallMs }) => wallMs),
  )
}

/** @throws CelebornError unless all sent the same */
function sameBytes(name: string, results: readonly IterationResult[]): void {
  const sizes = new Set(results.map(({ rawBytes, shuffleBytes }) => `${rawBytes} -> ${shuffleBytes}`))
  if (sizes.size === 1) return
  throw new CelebornError(
    'CELEBORN_INTERNAL',
    `${name}: the iterations did not send the same bytes: ${[...sizes].join(', ')}`,
  )
}
