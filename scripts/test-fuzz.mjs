// Fuzzing of every decoder that reads a peer's bytes (test/fuzz): a value or a typed error, whatever comes.
//
//   node scripts/test-fuzz.mjs [--inputs N] [--minutes M] [--seed S] [--jobs N] [--missed]
//   node scripts/test-fuzz.mjs --target NAME --seed S --index I     one input again, as a failure prints it
//   node scripts/test-fuzz.mjs --target NAME --input FILE           the same out of its file
//
// Runs N inputs (40,000) for each decoder and one for each twenty of them over real sockets, in several processes, and
// takes no more than 3 minutes for it; with --minutes, goes on until that time has passed. Reports which branches of the
// decoders were taken; --missed lists the others.
// The last line is `N passed, N failed`, counted in inputs.
import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { cache, compileProof, root } from './lib/compile-proof.mjs'
import { scriptOptions } from './lib/options.mjs'

const out = join(cache, 'fuzz')
const found = join(cache, 'fuzz-failures')
const REQUIRED_PERCENT = 95
const BUDGET_MINUTES = 3
const { values: options } = scriptOptions(import.meta.url, {
  options: {
    inputs: { type: 'count' },
    'socket-inputs': { type: 'count' },
    minutes: { type: 'number' },
    seed: { type: 'seed' },
    jobs: { type: 'count', default: '2' },
    missed: { type: 'boolean', default: false },
    target: { type: 'string' },
    index: { type: 'count' },
    input: { type: 'string' },
  },
})

const failures = []
const running = new Map()
let died = 0

/** One process; resolves with its last report. A process that dies without a word has failed. */
function job(args) {
  return new Promise((resolve) => {
    const child = fork(join(out, 'test/fuzz/main.js'), [...args, '--out', found], {
      cwd: root,
      // Coverage counts from the first module on.
      execArgv: ['--no-warnings', '--require', join(out, 'test/fuzz/coverage.js')],
      env: {
        ...process.env,
        CELEBORN_NODE_ADDON: join(root, 'build/Release/celeborn_native.node'),
        CELEBORN_NODE_FUZZ_CORPUS: join(root, 'test/fuzz/corpus'),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    let last = null
    let done = false
    child.on('message', (message) => {
      last = message.report
      done ||= message.done
      running.set(child, last)
    })
    child.on('exit', (code, signal) => {
      if (!done) {
        died++
        failures.push(`a process died (${signal ?? code}): ${args.join(' ')}`)
      }
      resolve(last)
    })
  })
}

function inputsOf(report) {
  return Object.values(report?.tallies ?? {}).reduce((sum, { inputs }) => sum + inputs, 0)
}

async function run() {
  const seed = options.seed ?? String((Date.now() ^ (process.pid << 12)) | 0)
  if (options.target !== undefined) {
    const args = ['index', 'input'].flatMap((name) =>
      options[name] === undefined ? [] : [`--${name}`, options[name]],
    )
    return [await job(['--target', options.target, `--seed=${seed}`, ...args])]
  }
  const minutes = options.minutes === undefined ? null : Number(options.minutes)
  const inputs = Number(options.inputs ?? (minutes === null ? 40_000 : 2_000_000_000))
  const sockets = Number(options['socket-inputs'] ?? Math.min(50_000, Math.ceil(inputs / 20)))
  const jobs = Number(options.jobs)
  console.log(
    `seed ${seed}: ${minutes === null ? `${inputs} inputs for each decoder, ${sockets} for each kind of socket` : `${minutes} minutes`}, ${jobs} processes${minutes === null && options.inputs === undefined ? `, at most ${BUDGET_MINUTES} minutes` : ''}`,
  )
  // Asked for a number of inputs, it takes the time that they need.
  const limitMinutes = minutes ?? (options.inputs === undefined ? BUDGET_MINUTES : null)
  const limit = limitMinutes === null ? [] : ['--limit-ms', String(limitMinutes * 60_000)]
  const each = ['--inputs', String(inputs), '--socket-inputs', String(sockets), `--seed=${seed}`, ...limit]
  return Promise.all(
    Array.from({ length: jobs }, (_, i) => job([...each, '--from', String(i), '--step', String(jobs)])),
  )
}

/** Branches that some process has taken are taken. */
function showCoverage(reports) {
  const files = new Map()
  for (const { coverage } of reports) {
    for (const [path, { total, missed }] of Object.entries(coverage)) {
      if (total === 0) continue
      const before = files.get(path)
      files.set(path, {
        total,
        missed: before === undefined ? missed : before.missed.filter((one) => missed.includes(one)),
      })
    }
  }
  if (files.size === 0) return
  const sum = (list, of) => list.reduce((total, one) => total + of(one), 0)
  const percent = (list) =>
    100 - (100 * sum(list, (file) => file.missed.length)) / sum(list, (file) => file.total)
  const own = [...files].filter(([path]) => !path.includes('generated'))
  console.log('\nbranches of the decoders that were taken:')
  for (const [path, file] of [...files].sort()) {
    console.log(
      `  ${percent([file]).toFixed(1).padStart(5)} % of ${String(file.total).padStart(4)}  ${relative(out, path)}`,
    )
    if (options.missed) for (const one of file.missed) console.log(`            ${one}`)
  }
  const all = own.map(([, file]) => file)
  const total = percent(all)
  console.log(
    `${total.toFixed(1)} % of ${sum(all, (file) => file.total)} branches of our own, ${percent([...files.values()]).toFixed(1)} % with the generated code`,
  )
  if (total < REQUIRED_PERCENT)
    failures.push(`${total.toFixed(1)} % of the branches were taken, ${REQUIRED_PERCENT} % must be`)
}

const startMs = performance.now()
let reports = []
try {
  mkdirSync(found, { recursive: true })
  compileProof('fuzz')
  const timer = setInterval(() => {
    const count = [...running.values()].reduce((sum, report) => sum + inputsOf(report), 0)
    console.log(`${count} inputs after ${Math.round((performance.now() - startMs) / 1000)} s`)
  }, 30_000)
  reports = (await run()).filter((report) => report !== null)
  clearInterval(timer)
} catch (error) {
  failures.push(error.stack)
  died++
}
const targets = new Map()
for (const { tallies } of reports) {
  for (const [name, { inputs, values, errors }] of Object.entries(tallies)) {
    const before = targets.get(name) ?? { inputs: 0, values: 0, errors: 0 }
    targets.set(name, {
      inputs: before.inputs + inputs,
      values: before.values + values,
      errors: before.errors + errors,
    })
  }
}
for (const [name, { inputs, values, errors }] of targets) {
  const what = values + errors > 0 ? `: ${values} values, ${errors} typed errors` : ''
  console.log(`${name.padEnd(18)} ${String(inputs).padStart(9)} inputs${what}`)
}
showCoverage(reports)
failures.push(...reports.flatMap((report) => report.failures))
for (const failure of failures) console.log(`\n${failure}`)
const inputs = reports.reduce((sum, report) => sum + inputsOf(report), 0)
console.log(`\n${Math.round((performance.now() - startMs) / 1000)} s`)
console.log(`${Math.max(0, inputs - failures.length)} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 || inputs === 0 ? 1 : 0
