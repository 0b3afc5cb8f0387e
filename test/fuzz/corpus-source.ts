import { createCodec } from '../../src/compress'
import * as p from '../../src/protocol'
import { MESSAGES } from '../protocol/messages-values'
import * as streams from '../protocol/java-streams'
import { location } from '../protocol/support'
import { bytes, int, msg, packed, str } from '../protocol/wire'
import { type Corpus, type Kind } from './corpus'

/** What test/fuzz/corpus is made of: messages as our encoders write them, and edge cases by hand. */

const ascii = (text: string): Buffer => Buffer.from(text)
const hex = (text: string): Buffer => Buffer.from(text.replace(/\s+/g, ''), 'hex')
const utf16 = (text: string): string => {
  const encoded = Buffer.from(text)
  return `${encoded.length.toString(16).padStart(4, '0')}${encoded.toString('hex')}`
}

function written(
  length: number,
  write: (buffer: Buffer) => unknown,
  body: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(length)
  write(head)
  return Buffer.concat([head, body])
}

const ID = 7
const WIDE = { high: 0x7fffffff, low: 0xffffffff }
const slice = { streamId: 5, chunkIndex: 0, offset: 0, length: 0x7fffffff }
const batch = (mapId: number, attemptId: number, batchId: number, payload: Uint8Array): Buffer =>
  written(16, (b) => p.writeBatchHeader(b, 0, mapId, attemptId, batchId, payload.length), payload)
const chunk = Buffer.concat([
  batch(0, 0, 0, ascii('first')),
  batch(1, 1, 0, ascii('')),
  batch(2, 0, 1, ascii('third')),
])
const frame = (type: number, fields: Uint8Array, body: Uint8Array = Buffer.alloc(0)): Buffer =>
  written(9, (b) => p.writeFrameHeader(b, 0, type, fields.length, body.length), Buffer.concat([fields, body]))

