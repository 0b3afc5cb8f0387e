import { describe, expect, it } from 'vitest'
import {
  CHUNK_FETCH_SUCCESS_HEADER_BYTES,
  chunkFetchFailureLength,
  FRAME_HEADER_BYTES,
  HEARTBEAT_BYTES,
  isMessageType,
  MessageType,
  messageTypeName,
  ONE_WAY_MESSAGE_HEADER_BYTES,
  pushDataHeaderLength,
  pushMergedDataHeaderLength,
  PushMode,
  RPC_REQUEST_HEADER_BYTES,
  RPC_RESPONSE_HEADER_BYTES,
  rpcFailureLength,
  writeChunkFetchFailure,
  writeChunkFetchSuccessHeader,
  writeFrameHeader,
  writeHeartbeat,
  writeOneWayMessageHeader,
  writePushDataHeader,
  writePushMergedDataHeader,
  writeRpcFailure,
  writeRpcRequestHeader,
  writeRpcResponseHeader,
} from '../../src/protocol'
import { hex } from './support'

/** Runs an encoder in the middle of a larger buffer: it must write exactly `length` bytes there. */
function encode(length: number, write: (buffer: Buffer, offset: number) => number): Buffer {
  const buffer = Buffer.alloc(length + 14, 0xee)
  expect(write(buffer, 7)).toBe(7 + length)
  expect(buffer.subarray(0, 7)).toEqual(Buffer.alloc(7, 0xee))
  expect(buffer.subarray(7 + length)).toEqual(Buffer.alloc(7, 0xee))
  return buffer.subarray(7, 7 + length)
}

const ascii = (text: string) => Buffer.from(text)

describe('frame heads', () => {
  it('header: size of the fields, type, size of the body', () => {
    expect(encode(9, (b, o) => writeFrameHeader(b, o, 22, 0x01020304, 0x05060708))).toEqual(
      hex('01020304 16 05060708'),
    )
    expect(FRAME_HEADER_BYTES).toBe(9)
  })

  it('HEARTBEAT', () => {
    expect(encode(HEARTBEAT_BYTES, writeHeartbeat)).toEqual(hex('00000001 16 00000000 00'))
  })

  it('RPC_RESPONSE id 7, empty body', () => {
    expect(encode(RPC_RESPONSE_HEADER_BYTES, (b, o) => writeRpcResponseHeader(b, o, 7, 0))).toEqual(
      hex('0000000c 04 00000000 0000000000000007 00000000'),
    )
  })

  it('RPC_FAILURE id 7, "x"', () => {
    expect(encode(rpcFailureLength('x'), (b, o) => writeRpcFailure(b, o, 7, 'x'))).toEqual(
      hex('0000000d 05 00000000 0000000000000007 00000001 78'),
    )
  })

  it('RPC_FAILURE with text beyond ASCII: the length counts bytes', () => {
    expect(encode(rpcFailureLength('é€'), (b, o) => writeRpcFailure(b, o, 1, 'é€'))).toEqual(
      hex('00000011 05 00000000 0000000000000001 00000005 c3a9e282ac'),
    )
  })

  it('RPC_REQUEST repeats the size of the body', () => {
    expect(
      encode(RPC_REQUEST_HEADER_BYTES, (b, o) => writeRpcRequestHeader(b, o, 0x1_0000_0002, 300)),
    ).toEqual(hex('0000000c 03 0000012c 0000000100000002 0000012c'))
  })

  it('ONE_WAY_MESSAGE', () => {
    expect(encode(ONE_WAY_MESSAGE_HEADER_BYTES, (b, o) => writeOneWayMessageHeader(b, o, 5))).toEqual(
      hex('00000004 09 00000005 00000005'),
    )
  })

  it('PUSH_DATA', () => {
    const head = encode(pushDataHeaderLength(5, 3), (b, o) =>
      writePushDataHeader(b, o, 9, PushMode.PRIMARY, ascii('app-1'), ascii('4-0'), 24),
    )
    expect(head).toEqual(hex('00000019 0b 00000018 0000000000000009 00 00000005 6170702d31 00000003 342d30'))
  })

  it('PUSH_DATA to a replica, with a request id that is no exact number', () => {
    const head = encode(pushDataHeaderLength(1, 1), (b, o) =>
      writePushDataHeader(b, o, { high: -1, low: 1 }, PushMode.REPLICA, ascii('a'), ascii('b'), 0),
    )
    expect(head).toEqual(hex('00000013 0b 00000000 ffffffff00000001 01 00000001 61 00000001 62'))
  })

  it('PUSH_MERGED_DATA', () => {
    const ids = [ascii('4-0'), ascii('15-2')]
    const head = encode(pushMergedDataHeaderLength(5, ids), (b, o) =>
      writePushMergedDataHeader(b, o, 9, PushMode.PRIMARY, ascii('app-1'), ids, [0, 40], 100),
    )
    expect(head).toEqual(
      hex(
        '00000031 0c 00000064 0000000000000009 00 00000005 6170702d31' +
          '00000002 00000003 342d30 00000004 31352d32 00000002 00000000 00000028',
      ),
    )
  })

  it('PUSH_MERGED_DATA refuses ids and offsets that do not pair', () => {
    expect(() =>
      writePushMergedDataHeader(Buffer.alloc(99), 0, 1, 0, ascii('a'), [ascii('b')], [], 0),
    ).toThrow('1 ids for 0 batches')
  })

  const slice = { streamId: 258, chunkIndex: 3, offset: 0, length: 0x7fffffff }

  it('CHUNK_FETCH_SUCCESS echoes the slice', () => {
    expect(
      encode(CHUNK_FETCH_SUCCESS_HEADER_BYTES, (b, o) => writeChunkFetchSuccessHeader(b, o, slice, 4)),
    ).toEqual(hex('00000014 01 00000004 0000000000000102 00000003 00000000 7fffffff'))
  })

  it('CHUNK_FETCH_FAILURE', () => {
    expect(
      encode(chunkFetchFailureLength('no'), (b, o) => writeChunkFetchFailure(b, o, slice, 'no')),
    ).toEqual(hex('0000001a 02 00000000 0000000000000102 00000003 00000000 7fffffff 00000002 6e6f'))
  })

  it('a message that does not fit into one frame is refused', () => {
    expect(() => writeRpcRequestHeader(Buffer.alloc(99), 0, 1, 0x7fffffff - 12)).toThrow('one frame')
    expect(writeRpcRequestHeader(Buffer.alloc(99), 0, 1, 0x7fffffff - 13)).toBe(21)
  })
})

describe('transport message ids', () => {
  it('are those of the table', () => {
    const known = [...Array(256).keys()].filter(isMessageType)
    expect(known).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, ...Array.from({ length: 15 }, (_, i) => i + 11)])
    expect(MessageType.PUSH_DATA).toBe(11)
    expect(messageTypeName(12)).toBe('PUSH_MERGED_DATA')
    expect(messageTypeName(8)).toBe('transport message 8')
  })
})
