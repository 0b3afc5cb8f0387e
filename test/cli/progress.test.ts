import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { formatBytes, formatCount, plural } from '../../src/cli/format'
import { Progress } from '../../src/cli/progress'

function stream(isTTY: boolean): { written: () => string; progress: Progress } {
  const through = new PassThrough()
  const progress = new Progress(Object.assign(through, { isTTY }) as unknown as NodeJS.WriteStream)
  return { progress, written: () => String((through.read() as Buffer | null) ?? '') }
}

test('shows phase, share and bytes on a terminal, and gives the cursor back', () => {
  const { progress, written } = stream(true)
  progress.start('push', 4096)
  progress.advance(1024)
  progress.stop()
  const text = written()
  expect(text).toMatch(/push +#+\.+ 25% \| 1 KiB of 4 KiB/)
  expect(text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(text.lastIndexOf('\x1b[?25l'))
})

test('writes nothing elsewhere', () => {
  const { progress, written } = stream(false)
  progress.start('push', 4096)
  progress.advance(4096)
  progress.stop()
  expect(written()).toBe('')
})

test('numbers for people', () => {
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 3].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1 KiB',
    '1.5 KiB',
    '5 GiB',
  ])
  expect([7, 999, 1000, 1234567].map(formatCount)).toEqual(['7', '999', '1,000', '1,234,567'])
  expect([plural(1, 'file'), plural(2000, 'file')]).toEqual(['1 file', '2,000 files'])
})
