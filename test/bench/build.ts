import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(__dirname, '../..')

/** Where the compiled benchmarks are. */
export const DIST = resolve(ROOT, 'dist-bench')

/** Benchmarks run in processes of their own, which need them compiled; at once when nothing has changed. */
export function buildBench(): void {
  execFileSync(process.execPath, [resolve(ROOT, 'scripts/build.mjs'), '--if-stale'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
