import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { RecordProblem } from '../../src/cli/input/scanner'
import { readSlices, TestDirectory, whole } from './records'

const directory = new TestDirectory()
afterAll(() => directory.remove())

async function keys(text: string, field: string, chunkBytes = 64): Promise<string[]> {
  const file = directory.file('lines.json', text)
  const found = await readSlices([whole(file)], { kind: 'json', field }, chunkBytes)
  return found.map((record) => Buffer.from(record.key, 'latin1').toString())
}

test('finds what JSON.parse finds', async () => {
  const name = fc.oneof(fc.constant('key'), fc.string({ unit: 'binary', maxLength: 5 }))
  const scalar = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '{', ']', ','), maxLength: 8 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const object = fc.tuple(
    fc.array(fc.tuple(name, fc.oneof(scalar, fc.jsonValue())), { maxLength: 4 }),
    scalar,
    fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 3 }),
    fc.constantFrom(0, 1),
    fc.boolean(),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      async (rows, chunk) => {
        const expected: string[] = []
        const lines = rows.map(([before, value, after, space, escape]) => {
          const rest = after.filter(([other]) => other !== 'key')
          const blank = space === 1 ? ' \t' : ''
          const members = [...before, ['key', value] as const, ...rest].map(([other, v]) => {
            const written = other === 'key' && escape ? '"k\\u0065y"' : JSON.stringify(other)
            return `${blank}${written}${blank}:${blank}${JSON.stringify(v)}${blank}`
          })
          const line = `${blank}{${members.join(',')}}${blank}`
          const parsed = (JSON.parse(line) as { key: unknown }).key
          expected.push(typeof parsed === 'string' ? parsed : JSON.stringify(value))
          return line
        })
        expect(await keys(lines.join('\n'), 'key', chunk)).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('strings and other values with the same text have the same key', async () => {
  expect(await keys('{"id":7}\n{"id":"7"}\r\n{"id": null }\n', 'id')).toEqual(['7', '7', 'null'])
})

test('only the outermost object counts', async () => {
  expect(await keys('{"a":{"id":1},"b":[{"id":2}],"id":3}\n', 'id')).toEqual(['3'])
})

test.each([
  ['{"a":1}', 'has no field "id"'],
  ['{}', 'has no field "id"'],
  ['{"id":{"x":1}}', 'has an object or an array in field "id", which cannot be a key'],
  ['{"id":[1]}', 'has an object or an array in field "id", which cannot be a key'],
  ['', 'is not a JSON object'],
  ['[1]', 'is not a JSON object'],
  ['7', 'is not a JSON object'],
  ['{"id":1', 'is not a JSON object'],
  ['{"id":"1', 'is not a JSON object'],
  ['{"id":1}}', 'is not a JSON object'],
  ['{"id":1,}', 'is not a JSON object'],
  ['{"id"}', 'is not a JSON object'],
  ['{"id":tru}', 'is not a JSON object'],
  ['{"id":"\\x"}', 'is not a JSON object'],
  ['{"id":{"a":1}', 'is not a JSON object'],
])('%j is refused', async (line, message) => {
  await expect(keys(`${line}\n`, 'id')).rejects.toThrow(new RecordProblem(message))
})

test('a line that ends within an object does not read on into the next', async () => {
  await expect(keys('{"a":\n1,"id":2}\n', 'id')).rejects.toThrow('is not a JSON object')
})