const FRAMES: Record<string, Buffer> = {
  heartbeat: written(p.HEARTBEAT_BYTES, (b) => p.writeHeartbeat(b, 0)),
  'answer without body': written(p.RPC_RESPONSE_HEADER_BYTES, (b) => p.writeRpcResponseHeader(b, 0, ID, 0)),
  answer: written(p.RPC_RESPONSE_HEADER_BYTES, (b) => p.writeRpcResponseHeader(b, 0, ID, 3), ascii('abc')),
  'answer to a wide id': written(
    p.RPC_RESPONSE_HEADER_BYTES,
    (b) => p.writeRpcResponseHeader(b, 0, WIDE, 1),
    hex('15'),
  ),
  'failure of an RPC': written(p.rpcFailureLength('PUSH_DATA_TIMEOUT_REPLICA'), (b) =>
    p.writeRpcFailure(b, 0, ID, 'PUSH_DATA_TIMEOUT_REPLICA'),
  ),
  request: written(p.RPC_REQUEST_HEADER_BYTES, (b) => p.writeRpcRequestHeader(b, 0, ID, 4), ascii('body')),
  'one-way message': written(
    p.ONE_WAY_MESSAGE_HEADER_BYTES,
    (b) => p.writeOneWayMessageHeader(b, 0, 4),
    ascii('body'),
  ),
  'one-way message that stops': written(
    p.ONE_WAY_MESSAGE_HEADER_BYTES,
    (b) => p.writeOneWayMessageHeader(b, 0, 77),
    Buffer.alloc(90),
  ),
  chunk: written(
    p.CHUNK_FETCH_SUCCESS_HEADER_BYTES,
    (b) => p.writeChunkFetchSuccessHeader(b, 0, slice, chunk.length),
    chunk,
  ),
  'empty chunk': written(p.CHUNK_FETCH_SUCCESS_HEADER_BYTES, (b) =>
    p.writeChunkFetchSuccessHeader(b, 0, slice, 0),
  ),
  'failure of a chunk': written(p.chunkFetchFailureLength('no such stream'), (b) =>
    p.writeChunkFetchFailure(b, 0, slice, 'no such stream'),
  ),
  push: written(
    p.pushDataHeaderLength(5, 3),
    (b) => p.writePushDataHeader(b, 0, ID, 1, ascii('app-0'), ascii('7-0'), chunk.length),
    chunk,
  ),
  'merged push': written(
    p.pushMergedDataHeaderLength(5, [ascii('7-0'), ascii('8-1')]),
    (b) =>
      p.writePushMergedDataHeader(
        b,
        0,
        ID,
        0,
        ascii('app-0'),
        [ascii('7-0'), ascii('8-1')],
        [0, 21],
        chunk.length,
      ),
    chunk,
  ),
  'end of a stream': frame(p.MessageType.BUFFER_STREAM_END, hex('0000000000000005')),
  'request for a chunk': frame(
    p.MessageType.CHUNK_FETCH_REQUEST,
    hex('0000000000000005 00000000 00000000 7fffffff'),
  ),
  'no fields': frame(p.MessageType.ONE_WAY_MESSAGE, hex(''), ascii('x')),
  'long fields': frame(
    p.MessageType.RPC_FAILURE,
    Buffer.concat([hex('0000000000000007 00000fa0'), Buffer.alloc(4000, 0x61)]),
  ),
  'too long fields': frame(
    p.MessageType.RPC_FAILURE,
    Buffer.concat([hex('0000000000000007 00001770'), Buffer.alloc(6000, 0x61)]),
  ),
  'too long body': frame(p.MessageType.RPC_REQUEST, Buffer.alloc(12), Buffer.alloc(9000)),
  'body of 16 KiB': frame(
    p.MessageType.RPC_RESPONSE,
    hex('0000000000000007 00000000'),
    Buffer.alloc(16_384, 0x61),
  ),
  'not supported': frame(p.MessageType.READ_DATA, hex('00')),
  text: ascii('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
  'impossible sizes': hex('7fffffff 04 7fffffff'),
  'nothing at all': hex('00000000 04 00000000'),
}

/** Type, then the fields of a frame. */
const FIELDS = Object.fromEntries(
  Object.entries(FRAMES)
    .filter(([name]) => !/^(text|impossible|nothing)/.test(name))
    .map(([name, whole]) => [
      name,
      Buffer.concat([whole.subarray(4, 5), whole.subarray(9, 9 + whole.readInt32BE(0))]),
    ]),
)
Object.assign(FIELDS, {
  'merged push without batches': hex(`0c 0000000000000001 00 00000001 61 00000000 00000000`),
  'merged push with more ids than offsets': hex(
    `0c 0000000000000001 00 00000001 61 00000001 00000003 372d30 00000000`,
  ),
  'merged push that descends': hex(
    `0c 0000000000000001 01 00000001 61 00000002 00000003 372d30 00000003 382d30 00000002 00000020 00000000`,
  ),
  'push in a third role': hex('0b 0000000000000001 02 00000005 6170702d30 00000003 372d30'),
  'push for no shuffle': hex('0b 0000000000000001 00 00000003 617070 00000003 372d30'),
  'push for no partition': hex('0b 0000000000000001 00 00000005 6170702d30 00000003 372d78'),
  'push for shuffle 2^31': hex('0b 0000000000000001 00 0000000c 612d32313437343833363438 00000003 372d30'),
  'not UTF-8': hex('0b 0000000000000001 00 00000002 ff41 00000003 372d30'),
  'push with a long key': Buffer.concat([
    hex('0b 0000000000000001 00 0000012c'),
    Buffer.alloc(300, 0x61),
    hex('00000003 372d30'),
  ]),
})

const LEGACY: Record<string, Buffer> = {
  'open stream': Buffer.concat([
    hex('06 00000005'),
    ascii('app-0'),
    hex('00000005'),
    ascii('7-0-1'),
    hex('00000000 7fffffff'),
  ]),
  'open stream of no file': Buffer.concat([
    hex('06 00000005'),
    ascii('app-0'),
    hex('00000005'),
    ascii('7-0-2'),
    hex('00000000 7fffffff'),
  ]),
  'stream handle': hex('07 0000000000000005 00000002'),
  'chunk request': hex('00 0000000000000005 00000001 00000000 7fffffff'),
  'chunk request of a wide id': hex('00 8000000000000005 00000001 00000000 7fffffff'),
  'stream end': hex('15 0000000000000005'),
  'bare OPEN_STREAM': p.encodeBare(
    51,
    p.encodeOpenStream({ shuffleKey: 'app-0', fileName: '7-0-0', startIndex: 0, endIndex: 1 } as never),
  ),
  'bare BUFFER_STREAM_END': p.encodeBare(60, p.encodeBufferStreamEnd({ streamType: 1, streamId: 5 })),
  'bare CHUNK_FETCH_REQUEST': p.encodeBare(63, p.encodeChunkFetchRequest(slice)),
  'empty bare message': p.encodeBare(53, Buffer.alloc(0)),
  'payload too long': hex('00000035 7fffffff'),
}
for (const [name, type] of Object.entries({ OPEN_STREAM: 6, STREAM_HANDLE: 7, CHUNK_FETCH_REQUEST: 0 }))
  LEGACY[`only ${name}`] = Buffer.from([type])

const ANSWERS: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  ...Object.fromEntries(
    [0, 15, 16, 21, 22, 27, 28, 29, 30, 31, 77, 255].map((status) => [
      `status ${status}`,
      Buffer.from([status]),
    ]),
  ),
  'hard and soft': p.encodePushMergedSplit([0, 2], [1]),
  'soft only': p.encodePushMergedSplit([], [0]),
  'named twice': p.encodePushMergedSplit([1], [1, 0]),
  'beyond the batches': p.encodePushMergedSplit([3], []),
  negative: p.encodePushMergedSplit([-1], []),
  'lists of two lengths': hex('15 0000005b 00000007 0a020001 120115'),
  'another message': hex('15 0000000d 00000000'),
  'a known cause': ascii('PUSH_DATA_WRITE_FAIL_REPLICA, disk full'),
  'host and port': ascii('h1:9097'),
  'IPv6 and port': ascii('[::1]:80'),
  'no port': ascii('h1:'),
  'a lost connection': ascii('Connection from /127.0.0.1:1 closed'),
  'a request that was not sent': ascii('Failed to send request 5 to /127.0.0.1:1'),
}

