import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(__dirname, '../..')
const rows = readFileSync(join(root, 'docs/known-bugs.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const id = /^\| (B\d\d) \|/.exec(line)?.[1]
    return id === undefined ? [] : [{ id, here: line.split('|')[4] ?? '' }]
  })

describe('docs/known-bugs.md', () => {
  it('has every id once, in order', () => {
    const range = (from: number, to: number): string[] =>
      Array.from({ length: to - from + 1 }, (_, i) => `B${String(from + i).padStart(2, '0')}`)
    expect(rows.map(({ id }) => id)).toEqual([
      ...range(1, 28),
      ...range(30, 40),
      'B42',
      'B43',
      ...range(44, 55),
      ...range(60, 67),
      ...range(68, 75),
    ])
  })

  it.each(rows)('$id: its tests name it, or the page says why it cannot happen', ({ id, here }) => {
    const files = [...here.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, file]) => file ?? '')
    if (files.length === 0) expect(here).toMatch(/^ By design: /)
    for (const file of files) {
      expect([file, existsSync(join(root, file))]).toEqual([file, true])
      expect([file, readFileSync(join(root, file), 'utf8').includes(id)]).toEqual([file, true])
    }
  })
})
