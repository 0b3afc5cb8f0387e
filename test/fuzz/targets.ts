import { createCodec } from '../../src/compress'
import { ZSTD_BLOCK } from '../../src/compress/block'
import { checkZstdFrame } from '../../src/compress/zstd-frame'
import { zstdLibrary } from '../../src/compress/zstd-library'
import { CelebornError, type ErrorCode, ProtocolError } from '../../src/errors'
import * as protocol from '../../src/protocol'
import { BatchFilter } from '../../src/read/batch-filter'
import { splitPushBody } from '../../src/embedded/worker/push-body'
import { type Kind, readCorpus } from './corpus'
import { Random } from './random'

/** What reads a peer's bytes, and what may be expected of it besides a value or a typed error. */
export interface Target {
  readonly name: string
  readonly kind: Kind
  /** Codes of the errors it may throw. */
  readonly codes: readonly ErrorCode[]
  /** Throws what the decoder throws, or a {@link BrokenProperty}. */
  readonly run: (input: Buffer) => unknown
}

/** A decoder gave an answer, but a wrong one. */
export class BrokenProperty extends Error {}

function expect(condition: boolean, what: string): void {
  if (!condition) throw new BrokenProperty(what)
}

const PROTOCOL: readonly ErrorCode[] = ['CELEBORN_PROTOCOL']
const CORRUPT: readonly ErrorCode[] = ['CELEBORN_CORRUPT_DATA']
const FRAME_LIMITS = { maxFieldsBytes: 4096, maxBodyBytes: (type: number) => (type === 4 ? 16_384 : 8192) }
/** Largest decoded size that a block may claim. */
const BLOCK_LIMIT = 1 << 20
const WORKERS = 3

type Decoder = (bytes: Uint8Array) => unknown

/** The decoders of control messages, in an order that does not depend on that of the exports. */
export const MESSAGE_DECODERS: readonly (readonly [string, Decoder])[] = Object.entries(protocol)
  .filter(([name, value]) => /^decode[A-Z]/.test(name) && typeof value === 'function')
  .filter(([name]) => !/^decode(Bare|BareOrLegacy|Content|Fields|LegacyMessage|RpcEnvelope)$/.test(name))
  .map(([name, value]) => [name.slice('decode'.length), value as Decoder] as const)
  .sort(([a], [b]) => (a < b ? -1 : 1))

/** The outcome of a decoder as something that two runs can be compared by. */
function outcome(run: () => unknown): string {
  try {
    return `value ${JSON.stringify(run(), (_, value: unknown) => (value instanceof Map ? [...value] : value))}`
  } catch (error) {
    if (!(error instanceof CelebornError)) throw error
    return `error ${error.code} ${error.message}`
  }
}

/** Cuts a stream into frames, whole or in pieces whose sizes follow from the bytes, and tells what came out. */
function frames(input: Buffer, pieces: boolean): string {
  const events: string[] = []
  let body = 0
  let left = 0
  const parser = new protocol.FrameParser(
    {
      onHeader(type, fields, bodySize) {
        body = 0
        left = bodySize
        events.push(`${type} ${bodySize}`)
        try {
          events.push(outcome(() => protocol.decodeFields(type, fields)))
        } finally {
          if (type === protocol.MessageType.ONE_WAY_MESSAGE && bodySize === 77) parser.stop()
        }
      },
      onBody(piece) {
        expect(piece.length > 0 && piece.length <= left, 'an impossible piece of a body')
        left -= piece.length
        for (const byte of piece) body = (Math.imul(body, 31) + byte) | 0
      },
      onEnd() {
        expect(left === 0, 'a body that ends early')
        events.push(`end ${body}`)
      },
    },
    FRAME_LIMITS,
  )
  const random = new Random(input.length, input[0] ?? 0)
  try {
    for (let at = 0; at < input.length; ) {
      const size = pieces ? 1 + random.below(random.pick([1, 4, 16, 300])) : input.length
      parser.push(input.subarray(at, at + size))
      at += size
    }
    events.push(`${parser.atBoundary} ${parser.bodyRemaining}`)
  } catch (error) {
    if (!(error instanceof CelebornError) || error.code !== 'CELEBORN_PROTOCOL') throw error
    events.push(error.message)
    expect(parser.bodyRemaining === 0, 'a broken parser that wants a body')
    expect(outcome(() => parser.push(Buffer.alloc(1))).startsWith('error'), 'a broken parser that goes on')
  }
  return events.join('\n')
}

