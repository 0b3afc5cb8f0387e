import { join } from 'node:path'
import { type Command } from 'commander'
import { Interruption } from '../../src/cli/interruption'
import { environment, environmentLine } from '../lib/environment'
import { countOption, listOption, sizeOption } from '../lib/options'
import { askFreshProcess } from '../lib/processes'
import { showProgress, writeResult } from '../lib/result'
import { findRow, type Metric, type Row, Samples } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import { formatTable } from '../lib/table'
import { type SwapRequest, type SwapSample, VARIANTS } from './messages'

const METRIC: Metric = { name: 'us_per_buffer', unit: 'us' }

interface RawOptions {
  readonly sizes: string
  readonly buffers: string
  readonly rounds: string
  readonly json?: string
}

/** Adds `swap` to the program. */
export function addSwapCommand(program: Command, done: (status: number) => void): void {
  program
    .command('swap')
    .description('What handing one full buffer to the pusher costs: copied, and swapped.')
    .option('--sizes <SIZES>', 'sizes of a buffer, separated by commas', '64k,256k')
    .option('--buffers <N>', 'buffers that each sample hands over', '20000')
    .option('--rounds <N>', 'measured rounds, each in a fresh process', '9')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .exitOverride()
    .action(async (raw: RawOptions) => done(await runSwap(raw)))
}

async function runSwap(raw: RawOptions): Promise<number> {
  const sizes = listOption(raw.sizes).map((text) => sizeOption('--sizes', text))
  const buffers = countOption('--buffers', raw.buffers, 1, 10_000_000)
  const rounds = countOption('--rounds', raw.rounds, 1, 1000)
  const interruption = new Interruption()
  try {
    const measuredOn = environment()
    const samples = new Samples('swap')
    for (const bufferBytes of sizes) {
      for (let round = 0; round < rounds; round++) {
        // The variant that begins changes from round to round.
        for (const variant of round % 2 === 0 ? VARIANTS : [...VARIANTS].reverse()) {
          showProgress(`${sizeName(bufferBytes)}, round ${round + 1} of ${rounds}: ${variant}`)
          const { usPerBuffer } = await take({ variant, bufferBytes, buffers }, interruption.signal)
          samples.add({ case: String(bufferBytes), variant }, METRIC, usPerBuffer)
        }
      }
    }
    showProgress('')
    const rows = samples.rows()
    if (raw.json !== undefined) {
      writeResult(raw.json, { environment: measuredOn, options: { sizes, buffers, rounds }, rows })
    }
    process.stdout.write(
      `one full buffer to the pusher, push side a no-op, median of ${rounds} rounds of ${buffers}\n` +
        `${environmentLine(measuredOn)}\n\n${report(rows, sizes)}\n`,
    )
    return 0
  } catch (error) {
    if (interruption.received !== undefined) return interruption.exitStatus
    throw error
  } finally {
    interruption.dispose()
  }
}

function take(request: SwapRequest, signal: AbortSignal): Promise<SwapSample> {
  return askFreshProcess('the measured writer', join(__dirname, 'swap-child.js'), request, { signal })
}

function report(rows: readonly Row[], sizes: readonly number[]): string {
  const lines = sizes.map((size) => {
    const [copy, swap] = VARIANTS.map((variant) => findRow(rows, { case: String(size), variant }, METRIC))
    const ratio = copy === undefined || swap === undefined ? '-' : (copy.median / swap.median).toFixed(1)
    return [sizeName(size), figure(copy), figure(swap), ratio]
  })
  return formatTable([['buffer', 'copy us (min-max)', 'swap us (min-max)', 'copy/swap'], ...lines])
}

function figure(row: Row | undefined): string {
  return row === undefined ? '-' : `${row.median.toFixed(2)} (${row.min.toFixed(2)}-${row.max.toFixed(2)})`
}
