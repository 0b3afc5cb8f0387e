// Threads and the ends of processes: test/threads, whose tests start processes that run the compiled package.
//
//   node scripts/test-threads.mjs [options of vitest]
//
// The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { helpIfAsked } from './lib/options.mjs'

const BUDGET_MINUTES = 4

helpIfAsked(import.meta.url)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const started = performance.now()
const args = [join(root, 'scripts', 'test.mjs'), 'test/threads', ...process.argv.slice(2)]
console.log(`threads and ends: the budget is ${BUDGET_MINUTES} minutes`)
const run = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
  timeout: BUDGET_MINUTES * 60_000,
})
const lines = run.stdout.trimEnd().split('\n')
const last = run.error === undefined ? lines.pop() : `0 passed, 1 failed`
console.log(lines.join('\n').trimEnd())
if (run.error !== undefined) console.log(run.error.message)
console.log(`${Math.round((performance.now() - started) / 1000)} s of ${BUDGET_MINUTES * 60} s`)
console.log(last)
process.exitCode = run.status ?? 1