/** As a client connection does it: bodies are received elsewhere and only reported. The sink stops or throws at times. */
function framesWithSkippedBodies(input: Buffer): void {
  let ended = 0
  let type = 0
  const parser: protocol.FrameParser = new protocol.FrameParser(
    {
      onHeader: (t) => void (type = t),
      onBody() {},
      onEnd() {
        ended++
        if (type === protocol.MessageType.PUSH_DATA) throw new ProtocolError('a push to a client')
      },
    },
    FRAME_LIMITS,
  )
  for (let at = 0; at < input.length; ) {
    const skip = Math.min(parser.bodyRemaining, input.length - at)
    if (skip > 0) {
      expect(
        outcome(() => parser.skipBody(parser.bodyRemaining + 1)).includes('INTERNAL'),
        'more is skipped than there is',
      )
      if (type === protocol.MessageType.ONE_WAY_MESSAGE) parser.stop()
      parser.skipBody(skip)
    } else parser.push(input.subarray(at, at + 1))
    at += Math.max(skip, 1)
  }
  expect(ended <= input.length / 9, 'more frames than bytes')
}

function readBatches(input: Buffer): void {
  const filter = new BatchFilter([0, 1, 0])
  let bytes = 0
  for (const batch of protocol.iterateBatches(input)) {
    bytes += protocol.BATCH_HEADER_BYTES + batch.payload.length
    expect(batch.payload.length === batch.size, 'a payload of another size than its header says')
    expect(
      protocol.peekMapId(input, bytes - batch.size - protocol.BATCH_HEADER_BYTES) === batch.mapId,
      'another map id',
    )
    if (!filter.wants(batch, {})) continue
    filter.delivered(batch)
    expect(!filter.wants(batch, {}), 'a batch that is delivered twice')
  }
  expect(bytes === input.length, 'batches that do not fill their chunk')
  expect(filter.duplicates + filter.otherAttempts <= input.length / 16, 'impossible counts')
}

/** A pushed body in the pieces that a socket may give, cut at an offset. */
function splitBody(input: Buffer): void {
  const at = (input[0] ?? 0) % (input.length + 1)
  const first = protocol.readBatchHeader(input)
  const elements = splitPushBody(
    [input.subarray(0, at), input.subarray(at)],
    input.length,
    first.mapId === 1 ? [0, 16 + first.size] : [first.batchId === 99 ? 1 : 0],
  )
  const bytes = Buffer.concat(elements.flatMap(({ pieces }) => [...pieces]))
  expect(Buffer.compare(bytes, input) === 0, 'elements that are not the body')
}

const lz4 = createCodec('LZ4')
const zstd = createCodec('ZSTD')
const none = createCodec('NONE')

function readBlock(input: Buffer): void {
  const original = Buffer.from(input)
  const readOnly = outcome(() => Buffer.from(lz4.decodeReadOnly(input, BLOCK_LIMIT)).toString('latin1'))
  expect(Buffer.compare(input, original) === 0, 'decodeReadOnly has written')
  const inPlace = outcome(() => Buffer.from(lz4.decode(input, BLOCK_LIMIT)).toString('latin1'))
  expect(Buffer.compare(input, original) === 0, 'decode has not put back what it has overwritten')
  expect(readOnly === inPlace, 'decode and decodeReadOnly differ')
  outcome(() => none.decodeReadOnly(input, 1000))
  lz4.decode(input, BLOCK_LIMIT)
}

function readZstdBlock(input: Buffer): void {
  const original = Buffer.from(input)
  const first = outcome(() => Buffer.from(zstd.decode(input, BLOCK_LIMIT)).toString('latin1'))
  expect(Buffer.compare(input, original) === 0, 'decode has written')
  const second = outcome(() => Buffer.from(zstd.decodeReadOnly(input, BLOCK_LIMIT)).toString('latin1'))
  expect(first === second, 'the same block is not the same the second time')
  zstd.decode(input, BLOCK_LIMIT)
}

/** What is behind a block's header, as if header and checksum were right; the library gets it even if it is refused. */
function readZstdFrame(input: Buffer): void {
  const frame = input.subarray(ZSTD_BLOCK.headerBytes)
  const claimed = input.length < ZSTD_BLOCK.headerBytes ? 0 : input.readUInt32LE(14) % (2 * BLOCK_LIMIT)
  try {
    const content = zstdLibrary().decompress(frame, claimed)
    expect(content.byteLength <= claimed, 'more than the header claims')
  } catch (error) {
    if (error instanceof BrokenProperty) throw error
    expect(error instanceof Error, 'a library that throws no Error')
  }
  checkZstdFrame(frame, claimed, BLOCK_LIMIT)
}

function checkAnswer(input: Buffer): void {
  const answer = protocol.classifyPushMerged(input, WORKERS)
  const { kind, status } = protocol.classifyPushData(input)
  expect(answer.status === status, 'two statuses')
  if (answer.kind !== 'split') expect(answer.kind === kind, 'two kinds')
  const indexes = [...answer.hardSplit, ...answer.softSplit]
  expect(new Set(indexes).size === indexes.length, 'a batch that is named twice')
  expect(
    indexes.every((index) => index >= 0 && index < WORKERS),
    'a batch that there is not',
  )
}

