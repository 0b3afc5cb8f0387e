import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  booleanType,
  doubleType,
  endpointType,
  enumType,
  formatHostPort,
  intType,
  listType,
  parseDuration,
  parseHostPort,
  parseSize,
  stringType,
  ValueProblem,
} from '../../src/conf/values'

function refuses(parse: (text: string) => unknown, texts: readonly string[]): void {
  for (const text of texts) expect(() => parse(text), JSON.stringify(text)).toThrow(ValueProblem)
}

describe('sizes', () => {
  it.each([
    ['0', 0],
    ['512', 512],
    ['512b', 512],
    ['64k', 65536],
    ['64K', 65536],
    ['64kb', 65536],
    ['64KiB', 65536],
    ['64ki', 65536],
    [' 8m ', 8 << 20],
    ['1g', 1 << 30],
    ['1G', 1 << 30],
    ['2t', 2 * 1024 ** 4],
    ['7p', 7 * 1024 ** 5],
  ])('%s', (text, bytes) => expect(parseSize(text)).toBe(bytes))

  it('refuses everything else', () => {
    refuses(parseSize, [
      '',
      ' ',
      'k',
      '-1',
      '+1',
      '1.5m',
      '64 k',
      '1e3',
      '0x10',
      '64kk',
      '64bb',
      '64kbi',
      '1z',
    ])
    refuses(parseSize, ['8p', '99999999999999999999', '64k,', 'constructor', '1toString', '６４k'])
  })
})

describe('durations', () => {
  it.each([
    ['0', 0],
    ['50', 50],
    ['50ms', 50],
    ['120s', 120_000],
    ['120S', 120_000],
    ['2m', 120_000],
    ['2min', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['2000us', 2],
    ['2001us', 3],
    ['1us', 1],
    ['24d', 24 * 86_400_000],
    ['2147483647', 2147483647],
  ])('%s', (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds))

  it('refuses everything else', () => {
    refuses(parseDuration, ['', 's', '-1s', '1.5s', '1 s', '1sec', '1ns', '1w', '1constructor', '1toString'])
    // A timer set for longer would fire at once.
    refuses(parseDuration, ['25d', '2147483648', '99999999999999999999d'])
  })
})

describe('numbers, booleans, names', () => {
  it('integers within their range', () => {
    const type = intType({ min: -5, max: 22 })
    expect(['-5', '0', '+3', ' 22 '].map((text) => type.parse(text))).toEqual([-5, 0, 3, 22])
    refuses((text) => type.parse(text), ['-6', '23', '', '1.0', '1e1', '0x1', 'NaN', '1,2', '1_0'])
    refuses((text) => intType().parse(text), ['9007199254740993', 'Infinity'])
    expect(type.accepted).toBe('an integer, from -5 to 22')
  })

  it('fractions', () => {
    const type = doubleType({ min: 0, max: 1 })
    expect(['0', '0.5', '.5', '1.', '5e-1'].map((text) => type.parse(text))).toEqual([0, 0.5, 0.5, 1, 0.5])
    refuses((text) => type.parse(text), ['', '.', '1.1', '-0.1', 'NaN', 'Infinity', '0.5f', '1e400'])
  })

  it('booleans', () => {
    expect(['true', 'TRUE', ' false '].map((text) => booleanType.parse(text))).toEqual([true, true, false])
    refuses((text) => booleanType.parse(text), ['', 'yes', '1', '0', 'tru'])
  })

  it('names in any case', () => {
    const type = enumType(['SIMPLE', 'SLOWSTART'])
    expect(type.parse(' slowStart ')).toBe('SLOWSTART')
    refuses((text) => type.parse(text), ['', 'SLOW', 'SIMPLE,SLOWSTART'])
  })
})

describe('endpoints', () => {
  const master = endpointType(9097)

  it('are normalised', () => {
    expect(master.parse('h1:123')).toBe('h1:123')
    expect(master.parse(' h1 ')).toBe('h1:9097')
    expect(master.parse('<localhost>:9097')).toBe('localhost:9097')
    expect(master.parse('[::1]:5')).toBe('[::1]:5')
    expect(master.parse('[fe80::1%eth0]')).toBe('[fe80::1%eth0]:9097')
    expect(parseHostPort('[::1]:5')).toEqual({ host: '::1', port: 5 })
    expect(formatHostPort({ host: '::1', port: 5 })).toBe('[::1]:5')
  })

  it('refuses everything else', () => {
    refuses(
      (text) => master.parse(text),
      ['', ':9097', 'h1:', 'h1:0', 'h1:65536', 'h1:x', 'h1:1:2', '::1', '::1:9097', '[::1', '[x]:1', 'a b:1'],
    )
    refuses((text) => master.parse(text), ['celeborn://h1:1', 'u@h:1', 'h1/path:1'])
    refuses((text) => parseHostPort(text), ['h1'])
  })

  it('lists drop blanks and empty items', () => {
    expect(listType(master, { nonEmpty: true }).parse(' h1:1 ,, h2:2,')).toEqual(['h1:1', 'h2:2'])
    expect(listType(stringType).parse('')).toEqual([])
    refuses((text) => listType(master, { nonEmpty: true }).parse(text), ['', ' , ', 'h1:1,h2:x'])
  })
})

it('any text is a value or a ValueProblem', () => {
  const parsers = [
    parseSize,
    parseDuration,
    (text: string) => parseHostPort(text, 1).port,
    (text: string) => intType().parse(text),
    (text: string) => doubleType().parse(text),
  ]
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-z.:[\]+-]{0,12}$/)),
      (text) => {
        for (const parse of parsers)
          try {
            expect(Number.isFinite(parse(text))).toBe(true)
          } catch (error) {
            expect(error).toBeInstanceOf(ValueProblem)
          }
      },
    ),
    { numRuns: 2000 },
  )
})
