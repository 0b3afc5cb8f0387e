import { Command, type CommanderError } from 'commander'
import { type RawShuffleOptions } from './options'

export interface RawClusterOptions {
  readonly workers?: string
  readonly dir?: string
  readonly host?: string
  readonly port?: string
  readonly conf?: readonly string[]
}

/** What a command does; the status it returns becomes the program's. */
export interface Commands {
  shuffle(inputs: readonly string[], options: RawShuffleOptions): Promise<number>
  cluster(options: RawClusterOptions): Promise<number>
}

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value]

/** The command line. Parsing throws {@link CommanderError}: for mistakes, and also after --help and --version. */
export function createProgram(version: string, commands: Commands, done: (status: number) => void): Command {
  const program = new Command('celeborn-node')
    .description('Shuffles data through Apache Celeborn from Node.js, straight from native memory.')
    .version(version)
    .exitOverride()
    .configureHelp({ helpWidth: 100 })
    .configureOutput({ outputError: () => undefined })

  program
    .command('shuffle')
    .description(
      'Repartition text records by the hash of their key, and prove that every one of them arrived.',
    )
    .argument('[INPUT...]', 'files of records; a record is a line (csv: a row)')
    .requiredOption('--key <KEY>', 'what of a record decides its partition: line, csv:N or json:FIELD')
    .requiredOption('--partitions <N>', 'number of partitions')
    .option('--tasks <N>', 'number of map tasks (default: 4)')
    .option('--header', 'csv: the first row of every file names the columns and is left out')
    .option('--files-from <FILE>', 'read names of more inputs from FILE, one a line (- is standard input)')
    .option('--master <HOST:PORT,...>', 'masters of a Celeborn cluster (default: an embedded cluster)')
    .option('--out <DIR>', 'write the partitions to DIR/part-00000 ... (default: only verify them)')
    .option('--max-in-flight <SIZE>', 'bytes in flight at most, such as 32m (default: 64m)')
    .option('--conf <KEY=VALUE>', 'set a celeborn.* key; can be repeated', collect)
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', SHUFFLE_HELP)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .action(async (inputs: string[], options: RawShuffleOptions) =>
      done(await commands.shuffle(inputs, options)),
    )

  program
    .command('cluster')
    .description('Run an embedded cluster (one master, some workers, data on local disk) until Ctrl-C.')
    .option('--workers <N>', 'number of workers (default: 2)')
    .option('--dir <DIR>', 'where workers keep partition files (default: a temporary directory)')
    .option('--host <ADDRESS>', 'address to listen on and to announce to clients (default: 127.0.0.1)')
    .option('--port <P>', 'port of the master; 0 takes any that is free (default: 9097)')
    .option('--conf <KEY=VALUE>', 'set a celeborn.* key; can be repeated', collect)
    .addHelpText('after', CLUSTER_HELP)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .action(async (options: RawClusterOptions) => done(await commands.cluster(options)))

  return program
}

const SHUFFLE_HELP = `
Keys:
  line          the whole record
  csv:N         field N of a row, from 1; quoted fields as in RFC 4180
  json:FIELD    the field of that name of a JSON object (a string, number, true, false or null)

Examples:
  celeborn-node shuffle access.log --key line --partitions 8 --out by-line
  celeborn-node shuffle 2024-*.csv --header --key csv:3 --partitions 16 --tasks 8 --out by-customer
  celeborn-node shuffle events.jsonl --key json:user --partitions 32 --max-in-flight 32m --json
  celeborn-node shuffle big.txt --key line --partitions 64 --master celeborn-1:9097,celeborn-2:9097

Status: 0 if every record was verified, 1 if not, 2 for a wrong command line, 130 after Ctrl-C.
`

const CLUSTER_HELP = `
The master's endpoint is printed on a line of its own as soon as all workers are registered.
Nothing is authenticated: with another --host, whoever reaches the address can use the cluster.

Example:
  celeborn-node cluster --workers 3 --port 9097
  celeborn-node shuffle access.log --key line --partitions 8 --master 127.0.0.1:9097   (in another terminal)
`

/** The text of a mistake on the command line, without commander's prefix. */
export function usageProblem(error: CommanderError): string {
  return error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
}

/** True if nothing is wrong: help or the version was asked for and printed. */
export function isHelp(error: CommanderError): boolean {
  return error.exitCode === 0
}
