// Compiles the sources together with test/asan, for processes that run without a test runner: under
// AddressSanitizer and valgrind.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const out = join(root, 'node_modules', '.cache', 'celeborn-node', 'asan')
export const main = join(out, 'test', 'asan', 'main.js')

/** Types are checked by the linter. */
export function compile() {
  mkdirSync(out, { recursive: true })
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const flags = [
    '--noCheck',
    '--incremental',
    '--tsBuildInfoFile',
    join(out, 'asan.tsbuildinfo'),
    '--outDir',
    out,
  ]
  const run = spawnSync(process.execPath, [tsc, '-p', join(root, 'test/asan/tsconfig.json'), ...flags], {
    cwd: root,
    stdio: 'inherit',
  })
  if (run.status !== 0) throw new Error('test/asan does not compile')
  // The compiler does not copy generated code.
  const generated = join(root, 'src', 'protocol', 'generated')
  for (const file of readdirSync(generated).filter((name) => name.endsWith('.js'))) {
    const target = join(out, relative(root, generated), file)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(generated, file), target)
  }
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
