// Builds the native addon: the package's `install` script.
//
//   node scripts/install.mjs           build/Release/celeborn_native.node
//   node scripts/install.mjs --asan    the same under AddressSanitizer, in native/build/asan (for tests)
//
// It compiles with the headers that came with Node and asks for no download where it finds them. One line on success;
// on failure, what is missing and how to get it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The first of the names that is an executable on the PATH (or is itself a path), or undefined. */
function which(...names) {
  for (const name of names) {
    if (name === undefined || name === '') continue
    const program = name.trim().split(/\s+/)[0]
    if (program.includes('/')) {
      if (existsSync(program)) return name
      continue
    }
    for (const dir of (process.env.PATH ?? '').split(delimiter)) {
      if (dir !== '' && existsSync(join(dir, program))) return name
    }
  }
  return undefined
}

/** The C++ compiler's command: $CXX, or what the system calls it. */
export function findCompiler() {
  return process.env.CXX ? which(process.env.CXX) : which('c++', 'g++', 'clang++')
}

/** The version that a folder's Node headers are of, or undefined when it has none. */
function headersVersion(dir) {
  try {
    const text = readFileSync(join(dir, 'include', 'node', 'node_version.h'), 'utf8')
    const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1]
    return `${part('MAJOR')}.${part('MINOR')}.${part('PATCH')}`
  } catch {
    return undefined
  }
}

/** Where this Node's headers lie: a configured nodedir, else beside the executable, else undefined. */
function findHeaders() {
  const configured = process.env.npm_config_nodedir ?? process.env.npm_package_config_node_gyp_nodedir
  if (configured) return resolve(configured)
  const executable = realpathSync(process.execPath)
  for (const dir of [dirname(dirname(executable)), dirname(executable)]) {
    // Headers of another version (a distribution's leftovers) could describe another binary interface.
    if (
      headersVersion(dir) === process.versions.node &&
      existsSync(join(dir, 'include', 'node', 'node_api.h'))
    ) {
      return dir
    }
  }
  return undefined
}

function findNodeGyp() {
  const candidates = [
    () => createRequire(join(root, 'package.json')).resolve('node-gyp/bin/node-gyp.js'),
    // The one that npm ships and tells install scripts of.
    () => process.env.npm_config_node_gyp,
  ]
  for (const candidate of candidates) {
    try {
      const path = candidate()
      if (path !== undefined && existsSync(path)) return path
    } catch {
      // not there: the next
    }
  }
  return undefined
}

/** Plain words for what a failed build lacks, from what is on this machine and what the build said. */
function diagnose(log, headers) {
  const missing = []
  if (findCompiler() === undefined) {
    missing.push(
      process.env.CXX
        ? `the C++ compiler that CXX names (${process.env.CXX}) was not found`
        : 'no C++ compiler was found (Debian, Ubuntu: apt-get install g++; Alpine: apk add g++; macOS: xcode-select --install)',
    )
  }
  if (which(process.env.MAKE, 'make', 'gmake') === undefined) {
    missing.push('make was not found (install it beside the compiler)')
  }
  if (/Could not find any Python installation/.test(log)) {
    missing.push('no Python 3 was found, which node-gyp needs (install python3)')
  }
  if (headers === undefined && /stack at .*install\.js|network connectivity|failed to download/i.test(log)) {
    missing.push(
      "Node's headers do not lie beside its executable and could not be downloaded " +
        '(install the development package of your Node, or set npm_config_nodedir to a folder with include/node)',
    )
  }
  if (headers !== undefined && headersVersion(headers) === undefined) {
    missing.push(
      `there are no Node headers in ${join(headers, 'include', 'node')}, where npm_config_nodedir points`,
    )
  }
  return missing
}

function stop(message) {
  console.error(`celeborn-node: ${message}`)
  process.exit(1)
}

function build(asan) {
  if (process.platform === 'win32') {
    stop('Windows is not supported: the package runs on Linux and macOS (x64, arm64), also under WSL.')
  }
  const nodeGyp = findNodeGyp()
  if (nodeGyp === undefined) stop('node-gyp was not found: install the dependencies first (npm ci).')

  // node-gyp always builds into ./build; for a second build it gets a folder that borrows the sources.
  const dir = asan ? join(root, 'native', 'build', 'asan') : root
  if (asan) {
    mkdirSync(join(dir, 'native'), { recursive: true })
    for (const name of ['binding.gyp', 'native/addon', 'native/core']) {
      const link = join(dir, name)
      if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, name)), link)
    }
  }

  const headers = findHeaders()
  const args = [nodeGyp, 'rebuild', `--jobs=${availableParallelism()}`]
  if (headers !== undefined) args.push(`--nodedir=${headers}`)
  if (asan) args.push('--', '-Dceleborn_asan=1')
  const started = Date.now()
  const run = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8', maxBuffer: 1 << 28 })
  const log = `${run.stdout ?? ''}${run.stderr ?? ''}${run.error ? `${run.error}\n` : ''}`
  const addon = join(dir, 'build', 'Release', 'celeborn_native.node')
  if (run.status !== 0 || !existsSync(addon)) {
    console.error(log.trimEnd().split('\n').slice(-40).join('\n'))
    const missing = diagnose(log, headers)
    stop(
      missing.length > 0
        ? `the native addon could not be built: ${missing.join('; ')}.`
        : 'the native addon could not be built; the lines above are the end of what the build said.',
    )
  }
  console.log(`celeborn-node: native addon built in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  build(process.argv.includes('--asan'))
}