function readFields(input: Buffer): unknown {
  const [type = 0] = input
  const message = protocol.decodeFields(type, input.subarray(1))
  if (message.type === protocol.MessageType.PUSH_MERGED_DATA)
    protocol.checkBatchOffsets(message.batchOffsets, 64)
  if (message.type === protocol.MessageType.PUSH_DATA) {
    protocol.parseShuffleKey(message.shuffleKey)
    protocol.parsePartitionUniqueId(message.partitionUniqueId)
  }
  return message
}

/** Whatever is decoded: a location in it is a whole one. */
function checkLocations(value: unknown): void {
  if (value instanceof Map || Array.isArray(value)) {
    for (const one of value.values()) checkLocations(one)
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    if ('storage' in value) {
      expect('host' in value && typeof value.host === 'string', 'a location without a host')
      expect('pushPort' in value && typeof value.pushPort === 'number', 'a location without a port')
    }
    for (const one of Object.values(value)) checkLocations(one)
  }
}

export const TARGETS: readonly Target[] = [
  {
    name: 'frames',
    kind: 'frames',
    codes: PROTOCOL,
    run(input) {
      const whole = frames(input, false)
      expect(whole === frames(input, true), 'frames that depend on how their bytes are cut')
      framesWithSkippedBodies(input)
    },
  },
  { name: 'fields', kind: 'fields', codes: PROTOCOL, run: readFields },
  {
    name: 'request-id',
    kind: 'fields',
    codes: PROTOCOL,
    run: (input) => protocol.wireIdKey(protocol.readRequestId(input.subarray(1))),
  },
  {
    name: 'legacy-messages',
    kind: 'legacy',
    codes: PROTOCOL,
    run(input) {
      const message = protocol.decodeLegacyMessage(input)
      if (message.type === protocol.MessageType.OPEN_STREAM) protocol.parsePartitionFileName(message.fileName)
      if (message.type === protocol.MessageType.CHUNK_FETCH_REQUEST) protocol.sliceKey(message.slice)
    },
  },
  { name: 'push-answers', kind: 'answers', codes: PROTOCOL, run: checkAnswer },
  {
    name: 'failure-texts',
    kind: 'answers',
    codes: [],
    run: (input) => protocol.causeOfFailure(input.toString('utf8')),
  },
  {
    name: 'addresses',
    kind: 'answers',
    codes: PROTOCOL,
    run: (input) => protocol.parseHostPort(input.toString('utf8')),
  },
  {
    name: 'rpc-envelopes',
    kind: 'envelopes',
    codes: PROTOCOL,
    run: (input) => protocol.decodeContent(protocol.decodeRpcEnvelope(input).content),
  },
  { name: 'rpc-contents', kind: 'content', codes: PROTOCOL, run: (input) => protocol.decodeContent(input) },
  {
    name: 'bare-messages',
    kind: 'legacy',
    codes: PROTOCOL,
    run: (input) => protocol.decodeBareOrLegacy(input),
  },
  {
    name: 'control-messages',
    kind: 'messages',
    codes: PROTOCOL,
    run(input) {
      const [, decode] = MESSAGE_DECODERS[(input[0] ?? 0) % MESSAGE_DECODERS.length] ?? []
      checkLocations(decode?.(input.subarray(1)))
    },
  },
  { name: 'batches', kind: 'chunks', codes: [...PROTOCOL, ...CORRUPT], run: readBatches },
  { name: 'pushed-bodies', kind: 'chunks', codes: PROTOCOL, run: splitBody },
  { name: 'lz4-blocks', kind: 'blocks', codes: CORRUPT, run: readBlock },
  { name: 'zstd-blocks', kind: 'zstd-blocks', codes: CORRUPT, run: readZstdBlock },
  { name: 'zstd-frames', kind: 'zstd-blocks', codes: CORRUPT, run: readZstdFrame },
]

/** The inputs that a target's are made of. */
export function seedsOf(target: Target): Buffer[] {
  const entries = [...readCorpus(target.kind)]
  if (target.kind !== 'messages') return entries.map(([, bytes]) => bytes)
  // The first byte says which decoder; entries are called `<Message>` or `<Message>, <variant>`.
  return entries.map(([name, bytes]) => {
    const index = MESSAGE_DECODERS.findIndex(([decoder]) => decoder === name.replace(/, .*/, ''))
    if (index < 0) throw new Error(`no decoder for ${name}`)
    return Buffer.concat([Uint8Array.of(index), bytes])
  })
}
