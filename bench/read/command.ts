import { type Command } from 'commander'
import { Interruption } from '../../src/cli/interruption'
import { CelebornError } from '../../src/errors'
import { environment, environmentLine } from '../lib/environment'
import { CelebornJava } from '../lib/java'
import { showProgress, writeResult } from '../lib/result'
import { type Row } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import { PushTargetProcesses } from '../push/target'
import { JAVA } from './messages'
import { parseReadOptions, type RawReadOptions, type ReadCommandOptions } from './options'
import { formatReport } from './report'
import { ReadSampler } from './sampler'
import { runReadSuite } from './suite'
import { BATCH_BYTES } from './tally'

const HELP = `
Variants:
  ours        readPartition, iterated batch by batch
  ours-local  as ours, the worker's files read on this host (celeborn.client.readLocalShuffleFile.enabled)
  java-0.5.4  Celeborn's own client for Spark 3: readPartition, its stream read into one array again and again
  floor       chunks fetched by this package's network layer and not looked into

Each sample runs in a fresh process, which reads everything --warm times, checks every byte the first time, and then
measures. Worker, LifecycleManager and writer are processes of their own. The Java client needs JDK 17 and Maven, which
brings it from Maven Central, once; without them it is left out. docs/benchmarks.md says how to read the figures.

Examples:
  npm run bench -- read
  npm run bench -- read --bytes 256m --rounds 3 --codecs LZ4 --variants ours,java-0.5.4
  npm run bench -- read --cluster celeborn-1:9097 --json read.json
`

/** Adds `read` to the program. */
export function addReadCommand(program: Command, done: (status: number) => void): void {
  program
    .command('read')
    .description("What reading a shuffle back costs, beside Celeborn's Java client.")
    .option('--cluster <WHERE>', 'embedded, or a master HOST:PORT', 'embedded')
    .option('--bytes <SIZE>', 'bytes of the shuffle, before they are compressed', '1g')
    .option('--partitions <N>', 'partitions they are in', '16')
    .option('--codecs <NAMES>', 'some of NONE, LZ4 and ZSTD, separated by commas', 'NONE,LZ4')
    .option('--variants <NAMES>', 'some of the variants, separated by commas (default: all)')
    .option('--rounds <N>', 'measured rounds', '5')
    .option('--warm <N>', 'how often a sample reads everything before it measures', '6')
    .option('--read-buffer <SIZE>', "array that the Java client's stream is read into", '64k')
    .option('--java-heap <SIZE>', "most that the Java client's heap may take", '1g')
    .option('--json <FILE>', 'write the rows as JSON, too')
    .addHelpText('after', HELP)
    .exitOverride()
    .action(async (raw: RawReadOptions) => done(await run(parseReadOptions(raw))))
}

async function run(options: ReadCommandOptions): Promise<number> {
  const interruption = new Interruption()
  const { signal } = interruption
  let java: CelebornJava | null = null
  try {
    const measuredOn = environment()
    const prepared = await prepareJava(options, signal)
    java = prepared.java
    const variants = options.variants.filter((variant) => prepared.java !== null || variant !== JAVA)
    const target = await PushTargetProcesses.start(options.cluster, signal)
    let rows: readonly Row[]
    try {
      rows = await runReadSuite(
        { ...options, variants },
        new ReadSampler(target, java, options, signal),
        showProgress,
      )
    } finally {
      await target.stop()
    }
    showProgress('')
    if (options.json !== undefined) {
      const { json, ...settings } = options
      writeResult(json, {
        environment: { ...measuredOn, target: target.name },
        options: { ...settings, variants },
        rows,
      })
    }
    process.stdout.write(
      `${head(options, target.name)}\n${environmentLine(measuredOn)}\n${prepared.leftOut}\n${formatReport(rows)}\n`,
    )
    return 0
  } catch (error) {
    if (interruption.received !== undefined) return interruption.exitStatus
    throw error
  } finally {
    java?.remove()
    interruption.dispose()
  }
}

/** The Java client, or why it is left out. @throws CelebornError when it was asked for by name */
async function prepareJava(
  options: ReadCommandOptions,
  signal: AbortSignal,
): Promise<{ readonly java: CelebornJava | null; readonly leftOut: string }> {
  if (!options.variants.includes(JAVA)) return { java: null, leftOut: '' }
  showProgress('the Java client')
  const java = await CelebornJava.prepare('ReadPartitions', signal)
  if (java instanceof CelebornJava) return { java, leftOut: '' }
  const reason = `not installed: ${java.join(', ')}`
  if (options.variantsGiven) throw new CelebornError('CELEBORN_IO', `${JAVA}: ${reason}`)
  return { java: null, leftOut: `LEFT OUT: ${JAVA} (${reason})\n` }
}

function head(options: ReadCommandOptions, target: string): string {
  const { partitions, batches, rounds } = options
  const bytes = partitions * batches * BATCH_BYTES
  return (
    `${sizeName(bytes)} of ${partitions} partitions in batches of ${sizeName(BATCH_BYTES)} from ${target}, ` +
    `median of ${rounds} rounds`
  )
}
