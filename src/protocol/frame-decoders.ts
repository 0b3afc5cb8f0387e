import { ProtocolError } from '../errors'
import { ByteReader } from './byte-reader'
import { readWireId, type WireId } from './int64'
import { isMessageType, MessageType, messageTypeName } from './message-type'
import { type StreamChunkSlice } from './stream-chunk-slice'

/** The fields of a transport message; its body, if it has one, is not part of it. */
export type DecodedMessage =
  | { readonly type: typeof MessageType.CHUNK_FETCH_REQUEST; readonly slice: StreamChunkSlice }
  | { readonly type: typeof MessageType.CHUNK_FETCH_SUCCESS; readonly slice: StreamChunkSlice }
  | {
      readonly type: typeof MessageType.CHUNK_FETCH_FAILURE
      readonly slice: StreamChunkSlice
      readonly error: string
    }
  | { readonly type: typeof MessageType.RPC_REQUEST; readonly requestId: WireId }
  | { readonly type: typeof MessageType.RPC_RESPONSE; readonly requestId: WireId }
  | { readonly type: typeof MessageType.RPC_FAILURE; readonly requestId: WireId; readonly error: string }
  | { readonly type: typeof MessageType.ONE_WAY_MESSAGE }
  | PushDataMessage
  | PushMergedDataMessage
  | { readonly type: typeof MessageType.BUFFER_STREAM_END; readonly streamId: WireId }
  | { readonly type: typeof MessageType.HEARTBEAT }

export interface PushDataMessage {
  readonly type: typeof MessageType.PUSH_DATA
  readonly requestId: WireId
  /** 0 primary, 1 replica. */
  readonly mode: 0 | 1
  readonly shuffleKey: string
  readonly partitionUniqueId: string
}

export interface PushMergedDataMessage {
  readonly type: typeof MessageType.PUSH_MERGED_DATA
  readonly requestId: WireId
  readonly mode: 0 | 1
  readonly shuffleKey: string
  readonly partitionUniqueIds: readonly string[]
  /** Where each batch begins in the body; as many as there are ids. See {@link checkBatchOffsets}. */
  readonly batchOffsets: readonly number[]
}

/** Messages of old clients, which come as the payload of an RPC: a type byte and the fields, no frame header. */
export type LegacyMessage =
  | {
      readonly type: typeof MessageType.OPEN_STREAM
      readonly shuffleKey: string
      readonly fileName: string
      readonly startMapIndex: number
      readonly endMapIndex: number
    }
  | {
      readonly type: typeof MessageType.STREAM_HANDLE
      readonly streamId: WireId
      readonly numChunks: number
    }
  | { readonly type: typeof MessageType.CHUNK_FETCH_REQUEST; readonly slice: StreamChunkSlice }
  | { readonly type: typeof MessageType.BUFFER_STREAM_END; readonly streamId: WireId }

/**
 * Decodes the fields part of a frame. Strings and arrays are copies, so `fields` may be reused afterwards.
 * Throws a ProtocolError for anything that is not exactly the message's layout, and for the messages of
 * Flink's map partitions, which nothing here can serve.
 */
export function decodeFields(type: number, fields: Uint8Array): DecodedMessage {
  if (!isMessageType(type)) throw new ProtocolError(`unknown transport message ${type}`)
  const reader = new ByteReader(fields, messageTypeName(type))
  const message = readFields(type, reader)
  reader.end()
  return message
}

function readFields(type: number, reader: ByteReader): DecodedMessage {
  switch (type) {
    case MessageType.CHUNK_FETCH_REQUEST:
      return { type, slice: readSlice(reader) }
    case MessageType.CHUNK_FETCH_SUCCESS:
      return { type, slice: readSlice(reader) }
    case MessageType.CHUNK_FETCH_FAILURE:
      return { type, slice: readSlice(reader), error: reader.text('error') }
    case MessageType.RPC_REQUEST:
    case MessageType.RPC_RESPONSE: {
      const requestId = reader.int64('requestId')
      reader.int32('bodyLength') // repeats the frame header's; Celeborn ignores it too
      return { type, requestId }
    }
    case MessageType.RPC_FAILURE:
      return { type, requestId: reader.int64('requestId'), error: reader.text('error') }
    case MessageType.ONE_WAY_MESSAGE:
      reader.int32('bodyLength')
      return { type }
    case MessageType.PUSH_DATA:
      return {
        type,
        requestId: reader.int64('requestId'),
        mode: readMode(reader),
        shuffleKey: reader.string('shuffleKey'),
        partitionUniqueId: reader.string('partitionUniqueId'),
      }
    case MessageType.PUSH_MERGED_DATA:
      return readPushMergedData(reader)
    case MessageType.BUFFER_STREAM_END:
      return { type, streamId: reader.int64('streamId') }
    case MessageType.HEARTBEAT:
      reader.uint8('padding')
      return { type }
    default:
      throw new ProtocolError(`${messageTypeName(type)} is not supported here`)
  }
}

