import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import * as protocol from '../../src/protocol'
import { MESSAGES } from './messages-values'
import { fuzz, location } from './support'
import { bytes, int, msg, packed, str } from './wire'

describe.each(MESSAGES)('$name', ({ value, wire, encode, decode }) => {
  const encoded = Buffer.concat(wire)

  it('has the fields of its table', () => {
    expect(Buffer.from(encode(value)).toString('hex')).toBe(encoded.toString('hex'))
  })

  it('is read back', () => {
    expect(decode(encoded)).toEqual(value)
  })

  it('has no field that must be there', () => {
    expect(() => decode(new Uint8Array(0))).not.toThrow()
  })

  it('skips fields it does not know', () => {
    const unknown = [int(1000, 1), str(1001, 'x'), Buffer.from('ed3e00000000', 'hex')] // the last is a fixed32
    expect(decode(Buffer.concat([encoded, ...unknown]))).toEqual(value)
  })

  it('owns its memory', () => {
    const message = Buffer.from(encoded)
    const decoded = decode(message)
    message.fill(0xee)
    expect(decoded).toEqual(value)
  })

  it('is a ProtocolError when cut off in a field, and survives damage', () => {
    // Every message here ends with a field that is longer than one byte.
    expect(() => decode(encoded.subarray(0, -1))).toThrow(ProtocolError)
    fuzz(decode, [encoded], 100)
  })
})

