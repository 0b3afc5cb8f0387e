// Builds and runs the unit tests of native/core with the system's C++ compiler; no Node header is involved.
//
//   node scripts/native-test.mjs [--sanitize=address,undefined|thread] [--valgrind] [--filter=NAME]
//
// The last line is `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCompiler } from './install.mjs'
import { scriptOptions } from './lib/options.mjs'

const { values } = scriptOptions(import.meta.url, {
  options: {
    sanitize: { type: 'string' },
    valgrind: { type: 'boolean', default: false },
    filter: { type: 'string' },
  },
})

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const variant = (values.sanitize ?? 'plain').replace(/\W+/g, '-')
// Not under build/: node-gyp empties that.
const out = join(root, 'native', 'build', `test-${variant}`)

function fail(message) {
  console.error(message)
  console.log('0 passed, 1 failed')
  process.exit(1)
}

const compiler = findCompiler()
if (compiler === undefined) fail('No C++ compiler found: install g++ or clang++, or set CXX.')

const sources = ['core', 'test'].flatMap((dir) =>
  readdirSync(join(root, 'native', dir))
    .filter((name) => name.endsWith('.cc'))
    .map((name) => join(root, 'native', dir, name)),
)
const flags = ['-std=c++17', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Werror', '-g', '-O1', '-pthread']
flags.push(
  '-fno-omit-frame-pointer',
  `-I${join(root, 'native', 'core')}`,
  `-I${join(root, 'native', 'test')}`,
)
if (values.sanitize !== undefined) {
  flags.push(`-fsanitize=${values.sanitize}`, '-fno-sanitize-recover=all')
}

mkdirSync(out, { recursive: true })
const objects = sources.map((source) => join(out, `${source.split('/').at(-1)}.o`))

/** Compiles all sources, as many at a time as there are cores. */
async function compileAll() {
  const queue = sources.map((source, i) => [source, objects[i]])
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const args = [...flags, '-c', next[0], '-o', next[1]]
      const status = await new Promise((resolve) => {
        spawn(compiler, args, { stdio: ['ignore', 'inherit', 'inherit'] })
          .on('error', () => resolve(-1))
          .on('close', resolve)
      })
      if (status !== 0) fail(`${compiler} failed on ${next[0]}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
}

await compileAll()
const binary = join(out, 'native-tests')
if (spawnSync(compiler, [...flags, ...objects, '-o', binary], { stdio: 'inherit' }).status !== 0) {
  fail('linking failed')
}

let command = [binary]
if (values.filter !== undefined) command.push(values.filter)
if (values.valgrind) {
  if (spawnSync('valgrind', ['--version']).status !== 0) fail('valgrind is not installed.')
  command = [
    'valgrind',
    '--quiet',
    '--leak-check=full',
    '--errors-for-leak-kinds=all',
    '--error-exitcode=99',
    ...command,
  ]
}
const run = spawnSync(command[0], command.slice(1), {
  stdio: 'inherit',
  env: {
    ASAN_OPTIONS: 'detect_leaks=1:exitcode=42',
    UBSAN_OPTIONS: 'print_stacktrace=1',
    TSAN_OPTIONS: 'halt_on_error=1',
    ...process.env,
  },
})
if (run.error !== undefined || run.signal !== null) fail(`the tests ended with ${run.signal ?? run.error}`)
// A sanitizer's or valgrind's complaint comes after the tests' own last line.
if (run.status !== 0) fail(`the tests ended with status ${run.status}`)
