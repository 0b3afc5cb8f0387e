// Real Celeborn code against this package: Celeborn's Java client 0.5.4 and Spark 3.5.1 (test/interop).
//
//   npm run test:interop                           everything
//   npm run test:interop -- wire spark             those parts: wire, client, shuffle, spark
//   npm run test:interop -- client -t NAME         tests of a part whose name contains NAME
//   npm run test:interop -- --seed N               the run that printed this seed
//   npm run test:interop -- spark --rows 10000000 --minutes 60
//
// Needs JDK 17, Maven and Python 3 (Python for Spark only). What is downloaded, from Maven Central and PyPI, is kept below
// node_modules/.cache/celeborn-node/interop. The last line is `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  CELEBORN_JVM_OPTIONS,
  celebornJars,
  compiledWith,
  javaCache,
  missingJavaTools,
  QUIET_JVM,
} from './celeborn-java/prepare.mjs'
import { scriptOptions } from './lib/options.mjs'

const PARTS = {
  wire: 'bytes made and read by the jar at test time',
  client: "Celeborn's Java client with its LifecycleManager, on the embedded cluster",
  shuffle: 'one shuffle of Java and TypeScript, under either LifecycleManager',
  spark: 'a Spark job, against its own result with Spark’s own shuffle',
}
const PYSPARK = '3.5.1'
/** What the whole run should take on two cores; it is stopped after --minutes. */
const BUDGET_MINUTES = 10
/** How long processes may take to end by themselves when those that started them have ended. */
const GRACE_MS = 5_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const runDir = join(javaCache, `run-${process.pid}`)
const javaDir = join(root, 'test', 'interop', 'java', 'src', 'main', 'java', 'interop')
const { values: options, positionals } = scriptOptions(import.meta.url, {
  allowPositionals: true,
  options: {
    seed: { type: 'count' },
    rows: { type: 'count', default: '2000000' },
    minutes: { type: 'number', default: '15' },
    t: { type: 'string', short: 't' },
  },
})

const total = { passed: 0, failed: 0, skipped: 0 }
const started = performance.now()
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1)
const limitMs = Number(options.minutes) * 60_000
/** The process group of what runs now. */
let running

/** An error that needs no stack trace. */
class Reason extends Error {}

/** Runs a command as a process group of its own; whatever of it is left when it ends is ended, too. */
function run(command, args, { env = {}, quiet = false } = {}) {
  const leftMs = limitMs - (performance.now() - started)
  if (leftMs <= 0) throw new Reason(`stopped: the run may take ${options.minutes} minutes (--minutes)`)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      detached: true,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      // Nothing is to be left in the system's directory for temporary files.
      env: { ...process.env, TMPDIR: runDir, ...env },
    })
    running = child.pid
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-20_000)))
    let late = false
    const timer = setTimeout(() => {
      late = true
      killGroup(child.pid)
    }, leftMs)
    child.on('error', reject)
    child.on('exit', async (status) => {
      clearTimeout(timer)
      const left = !late && (await outlives(child.pid))
      killGroup(child.pid)
      running = undefined
      if (late) reject(new Reason(`stopped: the run may take ${options.minutes} minutes (--minutes)`))
      else resolve({ status, output, left })
    })
  })
}

function killGroup(pid, signal = 'SIGKILL') {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

/** Whether something of a process group is still there a while after its first process has ended. */
async function outlives(pid) {
  for (let i = 0; i < GRACE_MS / 50; i++) {
    if (!killGroup(pid, 0)) return false
    await sleep(50)
  }
  return true
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (running !== undefined) killGroup(running)
    rmSync(runDir, { recursive: true, force: true })
    process.exit(1)
  })
}

async function must(what, command, args, how) {
  const since = performance.now()
  const { status, output } = await run(command, args, { quiet: true, ...how })
  if (status !== 0) throw new Reason(`${what} failed (${command} ${args.join(' ')}):\n${output}`)
  console.log(`interop: ${what}, ${seconds(since)} s`)
}