const STREAM = 'aced0005'
const UID = '0000000000000001'
const desc = (name: string, flags: string, fields: string, superClass = '70'): string =>
  `72 ${utf16(name)} ${UID} ${flags} ${fields} 78 ${superClass}`
const MESSAGE_CLASS = 'org.apache.celeborn.common.network.protocol.TransportMessage'
const CHECK_CLASS = 'org.apache.celeborn.common.rpc.netty.RpcEndpointVerifier$CheckExistence'
const FAILURE_CLASS = 'org.apache.celeborn.common.rpc.netty.RpcFailure'
const objects = desc('[Ljava.lang.Object;', '02', '0000')
const typed = (fields: string): string => `49 ${utf16('messageTypeValue')} ${fields}`
const payloadField = `5b ${utf16('payload')} 74 ${utf16('[B')}`
const causes = (count: number): string => {
  const type = `0001 4c ${utf16('cause')} 74 ${utf16('Ljava/lang/Throwable;')}`
  return `73 ${desc('E', '02', type)} ${'73 71 007e0003 '.repeat(count)} 70`
}

/** A class with `depth` superclasses, without any field. */
const hierarchy = (depth: number): string =>
  `${hex(`72 ${utf16('T')} ${UID} 02 0000 78`).toString('hex')}*${depth} 70`