function readPushMergedData(reader: ByteReader): PushMergedDataMessage {
  const requestId = reader.int64('requestId')
  const mode = readMode(reader)
  const shuffleKey = reader.string('shuffleKey')
  const partitionUniqueIds: string[] = []
  for (let left = reader.count('partitionUniqueIds', 4); left > 0; left--) {
    partitionUniqueIds.push(reader.string('partitionUniqueId'))
  }
  const batchOffsets: number[] = []
  for (let left = reader.count('batchOffsets', 4); left > 0; left--) {
    batchOffsets.push(reader.int32('batchOffset'))
  }
  if (batchOffsets.length !== partitionUniqueIds.length) {
    throw new ProtocolError(
      `PUSH_MERGED_DATA: ${partitionUniqueIds.length} ids for ${batchOffsets.length} batches`,
    )
  }
  return { type: MessageType.PUSH_MERGED_DATA, requestId, mode, shuffleKey, partitionUniqueIds, batchOffsets }
}

/**
 * Checks that batch offsets cut a body of `bodySize` bytes into non-empty batches: the first is 0, they ascend,
 * and each batch has room for `minimumBytes` (a batch header). Throws a ProtocolError otherwise.
 */
export function checkBatchOffsets(offsets: readonly number[], bodySize: number, minimumBytes = 16): void {
  let start = 0
  for (let i = 0; i < offsets.length; i++) {
    const end = i + 1 < offsets.length ? (offsets[i + 1] as number) : bodySize
    if (offsets[i] !== start || end - start < minimumBytes) {
      throw new ProtocolError(
        `PUSH_MERGED_DATA: batch ${i} of ${offsets.length} begins at ${offsets[i]} and ends at ${end} in a body of ${bodySize} bytes`,
      )
    }
    start = end
  }
  if (offsets.length === 0) throw new ProtocolError('PUSH_MERGED_DATA: no batch')
}

/**
 * The request id of an RPC_RESPONSE or RPC_FAILURE, without decoding the rest: what a client does once per
 * acknowledgement. Throws a ProtocolError if the fields are too short to have one.
 */
export function readRequestId(fields: Uint8Array): WireId {
  if (fields.length < 12) throw new ProtocolError(`an answer with ${fields.length} bytes of fields`)
  return readWireId(fields, 0)
}

/** Decodes a legacy message out of an RPC payload. Throws a ProtocolError for anything else. */
export function decodeLegacyMessage(payload: Uint8Array): LegacyMessage {
  const reader = new ByteReader(payload, 'legacy message')
  const message = readLegacy(reader)
  reader.end()
  return message
}

function readLegacy(reader: ByteReader): LegacyMessage {
  const type = reader.uint8('type')
  switch (type) {
    case MessageType.OPEN_STREAM:
      return {
        type,
        shuffleKey: reader.string('shuffleKey'),
        fileName: reader.string('fileName'),
        startMapIndex: reader.int32('startMapIndex'),
        endMapIndex: reader.int32('endMapIndex'),
      }
    case MessageType.STREAM_HANDLE:
      return { type, streamId: reader.int64('streamId'), numChunks: reader.int32('numChunks') }
    case MessageType.CHUNK_FETCH_REQUEST:
      return { type, slice: readSlice(reader) }
    case MessageType.BUFFER_STREAM_END:
      return { type, streamId: reader.int64('streamId') }
    default:
      throw new ProtocolError(`${messageTypeName(type)} cannot be the payload of an RPC`)
  }
}

function readSlice(reader: ByteReader): StreamChunkSlice {
  return {
    streamId: reader.int64('streamId'),
    chunkIndex: reader.int32('chunkIndex'),
    offset: reader.int32('offset'),
    length: reader.int32('length'),
  }
}

function readMode(reader: ByteReader): 0 | 1 {
  const mode = reader.uint8('mode')
  if (mode !== 0 && mode !== 1) throw new ProtocolError(`a push with mode ${mode}, which is neither role`)
  return mode
}
