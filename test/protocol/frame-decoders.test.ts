import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import {
  checkBatchOffsets,
  decodeFields,
  decodeLegacyMessage,
  MessageType,
  pushMergedDataHeaderLength,
  readRequestId,
  writeChunkFetchFailure,
  writePushDataHeader,
  writePushMergedDataHeader,
  writeRpcFailure,
} from '../../src/protocol'
import { anyWireId, fuzz, hex } from './support'

const slice = { streamId: 258, chunkIndex: 3, offset: 1, length: 0x7fffffff }
const SLICE = '0000000000000102 00000003 00000001 7fffffff'

const layouts: readonly [string, number, string, object][] = [
  ['CHUNK_FETCH_REQUEST', 0, SLICE, { slice }],
  ['CHUNK_FETCH_SUCCESS', 1, SLICE, { slice }],
  ['CHUNK_FETCH_FAILURE', 2, `${SLICE} 00000002 6e6f`, { slice, error: 'no' }],
  ['RPC_REQUEST', 3, '0000000000000007 00000010', { requestId: 7 }],
  ['RPC_RESPONSE', 4, '0000000000000007 00000000', { requestId: 7 }],
  ['RPC_FAILURE', 5, '0000000000000007 00000001 78', { requestId: 7, error: 'x' }],
  ['ONE_WAY_MESSAGE', 9, '00000010', {}],
  [
    'PUSH_DATA',
    11,
    '0000000000000009 01 00000005 6170702d31 00000003 342d30',
    { requestId: 9, mode: 1, shuffleKey: 'app-1', partitionUniqueId: '4-0' },
  ],
  [
    'PUSH_MERGED_DATA',
    12,
    '0000000000000009 00 00000005 6170702d31 00000002 00000003 342d30 00000004 31352d32 00000002 00000000 00000028',
    {
      requestId: 9,
      mode: 0,
      shuffleKey: 'app-1',
      partitionUniqueIds: ['4-0', '15-2'],
      batchOffsets: [0, 40],
    },
  ],
  ['BUFFER_STREAM_END', 21, '0000000000000102', { streamId: 258 }],
  ['HEARTBEAT', 22, '00', {}],
]

describe('decodeFields', () => {
  it.each(layouts)('%s', (_name, type, fields, expected) => {
    expect(decodeFields(type, hex(fields))).toEqual({ type, ...expected })
  })

  it.each(layouts)(
    '%s cut off anywhere, or with a byte too many, is a ProtocolError',
    (_name, type, fields) => {
      const bytes = hex(fields)
      for (let length = 0; length < bytes.length; length++) {
        expect(() => decodeFields(type, bytes.subarray(0, length))).toThrow(ProtocolError)
      }
      expect(() => decodeFields(type, Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow('too many')
    },
  )

  it.each(layouts)('%s survives damage', (_name, type, fields) => {
    fuzz((bytes) => decodeFields(type, bytes), [hex(fields)])
  })

  it('keeps ids beyond 2^53 as they are', () => {
    expect(decodeFields(3, hex('8000000000000001 00000000'))).toEqual({
      type: 3,
      requestId: { high: -0x80000000, low: 1 },
    })
  })

  it('refuses unknown and unsupported types by name', () => {
    expect(() => decodeFields(8, hex('00'))).toThrow('unknown transport message 8')
    expect(() => decodeFields(MessageType.READ_DATA, hex('00'))).toThrow('READ_DATA is not supported')
    expect(() => decodeFields(MessageType.OPEN_STREAM, hex('00'))).toThrow('OPEN_STREAM is not supported')
  })

  it('never believes a length or a count', () => {
    const push = '0000000000000009 00'
    for (const length of ['7fffffff', 'ffffffff', '80000000', '00000006']) {
      expect(() => decodeFields(11, hex(`${push} ${length} 6170702d31`))).toThrow('shuffleKey wants')
      expect(() => decodeFields(12, hex(`${push} 00000001 61 ${length} 00000000`))).toThrow(
        'partitionUniqueIds says',
      )
      expect(() => decodeFields(12, hex(`${push} 00000001 61 00000000 ${length}`))).toThrow(
        'batchOffsets says',
      )
    }
  })

  it('refuses strings that are no UTF-8, modes that are none, ids without offsets', () => {
    expect(() => decodeFields(11, hex('0000000000000009 00 00000001 ff 00000000'))).toThrow('not UTF-8')
    expect(() => decodeFields(11, hex('0000000000000009 02 00000001 61 00000000'))).toThrow('mode 2')
    expect(() =>
      decodeFields(12, hex('0000000000000009 00 00000001 61 00000001 00000001 62 00000000')),
    ).toThrow('1 ids for 0 batches')
  })

  it('reads error texts even if they are damaged', () => {
    expect(decodeFields(5, hex('0000000000000007 00000002 ff78'))).toMatchObject({ error: '\ufffdx' })
  })

  it('reads back what the encoders write', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 })
    fc.assert(
      fc.property(
        anyWireId,
        fc.constantFrom(0 as const, 1 as const),
        text,
        fc.array(fc.tuple(text, fc.nat({ max: 0x7fffffff })), { maxLength: 10 }),
        (requestId, mode, shuffleKey, batches) => {
          const ids = batches.map(([id]) => Buffer.from(id))
          const buffer = Buffer.alloc(pushMergedDataHeaderLength(Buffer.byteLength(shuffleKey), ids))
          writePushMergedDataHeader(
            buffer,
            0,
            requestId,
            mode,
            Buffer.from(shuffleKey),
            ids,
            batches.map(([, offset]) => offset),
            1,
          )
          expect(decodeFields(12, buffer.subarray(9))).toEqual({
            type: 12,
            requestId,
            mode,
            shuffleKey,
            partitionUniqueIds: batches.map(([id]) => id),
            batchOffsets: batches.map(([, offset]) => offset),
          })
        },
      ),
    )
    const buffer = Buffer.alloc(200)
    const pushEnd = writePushDataHeader(buffer, 0, 5, 0, Buffer.from('a-0'), Buffer.from('1-2'), 3)
    expect(decodeFields(11, buffer.subarray(9, pushEnd))).toMatchObject({ requestId: 5, shuffleKey: 'a-0' })
    const failureEnd = writeRpcFailure(buffer, 0, 6, 'oh')
    expect(decodeFields(5, buffer.subarray(9, failureEnd))).toMatchObject({ requestId: 6, error: 'oh' })
    const chunkEnd = writeChunkFetchFailure(buffer, 0, slice, 'oh')
    expect(decodeFields(2, buffer.subarray(9, chunkEnd))).toMatchObject({ slice, error: 'oh' })
  })
})

