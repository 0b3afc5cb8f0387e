import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import { decodeContent } from '../../src/protocol'
import { parseJava } from '../../src/protocol/java/parser'
import { isJavaObject, javaField } from '../../src/protocol/java/values'
import {
  FAILURE,
  FAILURE_WITH_CAUSE,
  FAILURE_WITH_SUPPRESSED,
  NO_LEADER,
  NOT_LEADER,
  TRANSPORT_MESSAGE,
  TRANSPORT_MESSAGE_NULL,
} from './java-streams'
import { fuzz, hex, mutated, valueOrProtocolError } from './support'

const STREAM = 'aced0005'
const utf = (text: string) =>
  `${text.length.toString(16).padStart(4, '0')}${Buffer.from(text).toString('hex')}`
/** TC_CLASSDESC with flags, fields, no annotation and the given superclass. */
const classDesc = (name: string, flags: string, fields: string, superClass = '70') =>
  `72 ${utf(name)} 0000000000000001 ${flags} ${fields} 78 ${superClass}`
const parse = (text: string) => parseJava(hex(`${STREAM} ${text}`))

describe('Java streams of real classes', () => {
  it('a TransportMessage with three fields, 325 bytes and its payload', () => {
    expect(hex(TRANSPORT_MESSAGE)).toHaveLength(327)
    expect(decodeContent(hex(TRANSPORT_MESSAGE))).toEqual({
      kind: 'message',
      type: 13,
      payload: hex('0801'),
      form: 'V1',
    })
    expect(decodeContent(hex(TRANSPORT_MESSAGE_NULL))).toMatchObject({ type: 40, payload: new Uint8Array(0) })
  })

  it('an RpcFailure, 450 bytes', () => {
    expect(hex(FAILURE)).toHaveLength(450)
    expect(decodeContent(hex(FAILURE))).toEqual({
      kind: 'failure',
      className: 'java.io.IOException',
      message: 'boom',
      leader: undefined,
    })
  })

  it('an RpcFailure with a cause says both', () => {
    expect(decodeContent(hex(FAILURE_WITH_CAUSE))).toEqual({
      kind: 'failure',
      className: 'java.lang.RuntimeException',
      message: 'outer é😀; caused by java.lang.IllegalStateException: inner',
      leader: undefined,
    })
  })

  it('an RpcFailure with suppressed exceptions', () => {
    expect(decodeContent(hex(FAILURE_WITH_SUPPRESSED))).toMatchObject({
      className: 'java.io.IOException',
      message: 'first',
    })
  })

  it('a standby master names the leader, if it knows one', () => {
    expect(decodeContent(hex(NOT_LEADER))).toMatchObject({
      kind: 'failure',
      className: 'org.apache.celeborn.common.client.MasterNotLeaderException',
      leader: '10.0.0.2:9097',
    })
    expect(decodeContent(hex(NO_LEADER))).toMatchObject({ kind: 'failure', leader: undefined })
  })

  it('are nothing but data: the whole graph is there', () => {
    const failure = parseJava(hex(FAILURE_WITH_CAUSE))
    if (!isJavaObject(failure)) throw new Error('no object')
    const outer = javaField(failure, 'e')
    if (!isJavaObject(outer)) throw new Error('no object')
    expect(outer.parts.map(({ className }) => className)).toEqual([
      'java.lang.Throwable',
      'java.lang.Exception',
      'java.lang.RuntimeException',
    ])
    expect(javaField(outer, 'stackTrace')).toMatchObject({
      kind: 'array',
      className: '[Ljava.lang.StackTraceElement;',
      elements: [{ className: 'java.lang.StackTraceElement' }, {}, {}],
    })
    const inner = javaField(outer, 'cause')
    if (!isJavaObject(inner)) throw new Error('no object')
    expect(javaField(inner, 'cause')).toBe(inner)
    expect(javaField(inner, 'nothing')).toBeUndefined()
  })

  it('survive being cut off anywhere, and other damage', () => {
    const streams = [
      TRANSPORT_MESSAGE,
      TRANSPORT_MESSAGE_NULL,
      FAILURE,
      FAILURE_WITH_CAUSE,
      FAILURE_WITH_SUPPRESSED,
      NOT_LEADER,
    ].map(hex)
    for (const bytes of streams) {
      for (let length = 0; length < bytes.length; length++) {
        valueOrProtocolError(() => decodeContent(bytes.subarray(0, length)))
      }
    }
    fuzz(decodeContent, streams, 500)
    fuzz(parseJava, streams, 500)
    // Damage twice: a type code and a length together lead into other corners than each alone.
    fc.assert(
      fc.property(mutated(hex(FAILURE_WITH_CAUSE)).chain(mutated), (bytes) =>
        valueOrProtocolError(() => decodeContent(bytes)),
      ),
      { numRuns: 2000 },
    )
  })
})

