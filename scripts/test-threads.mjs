// Threads and the ends of processes: test/threads, whose tests start processes that run the compiled package.
//
//   node scripts/test-threads.mjs [options of vitest]
//
// The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const started = performance.now()
const args = [join(root, 'scripts', 'test.mjs'), 'test/threads', ...process.argv.slice(2)]
const run = spawnSync(process.execPath, args, {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
})
const lines = run.stdout.trimEnd().split('\n')
const last = lines.pop()
console.log(lines.join('\n').trimEnd())
console.log(`threads and ends: ${((performance.now() - started) / 1000).toFixed(1)} s`)
console.log(last)
process.exitCode = run.status ?? 1