const JAVA: Record<string, string> = {
  null: '70',
  string: '74 0001 61',
  'long string': '7c 0000000000000002 6869',
  'endless string': '7c 7fffffffffffffff 61',
  'negative string': '7c ffffffffffffffff 61',
  'modified UTF-8': `74 000a c3a9 eda0bdedb880 c080`,
  'malformed UTF-8': '74 0002 c341',
  'wrong lead byte': '74 0001 ff',
  'cut continuation': '74 0002 e0a0',
  bytes: `75 ${desc('[B', '02', '0000')} 00000002 0102`,
  longs: `75 ${desc('[J', '02', '0000')} 00000001 0020000000000000`,
  doubles: `75 ${desc('[D', '02', '0000')} 00000001 3ff8000000000000`,
  chars: `75 ${desc('[C', '02', '0000')} 00000001 0041`,
  shorts: `75 ${desc('[S', '02', '0000')} 00000001 fffd`,
  floats: `75 ${desc('[F', '02', '0000')} 00000001 40200000`,
  integers: `75 ${desc('[I', '02', '0000')} 7fffffff 00000000`,
  strings: `75 ${desc('[Ljava.lang.String;', '02', '0000')} 00000003 74 0001 61 71 007e0002 70`,
  'array of arrays': `75 ${desc('[[B', '02', '0000')} 00000001 75 ${desc('[B', '02', '0000')} 00000001 01`,
  'class that is no array': `75 ${desc('T', '02', '0000')} 00000001 01`,
  enum: `7e ${desc('E', '12', '0000', desc('java.lang.Enum', '12', '0000'))} 74 0001 41`,
  'enum constant that is none': `7e ${desc('E', '12', '0000')} 70`,
  class: `76 ${desc('C', '02', '0000')}`,
  'all field types': `73 ${desc('T', '02', `0009 42 ${utf16('b')} 43 ${utf16('c')} 44 ${utf16('d')} 46 ${utf16('f')} 49 ${utf16('i')} 4a ${utf16('j')} 53 ${utf16('s')} 5a ${utf16('z')} 4c ${utf16('o')} 74 ${utf16('Ljava/lang/String;')}`)} ff 0041 3ff8000000000000 40200000 fffffffe ffffffffffffffff fffd 01 74 0002 6869`,
  'unknown field type': `73 ${desc('T', '02', `0001 51 ${utf16('a')}`)} 00`,
  'own writeObject': `73 ${desc('W', '03', `0001 49 ${utf16('i')}`)} 00000005 77 02 0102 74 0001 61 7a 00000001 03 78`,
  externalizable: `73 ${desc('X', '0c', '0000')} 77 01 07 78`,
  'externalizable without blocks': `73 ${desc('X', '04', '0000')} 07`,
  'not serializable': `73 ${desc('X', '00', '0000')}`,
  proxy: `73 7d 00000001 ${utf16('I')} 78 70`,
  'class annotation': `76 72 ${utf16('C')} ${UID} 02 0000 74 0001 61 78 70`,
  'object without class': '73 70',
  'own superclass': `73 ${desc('T', '02', '0000', '71 007e0000')}`,
  'superclass by reference': `75 ${objects} 00000002 73 ${desc('T', '02', '0000')} 73 ${desc('U', '02', '0000', '71 007e0002')}`,
  'value as class': `75 ${objects} 00000002 74 0001 61 73 71 007e0002`,
  'class as value': `75 ${objects} 00000001 71 007e0000`,
  reset: `75 ${objects} 00000002 79 74 0001 61 71 007e0000`,
  'unknown handle': '71 007e0005',
  exception: '7b',
  'no class at all': '73 50',
  'another class': `73 ${desc('java.util.Evil', '02', '0000')}`,
  'message without type': `73 ${desc(MESSAGE_CLASS, '02', '0000')}`,
  message: `73 ${desc(MESSAGE_CLASS, '02', `0002 ${typed(payloadField)}`)} 0000000d 75 ${desc('[B', '02', '0000')} 00000001 09`,
  'message whose payload is a string': `73 ${desc(MESSAGE_CLASS, '02', `0002 ${typed(`4c ${utf16('payload')} 74 ${utf16('LX;')}`)}`)} 0000000d 74 0001 61`,
  'lookup without name': `73 ${desc(CHECK_CLASS, '02', '0000')}`,
  'failure without Throwable': `73 ${desc(FAILURE_CLASS, '02', `0001 4c ${utf16('e')} 74 ${utf16('Ljava/lang/Throwable;')}`)} 70`,
  'failure with many causes': `73 ${desc(FAILURE_CLASS, '02', `0001 4c ${utf16('e')} 74 ${utf16('Ljava/lang/Throwable;')}`)} ${causes(15)}`,
  'failure that is a string': `73 ${desc(FAILURE_CLASS, '02', `0001 4c ${utf16('e')} 74 ${utf16('Ljava/lang/Throwable;')}`)} 74 0001 61`,
  'boolean without value': `73 ${desc('java.lang.Boolean', '02', '0000')}`,
}

