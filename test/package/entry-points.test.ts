import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(__dirname, '../..')

/** A project beside this one that has the package installed, as far as Node and TypeScript can tell. */
function project(): string {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-package-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'node_modules/@types'), { recursive: true })
  symlinkSync(root, join(dir, 'node_modules/celeborn-node'), 'dir')
  symlinkSync(join(root, 'node_modules/@types/node'), join(dir, 'node_modules/@types/node'), 'dir')
  writeFileSync(join(dir, 'package.json'), '{}')
  return dir
}

it('ESM and CommonJS see the same classes and errors: there is one implementation', () => {
  const dir = project()
  writeFileSync(
    join(dir, 'both.mjs'),
    `import { createRequire } from 'node:module'
     import * as esm from 'celeborn-node'
     const cjs = createRequire(import.meta.url)('celeborn-node')
     const names = Object.keys(cjs)
     if (names.length < 10 || names.some((name) => esm[name] !== cjs[name])) throw new Error('not the same')
     console.log(names.length)`,
  )
  expect(
    Number(execFileSync(process.execPath, ['both.mjs'], { cwd: dir, encoding: 'utf8' })),
  ).toBeGreaterThan(10)
})

it('the types compile with the defaults of TypeScript, in both module systems', () => {
  const dir = project()
  const program = `import { type ShuffleClient, FramePool, LifecycleManager } from 'celeborn-node'
    export function alive(client: ShuffleClient): number { return client.stats().leases.leasesAlive }
    // @ts-expect-error a number, not any
    export function wrong(client: ShuffleClient): string { return client.stats().leases.leasesAlive }
    void FramePool; void LifecycleManager\n`
  writeFileSync(join(dir, 'a.mts'), program)
  writeFileSync(join(dir, 'b.cts'), program)
  const tsc = createRequire(__filename).resolve('typescript/bin/tsc')
  const run = spawnSync(
    process.execPath,
    [
      tsc,
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      'node',
      'a.mts',
      'b.cts',
    ],
    { cwd: dir, encoding: 'utf8' },
  )
  expect(run.stdout).toBe('')
  expect(run.status).toBe(0)
}, 120_000)
