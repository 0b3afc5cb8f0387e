import { randomBytes } from 'node:crypto'
import { type ErrorCode } from '../../src/errors'
import { encodeBare } from '../../src/protocol/transport-message'
import { type ChunkCall, handlerBytes, type OpenCall, type ScriptedFetch } from './scripted-fetch'
import { batch, chunkOf } from './scripted-reader'

export const PARTS = [chunkOf(0, 1, 3), chunkOf(1, 1, 2), chunkOf(2, 1, 3)]
export const CHUNKS = PARTS.map(({ bytes }) => bytes)
export const TEXTS = PARTS.flatMap(({ texts }) => texts)
export const FILE_SIZE = CHUNKS.reduce((sum, { length }) => sum + length, 0)

/** The second chunk, changed. */
function second(change: (call: ChunkCall, bytes: Buffer) => void): (fetch: ScriptedFetch) => void {
  return (fetch) => {
    const { onChunk } = fetch
    fetch.onChunk = (call) => {
      if (call.slice.chunkIndex === 1) change(call, Buffer.from(CHUNKS[1] ?? []))
      else onChunk(call)
    }
  }
}

function opens(how: (call: OpenCall) => void): (fetch: ScriptedFetch) => void {
  return (fetch) => {
    fetch.onOpen = how
  }
}

function patched(bytes: Buffer, at: number, value: number): Buffer {
  bytes.writeInt32LE(value, at)
  return bytes
}

export interface Case {
  readonly what: string
  readonly play: (fetch: ScriptedFetch) => void
  readonly code: ErrorCode
  /** In the last error's message. */
  readonly says: RegExp
  /** Only a time-out ends it. */
  readonly silent?: true
}

const FETCH = 'CELEBORN_FETCH_FAILED'
const CORRUPT = 'CELEBORN_CORRUPT_DATA'

