import { type Command } from 'commander'
import { Interruption } from '../../src/cli/interruption'
import { ConfigError } from '../../src/errors'
import { environment, environmentLine } from '../lib/environment'
import { countOption, listOption, sizeOption } from '../lib/options'
import { showProgress, writeResult } from '../lib/result'
import { findRow, type Metric, type Row } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import { formatTable } from '../lib/table'
import { FILE_BYTES, METRICS, runSegmentSuite, type SegmentOptions, SMALL_BYTES } from './suite'

const HELP = `
Part 1: segments of 1 KiB are made, read and released, with a configuration that throws on a missing key and sets none.
  resolved-once  TransportConf looks both values up when it is made
  per-call       each segment and each read looks them up, as Celeborn's Java class does
Part 2: the same 256 MiB of a file in the page cache, every page touched, in segments of several sizes.
  mapped         memoryMapThreshold below the size
  read           memoryMapThreshold above it

Examples:
  npm run bench -- segments
  npm run bench -- segments --reads 1000000 --rounds 3 --json segments.json
`

interface RawOptions {
  readonly reads: string
  readonly rounds: string
  readonly warmRounds: string
  readonly sizes: string
  readonly json?: string
}

/** Adds `segments` to the program. */
export function addSegmentsCommand(program: Command, done: (status: number) => void): void {
  program
    .command('segments')
    .description('What a file segment costs: configuration resolved once or per call; mapped or read.')
    .option('--reads <N>', 'segment reads of a sample of part 1', '100000')
    .option('--rounds <N>', 'measured rounds', '7')
    .option('--warm-rounds <N>', 'rounds before them that do not count', '1')
    .option('--sizes <SIZES>', 'segment sizes of part 2, separated by commas', '64k,256k,1m,2m,8m,64m')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .addHelpText('after', HELP)
    .exitOverride()
    .action(async (raw: RawOptions) => done(await run(parse(raw), raw.json)))
}

/** @throws ConfigError that names the option */
function parse(raw: RawOptions): SegmentOptions {
  const sizes = listOption(raw.sizes).map((text) => sizeOption('--sizes', text))
  if (sizes.length === 0 || sizes.some((bytes) => bytes < 1 || bytes > FILE_BYTES)) {
    throw new ConfigError(`--sizes ${raw.sizes}: give sizes from 1 byte to 64m, such as 64k or 8m`)
  }
  return {
    reads: countOption('--reads', raw.reads, 1, 100_000_000),
    rounds: countOption('--rounds', raw.rounds, 1, 1000),
    warmRounds: countOption('--warm-rounds', raw.warmRounds, 0, 1000),
    sizes,
  }
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

function report({ reads, sizes }: SegmentOptions, rows: readonly Row[]): string {
  const row = (name: number, variant: string, metric: Metric): Row | undefined =>
    findRow(rows, { case: String(name), variant }, metric)
  const ranged = (found: Row | undefined): string =>
    found === undefined ? '-' : `${found.median.toFixed(0)} (${found.min.toFixed(0)}-${found.max.toFixed(0)})`
  const ratio = (a: Row | undefined, b: Row | undefined): string =>
    a === undefined || b === undefined ? '-' : (a.median / b.median).toFixed(2)
  const first = [
    ['variant', 'conf look-ups', 'ns per read (min-max)'],
    ...['resolved-once', 'per-call'].map((variant) => [
      variant,
      String(row(SMALL_BYTES, variant, METRICS.lookups)?.median ?? '-'),
      ranged(row(SMALL_BYTES, variant, METRICS.nsPerRead)),
    ]),
  ]
  const second = [
    [
      'segment',
      'mapped CPU us/MiB',
      'read CPU us/MiB',
      'mapped/read',
      'mapped wall us/MiB',
      'read wall us/MiB',
    ],
    ...sizes.map((bytes) => {
      const [mapped, read] = [row(bytes, 'mapped', METRICS.cpuPerMib), row(bytes, 'read', METRICS.cpuPerMib)]
      return [
        sizeName(bytes),
        ranged(mapped),
        ranged(read),
        ratio(mapped, read),
        ranged(row(bytes, 'mapped', METRICS.wallPerMib)),
        ranged(row(bytes, 'read', METRICS.wallPerMib)),
      ]
    }),
  ]
  return `${reads} reads of segments of ${sizeName(SMALL_BYTES)}\n${formatTable(first)}\n\n256 MiB, mapped against read\n${formatTable(second)}`
}
