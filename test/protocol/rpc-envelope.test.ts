import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import { decodeRpcEnvelope, encodeRpcEnvelope } from '../../src/protocol'
import { fuzz, hex } from './support'

const FULL =
  '01 0002 6831 00002389' + // sender h1:9097
  '01 0002 6832 00000001' + // receiver h2:1
  '000e 4d6173746572456e64706f696e74' + // MasterEndpoint
  'ff0000000d00000000'
const BARE = '00 00 0001 65 ac'

describe('the RPC envelope', () => {
  it('has sender, receiver, endpoint and content', () => {
    const envelope = {
      sender: { host: 'h1', port: 9097 },
      receiver: { host: 'h2', port: 1 },
      endpoint: 'MasterEndpoint',
      content: hex('ff0000000d00000000'),
    }
    expect(encodeRpcEnvelope(envelope)).toEqual(hex(FULL))
    expect(decodeRpcEnvelope(hex(FULL))).toEqual(envelope)
  })

  it('may lack both addresses', () => {
    const envelope = { sender: undefined, receiver: undefined, endpoint: 'e', content: hex('ac') }
    expect(encodeRpcEnvelope(envelope)).toEqual(hex(BARE))
    expect(decodeRpcEnvelope(hex(BARE))).toEqual(envelope)
  })

  it('does not copy the content', () => {
    const bytes = hex(FULL)
    expect(decodeRpcEnvelope(bytes).content.buffer).toBe(bytes.buffer)
  })

  it('has names in modified UTF-8', () => {
    const name = 'a\u0000é€😀'
    const bytes = encodeRpcEnvelope({ endpoint: name, content: Buffer.alloc(0) })
    expect(bytes).toEqual(hex('00 00 000e 61 c080 c3a9 e282ac eda0bd edb880'))
    expect(decodeRpcEnvelope(bytes).endpoint).toBe(name)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((u) => String.fromCharCode(u)) }),
        (any) => {
          expect(
            decodeRpcEnvelope(encodeRpcEnvelope({ endpoint: any, content: Buffer.alloc(0) })).endpoint,
          ).toBe(any)
        },
      ),
    )
  })

  it('refuses what is none', () => {
    expect(() => decodeRpcEnvelope(hex('02 00 0000'))).toThrow('sender is marked with 2')
    expect(() => decodeRpcEnvelope(hex('00 00 ffff 61'))).toThrow('endpoint wants 65535 bytes')
    expect(() => decodeRpcEnvelope(hex('00 00 0001 ff'))).toThrow(ProtocolError)
    expect(() => decodeRpcEnvelope(hex('00 00 0001 c3'))).toThrow(ProtocolError)
    expect(() => decodeRpcEnvelope(hex('00 00 0002 c341'))).toThrow(ProtocolError)
    const bytes = hex('01 0002 6831 00002389 01 0002 6832 00000001 0001 65')
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeRpcEnvelope(bytes.subarray(0, length))).toThrow(ProtocolError)
    }
    fuzz(decodeRpcEnvelope, [hex(FULL), hex(BARE)])
  })

  it('does not write names that are too long', () => {
    expect(() => encodeRpcEnvelope({ endpoint: 'x'.repeat(65_536), content: Buffer.alloc(0) })).toThrow(
      '65536 bytes',
    )
  })
})