const CONTENT: Record<string, string> = {
  'V1 message': p.encodeContent('V1', 12, p.encodeMapperEndResponse({ status: 0 })).toString('hex'),
  'V1 message without payload': p.encodeContent('V1', 40, null).toString('hex'),
  'V2 message': p.encodeContent('V2', 13, p.encodeMapperEndResponse({ status: 16 })).toString('hex'),
  'V2 without payload': p.encodeContent('V2', 40, null).toString('hex'),
  lookup: p.encodeCheckExistence(p.Endpoint.MASTER).toString('hex'),
  'answer of a lookup': p.encodeBoolean(true).toString('hex'),
  empty: '',
  'another first byte': '00',
  'another magic': 'aced000470',
  ...Object.fromEntries(Object.entries(streams).map(([name, text]) => [name, text])),
  ...Object.fromEntries(
    Object.entries(JAVA).map(([name, text]) => [`java: ${name}`, `${STREAM}${text.replace(/\s+/g, '')}`]),
  ),
  'java: too deep': `aced0005 ${hex(`75 ${objects} 00000001`).toString('hex')} ${hex('75 71 007e0000 00000001').toString('hex')}*300 70`,
  'java: resets without end': 'aced0005 79*60000',
  // Classes that refer to each other make many values of few bytes: 150 superclasses, an array of their instances.
  'java: instances of a deep hierarchy': `aced0005 ${hex(`75 ${objects} 00002000 73`).toString('hex')} ${hierarchy(150)} 7371007e0002*8191`,
  'java: too many values': `aced0005 ${hex(`76 72 ${utf16('C')} ${UID} 02 0000`).toString('hex')} 7700*32000 7870`,
  'java: too large an array': `aced0005 ${hex(`75 ${objects} 0000ea60`).toString('hex')} 70*60000`,
  'java: long name': `aced0005 741194 c3a9*2250`,
}

const ENVELOPES: Record<string, Buffer> = {
  'without addresses': p.encodeRpcEnvelope({
    endpoint: p.Endpoint.MASTER,
    content: p.encodeContent('V2', 53, null),
  }),
  'with addresses': p.encodeRpcEnvelope({
    sender: { host: 'h1', port: 9097 },
    receiver: { host: '::1', port: -1 },
    endpoint: 'été',
    content: p.encodeContent('V1', 53, null),
  }),
  'third mark': hex('02'),
  empty: Buffer.alloc(0),
}

