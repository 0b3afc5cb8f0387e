import { describe, expect, it } from 'vitest'
import { parseProperties } from '../../src/conf/properties'

function parsed(text: string): [string, string][] {
  return parseProperties(text).map(({ key, value }) => [key, value])
}

describe('properties files', () => {
  it('take the separators of Java', () => {
    const expected = [['celeborn.a', 'x y']]
    for (const text of ['celeborn.a x y', 'celeborn.a=x y', 'celeborn.a = x y', 'celeborn.a:x y'])
      expect(parsed(text)).toEqual(expected)
    for (const text of ['\t celeborn.a\tx y  ', '\uFEFFceleborn.a x y\r', 'celeborn.a   :  x y\n\n'])
      expect(parsed(text)).toEqual(expected)
  })

  it('keep what follows the first separator', () => {
    expect(parsed('a b=c:d')).toEqual([['a', 'b=c:d']])
    expect(parsed('a==b')).toEqual([['a', '=b']])
    expect(parsed('dirs /d1:capacity=1g:disktype=SSD,/d2')).toEqual([
      ['dirs', '/d1:capacity=1g:disktype=SSD,/d2'],
    ])
  })

  it('drop comments and blank lines, and count lines', () => {
    const text = '# one\n\n  ! two\r\na 1 # no comment\n   \nb=2'
    expect(parseProperties(text)).toEqual([
      { key: 'a', value: '1 # no comment', line: 4 },
      { key: 'b', value: '2', line: 6 },
    ])
  })

  it('go on after a backslash', () => {
    expect(parsed('a h1:1,\\\n   h2:2,\\\r\n h3:3\nb c\\\\\nd e\\')).toEqual([
      ['a', 'h1:1,h2:2,h3:3'],
      ['b', 'c\\'],
      ['d', 'e'],
    ])
    expect(parseProperties('a x\\\n y\nb z').map(({ line }) => line)).toEqual([1, 3])
  })

  it('know escapes', () => {
    expect(parsed('a\\ b\\=c=\\u0041\\t\\q')).toEqual([['a b=c', 'A\tq']])
  })

  it('a key alone has an empty value', () => {
    expect(parsed('a\nb=\nc:')).toEqual([
      ['a', ''],
      ['b', ''],
      ['c', ''],
    ])
  })
})