describe('readRequestId', () => {
  it('takes the id of an answer', () => {
    expect(readRequestId(hex('0000000000000007 00000000'))).toBe(7)
    expect(() => readRequestId(hex('0000000000000007 000000'))).toThrow(ProtocolError)
  })
})

describe('checkBatchOffsets', () => {
  it('accepts offsets that cut the body into batches', () => {
    checkBatchOffsets([0], 16)
    checkBatchOffsets([0, 16, 40], 56)
  })

  it.each([
    ['no batch', [], 16],
    ['a first offset that is not 0', [1, 20], 50],
    ['a descending offset', [0, 40, 20], 60],
    ['a batch without room for its header', [0, 15], 60],
    ['a last batch without room for its header', [0, 45], 60],
    ['an offset beyond the body', [0, 0x7fffffff], 60],
    ['a negative offset', [0, -1], 60],
  ])('refuses %s', (_what, offsets, size) => {
    expect(() => checkBatchOffsets(offsets, size)).toThrow(ProtocolError)
  })
})

describe('decodeLegacyMessage', () => {
  const messages: readonly [string, string, object][] = [
    [
      'OPEN_STREAM',
      '06 00000005 6170702d31 00000005 342d302d30 00000000 7fffffff',
      { type: 6, shuffleKey: 'app-1', fileName: '4-0-0', startMapIndex: 0, endMapIndex: 0x7fffffff },
    ],
    ['STREAM_HANDLE', '07 0000000000000102 00000003', { type: 7, streamId: 258, numChunks: 3 }],
    ['CHUNK_FETCH_REQUEST', `00 ${SLICE}`, { type: 0, slice }],
    ['BUFFER_STREAM_END', '15 0000000000000102', { type: 21, streamId: 258 }],
  ]

  it.each(messages)('%s', (_name, payload, expected) => {
    expect(decodeLegacyMessage(hex(payload))).toEqual(expected)
    expect(() => decodeLegacyMessage(hex(`${payload} 00`))).toThrow(ProtocolError)
    fuzz(decodeLegacyMessage, [hex(payload)])
  })

  it('refuses messages that cannot be inside of an RPC', () => {
    expect(() => decodeLegacyMessage(hex('0b 00'))).toThrow('PUSH_DATA cannot be the payload')
    expect(() => decodeLegacyMessage(Buffer.alloc(0))).toThrow(ProtocolError)
  })
})
