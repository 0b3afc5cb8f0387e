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
import { type EncodeRequest, type EncodeSample, VARIANTS } from './messages'

const METRICS = {
  wall: { name: 'wall_us_per_batch', unit: 'us' },
  cpu: { name: 'cpu_us_per_batch', unit: 'us' },
  loop: { name: 'loop_us_per_batch', unit: 'us' },
  held: { name: 'held_bytes', unit: 'bytes' },
} as const satisfies Record<string, Metric>

interface RawOptions {
  readonly sizes: string
  readonly total: string
  readonly rounds: string
  readonly json?: string
}

/** Adds `encode` to the program. */
export function addEncodeCommand(program: Command, done: (status: number) => void): void {
  program
    .command('encode')
    .description(
      'What LZ4 costs a batch: on the event loop or the thread pool, its output adopted or copied.',
    )
    .option('--sizes <SIZES>', 'sizes of a batch, separated by commas', '64k,256k')
    .option('--total <SIZE>', 'bytes that each sample compresses', '256m')
    .option('--rounds <N>', 'measured rounds, each in a fresh process', '5')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .exitOverride()
    .action(async (raw: RawOptions) => done(await runEncode(raw)))
}

async function runEncode(raw: RawOptions): Promise<number> {
  const sizes = listOption(raw.sizes).map((text) => sizeOption('--sizes', text))
  const total = sizeOption('--total', raw.total)
  const rounds = countOption('--rounds', raw.rounds, 1, 1000)
  const interruption = new Interruption()
  try {
    const measuredOn = environment()
    const samples = new Samples('encode')
    for (const batchBytes of sizes) {
      const batches = Math.max(1, Math.floor(total / batchBytes))
      for (let round = 0; round < rounds; round++) {
        for (const variant of round % 2 === 0 ? VARIANTS : [...VARIANTS].reverse()) {
          showProgress(`${sizeName(batchBytes)}, round ${round + 1} of ${rounds}: ${variant}`)
          const sample = await take({ variant, batchBytes, batches, atOnce: 8 }, interruption.signal)
          const at = { case: String(batchBytes), variant }
          samples.add(at, METRICS.wall, sample.wallUs)
          samples.add(at, METRICS.cpu, sample.cpuUs)
          samples.add(at, METRICS.loop, sample.loopUs)
          samples.add(at, METRICS.held, sample.heldBytes)
        }
      }
    }
    showProgress('')
    const rows = samples.rows()
    if (raw.json !== undefined) {
      writeResult(raw.json, { environment: measuredOn, options: { sizes, total, rounds }, rows })
    }
    process.stdout.write(
      `LZ4, median of ${rounds} rounds\n${environmentLine(measuredOn)}\n\n${report(rows, sizes)}\n`,
    )
    return 0
  } catch (error) {
    if (interruption.received !== undefined) return interruption.exitStatus
    throw error
  } finally {
    interruption.dispose()
  }
}

function take(request: EncodeRequest, signal: AbortSignal): Promise<EncodeSample> {
  return askFreshProcess('the measured encoder', join(__dirname, 'encode-child.js'), request, { signal })
}

function report(rows: readonly Row[], sizes: readonly number[]): string {
  const lines = sizes.flatMap((size) =>
    VARIANTS.map((variant) => [
      `${sizeName(size)} ${variant}`,
      ...Object.values(METRICS).map((metric) => {
        const row = findRow(rows, { case: String(size), variant }, metric)
        return row === undefined ? '-' : row.median.toFixed(0)
      }),
    ]),
  )
  return formatTable([['batch, variant', 'wall us', 'CPU us', 'loop us', 'held bytes'], ...lines])
}
