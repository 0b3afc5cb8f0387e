import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { RecordProblem } from '../../src/cli/input/scanner'
import { readSlices, TestDirectory, whole } from './records'

const directory = new TestDirectory()
afterAll(() => directory.remove())

/** A field and how it may be written. Only a quoted field can hold commas, quotes at its start and line ends. */
const field = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', '\n', '\r', ' '), maxLength: 6 }),
    fc.boolean(),
  )
  .map(([value, quote]) => {
    const quoted = quote || /[,\n\r]/.test(value) || value.startsWith('"')
    return { value, written: quoted ? `"${value.replaceAll('"', '""')}"` : value }
  })

test('finds every row and its key, wherever the buffer ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.integer({ min: 1, max: 12 }),
      async (rows, lineEnd, lastHasLineEnd, chunkBytes) => {
        const written = rows.map((row) => row.map((f) => f.written).join(','))
        const text = written.join(lineEnd) + (rows.length > 0 && lastHasLineEnd ? lineEnd : '')
        const file = directory.file('rows.csv', text)
        const found = await readSlices([whole(file)], { kind: 'csv', column: 2 }, chunkBytes)
        const expected = rows.map((row) => Buffer.from(row[1]?.value ?? '').toString('latin1'))
        expect(found.map((record) => record.key)).toEqual(expected)
        const cr = lineEnd === '\n' ? '' : '\r'
        expect(found.map((record) => record.record)).toEqual(
          written.map((row, i) => {
            const end = i < rows.length - 1 || lastHasLineEnd ? cr : ''
            return Buffer.from(row).toString('latin1') + end
          }),
        )
      },
    ),
    { numRuns: 300 },
  )
})

describe('a row', () => {
  const keys = async (text: string, column: number): Promise<string[]> => {
    const file = directory.file('one.csv', text)
    const found = await readSlices([whole(file)], { kind: 'csv', column }, 64)
    return found.map((record) => record.key)
  }

  test('takes quotes inside an unquoted field as they are', async () => {
    expect(await keys('5" disk,b\n', 1)).toEqual(['5" disk'])
  })

  test('has the same key quoted and unquoted', async () => {
    expect(await keys('a,"k"\na,k\n"a",k\r\na,"k"\r\n', 2)).toEqual(['k', 'k', 'k', 'k'])
  })

  test('may begin with a byte order mark, which is no part of the key', async () => {
    expect(await keys('\ufeff"a,1",b\n', 1)).toEqual(['a,1'])
    expect(await keys('\ufeffa,b\n', 1)).toEqual(['a'])
  })

  test('may be empty: one empty field', async () => {
    expect(await keys('\n\n', 1)).toEqual(['', ''])
  })

  test.each([
    ['a\n', 2, 'has 1 field, and the key is field 2'],
    ['a,b\n', 3, 'has 2 fields, and the key is field 3'],
    ['a,"b\n', 2, 'opens a quoted field that is never closed'],
    ['a,"b"c\n', 2, 'has text after the closing quote of field 2'],
  ])('%j with key field %i is refused', async (text, column, message) => {
    await expect(keys(text, column)).rejects.toThrow(new RecordProblem(message))
  })
})
