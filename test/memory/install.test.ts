import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './compiled'

const ROOT = resolve(__dirname, '../..')

let dir: string
beforeAll(() => {
  // A copy: a build that fails has emptied build/ before.
  dir = mkdtempSync(join(tmpdir(), 'celeborn-install-'))
  for (const name of ['binding.gyp', 'package.json', 'scripts/install.mjs', 'native/addon', 'native/core']) {
    cpSync(join(ROOT, name), join(dir, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  mkdirSync(join(dir, 'empty'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe('the install step', { timeout: 60_000 }, () => {
  it('says in plain words what a machine lacks', async () => {
    const end = await run(join(dir, 'scripts/install.mjs'), {
      env: {
        PATH: join(dir, 'empty'),
        HOME: dir,
        CXX: undefined,
        PYTHON: undefined,
        npm_config_python: undefined,
      },
    })
    expect(end.code).toBe(1)
    const last = end.stderr.trimEnd().split('\n').at(-1)
    expect(last).toMatch(/^celeborn-node: the native addon could not be built: no C\+\+ compiler was found/)
    expect(last).toContain('make was not found')
  })

  it('names a folder that has no headers', async () => {
    const end = await run(join(dir, 'scripts/install.mjs'), {
      env: { npm_config_nodedir: join(dir, 'empty') },
    })
    expect(end.code).toBe(1)
    expect(end.stderr.trimEnd().split('\n').at(-1)).toContain(
      `there are no Node headers in ${join(dir, 'empty', 'include', 'node')}`,
    )
  })

  it('refuses Windows clearly', async () => {
    const preload = join(dir, 'win32.cjs')
    writeFileSync(preload, `Object.defineProperty(process, 'platform', { value: 'win32' })`)
    const end = await run(join(dir, 'scripts/install.mjs'), { flags: ['--require', preload] })
    expect(end.code).toBe(1)
    expect(end.stderr).toMatch(/^celeborn-node: Windows is not supported: .*Linux and macOS.*\n$/)
  })
})