describe('parseJava', () => {
  it('reads fields of every type', () => {
    const fields =
      '0009 42 0001 62 43 0001 63 44 0001 64 46 0001 66 49 0001 69 4a 0001 6a 53 0001 73 5a 0001 7a 4c 0001 6f ' +
      `74 ${utf('Ljava/lang/Object;')}`
    const values = 'ff 0041 3ff8000000000000 40200000 fffffffe ffffffffffffffff fffd 01 74 0002 6869'
    const object = parse(`73 ${classDesc('T', '02', fields)} ${values}`)
    expect(object).toMatchObject({ kind: 'object', className: 'T' })
    if (!isJavaObject(object)) throw new Error('no object')
    expect(Object.fromEntries(object.parts[0]?.fields ?? [])).toEqual({
      b: -1,
      c: 0x41,
      d: 1.5,
      f: 2.5,
      i: -2,
      j: -1,
      s: -3,
      z: true,
      o: 'hi',
    })
  })

  it('reads strings of both lengths, null, arrays, enums, classes and references', () => {
    expect(parse('70')).toBe(null)
    expect(parse('74 0002 6869')).toBe('hi')
    expect(parse('7c 0000000000000002 6869')).toBe('hi')
    expect(parse(`75 ${classDesc('[B', '02', '0000')} 00000002 0102`)).toEqual(hex('0102'))
    expect(parse(`75 ${classDesc('[J', '02', '0000')} 00000001 0020000000000000`)).toEqual({
      kind: 'array',
      className: '[J',
      elements: [{ high: 0x200000, low: 0 }],
    })
    // The array's class is handle 0, the array handle 1, the string handle 2.
    expect(
      parse(`75 ${classDesc('[Ljava.lang.String;', '02', '0000')} 00000003 74 0001 61 71 007e0002 70`),
    ).toMatchObject({ elements: ['a', 'a', null] })
    expect(
      parse(`7e ${classDesc('E', '12', '0000', classDesc('java.lang.Enum', '12', '0000'))} 74 0001 41`),
    ).toEqual({
      kind: 'enum',
      className: 'E',
      constant: 'A',
    })
    expect(parse(`76 ${classDesc('C', '02', '0000')}`)).toEqual({ kind: 'class', className: 'C' })
  })

  it('reads what classes add with a writeObject of their own', () => {
    const fields = '0001 49 0001 69'
    const object = parse(
      `73 ${classDesc('W', '03', fields)} 00000005 77 02 0102 74 0001 61 7a 00000001 03 78`,
    )
    expect(object).toMatchObject({ parts: [{ annotations: [hex('0102'), 'a', hex('03')] }] })
  })

  it('reads externalizable classes with block data, and refuses those without', () => {
    expect(parse(`73 ${classDesc('X', '0c', '0000')} 77 01 07 78`)).toMatchObject({
      parts: [{ annotations: [hex('07')] }],
    })
    expect(() => parse(`73 ${classDesc('X', '04', '0000')} 07`)).toThrow('cannot be read without its class')
  })

  it('reads proxies, class annotations and a reset', () => {
    expect(parse('73 7d 00000001 0001 49 78 70')).toMatchObject({ className: '(proxy)' })
    expect(parse(`76 72 ${utf('C')} 0000000000000001 02 0000 74 0001 61 78 70`)).toMatchObject({
      className: 'C',
    })
    expect(
      parse(`75 ${classDesc('[Ljava.lang.Object;', '02', '0000')} 00000001 79 74 0001 61`),
    ).toMatchObject({
      elements: ['a'],
    })
    // After a reset handles count from the beginning.
    expect(() =>
      parse(`75 ${classDesc('[Ljava.lang.Object;', '02', '0000')} 00000002 79 74 0001 61 71 007e0001`),
    ).toThrow('unknown handle')
  })

  it.each([
    ['another magic', 'aced0004 70', 'not a Java stream'],
    ['a length beyond the stream', `${STREAM} 74 ffff 61`, 'string wants 65535 bytes'],
    ['a long length beyond the stream', `${STREAM} 7c 7fffffffffffffff 61`, 'longer than the stream'],
    ['a negative long length', `${STREAM} 7c ffffffffffffffff 61`, 'wants -1 bytes'],
    ['an unknown type code', `${STREAM} 50`, 'type code 0x50'],
    ['an exception in the stream', `${STREAM} 7b`, 'type code 0x7b'],
    ['a handle that is none', `${STREAM} 71 007e0000`, 'unknown handle 0x7e0000'],
    ['a negative handle', `${STREAM} 71 ffffffff`, 'unknown handle'],
    ['an object without a class', `${STREAM} 73 70`, 'a value without a class'],
    [
      'an unknown field type',
      `${STREAM} 73 ${classDesc('T', '02', '0001 51 0001 61')} 00`,
      'field of type "Q"',
    ],
    [
      'an array that is longer than the stream',
      `${STREAM} 75 ${classDesc('[I', '02', '0000')} 7fffffff 00000000`,
      'array size says 2147483647',
    ],
    ['a negative array', `${STREAM} 75 ${classDesc('[B', '02', '0000')} ffffffff`, 'array size says -1'],
    ['more fields than bytes', `${STREAM} 73 72 ${utf('T')} 0000000000000001 02 ffff`, 'field type wants 1'],
    [
      'a class that is its own superclass',
      `${STREAM} 73 ${classDesc('T', '02', '0000', '71 007e0000')}`,
      'something else than a class',
    ],
    ['a value where a class should be', `${STREAM} 75 71 007e0000 00000000`, 'unknown handle'],
    [
      'a class where a value should be',
      `${STREAM} 73 ${classDesc('T', '02', `0001 4c 0001 61 74 ${utf('LT;')}`)} 71 007e0000`,
      'a class description where a value should be',
    ],
    [
      'an enum constant that is no string',
      `${STREAM} 7e ${classDesc('E', '12', '0000')} 70`,
      'enum constant is no string',
    ],
  ])('refuses %s', (_what, stream, message) => {
    expect(() => parseJava(hex(stream))).toThrow(ProtocolError)
    expect(() => parseJava(hex(stream))).toThrow(message)
  })

  it('bounds depth and number of values', () => {
    const array = classDesc('[Ljava.lang.Object;', '02', '0000')
    const nested = `75 ${array} 00000001 ${'75 71 007e0000 00000001 '.repeat(5000)} 70`
    expect(() => parse(nested)).toThrow('nested deeper than 200')
    expect(() => parse('79'.repeat(5000))).toThrow('nested deeper than 200')
    let chain = '70'
    for (let i = 0; i < 300; i++) chain = classDesc('T', '02', '0000', chain)
    expect(() => parse(`73 ${chain}`)).toThrow('nested deeper than 200')
    expect(() => parse(`75 ${array} 000186a1 ${'70'.repeat(100_001)}`)).toThrow('more than 100000 values')
    expect(() => parse(`76 72 ${utf('C')} 0000000000000001 02 0000 ${'7700'.repeat(100_001)} 78 70`)).toThrow(
      'more than 100000 values',
    )
  })
})

