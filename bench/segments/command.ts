import { type Command } from 'commander'
import { Interruption } from '../../src/cli/interruption'
import { ConfigError } from '../../src/errors'
import { environment, environmentLine } from '../lib/environment'
import { countOption, listOption, sizeOption } from '../lib/options'
import { showProgress, writeResult } from '../lib/result'
import { findRow, type Metric, type Row } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import { formatTable } from '../lib/table'
import { METRICS } from './metrics'
import { SERVE_VARIANTS, serveCase } from './serving'
import { FILE_BYTES, runSegmentSuite, type SegmentOptions, SMALL_BYTES } from './suite'

const HELP = `
Part 1: segments of 1 KiB are made, read and released, with a configuration that throws on a missing key and sets none.
  resolved-once  TransportConf looks both values up when it is made
  per-call       each segment and each read looks them up, as Celeborn's Java class does
Part 2: the same 256 MiB of a file in the page cache, every page touched, in segments of several sizes.
  mapped         memoryMapThreshold below the size
  read           memoryMapThreshold above it
Part 3: the embedded worker, a process of its own, serves a committed file in the page cache as chunks of several
sizes to a reader, another process, that discards them. Processor time is the worker's.
  mapped, read   as in part 2
  floor          a C++ program that has the kernel send the file (sendfile; Linux only)

Examples:
  npm run bench -- segments
  npm run bench -- segments --reads 1000000 --rounds 3 --json segments.json
`

interface RawOptions {
  readonly reads: string
  readonly rounds: string
  readonly warmRounds: string
  readonly sizes: string
  readonly serveSizes: string
  readonly serveTotal: string
  readonly json?: string
}

/** Adds `segments` to the program. */
export function addSegmentsCommand(program: Command, done: (status: number) => void): void {
  program
    .command('segments')
    .description(
      'What a file segment costs: configuration resolved once or per call; mapped or read; served.',
    )
    .option('--reads <N>', 'segment reads of a sample of part 1 (0: none)', '100000')
    .option('--rounds <N>', 'measured rounds', '7')
    .option('--warm-rounds <N>', 'rounds before them that do not count', '1')
    .option(
      '--sizes <SIZES>',
      'segment sizes of part 2, separated by commas (empty: none)',
      '64k,256k,1m,2m,8m,64m',
    )
    .option('--serve-sizes <SIZES>', 'chunk sizes of part 3 (empty: none)', '256k,1m,2m,8m,64m')
    .option('--serve-total <SIZE>', 'bytes of the file of part 3', '256m')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .addHelpText('after', HELP)
    .exitOverride()
    .action(async (raw: RawOptions) => done(await run(parse(raw), raw.json)))
}

/** @throws ConfigError that names the option */
function parse(raw: RawOptions): SegmentOptions {
  const servedBytes = sizeOption('--serve-total', raw.serveTotal)
  return {
    reads: countOption('--reads', raw.reads, 0, 100_000_000),
    rounds: countOption('--rounds', raw.rounds, 1, 1000),
    warmRounds: countOption('--warm-rounds', raw.warmRounds, 0, 1000),
    sizes: sizesOption('--sizes', raw.sizes, 'sizes from 1 byte', (bytes) => bytes >= 1),
    servedBytes,
    // Chunks of one size make up the whole file.
    serveSizes: sizesOption(
      '--serve-sizes',
      raw.serveSizes,
      `parts of --serve-total ${raw.serveTotal}, from 64k`,
      (bytes) => bytes >= 65_536 && servedBytes % bytes === 0,
    ),
  }
}

function sizesOption(option: string, text: string, kind: string, fits: (bytes: number) => boolean): number[] {
  const sizes = listOption(text).map((item) => sizeOption(option, item))
  if (sizes.every((bytes) => bytes <= FILE_BYTES && fits(bytes))) return sizes
  throw new ConfigError(`${option} ${text}: give ${kind} to 64m, such as 64k or 8m`)
}

async function run(options: SegmentOptions, json: string | undefined): Promise<number> {
  const interruption = new Interruption()
  try {
    const measuredOn = environment()
    const rows = await runSegmentSuite(options, interruption.signal, showProgress)
    showProgress('')
    if (json !== undefined) writeResult(json, { environment: measuredOn, options, rows })
    process.stdout.write(
      `${environmentLine(measuredOn)}\nmedian of ${options.rounds} rounds\n\n${report(options, rows)}\n`,
    )
    return 0
  } catch (error) {
    if (interruption.received !== undefined) return interruption.exitStatus
    throw error
  } finally {
    interruption.dispose()
  }
}

function report({ reads, sizes, serveSizes, servedBytes }: SegmentOptions, rows: readonly Row[]): string {
  const parts: string[] = []
  if (reads > 0)
    parts.push(`${reads} reads of segments of ${sizeName(SMALL_BYTES)}\n${formatTable(resolved(rows))}`)
  if (sizes.length > 0) {
    const cases = sizes.map((bytes) => [sizeName(bytes), String(bytes)] as const)
    parts.push(`256 MiB, mapped against read\n${formatTable(perMib(rows, cases, ['mapped', 'read']))}`)
  }
  if (serveSizes.length > 0) {
    const cases = serveSizes.map((bytes) => [sizeName(bytes), serveCase(bytes)] as const)
    parts.push(`${sizeName(servedBytes)}, served\n${formatTable(perMib(rows, cases, SERVE_VARIANTS))}`)
  }
  return parts.join('\n\n')
}

function resolved(rows: readonly Row[]): string[][] {
  const row = (variant: string, metric: Metric): Row | undefined =>
    findRow(rows, { case: String(SMALL_BYTES), variant }, metric)
  return [
    ['variant', 'conf look-ups', 'ns per read (min-max)'],
    ...['resolved-once', 'per-call'].map((variant) => [
      variant,
      String(row(variant, METRICS.lookups)?.median ?? '-'),
      ranged(row(variant, METRICS.nsPerRead)),
    ]),
  ]
}

/** A line for each case: processor and wall time of each variant, and what mapping costs against reading. */
function perMib(
  rows: readonly Row[],
  cases: readonly (readonly [name: string, key: string])[],
  variants: readonly string[],
): string[][] {
  return [
    [
      'size',
      ...variants.map((variant) => `${variant} CPU us/MiB`),
      'mapped/read',
      ...variants.map((variant) => `${variant} wall us/MiB`),
      'mapped/read',
    ],
    ...cases.map(([name, key]) => {
      const row = (variant: string, metric: Metric): Row | undefined =>
        findRow(rows, { case: key, variant }, metric)
      const columns = (metric: Metric): string[] => [
        ...variants.map((variant) => ranged(row(variant, metric))),
        ratio(row('mapped', metric), row('read', metric)),
      ]
      return [name, ...columns(METRICS.cpuPerMib), ...columns(METRICS.wallPerMib)]
    }),
  ]
}

function ranged(found: Row | undefined): string {
  return found === undefined
    ? '-'
    : `${found.median.toFixed(0)} (${found.min.toFixed(0)}-${found.max.toFixed(0)})`
}

function ratio(a: Row | undefined, b: Row | undefined): string {
  return a === undefined || b === undefined ? '-' : (a.median / b.median).toFixed(2)
}