const MESSAGE_EXTRAS: Record<string, Uint8Array> = {
  Locations: p.encodeLocations([location({ peer: location({ mode: 1, host: 'h2' }) }), location({ id: 8 })]),
  'Locations, none': p.encodeLocations([]),
  'Locations, bare': Buffer.concat([
    bytes(1, Buffer.concat([packed(1, 3), packed(2, 1), packed(3, 0), str(4, 'h1:1:2:3:4'), packed(12, 0)])),
    packed(2, 0x7fffffff),
    int(3, 1),
  ]),
  'Locations, no such worker': Buffer.concat([
    bytes(1, Buffer.concat([packed(1, 3), packed(2, 1), packed(3, 5), str(4, 'h1:1:2:3:4'), packed(12, 0)])),
    packed(2, 0x7fffffff),
    int(3, 1),
  ]),
  'Locations, no worker id': Buffer.concat([
    bytes(1, Buffer.concat([packed(1, 3), packed(2, 1), packed(3, 0), str(4, 'h1:1:2:3'), packed(12, 0)])),
    packed(2, 0x7fffffff),
    int(3, 1),
  ]),
  'Locations, third role': Buffer.concat([
    bytes(1, Buffer.concat([packed(1, 3), packed(2, 1), packed(3, 0), str(4, 'h1:1:2:3:4'), packed(12, 2)])),
    packed(2, 0x7fffffff),
    int(3, 1),
  ]),
  'Locations, too many input rows': int(3, 1),
  'Locations, too many peers': packed(2, 1),
  'CommitFiles, epoch beyond 2^53': int(6, 2n ** 53n),
  'BufferStreamEnd, id beyond 2^53': int(2, 2n ** 53n),
  'Revive, not packed': Buffer.concat([int(1, 9), int(2, 5), int(2, 6), packed(2, 7), int(1, 1)]),
  'ReserveSlots, not packed': Buffer.concat([
    msg(3, int(1, 0), int(2, 7)),
    msg(4, int(1, 1), msg(9, int(2, 7))),
  ]),
  'RegisterShuffleResponse, third role': msg(2, int(1, 3)),
  'ReserveSlots, third role': msg(3, int(1, 3)),
  'ReserveSlots, endless field': hex('0affffffff07'),
}

function asHex(entries: Readonly<Record<string, Uint8Array>>): Corpus {
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, Buffer.from(value).toString('hex')]),
  )
}

const lz4 = createCodec('LZ4')
const joined = (block: { header: Uint8Array; payload: Uint8Array }): Buffer =>
  Buffer.concat([block.header, block.payload])
/** A block as the Java client writes it; compressors may put the same data together differently, this one is fixed. */
const COMPRESSED =
  '4c5a34426c6f636b201a0000003b000000233f320aff0068656c6c6f2063656c65626f726e200f00145065626f726e'
const lz4Header = (method: number, length: number, original: number): string => {
  const header = Buffer.alloc(21)
  header.write('LZ4Block', 'latin1')
  header[8] = method
  header.writeInt32LE(length, 9)
  header.writeInt32LE(original, 13)
  return header.toString('hex')
}

const BLOCKS: Record<string, string> = {
  compressed: COMPRESSED,
  stored: joined(lz4.encodeStored(ascii('stored as it is'))).toString('hex'),
  'stored and empty': joined(lz4.encodeStored(Buffer.alloc(0))).toString('hex'),
  'of zstd': `${Buffer.from('ZSTDBlock').toString('hex')}00*20`,
  'without magic': ascii('no block at all, by no means').toString('hex'),
  'only magic': Buffer.from('LZ4Block').toString('hex'),
  'wrong checksum': `${COMPRESSED.slice(0, 34)}00000000${COMPRESSED.slice(42)}`,
  'claims 2 GiB': lz4Header(0x20, 0, 0x7fffffff),
  'claims the limit': `${lz4Header(0x20, 5000, 1 << 20)} ff*5000`,
  'claims more than possible': `${lz4Header(0x20, 10, 100_000)} ff*10`,
  'claims less than nothing': lz4Header(0x20, 0, -1),
  'unknown method': lz4Header(0x30, 0, 0),
  'other length': lz4Header(0x20, 5, 5),
  'ends early': `${lz4Header(0x20, 2, 100)} 1061`,
  'long for NONE': '61*1500',
}

const zstd = createCodec('ZSTD')
/** As Celeborn's Java client wrote it: a frame may differ by version of zstd, this one is fixed. */
const ZSTD_COMPRESSED =
  '5a535444426c6f636b301e0000003b0000006ff5d99a28b52ffd203bad00007868656c6c6f2063656c65626f726e2001008939eb'
const zstdHeader = (method: number, length: number, original: number): string => {
  const header = Buffer.alloc(22)
  header.write('ZSTDBlock', 'latin1')
  header[9] = method
  header.writeInt32LE(length, 10)
  header.writeInt32LE(original, 14)
  return header.toString('hex')
}

