// The model test: random programs of pushes, faults and aborts over real sockets, against a simple model of who owns
// what (test/model).
//
//   node scripts/test-model.mjs [--programs N] [--minutes M] [--seed S] [--path P] [--kind scripted|embedded] [--jobs N]
//
// Runs N programs, one in ten of them against the embedded cluster, in several processes; with --minutes until that time
// has passed. Without options 2,000 programs, for which 8 minutes have to do. --seed and --path, as a failure prints them,
// run one program again (--repeat N times).
// The last line is `N passed, N failed`, counted in programs.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { cache, compileProof, root } from './lib/compile-proof.mjs'
import { scriptOptions } from './lib/options.mjs'

const BUDGET_MINUTES = 8

const out = join(cache, 'model')
const { values: options } = scriptOptions(import.meta.url, {
  options: {
    programs: { type: 'count' },
    minutes: { type: 'number' },
    seed: { type: 'seed' },
    path: { type: 'string' },
    kind: { type: 'string' },
    jobs: { type: 'count', default: '4' },
    repeat: { type: 'count', default: '1' },
    'shrink-ms': { type: 'count', default: '60000' },
  },
})

const total = { passed: 0, failed: 0, steps: 0, skipped: 0, pushes: 0, faulted: 0, faults: {} }
const failures = []
const running = new Set()
let stopping = false

function add(tally) {
  for (const key of ['passed', 'failed', 'steps', 'skipped', 'pushes', 'faulted']) total[key] += tally[key]
  for (const [kind, count] of Object.entries(tally.faults))
    total.faults[kind] = (total.faults[kind] ?? 0) + count
}

/** One process; resolves when it has ended. A process that dies without a word has failed. */
function job(args) {
  return new Promise((resolve) => {
    const child = fork(join(out, 'test/model/main.js'), args, {
      cwd: root,
      execArgv: ['--expose-gc', '--enable-source-maps'],
      env: { ...process.env, CELEBORN_NODE_ADDON: join(root, 'build/Release/celeborn_native.node') },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const one = { child, progress: null, done: false }
    running.add(one)
    child.on('message', ({ progress, tally, failure }) => {
      if (progress !== undefined) one.progress = progress
      if (tally === undefined) return
      one.done = true
      add(tally)
      // It has said all. One that does not end then holds something open.
      setTimeout(() => {
        if (!running.has(one)) return
        failures.push(`a process did not end: ${args.join(' ')}`)
        child.kill('SIGKILL')
      }, 20_000).unref()
      if (failure === null) return
      failures.push(failure)
      stop()
    })
    child.on('exit', (code, signal) => {
      running.delete(one)
      if (!one.done || code !== 0) {
        if (!one.done && one.progress !== null) add(one.progress)
        if (!one.done && stopping) return resolve()
        if (one.done && code !== 0) failures.push(`a process ended with exit code ${code ?? signal}`)
        if (!one.done) failures.push(`a process died (${signal ?? code}): ${args.join(' ')}`)
        total.failed++
      }
      resolve()
    })
  })
}

/** One failure is enough: the other processes end, and what they have done counts. */
function stop() {
  stopping = true
  for (const { child, done } of running) if (!done) child.kill()
}

function show(startMs) {
  let { passed } = total
  for (const { progress, done } of running) if (!done) passed += progress?.passed ?? 0
  console.log(`${passed} programs after ${Math.round((performance.now() - startMs) / 1000)} s`)
}

async function runAll() {
  const minutes = options.minutes === undefined ? null : Number(options.minutes)
  const programs = Number(options.programs ?? (minutes === null ? 2000 : 1e9))
  const jobs = Math.max(2, Number(options.jobs))
  const seed = options.seed === undefined ? (Date.now() ^ (process.pid << 12)) | 0 : Number(options.seed)
  const budget = minutes === null && options.programs === undefined ? BUDGET_MINUTES : minutes
  const limit = budget === null ? [] : ['--limit-ms', String(budget * 60_000)]
  const shrink = ['--shrink-ms', options['shrink-ms']]
  const kinds =
    options.kind === undefined
      ? ['embedded', ...Array(jobs - 1).fill('scripted')]
      : Array(jobs).fill(options.kind)
  const embedded = options.kind === undefined ? Math.ceil(programs / 10) : 0
  const each = Math.ceil((programs - embedded) / (options.kind === undefined ? jobs - 1 : jobs))
  console.log(
    `seed ${seed}: ${minutes === null ? `${programs} programs` : `${minutes} minutes`} in ${jobs} processes` +
      (options.programs === undefined ? `, the budget is ${budget} minutes` : ''),
  )
  await Promise.all(
    kinds.map((kind, i) => {
      const count = options.kind === undefined && kind === 'embedded' ? embedded : each
      return job([
        '--kind',
        kind,
        '--programs',
        String(count),
        '--seed',
        String((seed + i * 7919) | 0),
        ...limit,
        ...shrink,
      ])
    }),
  )
  if (minutes === null && failures.length === 0 && total.passed < programs) {
    failures.push(`only ${total.passed} of ${programs} programs ended within ${budget} minutes`)
    total.failed++
  }
}

async function runAgain() {
  const { seed = '0', path, kind = 'scripted' } = options
  for (let i = 0; i < Number(options.repeat) && failures.length === 0; i++)
    await job(['--kind', kind, '--programs', '1', '--seed', seed, '--path', path])
}

const startMs = performance.now()
try {
  compileProof('model')
  const timer = setInterval(() => show(startMs), 30_000)
  await (options.path === undefined ? runAll() : runAgain())
  clearInterval(timer)
} catch (error) {
  failures.push(error.stack)
  total.failed++
}
for (const failure of failures) console.log(`\n${failure}`)
const { passed, failed, steps, skipped, pushes, faulted, faults } = total
if (passed > 0) {
  const kinds = Object.entries(faults).sort(([, a], [, b]) => b - a)
  console.log(
    `\n${(steps / passed).toFixed(1)} steps and ${(pushes / passed).toFixed(1)} pushes per program ` +
      `(${(skipped / passed).toFixed(1)} steps had nothing to do), ` +
      `${Math.round((performance.now() - startMs) / 1000)} s`,
  )
  console.log(
    `${faulted} programs saw a fault: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
  )
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
