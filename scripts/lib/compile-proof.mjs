// Compiles the sources together with one folder of tests, for proofs that run in processes of their own, without a test runner.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const cache = join(root, 'node_modules', '.cache', 'celeborn-node')

/**
 * Compiles src/ and test/NAME, incrementally. Types are checked by the linter.
 * @returns the folder of the result, in which both keep their paths
 */
export function compileProof(name) {
  const out = join(cache, name)
  mkdirSync(out, { recursive: true })
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const record = join(out, `${name}.tsbuildinfo`)
  const flags = ['--noCheck', '--incremental', '--tsBuildInfoFile', record, '--outDir', out]
  const project = join(root, 'test', name, 'tsconfig.json')
  const run = spawnSync(process.execPath, [tsc, '-p', project, ...flags], { cwd: root, stdio: 'inherit' })
  if (run.status !== 0) throw new Error(`test/${name} does not compile`)
  // The compiler does not copy generated code.
  const generated = join(root, 'src', 'protocol', 'generated')
  for (const file of readdirSync(generated).filter((one) => one.endsWith('.js'))) {
    const target = join(out, relative(root, generated), file)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(generated, file), target)
  }
  return out
}
