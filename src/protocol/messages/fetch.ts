import { ProtocolError } from '../../errors'
import { celeborn as pb } from '../generated/celeborn'
import { type WireId } from '../int64'
import { type StreamChunkSlice } from '../stream-chunk-slice'
import { decodeWith, encodeWith, fromWireId, list, toNumbers, toWireId } from './pb'
import { type WithOptional } from './structures'

/** Messages on a worker's fetch port, and what a merged push answers. */

/** `endIndex` of a read over all map tasks. */
export const ALL_MAPS = 0x7fff_ffff

export interface OpenStreamFile {
  /** `<partitionId>-<epoch>-<mode>`. */
  readonly fileName: string
  /** First map index. */
  readonly startIndex: number
  /** Behind the last map index; {@link ALL_MAPS} for all of them. */
  readonly endIndex: number
  /** Flink only. */
  readonly initialCredit: number
  readonly readLocalShuffle: boolean
}

/** OPEN_STREAM. */
export interface OpenStream extends OpenStreamFile {
  readonly shuffleKey: string
}

/** STREAM_HANDLER. */
export interface StreamHandler {
  readonly streamId: WireId
  readonly numChunks: number
  /** Local reads only: numChunks + 1 entries. */
  readonly chunkOffsets: readonly number[]
  /** Local reads only. */
  readonly fullPath: string
}

/** BATCH_OPEN_STREAM. */
export interface OpenStreamList {
  readonly shuffleKey: string
  readonly files: readonly OpenStreamFile[]
}

export interface StreamHandlerOpt {
  readonly status: number
  readonly streamHandler?: StreamHandler | undefined
  readonly errorMsg: string
}

/** BATCH_OPEN_STREAM_RESPONSE, in the order of the request. */
export interface OpenStreamListResponse {
  readonly handlers: readonly StreamHandlerOpt[]
}

export const StreamType = { CHUNK: 0, CREDIT: 1 } as const

/** BUFFER_STREAM_END; it has no answer. */
export interface BufferStreamEnd {
  /** {@link StreamType}. */
  readonly streamType: number
  readonly streamId: WireId
}

export interface TransportableError {
  readonly streamId: WireId
  readonly message: string
}

/** PUSH_MERGED_DATA_SPLIT_PARTITION_INFO: two parallel lists. */
export interface PushMergedDataSplitPartitionInfo {
  /** Indexes of batches of the request. */
  readonly splitPartitionIndexes: readonly number[]
  /** HARD_SPLIT or SOFT_SPLIT. */
  readonly statusCodes: readonly number[]
}

export function encodeOpenStream(
  value: WithOptional<OpenStream, 'initialCredit' | 'readLocalShuffle'>,
): Uint8Array {
  return encodeWith(pb.PbOpenStream, {
    shuffleKey: value.shuffleKey,
    fileName: value.fileName,
    startIndex: value.startIndex,
    endIndex: value.endIndex,
    initialCredit: value.initialCredit ?? 0,
    readLocalShuffle: value.readLocalShuffle ?? false,
  })
}

export function decodeOpenStream(bytes: Uint8Array): OpenStream {
  return decodeWith(
    'OpenStream',
    pb.PbOpenStream,
    bytes,
    ({ shuffleKey, fileName, startIndex, endIndex, initialCredit, readLocalShuffle }) => ({
      shuffleKey,
      fileName,
      startIndex,
      endIndex,
      initialCredit,
      readLocalShuffle,
    }),
  )
}

export function encodeStreamHandler(
  value: WithOptional<StreamHandler, 'chunkOffsets' | 'fullPath'>,
): Uint8Array {
  return encodeWith(pb.PbStreamHandler, toPbHandler(value))
}

export function decodeStreamHandler(bytes: Uint8Array): StreamHandler {
  return decodeWith('StreamHandler', pb.PbStreamHandler, bytes, fromPbHandler)
}

export function encodeOpenStreamList(value: {
  readonly shuffleKey: string
  readonly files: readonly WithOptional<OpenStreamFile, 'initialCredit' | 'readLocalShuffle'>[]
}): Uint8Array {
  const { shuffleKey, files } = value
  return encodeWith(pb.PbOpenStreamList, {
    shuffleKey,
    fileName: files.map((file) => file.fileName),
    startIndex: files.map((file) => file.startIndex),
    endIndex: files.map((file) => file.endIndex),
    initialCredit: files.map((file) => file.initialCredit ?? 0),
    readLocalShuffle: files.map((file) => file.readLocalShuffle ?? false),
  })
}

