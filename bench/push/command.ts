import { type Command } from 'commander'
import { Interruption } from '../../src/cli/interruption'
import { NativePrograms } from '../lib/compiler'
import { environment, environmentLine } from '../lib/environment'
import { showProgress, writeResult } from '../lib/result'
import { sizeName } from '../lib/sizes'
import { parsePushOptions, type PushOptions, type RawPushOptions } from './options'
import { formatReport } from './report'
import { runPushSuite } from './suite'

const HELP = `
Variants:
  zero-copy  pushFrame: the frame that was filled is what the socket reads
  copy       pushData: one copy into a pooled frame
  copy-2     two copies as today's Java client makes them, one of them into a fresh array for each push
  floor      C++, one sendmsg for all frames that are ready: the least that this system makes of the same bytes
  producer   nothing is pushed: acquiring, filling and releasing frames, which every variant's figures contain

Each sample runs in a fresh process, which warms up and then pushes everything three times; the last time is measured.
Server and LifecycleManager run in processes of their own. docs/benchmarks.md says how to read the figures.

Examples:
  npm run bench -- push
  npm run bench -- push --cluster embedded --rounds 3
  npm run bench -- push --cluster celeborn-1:9097 --json push.json
`

/** Adds `push` to the program. */
export function addPushCommand(program: Command, done: (status: number) => void): void {
  program
    .command('push')
    .description('What pushing costs the client: zero-copy, with copies, and at the least.')
    .option('--cluster <WHERE>', 'sink (acknowledges and discards), embedded, or a master HOST:PORT', 'sink')
    .option('--rounds <N>', 'measured rounds', '7')
    .option('--warm-rounds <N>', 'rounds before them that do not count', '1')
    .option('--total <SIZE>', 'bytes that each sample pushes', '256m')
    .option('--batches <SIZES>', 'sizes of a batch, separated by commas', '64k,1m,4m')
    .option('--variants <NAMES>', 'some of the variants, separated by commas (default: all)')
    .option('--max-in-flight <SIZE>', 'bytes in flight to the worker', '32m')
    .option('--max-requests <N>', 'pushes in flight to the worker', '32')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .addHelpText('after', HELP)
    .exitOverride()
    .action(async (raw: RawPushOptions) => done(await runPush(parsePushOptions(raw))))
}

async function runPush(options: PushOptions): Promise<number> {
  const interruption = new Interruption()
  const programs = new NativePrograms()
  try {
    const measuredOn = environment()
    const { target, rows } = await runPushSuite(options, programs, interruption.signal, showProgress)
    showProgress('')
    if (options.json !== undefined) {
      const { json, ...settings } = options
      writeResult(json, { environment: { ...measuredOn, target }, options: settings, rows })
    }
    const { maxBytes, maxRequests } = options.limits
    process.stdout.write(
      `${sizeName(options.totalBytes)} to ${target}, codec NONE, at most ${maxRequests} pushes and ` +
        `${sizeName(maxBytes)} in flight, median of ${options.rounds} rounds\n` +
        `${environmentLine(measuredOn)}\n\n${formatReport(rows)}\n`,
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