describe('control messages', () => {
  it('are all tested', () => {
    const exported = Object.keys(protocol).flatMap((name) => /^decode(?=[A-Z])(.*)/.exec(name)?.[1] ?? [])
    const others = ['Bare', 'BareOrLegacy', 'Content', 'Fields', 'LegacyMessage', 'Locations', 'RpcEnvelope']
    const tested = new Set([...MESSAGES.map(({ name }) => name.replace(/, .*/, '')), ...others])
    expect(exported.filter((name) => !tested.has(name))).toEqual([])
  })

  it('with only default values are empty', () => {
    expect(protocol.encodeMapperEndResponse({ status: 0 })).toHaveLength(0)
    expect(protocol.encodeCheckWorkersAvailable()).toHaveLength(0)
    expect(protocol.encodeBufferStreamEnd({ streamType: 0, streamId: 0 })).toHaveLength(0)
  })

  it('name the message and keep the cause in their errors', () => {
    expect(() => protocol.decodeReserveSlots(Buffer.from('0affffffff07', 'hex'))).toThrow(
      /^ReserveSlots: 6 bytes that are no such message/,
    )
    // Not UTF-8.
    expect(() => protocol.decodeApplicationLost(bytes(1, Uint8Array.of(0xff)))).toThrow(ProtocolError)
  })

  it('read lists that are not packed, and fields that come twice', () => {
    expect(
      protocol.decodeRevive(Buffer.concat([int(1, 9), int(2, 5), int(2, 6), packed(2, 7), int(1, 1)])),
    ).toEqual({
      shuffleId: 1,
      mapIds: [5, 6, 7],
      partitions: [],
    })
  })

  it('refuse sizes beyond 2^53, but keep ids beyond it', () => {
    const tooLarge = 2n ** 53n
    expect(() => protocol.decodeCommitFiles(int(6, tooLarge))).toThrow(
      'CommitFiles: epoch is larger than 2^53',
    )
    expect(protocol.decodeCommitFiles(int(6, tooLarge - 1n)).epoch).toBe(Number.MAX_SAFE_INTEGER)
    expect(protocol.decodeBufferStreamEnd(int(2, tooLarge)).streamId).toEqual({ high: 0x200000, low: 0 })
  })

  it('take any text as the key of a map', () => {
    const extraInfo = new Map([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['', 'c'],
      ['1', 'd'],
    ])
    const info = { appId: 'app', userIdentifier: protocol.DEFAULT_USER, extraInfo, requestId: 'r#1' }
    const decoded = protocol.decodeRegisterApplicationInfo(protocol.encodeRegisterApplicationInfo(info))
    expect(new Map([...decoded.extraInfo].sort())).toEqual(new Map([...extraInfo].sort()))
    expect(({} as { a?: string }).a).toBeUndefined()
  })

  it('bound how deep consumptions nest', () => {
    let nested = int(1, 1)
    for (let i = 0; i < 500; i++) nested = msg(5, str(1, 'a'), msg(2, nested))
    expect(() => protocol.decodeRegisterWorker(msg(8, str(1, 'u'), msg(2, nested)))).toThrow(ProtocolError)
  })

  it('GetReducerFileGroupResponse has partition 0 too, also where a writer leaves out the zero', () => {
    const fileGroups = new Map([[0, [location()]]])
    const encoded = protocol.encodeGetReducerFileGroupResponse({ status: 0, fileGroups, attempts: [] })
    expect(protocol.decodeGetReducerFileGroupResponse(encoded).fileGroups).toEqual(fileGroups)
    expect(protocol.decodeGetReducerFileGroupResponse(msg(2, msg(2))).fileGroups).toEqual(new Map([[0, []]]))
  })

  it('MapperEnd of a reduce partition says -1 and nothing of the integrity check', () => {
    expect(
      Buffer.from(protocol.encodeMapperEnd({ shuffleId: 1, mapId: 2, attemptId: 3, numMappers: 4 })).toString(
        'hex',
      ),
    ).toBe(Buffer.concat([int(1, 1), int(2, 2), int(3, 3), int(4, 4), int(5, -1)]).toString('hex'))
  })

  it('ReserveSlots in the form before 0.5 lists its locations one by one', () => {
    const primary = protocol.encodeLocations([location()])
    const legacy = [int(2, 7), int(3, 2), str(4, 'h1'), int(5, 1), int(6, 2), int(7, 3), int(8, 4)]
    const decoded = protocol.decodeReserveSlots(
      Buffer.concat([msg(3, ...legacy), msg(4, int(1, 1), ...legacy), bytes(13, primary)]),
    )
    expect(decoded.primaryLocations).toEqual([
      location({ storage: protocol.EMPTY_STORAGE, mapIdBitmap: undefined }),
    ])
    expect(decoded.replicaLocations).toMatchObject([{ mode: 1, id: 7 }])
  })

  it('a location with an unknown role is a ProtocolError', () => {
    expect(() => protocol.decodeRevive(msg(3, msg(3, int(1, 2))))).toThrow('a location with mode 2')
  })

  it('lists that must be parallel are', () => {
    expect(() =>
      protocol.decodeOpenStreamList(Buffer.concat([str(2, 'a', 'b'), packed(3, 1), packed(4, 1, 1)])),
    ).toThrow('1 entries of startIndex for 2 files')
    expect(() => protocol.decodePushMergedDataSplitPartitionInfo(packed(1, 1))).toThrow(ProtocolError)
  })

  it('a worker is told by its address alone', () => {
    const address = { host: 'w', rpcPort: 1, pushPort: 2, fetchPort: 3, replicatePort: 4 }
    const report = protocol.encodeReportWorkerUnavailable({ workers: [address], requestId: 'r#1' })
    expect(protocol.decodeReportWorkerUnavailable(report).workers).toEqual([
      {
        ...address,
        disks: [],
        userResourceConsumption: new Map(),
        internalPort: 0,
        networkLocation: '',
        nextInterruptionNotice: 0,
      },
    ])
  })
})

describe('types of control messages', () => {
  it('are those of the table', () => {
    const { ControlMessageType, isControlMessageType, controlMessageName } = protocol
    const retired = [21, 22, 27, 34, 35, 36, 37, 38]
    expect([...Array(200).keys()].filter(isControlMessageType)).toEqual(
      [...Array(97).keys()].filter((type) => !retired.includes(type)),
    )
    expect(ControlMessageType.PUSH_MERGED_DATA_SPLIT_PARTITION_INFO).toBe(91)
    expect(ControlMessageType.DESTROY).toBe(32)
    expect(controlMessageName(10)).toBe('CHANGE_LOCATION')
    expect(controlMessageName(21)).toBe('control message 21')
  })
})
