// Planted defects: each entry of test/mutants is a defect that the tests must catch. One at a time is planted in a copy of
// the working tree, never in the tree itself, and the proof that the entry names is run against it.
//
//   node scripts/test-mutants.mjs               all of them
//   node scripts/test-mutants.mjs --only NAME   those whose name contains that
//   node scripts/test-mutants.mjs --list        their names, what they break, and what should catch them
//
// A defect that no longer fits the code fails too, so that the list is kept up with it. All proofs must pass without a
// defect first. The last line is `N passed, N failed`.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { refuse, scriptOptions } from './lib/options.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const BUDGET_MINUTES = 10
/** A hang is caught as well as a wrong result, but soon. */
const TEST_TIMEOUT_MS = 10_000
const HOOK_TIMEOUT_MS = 5_000
const RUN_TIMEOUT_MS = 60_000
const AT_ONCE = 2
const COPIED = [
  'src',
  'test',
  'binding.gyp',
  'package.json',
  'vitest.config.mts',
  'tsconfig.base.json',
  'tsconfig.json',
]

async function loadDefects() {
  const folder = join(root, 'test', 'mutants')
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  const lists = files
    .sort()
    .map(async (name) => (await import(pathToFileURL(join(folder, name)).href)).default)
  const defects = (await Promise.all(lists)).flat()
  const names = new Set(defects.map(({ name }) => name))
  if (names.size !== defects.length) throw new Error('two defects have the same name')
  return defects
}

/** One copy of the working tree, in which one defect at a time is planted. */
class Copy {
  constructor(folder) {
    this.folder = folder
    mkdirSync(folder)
    for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true })
    symlinkSync(join(root, 'build'), join(folder, 'build'))
    // A folder of links, not a link: what the test runner caches there stays out of the tree.
    const modules = join(folder, 'node_modules')
    mkdirSync(modules)
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.vite')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
    }
  }

  /** Returns what takes the defect out again. Throws, with nothing planted, if it does not fit. */
  plant({ edits }) {
    const before = new Map()
    const after = new Map()
    for (const { file, find, replace } of edits) {
      const path = join(this.folder, file)
      if (!existsSync(path)) throw new Error(`does not fit: there is no ${file}`)
      if (!before.has(path)) before.set(path, readFileSync(path, 'utf8'))
      const text = after.get(path) ?? before.get(path)
      const count = text.split(find).length - 1
      if (count !== 1) {
        throw new Error(`does not fit ${file}: found ${count} times, not once: ${JSON.stringify(find)}`)
      }
      after.set(
        path,
        text.replace(find, () => replace),
      )
    }
    for (const [path, text] of after) writeFileSync(path, text)
    return () => {
      for (const [path, text] of before) writeFileSync(path, text)
    }
  }
}

