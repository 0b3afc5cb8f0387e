import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeDirectories } from '../../src/fs/make-directories'

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-mkdir-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

it('makes a directory with its parents and names the topmost that is new', () => {
  const dir = scratch()
  expect(makeDirectories(join(dir, 'a/b/c'))).toBe(join(dir, 'a'))
  expect(makeDirectories(join(dir, 'a/b/c'))).toBeUndefined()
  expect(makeDirectories(join(dir, 'a/b/d'))).toBe(join(dir, 'a/b/d'))
  expect(existsSync(join(dir, 'a/b/d'))).toBe(true)
})

it('gives up where a parent takes no new entries, instead of trying for ever', () => {
  const dir = scratch()
  writeFileSync(join(dir, 'file'), '')
  expect(() => makeDirectories(join(dir, 'file'))).toThrow(/EEXIST/)
  expect(() => makeDirectories(join(dir, 'file/below'))).toThrow(/ENOTDIR/)
  if (existsSync('/proc/self')) expect(() => makeDirectories('/proc/nothing/below')).toThrow(/ENOENT/)
})
