import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import {
  decodeBare,
  decodeBareOrLegacy,
  decodeContent,
  encodeBare,
  encodeBoolean,
  encodeCheckExistence,
  encodeContent,
} from '../../src/protocol'
import { TRANSPORT_MESSAGE, TRANSPORT_MESSAGE_NULL } from './java-streams'
import { fuzz, hex } from './support'

// The fixed part of 0.5's two-field TransportMessage in front of its type: 115 bytes.
const V1_PREFIX =
  'aced00057372003c6f72672e6170616368652e63656c65626f726e2e636f6d6d6f6e2e6e6574776f726b2e70726f746f636f6c2e' +
  '5472616e73706f72744d657373616765d2c5b3edf7070f330200024900106d6573736167655479706556616c75655b0007706179' +
  '6c6f61647400025b427870'
const BYTE_ARRAY = '757200025b42acf317f8060854e00200007870'

describe('bare messages', () => {
  it('have type, length and payload', () => {
    expect(encodeBare(63, hex('0a00'))).toEqual(hex('0000003f 00000002 0a00'))
    expect(decodeBare(hex('0000003f 00000002 0a00'))).toEqual({ type: 63, payload: hex('0a00') })
  })

  it('must fit exactly', () => {
    for (const bytes of [
      '',
      '0000003f',
      '0000003f 00000003 0a00',
      '0000003f 00000001 0a00',
      '0000003f ffffffff',
    ]) {
      expect(() => decodeBare(hex(bytes)), bytes).toThrow(ProtocolError)
    }
    fuzz(decodeBare, [hex('0000003f 00000002 0a00')])
  })

  it('are told from legacy messages by their type', () => {
    expect(decodeBareOrLegacy(hex('0000003f 00000002 0a00'))).toEqual({
      kind: 'message',
      type: 63,
      payload: hex('0a00'),
    })
    expect(decodeBareOrLegacy(hex('15 0000000000000102'))).toEqual({
      kind: 'legacy',
      message: { type: 21, streamId: 258 },
    })
    // A legacy chunk request begins with 00 and the upper part of a stream id.
    expect(decodeBareOrLegacy(hex('00 00ab000000000102 00000003 00000000 7fffffff'))).toMatchObject({
      kind: 'legacy',
      message: { type: 0 },
    })
    for (const bytes of ['', '00', '00000000', '7fffffff00000000']) {
      expect(() => decodeBareOrLegacy(hex(bytes)), bytes).toThrow(ProtocolError)
    }
    fuzz(decodeBareOrLegacy, [hex('0000003f 00000002 0a00'), hex('15 0000000000000102')])
  })
})

describe('V2 content', () => {
  it('of type 13, empty', () => {
    expect(encodeContent('V2', 13, Buffer.alloc(0))).toEqual(hex('ff 0000000d 00000000'))
    expect(encodeContent('V2', 13, null)).toEqual(hex('ff 0000000d 00000000'))
    expect(decodeContent(hex('ff 0000000d 00000000'))).toEqual({
      kind: 'message',
      type: 13,
      payload: Buffer.alloc(0),
      form: 'V2',
    })
  })

  it('must fit exactly', () => {
    expect(() => decodeContent(hex('ff 0000000d 00000001'))).toThrow(ProtocolError)
    expect(() => decodeContent(hex('ff 0000000d 00000000 00'))).toThrow(ProtocolError)
    expect(() => decodeContent(hex('ff'))).toThrow(ProtocolError)
  })
})

describe('V1 content', () => {
  it('is written as Celeborn 0.6 writes it: a LifecycleManager of 0.6 or 0.7 wants the third field', () => {
    expect(encodeContent('V1', 13, hex('0801'))).toEqual(hex(TRANSPORT_MESSAGE))
    expect(encodeContent('V1', 40, null)).toEqual(hex(TRANSPORT_MESSAGE_NULL))
  })

  it('of 0.5, with two fields, is read', () => {
    expect(decodeContent(hex(`${V1_PREFIX} 0000000d ${BYTE_ARRAY} 00000000`))).toEqual({
      kind: 'message',
      type: 13,
      payload: Buffer.alloc(0),
      form: 'V1',
    })
    expect(decodeContent(hex(`${V1_PREFIX} 00000028 70`))).toEqual({
      kind: 'message',
      type: 40,
      payload: new Uint8Array(0),
      form: 'V1',
    })
  })

  it('round trips with any payload, and its payload is a view', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('V1' as const, 'V2' as const),
        fc.nat({ max: 200 }),
        fc.uint8Array({ maxLength: 300 }),
        (form, type, payload) => {
          const bytes = encodeContent(form, type, payload)
          expect(bytes).toHaveLength((form === 'V1' ? 325 : 9) + payload.length)
          const content = decodeContent(bytes)
          expect(content).toEqual({ kind: 'message', type, payload: Buffer.from(payload), form })
          if (content.kind === 'message') expect(content.payload.buffer).toBe(bytes.buffer)
        },
      ),
    )
  })

  it('a Boolean, 47 bytes', () => {
    const TRUE =
      'aced0005737200116a6176612e6c616e672e426f6f6c65616ecd207280d59cfaee0200015a000576616c7565787001'
    expect(encodeBoolean(true)).toEqual(hex(TRUE))
    expect(encodeBoolean(true)).toHaveLength(47)
    expect(encodeBoolean(false)).toEqual(hex(TRUE.replace(/01$/, '00')))
    expect(decodeContent(hex(TRUE))).toEqual({ kind: 'boolean', value: true })
    expect(decodeContent(encodeBoolean(false))).toEqual({ kind: 'boolean', value: false })
  })

  it('CheckExistence("MasterEndpoint"), 137 bytes', () => {
    const bytes = hex(
      'aced0005737200476f72672e6170616368652e63656c65626f726e2e636f6d6d6f6e2e7270632e6e657474792e527063456e6470' +
        '6f696e74566572696669657224436865636b4578697374656e6365000000 72ade1ba7d 0200014c00046e616d657400124c6a61' +
        '76612f6c616e672f537472696e673b78707400 0e 4d6173746572456e64706f696e74',
    )
    expect(encodeCheckExistence('MasterEndpoint')).toEqual(bytes)
    expect(bytes).toHaveLength(137)
    expect(decodeContent(bytes)).toEqual({ kind: 'check-existence', name: 'MasterEndpoint' })
  })

  it('of no known form is a ProtocolError', () => {
    expect(() => decodeContent(Buffer.alloc(0))).toThrow('without content')
    expect(() => decodeContent(hex('00'))).toThrow('begins with 0x0')
  })

  it('survives damage', () => {
    fuzz(decodeContent, [
      encodeContent('V1', 13, hex('0801')),
      encodeContent('V1', 40, null),
      encodeContent('V2', 13, hex('0801')),
      encodeBoolean(true),
      encodeCheckExistence('MasterEndpoint'),
    ])
  })
})
