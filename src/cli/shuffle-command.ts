import { ConfigError } from '../errors'
import { openFileLimit } from '../fs/open-file-limit'
import { EXIT_FAILED } from './failure'
import { Interruption } from './interruption'
import { reportText } from './job/report'
import { ShuffleJob } from './job/shuffle-job'
import { type RawShuffleOptions, shuffleOptions } from './options'
import { Progress } from './progress'

/** What Node.js, the inputs and the connections to a few workers need. */
const LEAST_OPEN_FILES = 64

export async function runShuffle(inputs: readonly string[], raw: RawShuffleOptions): Promise<number> {
  const limit = openFileLimit()
  if (limit < LEAST_OPEN_FILES) {
    throw new ConfigError(
      `this process may open ${limit} files and sockets, and ${LEAST_OPEN_FILES} or more are needed: raise the limit (ulimit -n ${LEAST_OPEN_FILES})`,
    )
  }
  const options = shuffleOptions(inputs, raw)
  const typed = new Set(Object.keys(options.confEntries).map((key) => key.replace(/^spark\./, '')))
  for (const key of options.conf.unknownKeys()) {
    if (typed.has(key))
      process.stderr.write(`warning: ${key} means nothing to celeborn-node; is it spelt right?\n`)
  }
  const interruption = new Interruption()
  try {
    const report = await new ShuffleJob(options, interruption.signal, new Progress(process.stderr)).run()
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : reportText(report))
    if (report.verified) return 0
    process.stderr.write(
      `error: verification failed: ${report.problem ?? ''}; nothing was written, run again\n`,
    )
    return EXIT_FAILED
  } catch (error) {
    if (interruption.received === undefined) throw error
    process.stderr.write(`stopped by ${interruption.received}: nothing was written\n`)
    return interruption.exitStatus
  } finally {
    interruption.dispose()
  }
}