export const CASES: readonly Case[] = [
  {
    what: 'there is no such file',
    play: opens((call) =>
      call.failure(
        'org.apache.celeborn.common.exception.PartitionUnRetryAbleException: no file 4-0-0\n\tat x',
      ),
    ),
    code: FETCH,
    says: /PartitionUnRetryAbleException: no file 4-0-0$/,
  },
  {
    what: 'a worker that is not registered yet',
    play: opens((call) => call.failure('java.lang.Exception: Worker Not Registered!')),
    code: FETCH,
    says: /Worker Not Registered!/,
  },
  {
    what: 'an open stream answered with another message',
    play: opens((call) => call.answer(encodeBare(51, Buffer.alloc(0)))),
    code: FETCH,
    says: /answered an open stream with message 51/,
  },
  {
    what: 'an open stream answered with nothing',
    play: opens((call) => call.answer(Buffer.alloc(0))),
    code: FETCH,
    says: /answered an open stream with bytes that are no valid message: .* 0 are left$/,
  },
  {
    what: 'an open stream answered with noise',
    play: opens((call) => call.answer(Buffer.from('this is no message at all'))),
    code: FETCH,
    says: /answered an open stream with bytes that are no valid message/,
  },
  {
    what: 'an open stream answered with half a message',
    play: opens((call) => call.answer(handlerBytes(3).subarray(0, 11))),
    code: FETCH,
    says: /answered an open stream with bytes that are no valid message/,
  },
  {
    what: 'fewer than no chunks',
    play: opens((call) => call.handler(-1)),
    code: FETCH,
    says: /a stream of -1 chunks/,
  },
  {
    what: 'no chunk of a file that is not empty',
    play: opens((call) => call.handler(0)),
    code: CORRUPT,
    says: new RegExp(`the file ends after 0 bytes, ${FILE_SIZE} bytes were committed`),
  },
  {
    what: 'fewer chunks than the file has',
    play: opens((call) => call.handler(2)),
    code: CORRUPT,
    says: /the file ends after \d+ bytes/,
  },
  {
    what: 'more chunks than the file has',
    play: opens((call) => call.handler(4)),
    code: FETCH,
    says: /chunk 3: java\.io\.IOException: no chunk 3$/,
  },
  {
    what: 'a chunk that the worker cannot read',
    play: second((call) => call.chunkFailure('java.io.EOFException: file is too short\n\tat y')),
    code: FETCH,
    says: /chunk 1: java\.io\.EOFException: file is too short$/,
  },
  {
    what: 'a stream that the worker has forgotten',
    play: second((call) => call.failure('Stream 5 is not registered with worker')),
    code: FETCH,
    says: /Stream 5 is not registered/,
  },
  {
    what: 'a chunk answered as if it were no chunk',
    play: second((call, bytes) => call.answer(bytes)),
    code: FETCH,
    says: /as if it were a plain RPC/,
  },
  {
    what: 'a chunk without its last byte',
    play: second((call, bytes) => call.chunk(bytes.subarray(0, -1))),
    code: CORRUPT,
    says: /a chunk is cut off/,
  },
  {
    what: 'a chunk with half a batch header',
    play: second((call, bytes) => call.chunk(bytes.subarray(0, 9))),
    code: CORRUPT,
    says: /cut off after 9 bytes/,
  },
  {
    what: 'a chunk without its last batch',
    play: second((call) => call.chunk(batch(1, 1, PARTS[1]?.texts[0] ?? ''))),
    code: CORRUPT,
    says: /the file ends after/,
  },
  {
    what: 'an empty chunk',
    play: second((call) => call.chunk(Buffer.alloc(0))),
    code: CORRUPT,
    says: /ends after/,
  },
  {
    what: 'a batch that claims to be longer than its chunk',
    play: second((call, bytes) => call.chunk(patched(bytes, 12, 0x7fffffff))),
    code: CORRUPT,
    says: /wants 2147483647 bytes/,
  },
  {
    what: 'a batch of less than no bytes',
    play: second((call, bytes) => call.chunk(patched(bytes, 12, -1))),
    code: CORRUPT,
    says: /has size -1/,
  },
  {
    what: 'a batch of a map task that there is not',
    play: second((call, bytes) => call.chunk(patched(bytes, 0, 3))),
    code: CORRUPT,
    says: /a batch of map task 3 .* has 3 map tasks/,
  },
  {
    what: 'a batch of map task -1',
    play: second((call, bytes) => call.chunk(patched(bytes, 0, -1))),
    code: CORRUPT,
    says: /a batch of map task -1 /,
  },
  {
    what: 'a batch without a block',
    play: second((call, bytes) => call.chunk(patched(bytes, 12, 0))),
    code: CORRUPT,
    says: /batch 1 of attempt 0 of map task 1 cannot be decoded: a batch is no LZ4 block/,
  },
  {
    what: 'a block with a flipped bit',
    play: second((call, bytes) => {
      bytes[60] = (bytes[60] ?? 0) ^ 4
      call.chunk(bytes)
    }),
    code: CORRUPT,
    says: /batch 1 of attempt 0 of map task 1 cannot be decoded: LZ4 block/,
  },
  {
    what: 'a block that claims 2 GiB',
    play: second((call, bytes) => call.chunk(patched(bytes, 16 + 13, 0x7fffffff))),
    code: CORRUPT,
    says: /claims 2147483647 bytes of original data, accepted are 0 to/,
  },
  {
    what: 'a chunk larger than is accepted',
    play: second((call) => call.chunk(Buffer.alloc(70_000))),
    code: FETCH,
    says: /70000/,
  },
  {
    what: 'another chunk than was asked for, and never the right one',
    play: second((call, bytes) => call.chunk(bytes, { ...call.slice, chunkIndex: 77 })),
    code: FETCH,
    says: /did not answer within|sent nothing more/,
    silent: true,
  },
  {
    what: 'a chunk of another stream, and never the right one',
    play: second((call, bytes) => call.chunk(bytes, { ...call.slice, streamId: 6 })),
    code: FETCH,
    says: /did not answer within|sent nothing more/,
    silent: true,
  },
  {
    what: 'no answer to an open stream',
    play: opens(() => undefined),
    code: FETCH,
    says: /did not answer within/,
    silent: true,
  },
  {
    what: 'no chunk',
    play: second(() => undefined),
    code: FETCH,
    says: /did not answer within|sent nothing more/,
    silent: true,
  },
  {
    what: 'half a chunk, then silence',
    play: (fetch) => {
      fetch.onChunk = ({ slice, chunk }) => {
        if (slice.chunkIndex < 2)
          chunk(CHUNKS[slice.chunkIndex] ?? Buffer.alloc(0), slice, slice.chunkIndex === 1 ? 40 : undefined)
      }
    },
    code: FETCH,
    says: /sent nothing more of a chunk for \d+ ms/,
    silent: true,
  },
  {
    what: 'half a chunk, then the end of the connection',
    play: second((call, bytes) => {
      call.chunk(bytes, call.slice, 40)
      call.socket.end()
    }),
    code: FETCH,
    says: /connection to 127\.0\.0\.1:\d+ lost/,
  },
  {
    what: 'the end of the connection instead of a chunk',
    play: second((call) => call.socket.end()),
    code: FETCH,
    says: /connection to 127\.0\.0\.1:\d+ lost/,
  },
  {
    what: 'a reset instead of a chunk',
    play: second((call) => call.socket.resetAndDestroy()),
    code: FETCH,
    says: /connection to 127\.0\.0\.1:\d+ lost/,
  },
  {
    what: 'noise instead of a chunk',
    play: second((call) => call.socket.write(Buffer.alloc(64, 0xff))),
    code: FETCH,
    says: /sent bytes that are no valid message/,
  },
  {
    what: 'a web server',
    play: (fetch) => {
      fetch.onSocket = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    },
    code: FETCH,
    says: /sent bytes that are no valid message.*is the port right, and is the peer a Celeborn process/,
  },
  {
    what: 'a peer that says random bytes',
    play: (fetch) => {
      fetch.onSocket = (socket) => {
        const noise = randomBytes(64)
        noise.writeUInt32BE(0xfffffff0, 0)
        socket.write(noise)
      }
    },
    code: FETCH,
    says: /sent bytes that are no valid message/,
  },
  {
    what: 'a peer that says nothing',
    play: (fetch) => {
      fetch.onSocket = (socket) => socket.resume()
    },
    code: FETCH,
    says: /did not answer within/,
    silent: true,
  },
  {
    what: 'a peer that hangs up',
    play: (fetch) => {
      fetch.onSocket = (socket) => socket.resetAndDestroy()
    },
    code: FETCH,
    says: /connection to 127\.0\.0\.1:\d+ lost|cannot connect/,
  },
]
