// AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer: the native core's unit tests, and the whole push path over
// real sockets with an instrumented addon (test/asan).
//
//   node scripts/test-asan.mjs [NAME of a scenario ...]
//
// Pooled memory is hidden from AddressSanitizer by hand, so that a socket that reads freed memory is caught inside its
// system call. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compile, count, finish, main, program, root } from '../test/asan/compiled.mjs'
import { findCompiler } from './install.mjs'
import { scriptOptions } from './lib/options.mjs'

const { positionals: scenarios } = scriptOptions(import.meta.url, { options: {}, allowPositionals: true })
const addon =
  process.env.CELEBORN_NODE_ADDON ?? join(root, 'native/build/asan/build/Release/celeborn_native.node')

/** The runtime libraries that must be loaded before Node's own allocator is used. */
function runtimes() {
  const compiler = findCompiler() ?? 'c++'
  return ['libasan.so', 'libubsan.so'].map((name) => {
    const path = String(spawnSync(compiler, [`-print-file-name=${name}`], { encoding: 'utf8' }).stdout).trim()
    if (!existsSync(path)) throw new Error(`${compiler} has no ${name}`)
    return path
  })
}

function nativeTests() {
  for (const sanitize of ['address,undefined', 'thread'])
    program(`native core, ${sanitize}`, process.execPath, [
      'scripts/native-test.mjs',
      `--sanitize=${sanitize}`,
    ])
}

function pushPath() {
  if (process.env.CELEBORN_NODE_ADDON === undefined) {
    const built = spawnSync(process.execPath, ['scripts/install.mjs', '--asan'], {
      cwd: root,
      stdio: 'inherit',
    })
    if (built.status !== 0) throw new Error('the addon could not be built under AddressSanitizer')
  }
  compile()
  const env = {
    ...process.env,
    LD_PRELOAD: runtimes().join(' '),
    // Node keeps memory until it exits; exits with leaks are the counters' business.
    ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=0:exitcode=42:handle_segv=1:detect_stack_use_after_return=0',
    UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    CELEBORN_NODE_ADDON: addon,
    CELEBORN_NODE_POISON: '1',
    NODE_OPTIONS: '',
  }
  const said = program(
    'push path, address,undefined',
    process.execPath,
    ['--expose-gc', main, ...scenarios],
    {
      env,
      timeout: 300_000,
    },
  )
  if (/AddressSanitizer|runtime error:/.test(said)) count(0, 1)
}

try {
  if (scenarios.length === 0) nativeTests()
  pushPath()
} catch (error) {
  console.log(error.message)
  count(0, 1)
}
finish()
