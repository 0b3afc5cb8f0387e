// Checks formatting, rules and types of everything that is written here, and that generated code is fresh.
//
//   npm run lint
//
// clang-format and clang-tidy come from PyPI, pinned, into .venv. Where they cannot be had that is said; with CI=true it
// is a failure. The last line is `N passed, N failed`, one for each check.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const CLANG = { 'clang-format': '23.1.3', 'clang-tidy': '23.1.4' }

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const venv = join(root, '.venv', `clang-${Object.values(CLANG).join('-')}`)
const results = { passed: 0, failed: 0, skipped: 0 }

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (done.error !== undefined) console.error(`${command}: ${done.error.message}`)
  return done.status === 0
}

function node(script, ...args) {
  return run(process.execPath, [script, ...args])
}

function bin(name, path) {
  return join(dirname(require.resolve(`${name}/package.json`)), path)
}

/** Native sources with one of the extensions. */
function nativeSources(...extensions) {
  return ['native/core', 'native/addon', 'native/include', 'native/test', 'bench/native']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => extensions.some((extension) => file.endsWith(extension)))
    .sort()
}

/** Installs the clang tools once; undefined with a reason printed where that is impossible. */
function clangTools() {
  const tool = (name) => join(venv, 'bin', name)
  const works = (name) => spawnSync(tool(name), ['--version']).status === 0
  if (!Object.keys(CLANG).every(works)) {
    const wheels = Object.entries(CLANG).map(([name, version]) => `${name}==${version}`)
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wheels]
    if (!run('python3', ['-m', 'venv', '--clear', venv]) || !run(tool('python3'), pip)) {
      console.error(`${wheels.join(' and ')} cannot be installed: python3 with venv, and PyPI, are needed`)
      return undefined
    }
  }
  return { format: tool('clang-format'), tidy: tool('clang-tidy') }
}

/** The core and the addon; tests are made of macros that no rule likes. One process a file, one a core at a time. */
async function clangTidy(tidy) {
  const nodeHeaders = join(dirname(dirname(process.execPath)), 'include', 'node')
  const flags = ['-std=c++17', '-DNAPI_VERSION=8', '-DNODE_ADDON_API_DISABLE_CPP_EXCEPTIONS']
  flags.push('-Inative/core', '-Inative/include')
  flags.push(`-isystem${require('node-addon-api').include_dir}`, `-isystem${nodeHeaders}`)
  const withHeaders = existsSync(join(nodeHeaders, 'node_api.h'))
  if (!withHeaders) console.log(`native/addon is left out: there are no headers of Node.js in ${nodeHeaders}`)
  const folders = withHeaders ? ['native/core', 'native/addon'] : ['native/core']
  const files = nativeSources('.cc').filter((file) => folders.includes(dirname(file)))
  let passed = true
  const worker = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const args = ['--quiet', '--warnings-as-errors=*', file, '--', ...flags]
      const child = spawn(tidy, args, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] })
      const errors = text(child.stderr)
      const [status] = await once(child, 'close')
      if (status !== 0) {
        passed = false
        console.error((await errors).replace(/^\d+ warnings.*\n/gm, ''))
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return passed
}

const checks = [
  [
    'format',
    () =>
      node(
        bin('@biomejs/biome', 'bin/biome'),
        'format',
        ...['--vcs-enabled=true', '--vcs-client-kind=git', '--vcs-use-ignore-file=true', '.'],
      ),
  ],
  ['eslint', () => node(bin('eslint', 'bin/eslint.js'), '.')],
  ['types', () => node(bin('typescript', 'bin/tsc'), '--noEmit', '-p', 'tsconfig.json')],
  ['generated protobuf code', () => node('scripts/generate-proto.mjs', '--check')],
  ['generated documentation', () => node('scripts/generate-config-docs.mjs', '--check')],
]
if (nativeSources('.cc', '.h').length > 0) {
  const tools = clangTools()
  if (tools !== undefined) {
    checks.push([
      'clang-format',
      () => run(tools.format, ['--dry-run', '--Werror', ...nativeSources('.cc', '.h')]),
    ])
    checks.push(['clang-tidy', () => clangTidy(tools.tidy)])
  } else if (process.env.CI === 'true') {
    checks.push(['clang tools', () => false])
  } else {
    console.error('clang-format and clang-tidy are left out')
    results.skipped = 2
  }
}

for (const [name, check] of checks) {
  const started = Date.now()
  const passed = await check()
  results[passed ? 'passed' : 'failed']++
  console.log(
    `lint: ${name}: ${passed ? 'passed' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  )
}
const skipped = results.skipped > 0 ? `, ${results.skipped} skipped` : ''
console.log(`${results.passed} passed, ${results.failed} failed${skipped}`)
process.exitCode = results.failed > 0 ? 1 : 0
