import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutputDirectory } from '../../src/cli/job/output'
import { TestDirectory } from './records'

let directory: TestDirectory
beforeEach(() => {
  directory = new TestDirectory()
})
afterEach(() => directory.remove())

async function fill(output: OutputDirectory, parts: readonly string[]): Promise<void> {
  for (const [p, text] of parts.entries()) {
    const part = await output.openPart(p)
    await part.write(Buffer.from(text))
    await part.finish()
    await part.close()
  }
}

test('a new directory appears as a whole, with the parents it needs', async () => {
  const out = directory.join('a', 'b', 'out')
  const output = OutputDirectory.create(out)
  await fill(output, ['one', 'two'])
  expect(existsSync(out)).toBe(false)
  output.publish()
  expect(readdirSync(directory.join('a', 'b'))).toEqual(['out'])
  expect(readdirSync(out).map((name) => readFileSync(`${out}/${name}`, 'utf8'))).toEqual(['one', 'two'])
  output.discard()
  expect(readdirSync(out)).toEqual(['part-00000', 'part-00001'])
})

test('what is discarded leaves nothing, not even the parents that were made for it', async () => {
  const output = OutputDirectory.create(directory.join('a', 'b', 'out'))
  await fill(output, ['one'])
  output.discard()
  expect(readdirSync(directory.path)).toEqual([])
})

test('an existing directory keeps what is in it, whether the output is published or not', async () => {
  const out = directory.join('out')
  mkdirSync(out)
  writeFileSync(`${out}/notes`, 'mine')
  const first = OutputDirectory.create(out)
  await fill(first, ['one'])
  first.discard()
  expect(readdirSync(out)).toEqual(['notes'])
  const second = OutputDirectory.create(out)
  await fill(second, ['one'])
  second.publish()
  expect(readdirSync(out).sort()).toEqual(['notes', 'part-00000'])
})

test('a part that somebody else puts there meanwhile is kept, and ours are taken back', async () => {
  const out = directory.join('out')
  mkdirSync(out)
  const output = OutputDirectory.create(out)
  await fill(output, ['one', 'two'])
  writeFileSync(`${out}/part-00001`, 'theirs')
  expect(() => output.publish()).toThrow(/part-00001 appeared during the run/)
  expect(readdirSync(out)).toEqual(['part-00001'])
  expect(readFileSync(`${out}/part-00001`, 'utf8')).toBe('theirs')
})

test('a directory that appears meanwhile is not overwritten', async () => {
  const out = directory.join('out')
  const output = OutputDirectory.create(out)
  await fill(output, ['one'])
  mkdirSync(out)
  writeFileSync(`${out}/notes`, 'theirs')
  expect(() => output.publish()).toThrow(/cannot write .*out: directory not empty/)
  expect(readdirSync(out)).toEqual(['notes'])
  expect(readdirSync(directory.path)).toEqual(['out'])
})
