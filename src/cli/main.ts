#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { ConfigError } from '../errors'
import { EXIT_FAILED, EXIT_USAGE, failureLine } from './failure'
import { createProgram, isHelp, usageProblem } from './program'
import { systemReason } from '../errors/system-reason'

/** How long the process may linger after its work before it is ended. */
const LINGER_MS = 2_000

function version(): string {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function complain(error: unknown): void {
  process.stderr.write(`error: ${failureLine(error)}\n`)
  if (process.env['CELEBORN_NODE_DEBUG'] === '1') console.error(error)
}

async function main(): Promise<number> {
  let status = 0
  const program = createProgram(
    version(),
    {
      // Loaded when needed: --help needs no native addon.
      shuffle: async (inputs, options) => (await import('./shuffle-command.js')).runShuffle(inputs, options),
      cluster: async (options) => (await import('./cluster-command.js')).runCluster(options),
    },
    (result) => {
      status = result
    },
  )
  try {
    await program.parseAsync()
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      complain(error)
      return error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED
    }
    if (isHelp(error)) return 0
    if (error.code !== 'commander.help') {
      const command = ['shuffle', 'cluster'].find((name) => name === process.argv[2])
      const help = `celeborn-node ${command === undefined ? '' : `${command} `}--help`
      process.stderr.write(`error: ${usageProblem(error)}; ${help} shows what is known\n`)
    }
    return EXIT_USAGE
  }
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    complain(error)
    process.exit(EXIT_FAILED)
  })
}
// Whoever reads our output may have had enough of it: that is said where it can be, since the work itself is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE')
    process.stderr.write(`error: cannot write the summary: ${systemReason(error)}\n`)
  process.exit(EXIT_FAILED)
})
void main().then((status) => {
  process.exitCode = status
  setTimeout(() => process.exit(status), LINGER_MS).unref()
})
