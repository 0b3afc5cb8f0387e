import { type WireId } from '../int64'

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
