// Generates src/protocol/generated from proto/celeborn.proto. With --check it writes nothing and fails when
// what is committed is not what would be generated.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const proto = 'proto/celeborn.proto'
const outDir = join(root, 'src', 'protocol', 'generated')
const header = `// Generated from ${proto} by scripts/generate-proto.mjs. Do not edit.\n`

// Only what src/protocol uses; our own decoders convert to plain values, so reflection is not needed.
const target = [
  ...['-t', 'static-module', '-w', 'commonjs', '-r', 'celeborn-node'],
  ...['--no-verify', '--no-convert', '--no-delimited', '--no-typeurl', '--no-create', '--no-service'],
]

const work = mkdtempSync(join(tmpdir(), 'celeborn-proto-'))
try {
  run('pbjs', [...target, '--no-comments', '-o', join(work, 'celeborn.js'), proto])
  // The types are made from the comments of the generated code.
  run('pbjs', [...target, '-o', join(work, 'commented.js'), proto])
  run('pbts', ['--no-comments', '-o', join(work, 'celeborn.d.ts'), join(work, 'commented.js')])
  let stale = false
  for (const name of ['celeborn.js', 'celeborn.d.ts']) {
    const fresh = header + readFileSync(join(work, name), 'utf8')
    const file = join(outDir, name)
    if (fresh === read(file)) continue
    if (process.argv.includes('--check')) {
      console.error(`src/protocol/generated/${name} is stale: run node scripts/generate-proto.mjs`)
      stale = true
    } else {
      mkdirSync(outDir, { recursive: true })
      writeFileSync(file, fresh)
    }
  }
  process.exitCode = stale ? 1 : 0
} finally {
  rmSync(work, { recursive: true, force: true })
}

function run(tool, args) {
  const cli = require.resolve(`protobufjs-cli/bin/${tool}`)
  execFileSync(process.execPath, [cli, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
