// Faults on the wire and ends of processes, in front of the real push path (test/fault): a table of faults, a cut at every
// byte, workers killed, a LifecycleManager that is gone.
//
//   node scripts/test-fault.mjs                 all of them
//   node scripts/test-fault.mjs -t NAME         those whose name contains that; options go to vitest
//
// The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { helpIfAsked } from './lib/options.mjs'

helpIfAsked(import.meta.url)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const BUDGET_MINUTES = 4

console.log(`faults: the budget is ${BUDGET_MINUTES} minutes`)
const startMs = performance.now()
const run = spawnSync(
  process.execPath,
  [join(root, 'scripts', 'test.mjs'), 'test/fault', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    timeout: BUDGET_MINUTES * 60_000,
  },
)
const output = String(run.stdout).trimEnd()
const last = /^\d+ passed, (\d+) failed.*$/m.exec(output.split('\n').at(-1) ?? '')
console.log(last === null ? output : output.slice(0, output.lastIndexOf('\n')).trimEnd())
console.log(`${Math.round((performance.now() - startMs) / 1000)} s of ${BUDGET_MINUTES * 60} s`)
console.log(last === null ? `0 passed, 1 failed` : last[0])
process.exitCode = last === null || run.status !== 0 ? 1 : 0
