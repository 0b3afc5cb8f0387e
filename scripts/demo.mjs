// npm run demo: shuffles real text, that which every machine with this package has in node_modules, through an
// embedded cluster, and then compares output and input line by line without using any of the package's code.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cli = join(root, 'dist', 'cli', 'main.js')
const TEXT = /\.(ts|js|mjs|cjs|h|md)$/
const PARTITIONS = 16

function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Text files below a folder. Links are not followed: what they lead to may be there twice. */
function textFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Lines of a file; latin1 keeps every byte as it is. */
function linesOf(file) {
  const lines = readFileSync(file, 'latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Throws unless the parts hold exactly the lines of the inputs, equal lines in the same part. */
function compare(inputs, out) {
  const counts = new Map()
  for (const file of inputs) for (const line of linesOf(file)) counts.set(line, (counts.get(line) ?? 0) + 1)
  const distinct = counts.size
  let lines = 0
  const parts = readdirSync(out).sort()
  if (parts.length !== PARTITIONS) throw new Error(`${parts.length} files instead of ${PARTITIONS}`)
  for (const part of parts) {
    const here = new Map()
    for (const line of linesOf(join(out, part))) here.set(line, (here.get(line) ?? 0) + 1)
    for (const [line, count] of here) {
      if (counts.get(line) !== count) {
        throw new Error(
          `${part} has ${JSON.stringify(line)} ${count} times, the input ${counts.get(line) ?? 0} times`,
        )
      }
      counts.delete(line)
      lines += count
    }
  }
  if (counts.size > 0) throw new Error(`${counts.size} lines are missing`)
  return { lines, distinct }
}

function run(args) {
  // Ctrl-C reaches the shuffle as well, and it cleans up; then so do we.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit' })
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

async function demo() {
  if (!existsSync(cli)) build()
  const folders = [join(root, 'node_modules'), join(dirname(dirname(process.execPath)), 'include', 'node')]
  const inputs = folders.flatMap(textFiles)
  const megabytes = (inputs.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6).toFixed(1)
  const directory = mkdtempSync(join(tmpdir(), 'celeborn-node-demo-'))
  try {
    const list = join(directory, 'inputs.txt')
    const out = join(directory, 'out')
    writeFileSync(list, `${inputs.join('\n')}\n`)
    const sources = folders
      .filter((folder) => existsSync(folder))
      .map((folder) => (folder.startsWith(root) ? relative(root, folder) : folder))
    console.log(`input: ${inputs.length} text files of ${sources.join(' and ')}, ${megabytes} MB`)
    const options = [
      '--key',
      'line',
      '--tasks',
      '4',
      '--partitions',
      String(PARTITIONS),
      '--max-in-flight',
      '512k',
    ]
    const args = ['shuffle', '--files-from', list, ...options, '--out', out]
    console.log(`$ celeborn-node ${args.join(' ')}\n`)
    const status = await run(args)
    if (status !== 0) return status
    const { lines, distinct } = compare(inputs, out)
    console.log(
      `\nproof: the ${PARTITIONS} files hold the same ${lines} lines as the input, and each of the ${distinct} ` +
        'different lines is in one file only. Output removed.',
    )
    return 0
  } catch (error) {
    console.error(`demo: ${error.message}`)
    return 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

process.exitCode = await demo()
