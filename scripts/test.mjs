// Runs the tests: those of the native core, then vitest. What is compiled is built first where it is stale.
//
//   npm test                          everything
//   npm test -- test/conf             files of vitest whose path contains that
//   npm test -- native                the native core alone
//   npm test -- test/conf -t NAME     options go to vitest
//
// The last line is `N passed, N failed` over all of them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const total = { passed: 0, failed: 0, skipped: 0 }

function node(script, args = [], stdio = ['ignore', 'inherit', 'inherit']) {
  const run = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio, maxBuffer: 1 << 28 })
  if (run.error !== undefined) console.error(`${script}: ${run.error.message}`)
  return run
}

function add({ passed, failed, skipped = 0 }) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

/** The newest change below native/, 0 where there is none. */
function newestNativeSource() {
  const files = ['core', 'addon', 'include'].flatMap((folder) => {
    const path = join(root, 'native', folder)
    return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
  })
  return Math.max(0, ...[...files, join(root, 'binding.gyp')].map((file) => statSync(file).mtimeMs))
}

function buildWhatIsStale() {
  const addon = join(root, 'build', 'Release', 'celeborn_native.node')
  if (!existsSync(addon) || statSync(addon).mtimeMs < newestNativeSource())
    if (node('scripts/install.mjs').status !== 0) throw new Error('the native addon could not be built')
  if (node('scripts/build.mjs', ['--if-stale']).status !== 0) throw new Error('the build failed')
}

function testNative() {
  console.log('\n== native core')
  const run = node('scripts/native-test.mjs', [], ['ignore', 'pipe', 'inherit'])
  const output = String(run.stdout)
  process.stdout.write(output)
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)]
  const last = lines.at(-1)
  const counted = {
    passed: Number(last?.[1] ?? 0),
    failed: Number(last?.[2] ?? 0),
    skipped: Number(last?.[3] ?? 0),
  }
  // A crash, or a run that counts no test, is a failure too.
  if (counted.failed === 0 && (run.status !== 0 || counted.passed === 0)) counted.failed = 1
  add(counted)
}

function testVitest(args) {
  console.log('\n== vitest')
  const work = mkdtempSync(join(tmpdir(), 'celeborn-test-'))
  const report = join(work, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
    const run = node(vitest, ['run', ...reporters, ...args])
    const counted = existsSync(report)
      ? countReport(JSON.parse(readFileSync(report, 'utf8')))
      : { passed: 0, failed: 0 }
    // vitest fails without a failed test, for instance, when an error is thrown that belongs to none.
    if (counted.failed === 0 && run.status !== 0) counted.failed = 1
    add(counted)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function countReport(report) {
  // A file that cannot be loaded has failed, but has no failed test.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

const args = process.argv.slice(2)
const onlyNative = args.length > 0 && args.every((arg) => arg === 'native')
try {
  buildWhatIsStale()
  if (args.length === 0 || onlyNative) testNative()
  if (!onlyNative) testVitest(args)
} catch (error) {
  console.error(`npm test: ${error.message}`)
  total.failed++
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
