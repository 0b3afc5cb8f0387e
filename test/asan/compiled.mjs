// Compiles the sources together with test/asan, for processes that run without a test runner: under
// AddressSanitizer and valgrind.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cache, compileProof, root } from '../../scripts/lib/compile-proof.mjs'

export { root }
export const main = join(cache, 'asan', 'test', 'asan', 'main.js')

export function compile() {
  compileProof('asan')
}

const total = { passed: 0, failed: 0 }

export function count(passed, failed) {
  total.passed += passed
  total.failed += failed
}

/**
 * Runs a program whose last line is `N passed, N failed` and counts it. One that dies, or that says nothing, has failed.
 * @returns what it wrote to stderr, which is shown, too
 */
export function program(title, command, args, options = {}) {
  console.log(`\n== ${title}`)
  const started = performance.now()
  const run = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    ...options,
  })
  process.stdout.write(run.stdout ?? '')
  process.stdout.write(run.stderr ?? '')
  if (run.error !== undefined) console.log(run.error.message)
  const last = [...(run.stdout ?? '').matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1)
  const passed = Number(last?.[1] ?? 0)
  let failed = Number(last?.[2] ?? 0)
  if (failed === 0 && (run.status !== 0 || passed === 0)) {
    failed = 1
    console.log(`ended with ${run.signal ?? `status ${run.status}`}`)
  }
  count(passed, failed)
  console.log(`${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return run.stderr ?? ''
}

/** The last line, and the exit status. */
export function finish() {
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}