function requireTools(parts) {
  const missing = missingJavaTools()
  const python = () => spawnSync('python3', ['-c', 'import venv'], { stdio: 'ignore' }).status === 0
  if (parts.includes('spark') && !python()) missing.push('python3 with venv')
  if (missing.length > 0) throw new Reason(`not installed: ${missing.join(', ')}`)
}

async function build() {
  if (!existsSync(join(root, 'build', 'Release', 'celeborn_native.node')))
    await must('addon', process.execPath, ['scripts/install.mjs'])
  await must('package', process.execPath, ['scripts/build.mjs', '--if-stale'])
}

async function prepareJava() {
  const how = { runDir, run: (what, command, args, env) => must(what, command, args, { env }) }
  const { jars, client } = await celebornJars(how)
  const sources = readdirSync(javaDir).map((name) => join(javaDir, name))
  const classpath = await compiledWith(jars, { name: 'classes', sources }, how)
  return {
    INTEROP_CLASSPATH: classpath,
    INTEROP_CELEBORN_JAR: client,
    INTEROP_JVM_OPTIONS: [QUIET_JVM, ...CELEBORN_JVM_OPTIONS].join(' '),
  }
}

async function preparePython() {
  const venv = join(javaCache, `pyspark-${PYSPARK}`)
  const python = join(venv, 'bin', 'python')
  const done = join(venv, 'complete')
  if (!existsSync(done)) {
    await must('Python environment', 'python3', ['-m', 'venv', '--clear', venv])
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `pyspark==${PYSPARK}`]
    await must(`pyspark ${PYSPARK} from PyPI`, python, pip)
    writeFileSync(done, '')
  }
  return { INTEROP_PYTHON: python }
}

function countReport(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0 }
  const report = JSON.parse(readFileSync(path, 'utf8'))
  // A file that cannot be loaded, or whose hook fails, has failed, but has no failed test.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  // With -t the others are pending by intention.
  const skipped = options.t === undefined ? report.numPendingTests + report.numTodoTests : 0
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, skipped }
}

async function testPart(part, env) {
  console.log(`\n== interop: ${part}: ${PARTS[part]}`)
  const since = performance.now()
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const report = join(runDir, `${part}.json`)
  const args = ['run', '--config', 'test/interop/vitest.config.mts', `test/interop/${part}.interop.ts`]
  args.push('--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`)
  if (options.t !== undefined) args.push('-t', options.t)
  const { status, left } = await run(process.execPath, [vitest, ...args], { env })
  const counted = countReport(report)
  if (left) {
    console.error(`interop: ${part}: processes were left running`)
    counted.failed++
  }
  if (counted.failed === 0 && (status !== 0 || counted.passed === 0)) counted.failed = 1
  for (const key of Object.keys(total)) total[key] += counted[key]
  console.log(`interop: ${part}: ${counted.passed} passed, ${counted.failed} failed in ${seconds(since)} s`)
}

try {
  const parts = positionals.length > 0 ? positionals : Object.keys(PARTS)
  const unknown = parts.find((part) => PARTS[part] === undefined)
  if (unknown !== undefined) throw new Reason(`there is no part ${unknown}: ${Object.keys(PARTS).join(', ')}`)
  const seed = options.seed ?? String(Date.now() % 2 ** 31)
  console.log(
    `interop: seed ${seed}; should take at most ${BUDGET_MINUTES} minutes, is stopped after ${options.minutes}`,
  )
  mkdirSync(runDir, { recursive: true })
  requireTools(parts)
  await build()
  const env = {
    ...(await prepareJava()),
    ...(parts.includes('spark') ? await preparePython() : {}),
    INTEROP_RUN_DIR: runDir,
    INTEROP_SEED: seed,
    INTEROP_ROWS: options.rows,
  }
  for (const part of parts) await testPart(part, env)
} catch (error) {
  console.error(`interop: ${error instanceof Reason ? error.message : error.stack}`)
  total.failed++
} finally {
  rmSync(runDir, { recursive: true, force: true })
}
const minutes = (performance.now() - started) / 60_000
const over = minutes > BUDGET_MINUTES ? `, more than the ${BUDGET_MINUTES} it should take` : ''
console.log(`\ninterop: ${minutes.toFixed(1)} minutes${over}`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