export function decodeOpenStreamList(bytes: Uint8Array): OpenStreamList {
  return decodeWith('OpenStreamList', pb.PbOpenStreamList, bytes, (message) => {
    const { startIndex, endIndex, initialCredit, readLocalShuffle } = message
    const count = message.fileName.length
    for (const [name, column] of Object.entries({ startIndex, endIndex, readLocalShuffle })) {
      if (column.length !== count) {
        throw new ProtocolError(`${column.length} entries of ${name} for ${count} files`)
      }
    }
    return {
      shuffleKey: message.shuffleKey,
      files: message.fileName.map((fileName, i) => ({
        fileName,
        startIndex: startIndex[i] ?? 0,
        endIndex: endIndex[i] ?? 0,
        initialCredit: initialCredit[i] ?? 0,
        readLocalShuffle: readLocalShuffle[i] ?? false,
      })),
    }
  })
}

export function encodeOpenStreamListResponse(value: OpenStreamListResponse): Uint8Array {
  return encodeWith(pb.PbOpenStreamListResponse, {
    streamHandlerOpt: value.handlers.map(({ status, streamHandler, errorMsg }) => ({
      status,
      streamHandler: streamHandler === undefined ? null : toPbHandler(streamHandler),
      errorMsg,
    })),
  })
}

export function decodeOpenStreamListResponse(bytes: Uint8Array): OpenStreamListResponse {
  return decodeWith('OpenStreamListResponse', pb.PbOpenStreamListResponse, bytes, (message) => ({
    handlers: message.streamHandlerOpt.map(({ status, streamHandler, errorMsg }) => ({
      status: status ?? 0,
      streamHandler: streamHandler ? fromPbHandler(streamHandler) : undefined,
      errorMsg: errorMsg ?? '',
    })),
  }))
}

/** CHUNK_FETCH_REQUEST. */
export function encodeChunkFetchRequest(slice: StreamChunkSlice): Uint8Array {
  return encodeWith(pb.PbChunkFetchRequest, {
    streamChunkSlice: {
      streamId: fromWireId(slice.streamId),
      chunkIndex: slice.chunkIndex,
      offset: slice.offset,
      len: slice.length,
    },
  })
}

export function decodeChunkFetchRequest(bytes: Uint8Array): StreamChunkSlice {
  return decodeWith('ChunkFetchRequest', pb.PbChunkFetchRequest, bytes, ({ streamChunkSlice: slice }) => ({
    streamId: toWireId(slice?.streamId ?? 0),
    chunkIndex: slice?.chunkIndex ?? 0,
    offset: slice?.offset ?? 0,
    length: slice?.len ?? 0,
  }))
}

export function encodeBufferStreamEnd(value: BufferStreamEnd): Uint8Array {
  return encodeWith(pb.PbBufferStreamEnd, {
    streamType: value.streamType,
    streamId: fromWireId(value.streamId),
  })
}

export function decodeBufferStreamEnd(bytes: Uint8Array): BufferStreamEnd {
  return decodeWith('BufferStreamEnd', pb.PbBufferStreamEnd, bytes, ({ streamType, streamId }) => ({
    streamType,
    streamId: toWireId(streamId),
  }))
}

export function encodeTransportableError(value: TransportableError): Uint8Array {
  return encodeWith(pb.PbTransportableError, {
    streamId: fromWireId(value.streamId),
    message: value.message,
  })
}

export function decodeTransportableError(bytes: Uint8Array): TransportableError {
  return decodeWith('TransportableError', pb.PbTransportableError, bytes, ({ streamId, message }) => ({
    streamId: toWireId(streamId),
    message,
  }))
}

export function encodePushMergedDataSplitPartitionInfo(value: PushMergedDataSplitPartitionInfo): Uint8Array {
  return encodeWith(pb.PbPushMergedDataSplitPartitionInfo, {
    splitPartitionIndexes: list(value.splitPartitionIndexes),
    statusCodes: list(value.statusCodes),
  })
}

export function decodePushMergedDataSplitPartitionInfo(bytes: Uint8Array): PushMergedDataSplitPartitionInfo {
  return decodeWith(
    'PushMergedDataSplitPartitionInfo',
    pb.PbPushMergedDataSplitPartitionInfo,
    bytes,
    ({ splitPartitionIndexes, statusCodes }) => {
      if (splitPartitionIndexes.length !== statusCodes.length) {
        throw new ProtocolError(`${statusCodes.length} codes for ${splitPartitionIndexes.length} indexes`)
      }
      return { splitPartitionIndexes, statusCodes }
    },
  )
}

function toPbHandler(
  handler: WithOptional<StreamHandler, 'chunkOffsets' | 'fullPath'>,
): pb.PbStreamHandler.$Properties {
  return {
    streamId: fromWireId(handler.streamId),
    numChunks: handler.numChunks,
    chunkOffsets: list(handler.chunkOffsets),
    fullPath: handler.fullPath ?? '',
  }
}

function fromPbHandler(handler: pb.PbStreamHandler.$Properties): StreamHandler {
  return {
    streamId: toWireId(handler.streamId ?? 0),
    numChunks: handler.numChunks ?? 0,
    chunkOffsets: toNumbers(handler.chunkOffsets ?? [], 'chunkOffsets'),
    fullPath: handler.fullPath ?? '',
  }
}
