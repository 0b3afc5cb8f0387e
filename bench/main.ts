import { Command, CommanderError } from 'commander'
import { EXIT_FAILED, EXIT_USAGE, failureLine } from '../src/cli/failure'
import { ConfigError } from '../src/errors'
import { addEncodeCommand } from './encode/command'
import { addPushCommand } from './push/command'
import { addReadCommand } from './read/command'
import { addSegmentsCommand } from './segments/command'
import { addSwapCommand } from './swap/command'
import { addWritersCommand } from './writers/command'

/** Each adds one suite as a command. */
const SUITES = [
  addEncodeCommand,
  addPushCommand,
  addReadCommand,
  addSegmentsCommand,
  addSwapCommand,
  addWritersCommand,
]

async function main(): Promise<number> {
  let status = 0
  const program = new Command('bench')
    .usage('SUITE [options]')
    .description('Benchmarks of celeborn-node (npm run bench -- SUITE [options]).')
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
  for (const add of SUITES) {
    add(program, (result) => {
      status = result
    })
  }
  for (const command of program.commands) command.configureOutput({ outputError: () => undefined })
  try {
    await program.parseAsync()
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      process.stderr.write(`error: ${failureLine(error)}\n`)
      return error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED
    }
    if (error.exitCode === 0) return 0
    if (error.code !== 'commander.help') {
      const problem = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
      process.stderr.write(`error: ${problem}; npm run bench -- --help shows what is known\n`)
    }
    return EXIT_USAGE
  }
}

void main().then((status) => process.exit(status))
