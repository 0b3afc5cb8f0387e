// valgrind: the native core's unit tests, and one short Node run of the push path (test/asan) whose errors count when
// the addon is on their stack.
//
//   node scripts/test-valgrind.mjs
//
// Where valgrind is missing it is installed if that is allowed (root, apt-get), else the run says that it proves nothing.
// The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, count, finish, main, program, root } from '../test/asan/compiled.mjs'
import { scriptOptions } from './lib/options.mjs'

scriptOptions(import.meta.url, { options: {} })

const addon = process.env.CELEBORN_NODE_ADDON ?? join(root, 'build/Release/celeborn_native.node')

function available() {
  const works = () => spawnSync('valgrind', ['--version']).status === 0
  if (works()) return true
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    spawnSync('apt-get', [...args], { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
  if (!apt('install', '-y', 'valgrind')) {
    apt('update')
    apt('install', '-y', 'valgrind')
  }
  return works()
}

/** valgrind's errors with the addon on a stack. */
function ownErrors(xml) {
  const errors = [...xml.matchAll(/<error>[\s\S]*?<\/error>/g)].map(([text]) => text)
  const own = errors.filter((text) => text.includes('celeborn_native.node'))
  console.log(`valgrind: ${errors.length} errors, ${own.length} of them with the addon on the stack`)
  return own
}

function nodeRun() {
  if (!existsSync(addon)) {
    const built = spawnSync(process.execPath, ['scripts/install.mjs'], { cwd: root, stdio: 'inherit' })
    if (built.status !== 0) throw new Error('the native addon could not be built')
  }
  compile()
  const work = mkdtempSync(join(tmpdir(), 'celeborn-valgrind-'))
  const report = join(work, 'report.xml')
  try {
    // V8 generates code and keeps its heap until the process has gone: neither is ours to judge.
    const flags = [
      '--xml=yes',
      `--xml-file=${report}`,
      '--smc-check=all-non-file',
      '--leak-check=full',
      '--num-callers=40',
    ]
    program(
      'push path in Node, valgrind',
      'valgrind',
      [...flags, process.execPath, '--expose-gc', '--single-threaded-gc', main, 'brief'],
      { env: { ...process.env, CELEBORN_NODE_ADDON: addon, NODE_OPTIONS: '' }, timeout: 300_000 },
    )
    const xml = readFileSync(report, 'utf8')
    if (!xml.includes('</valgrindoutput>')) throw new Error('valgrind has not finished its report')
    const own = ownErrors(xml)
    for (const error of own.slice(0, 5)) console.log(error)
    count(own.length === 0 ? 1 : 0, own.length)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (available()) {
  try {
    program('native core, valgrind', process.execPath, ['scripts/native-test.mjs', '--valgrind'])
    nodeRun()
  } catch (error) {
    console.log(error.message)
    count(0, 1)
  }
} else {
  console.log(
    'valgrind is missing and cannot be installed here (apt-get install valgrind): left out are the native core',
  )
  console.log('under valgrind and the Node run under valgrind')
  count(0, 1)
}
finish()