/** Running groups of processes, by their leader. */
const running = new Set()

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Runs tests in a copy. The report is null when the runner did not get so far as to write one. */
function runTests(copy, files, pattern, timeoutMs, bail = true) {
  const report = join(copy.folder, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
  const args = [
    vitest,
    'run',
    `--root=${copy.folder}`,
    '--reporter=json',
    `--outputFile=${report}`,
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    `--hookTimeout=${HOOK_TIMEOUT_MS}`,
    '--teardownTimeout=2000',
    ...(bail ? ['--bail=1', '--maxWorkers=1'] : []),
    '-t',
    pattern,
    ...files,
  ]
  return new Promise((resolve) => {
    // A group of its own, so that a worker that hangs ends with it.
    const child = spawn(process.execPath, args, {
      cwd: copy.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    let output = ''
    const hear = (piece) => (output = (output + piece).slice(-20_000))
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    let hung = false
    const timer = setTimeout(() => {
      hung = true
      kill(child)
    }, timeoutMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      kill(child)
      running.delete(child)
      const parsed = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
      resolve({ code, hung, report: parsed, output })
    })
  })
}

function assertionsOf(report) {
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map((one) => ({ ...one, file: name })),
  )
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patternOf = (defects) => [...new Set(defects.map(({ proof }) => escaped(proof.test)))].join('|')
const filesOf = (defects) => [...new Set(defects.map(({ proof }) => proof.file))]

/** Without a defect every proof passes. Returns what is wrong with them. */
async function checkProofs(copy, defects) {
  const run = await runTests(copy, filesOf(defects), patternOf(defects), 5 * RUN_TIMEOUT_MS, false)
  if (run.report === null) return [`the proofs cannot be run:\n${run.output}`]
  const all = assertionsOf(run.report)
  const problems = all
    .filter(({ status }) => status === 'failed')
    .map(
      ({ fullName, failureMessages }) => `fails without a defect: ${fullName}\n  ${failureMessages[0] ?? ''}`,
    )
  for (const { name, proof } of defects) {
    const ran = all.some(
      ({ file, fullName, status }) =>
        file.endsWith(proof.file) && /passed|failed/.test(status) && fullName.includes(proof.test),
    )
    if (!ran) problems.push(`${name}: its proof did not run: ${proof.file}, ${proof.test}`)
  }
  if (problems.length === 0 && run.code !== 0)
    problems.push(`the proofs end with ${run.code}:\n${run.output}`)
  return problems
}

/** Plants one defect and runs its proof. */
async function tryDefect(copy, defect) {
  let remove
  try {
    remove = copy.plant(defect)
  } catch (error) {
    return { caught: false, text: error.message }
  }
  try {
    const run = await runTests(copy, [defect.proof.file], escaped(defect.proof.test), RUN_TIMEOUT_MS)
    if (run.hung) return { caught: true, text: `${defect.proof.file}: did not end` }
    const failed = assertionsOf(run.report).find(({ status }) => status === 'failed')
    if (failed !== undefined) {
      const late = /timed out/i.test(failed.failureMessages[0] ?? '') ? ' (hung)' : ''
      return { caught: true, text: `${defect.proof.file}: ${failed.title}${late}` }
    }
    if (run.code === 0) return { caught: false, text: `SURVIVED: ${defect.proof.file}, ${defect.proof.test}` }
    // An error outside of any test, or the end of the process. A file that cannot be loaded proves nothing.
    const passed = assertionsOf(run.report).some(({ status }) => status === 'passed')
    if (passed || /Worker exited unexpectedly|Unhandled/.test(run.output)) {
      return { caught: true, text: `${defect.proof.file}: an error outside of the test` }
    }
    return { caught: false, text: `cannot be run with the defect:\n${run.output}` }
  } finally {
    remove()
  }
}

async function main() {
  const { values: options } = scriptOptions(import.meta.url, {
    options: { only: { type: 'string', default: '' }, list: { type: 'boolean', default: false } },
  })
  const defects = (await loadDefects()).filter(({ name }) => name.includes(options.only))
  if (defects.length === 0) refuse(import.meta.url, `no defect has ${options.only} in its name (--list)`)
  if (options.list) {
    for (const { name, breaks, proof } of defects) {
      console.log(`${name}\n  ${breaks}\n  ${proof.file}: ${proof.test}`)
    }
    return
  }
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'celeborn-mutants-')))
  const cleanUp = () => {
    for (const child of running) kill(child)
    rmSync(work, { recursive: true, force: true, maxRetries: 5 })
  }
  process.on('exit', cleanUp)
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => process.exit(code))
  }

  const startMs = performance.now()
  const seconds = (sinceMs) => ((performance.now() - sinceMs) / 1000).toFixed(1)
  console.log(`planted defects: ${defects.length}; the budget is ${BUDGET_MINUTES} minutes`)
  const copies = Array.from({ length: AT_ONCE }, (_, i) => new Copy(join(work, String(i))))
  const total = { passed: 0, failed: 0 }
  const problems = await checkProofs(copies[0], defects)
  if (problems.length > 0) {
    for (const problem of problems) console.error(problem)
    total.failed += problems.length
  } else {
    console.log(`without a defect all proofs pass (${seconds(startMs)} s)`)
    const left = [...defects]
    await Promise.all(
      copies.map(async (copy) => {
        for (let defect = left.shift(); defect !== undefined; defect = left.shift()) {
          const sinceMs = performance.now()
          const { caught, text } = await tryDefect(copy, defect)
          if (caught) total.passed++
          else total.failed++
          console.log(`${caught ? 'caught' : 'FAILED'}  ${defect.name}  ${seconds(sinceMs)} s  ${text}`)
        }
      }),
    )
  }
  console.log(`${seconds(startMs)} s of ${BUDGET_MINUTES * 60} s`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

main().catch((error) => {
  console.error(`test:mutants: ${error.stack ?? error}`)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
})
