import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import {
  causeOfFailure,
  classifyPushData,
  classifyPushMerged,
  encodeBare,
  encodePushAnswer,
  encodePushMergedSplit,
  StatusCode,
} from '../../src/protocol'
import { fuzz, hex } from './support'

const KNOWN = new Map([
  [0, 'success'],
  [15, 'map-ended'],
  [16, 'stage-ended'],
  [21, 'hard-split'],
  [22, 'soft-split'],
  [30, 'congested'],
  [31, 'congested'],
])
const none = { hardSplit: [], softSplit: [] }

describe('answers to PUSH_DATA', () => {
  it('empty is success', () => {
    expect(classifyPushData(Buffer.alloc(0))).toEqual({ kind: 'success', status: 0 })
  })

  it.each([...Array(256).keys()])('[%i]', (status) => {
    const expected = { kind: KNOWN.get(status) ?? 'unknown', status }
    expect(classifyPushData(Uint8Array.of(status))).toEqual(expected)
    expect(classifyPushData(Uint8Array.of(status, 1, 2, 3))).toEqual(expected)
  })

  it('are classified without allocating', () => {
    expect(classifyPushData(Uint8Array.of(21))).toBe(classifyPushData(Uint8Array.of(21)))
    expect(classifyPushData(Buffer.alloc(0))).toBe(classifyPushData(Buffer.alloc(0)))
  })
})

describe('answers to PUSH_MERGED_DATA', () => {
  it.each([...Array(256).keys()].filter((status) => status !== 21 && status !== 22))('[%i]', (status) => {
    expect(classifyPushMerged(Uint8Array.of(status), 3)).toEqual({
      kind: KNOWN.get(status) ?? 'unknown',
      status,
      ...none,
    })
  })

  it('empty is success', () => {
    expect(classifyPushMerged(Buffer.alloc(0), 3)).toEqual({ kind: 'success', status: 0, ...none })
  })

  it('[21] alone, from a 0.5 worker, means that nothing was written', () => {
    expect(classifyPushMerged(hex('15'), 3)).toEqual({
      kind: 'split',
      status: 21,
      hardSplit: [0, 1, 2],
      softSplit: [],
    })
  })

  it('[22] alone means that all was written', () => {
    expect(classifyPushMerged(hex('16'), 3)).toEqual({ kind: 'split', status: 22, ...none })
  })

  // Status, bare message type 91, length, PbPushMergedDataSplitPartitionInfo{1: indexes, 2: codes}.
  it('[21] with a list says which batches, in any order', () => {
    expect(classifyPushMerged(hex('15 0000005b 0000000a 0a03040102 1203151615'), 5)).toEqual({
      kind: 'split',
      status: 21,
      hardSplit: [2, 4],
      softSplit: [1],
    })
  })

  it('[22] with a list has only soft splits', () => {
    expect(classifyPushMerged(hex('16 0000005b 00000006 0a0100 120116'), 1)).toEqual({
      kind: 'split',
      status: 22,
      hardSplit: [],
      softSplit: [0],
    })
  })

  it('a batch that is named twice, or with a foreign code, was not written', () => {
    expect(classifyPushMerged(encodePushMergedSplit([1], [1, 0]), 2)).toMatchObject({
      hardSplit: [1],
      softSplit: [0],
    })
    expect(classifyPushMerged(hex('15 0000005b 00000006 0a0100 12012b'), 1)).toMatchObject({
      hardSplit: [0],
      softSplit: [],
    })
  })

  it('of a worker are read back', () => {
    expect(encodePushAnswer(StatusCode.MAP_ENDED)).toEqual(hex('0f'))
    expect(encodePushMergedSplit([2, 4], [1])).toEqual(hex('15 0000005b 0000000a 0a03020401 1203151516'))
    expect(encodePushMergedSplit([], [0])).toEqual(hex('16 0000005b 00000006 0a0100 120116'))
  })

  it.each([
    ['an index beyond the batches', encodePushMergedSplit([3], []), 'about batch 3 of 3'],
    ['a negative index', encodePushMergedSplit([-1], []), 'about batch -1'],
    ['lists of different length', hex('15 0000005b 00000007 0a020001 120115'), '1 codes for 2 indexes'],
    ['another message', Buffer.concat([hex('15'), encodeBare(13, Buffer.alloc(0))]), 'message type 13'],
    ['a list that is cut off', hex('15 0000005b 00000007 0a0100'), 'payload wants 7 bytes'],
    ['a list with bytes behind it', hex('15 0000005b 00000006 0a0100 120115 00'), 'too many'],
  ])('%s is a ProtocolError', (_what, body, message) => {
    expect(() => classifyPushMerged(body, 3)).toThrow(ProtocolError)
    expect(() => classifyPushMerged(body, 3)).toThrow(message)
  })

  it('survive damage', () => {
    fuzz((bytes) => classifyPushMerged(bytes, 3), [encodePushMergedSplit([0, 2], [1])])
  })
})

describe('causeOfFailure', () => {
  const named = [
    ['PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_REPLICA', 50],
    ['PUSH_DATA_WRITE_FAIL_REPLICA', 18],
    ['PUSH_DATA_WRITE_FAIL_PRIMARY', 19],
    ['PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY', 38],
    ['PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA', 39],
    ['PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY', 40],
    ['PUSH_DATA_CONNECTION_EXCEPTION_REPLICA', 41],
    ['PUSH_DATA_TIMEOUT_PRIMARY', 42],
    ['PUSH_DATA_TIMEOUT_REPLICA', 43],
    ['REPLICATE_DATA_FAILED', 13],
    ['PUSH_DATA_PRIMARY_WORKER_EXCLUDED', 44],
    ['PUSH_DATA_REPLICA_WORKER_EXCLUDED', 45],
    ['PUSH_DATA_FAIL_PARTITION_NOT_FOUND', 20],
  ] as const

  it.each(named)('%s', (name, code) => {
    expect(causeOfFailure(name)).toBe(code)
    expect(causeOfFailure(`${name}, and a reason`)).toBe(code)
    expect(causeOfFailure(`not ${name}`)).toBe(17)
  })

  it.each([
    ['Connection from /127.0.0.1:1 closed', 40],
    ['Connection reset by peer', 40],
    ['Failed to send request 5 to /127.0.0.1:1', 40],
    ['File already closed!', 17],
    ['HARD_SPLIT', 17],
    ['', 17],
    [null, 17],
    [undefined, 17],
  ])('%o', (text, code) => {
    expect(causeOfFailure(text)).toBe(code)
  })
})
