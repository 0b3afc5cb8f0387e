import { type Command } from 'commander'
import { Interruption } from '../../src/cli/interruption'
import { ConfigError } from '../../src/errors'
import { NativePrograms } from '../lib/compiler'
import { environment, environmentLine } from '../lib/environment'
import { countOption, listOption, sizeOption } from '../lib/options'
import { showProgress, writeResult } from '../lib/result'
import { findRow, type Metric, type Row } from '../lib/rows'
import { inMib } from '../lib/sizes'
import { formatTable } from '../lib/table'
import { compiledTarget, PushTargetProcesses } from '../push/target'
import { CASES, METRICS, runWritersSuite, type WritersCase, type WritersOptions } from './suite'

interface RawOptions {
  readonly cluster: string
  readonly cases: string
  readonly rows: string
  readonly partitions: string
  readonly submissions: string
  readonly iterations: string
  readonly warmIterations: string
  readonly memory: string
  readonly memoryRows: string
  readonly maxInFlight: string
  readonly json?: string
}

/** Adds `writers` to the program. */
export function addWritersCommand(program: Command, done: (status: number) => void): void {
  program
    .command('writers')
    .description('A repartition by the hash and the sort writer, swap against copy; memory by partitions.')
    .option('--cluster <WHERE>', 'sink (acknowledges and discards) or embedded', 'sink')
    .option(
      '--cases <NAMES>',
      `some of ${CASES.join(', ')}, separated by commas`,
      'hash-lz4,sort-lz4,hash-none',
    )
    .option('--rows <N>', 'rows of 130 bytes', '10000000')
    .option('--partitions <N>', 'partitions', '400')
    .option('--submissions <N>', 'fresh processes for each side', '5')
    .option('--iterations <N>', 'measured iterations of each', '2')
    .option('--warm-iterations <N>', 'iterations before them that do not count', '1')
    .option('--memory <COUNTS>', 'partitions for which memory is measured (empty: none)', '10,1000,100000')
    .option('--memory-rows <N>', 'rows for it', '2000000')
    .option('--max-in-flight <SIZE>', 'bytes in flight to the worker', '32m')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .exitOverride()
    .action(async (raw: RawOptions) => done(await runWriters(raw)))
}

function parse(raw: RawOptions): WritersOptions {
  const cases = listOption(raw.cases)
  const unknown = cases.find((name) => !CASES.some((known) => known === name))
  if (unknown !== undefined) throw new ConfigError(`--cases ${raw.cases}: give some of ${CASES.join(',')}`)
  if (raw.cluster !== 'sink' && raw.cluster !== 'embedded') {
    throw new ConfigError(`--cluster ${raw.cluster}: give sink or embedded`)
  }
  return {
    cases: cases as WritersCase[],
    rows: countOption('--rows', raw.rows, 1, 1e9),
    partitions: countOption('--partitions', raw.partitions, 1, 1e6),
    submissions: countOption('--submissions', raw.submissions, 1, 1000),
    iterations: countOption('--iterations', raw.iterations, 1, 1000),
    warmIterations: countOption('--warm-iterations', raw.warmIterations, 0, 1000),
    memoryPartitions: listOption(raw.memory).map((text) => countOption('--memory', text, 1, 1e6)),
    memoryRows: countOption('--memory-rows', raw.memoryRows, 1, 1e9),
    limits: { maxBytes: Math.max(1, sizeOption('--max-in-flight', raw.maxInFlight)), maxRequests: 32 },
  }
}

async function runWriters(raw: RawOptions): Promise<number> {
  const options = parse(raw)
  const interruption = new Interruption()
  const programs = new NativePrograms()
  try {
    const measuredOn = environment()
    const kind = raw.cluster === 'embedded' ? 'embedded' : 'sink'
    const where = await compiledTarget({ kind }, programs)
    const target = await PushTargetProcesses.start(where, interruption.signal)
    let rows: readonly Row[]
    try {
      rows = await runWritersSuite(options, target, interruption.signal, showProgress)
    } finally {
      await target.stop()
    }
    showProgress('')
    if (raw.json !== undefined) writeResult(raw.json, { environment: measuredOn, options, rows })
    process.stdout.write(
      `${options.rows} rows of 130 bytes into ${options.partitions} partitions to ${raw.cluster}, ` +
        `${options.submissions} submissions x ${options.iterations} iterations a side, medians\n` +
        `${environmentLine(measuredOn)}\n\n${report(rows, options)}\n`,
    )
    return 0
  } catch (error) {
    if (interruption.received !== undefined) return interruption.exitStatus
    throw error
  } finally {
    programs.remove()
    interruption.dispose()
  }
}

function report(rows: readonly Row[], options: WritersOptions): string {
  const median = (name: string, variant: string, metric: Metric): number =>
    findRow(rows, { case: name, variant }, metric)?.median ?? Number.NaN
  const change = (name: string, metric: Metric, p: Metric): string => {
    const copy = median(name, 'copy', metric)
    const swap = median(name, 'swap', metric)
    const percent = (((swap - copy) / copy) * 100).toFixed(1)
    return `${copy.toFixed(0)} -> ${swap.toFixed(0)} (${percent} %, ${probability(median(name, 'swap', p))})`
  }
  const repartition = formatTable([
    ['writer, codec', 'shuffle MiB', 'CPU ms copy -> swap', 'wall ms copy -> swap'],
    ...options.cases.map((name) => [
      name,
      inMib(median(name, 'swap', METRICS.shuffle)),
      change(name, METRICS.cpu, METRICS.cpuP),
      change(name, METRICS.wall, METRICS.wallP),
    ]),
  ])
  const memory = formatTable([
    ['partitions', 'hash MiB', 'sort MiB'],
    ...options.memoryPartitions.map((count) => [
      String(count),
      ...['hash', 'sort'].map((variant) => inMib(median(`memory-${count}`, variant, METRICS.peak))),
    ]),
  ])
  return [
    ...(options.cases.length > 0 ? [repartition] : []),
    ...(options.memoryPartitions.length > 0 ? [memory] : []),
  ].join('\n\n')
}

function probability(p: number): string {
  return p < 0.001 ? 'p<0.001' : `p=${p.toFixed(3)}`
}