describe('decodeContent', () => {
  const TRANSPORT_MESSAGE_NAME = 'org.apache.celeborn.common.network.protocol.TransportMessage'

  it('takes fields by name, wherever they are', () => {
    const fields =
      '0003 49 0001 61 49 0010 6d6573736167655479706556616c7565 5b 0007 7061796c6f6164 74 0002 5b42'
    const value = `00000001 0000000d 75 ${classDesc('[B', '02', '0000')} 00000001 09`
    expect(
      decodeContent(hex(`${STREAM} 73 ${classDesc(TRANSPORT_MESSAGE_NAME, '02', fields)} ${value}`)),
    ).toEqual({ kind: 'message', type: 13, payload: hex('09'), form: 'V1' })
  })

  it.each([
    ['null', '70', 'a Java stream with null'],
    ['a string', '74 0001 61', 'a Java stream with a string'],
    ['another class', `73 ${classDesc('java.util.Evil', '02', '0000')}`, 'instance of java.util.Evil'],
    [
      'a message without a type',
      `73 ${classDesc(TRANSPORT_MESSAGE_NAME, '02', '0000')}`,
      'TransportMessage without a type',
    ],
    [
      'a message with another payload',
      `73 ${classDesc(
        TRANSPORT_MESSAGE_NAME,
        '02',
        '0002 49 0010 6d6573736167655479706556616c7565 4c 0007 7061796c6f6164 74 0003 4c583b',
      )} 0000000d 74 0001 61`,
      'payload is not byte[]',
    ],
    [
      'an endpoint lookup without a name',
      `73 ${classDesc('org.apache.celeborn.common.rpc.netty.RpcEndpointVerifier$CheckExistence', '02', '0000')}`,
      'without name',
    ],
  ])('refuses %s', (_what, stream, message) => {
    expect(() => decodeContent(hex(`${STREAM} ${stream}`))).toThrow(message)
  })

  it('takes a failure without a Throwable for one that says nothing', () => {
    const failure = classDesc(
      'org.apache.celeborn.common.rpc.netty.RpcFailure',
      '02',
      `0001 4c 0001 65 74 ${utf('Ljava/lang/Throwable;')}`,
    )
    expect(decodeContent(hex(`${STREAM} 73 ${failure} 70`))).toEqual({
      kind: 'failure',
      className: 'java.lang.Throwable',
      message: '',
    })
  })
})