const ZSTD_BLOCKS: Record<string, string> = {
  compressed: ZSTD_COMPRESSED,
  stored: joined(zstd.encodeStored(ascii('stored as it is'))).toString('hex'),
  'stored and empty': joined(zstd.encodeStored(Buffer.alloc(0))).toString('hex'),
  'of lz4': COMPRESSED,
  'without magic': ascii('no block at all, by no means').toString('hex'),
  'only magic': Buffer.from('ZSTDBlock').toString('hex'),
  'wrong checksum': `${ZSTD_COMPRESSED.slice(0, 36)}00000000${ZSTD_COMPRESSED.slice(44)}`,
  'claims 2 GiB': zstdHeader(0x30, 0, 0x7fffffff),
  'claims less than nothing': zstdHeader(0x30, 0, -1),
  'unknown method': zstdHeader(0x20, 0, 0),
  'other length': zstdHeader(0x30, 5, 5),
  'no frame': `${zstdHeader(0x30, 8, 100)} 61*8`,
  'cut off': `${zstdHeader(0x30, 20, 59)} ${ZSTD_COMPRESSED.slice(44, 84)}`,
  'two frames': `${zstdHeader(0x30, 60, 59)} ${ZSTD_COMPRESSED.slice(44).repeat(2)}`,
  'frame to skip': `${zstdHeader(0x30, 12, 0)} 502a4d180400000000000000`,
  'one run': `${zstdHeader(0x30, 13, 131_072)} 28b52ffda000000200 030010 61`,
  'content of unknown size': `${zstdHeader(0x30, 10, 131_072)} 28b52ffd0058 030010 61`,
  'window of 2 GiB': `${zstdHeader(0x30, 10, 131_072)} 28b52ffd00a8 030010 61`,
  'many runs': `${zstdHeader(0x30, 2010, 1 << 20)} 28b52ffd0058 02001061*500 030010 61`,
  'checksum of the frame': `${zstdHeader(0x30, 14, 1)} 28b52ffd2401 090000 61 5b6e8ca9`,
  'with a dictionary': `${zstdHeader(0x30, 11, 1)} 28b52ffd210501 090000 61`,
  'raw block': `${zstdHeader(0x30, 10, 1)} 28b52ffd2001 090000 61`,
}

const CHUNKS: Record<string, Buffer> = {
  empty: Buffer.alloc(0),
  three: chunk,
  'duplicates and another attempt': Buffer.concat([
    batch(0, 0, 0, ascii('a')),
    batch(0, 0, 0, ascii('a')),
    batch(0, 1, 0, ascii('b')),
    batch(0, 0, 1, ascii('c')),
  ]),
  'two for two partitions': Buffer.concat([
    batch(1, 1, 0, ascii('ab')),
    batch(1, 1, 1, ascii('cd')),
    batch(2, 1, 1, ascii('cd')),
  ]),
  'offset that is not 0': batch(0, 0, 99, ascii('ab')),
  'map task that there is not': batch(9, 0, 0, ascii('x')),
  'cut header': chunk.subarray(0, 10),
  'negative size': hex('00000000 00000000 00000000 ffffffff'),
  'size beyond the chunk': hex('00000000 00000000 00000000 ffffff7f'),
}

export function corpus(): Record<Kind, Corpus> {
  const messages = MESSAGES.map(({ name, value, encode }) => [name, encode(value)] as const)
  return {
    frames: asHex(FRAMES),
    fields: asHex(FIELDS),
    legacy: asHex(LEGACY),
    answers: asHex(ANSWERS),
    content: CONTENT,
    envelopes: asHex(ENVELOPES),
    messages: asHex({ ...Object.fromEntries(messages), ...MESSAGE_EXTRAS }),
    chunks: asHex(CHUNKS),
    blocks: BLOCKS,
    'zstd-blocks': ZSTD_BLOCKS,
  }
}
