import { CelebornError } from '../errors'
import { type WireId, writeInt32BE, writeWireId } from './int64'
import { MessageType } from './message-type'
import { type StreamChunkSlice, STREAM_CHUNK_SLICE_BYTES } from './stream-chunk-slice'

/**
 * Writers of frame heads: the frame header and the message's fields, everything but the body. Each writes
 * into the caller's buffer at `offset` and returns the offset behind what it wrote; how much that is can be
 * asked beforehand. Nothing here allocates. The body follows on the wire from where it lies.
 */

/** int32 size of the fields, type byte, int32 size of the body. */
export const FRAME_HEADER_BYTES = 9

/** The sizes of fields and body together stay below this. */
export const MAX_FRAME_BYTES = 0x7fff_ffff

/** Role of the location a push goes to: clients write to the primary, only workers to a replica. */
export const PushMode = { PRIMARY: 0, REPLICA: 1 } as const
export type PushMode = (typeof PushMode)[keyof typeof PushMode]

/** A whole heartbeat frame. */
export const HEARTBEAT_BYTES = FRAME_HEADER_BYTES + 1
export const RPC_REQUEST_HEADER_BYTES = FRAME_HEADER_BYTES + 12
export const RPC_RESPONSE_HEADER_BYTES = FRAME_HEADER_BYTES + 12
export const ONE_WAY_MESSAGE_HEADER_BYTES = FRAME_HEADER_BYTES + 4
export const CHUNK_FETCH_SUCCESS_HEADER_BYTES = FRAME_HEADER_BYTES + STREAM_CHUNK_SLICE_BYTES

/** Writes the nine bytes in front of a message's fields. */
export function writeFrameHeader(
  buffer: Uint8Array,
  offset: number,
  type: number,
  fieldsSize: number,
  bodySize: number,
): number {
  if (!(fieldsSize + bodySize < MAX_FRAME_BYTES)) {
    throw new CelebornError(
      'CELEBORN_INTERNAL',
      `a message of ${fieldsSize} + ${bodySize} bytes does not fit into one frame`,
    )
  }
  const next = writeInt32BE(buffer, offset, fieldsSize)
  buffer[next] = type
  return writeInt32BE(buffer, next + 1, bodySize)
}

/** Length of a PUSH_DATA head, given the byte lengths of its two strings. */
export function pushDataHeaderLength(shuffleKeyBytes: number, uniqueIdBytes: number): number {
  return FRAME_HEADER_BYTES + 8 + 1 + 4 + shuffleKeyBytes + 4 + uniqueIdBytes
}

/** Writes a PUSH_DATA head; the strings are given as their UTF-8 bytes. */
export function writePushDataHeader(
  buffer: Uint8Array,
  offset: number,
  requestId: WireId,
  mode: PushMode,
  shuffleKey: Uint8Array,
  uniqueId: Uint8Array,
  bodySize: number,
): number {
  const fieldsSize = pushDataHeaderLength(shuffleKey.length, uniqueId.length) - FRAME_HEADER_BYTES
  let at = writeFrameHeader(buffer, offset, MessageType.PUSH_DATA, fieldsSize, bodySize)
  at = writeWireId(buffer, at, requestId)
  buffer[at++] = mode
  at = writeBytes(buffer, at, shuffleKey)
  return writeBytes(buffer, at, uniqueId)
}

/** Length of a PUSH_MERGED_DATA head, which has one batch offset for each id. */
export function pushMergedDataHeaderLength(
  shuffleKeyBytes: number,
  uniqueIds: readonly Uint8Array[],
): number {
  let length = FRAME_HEADER_BYTES + 8 + 1 + 4 + shuffleKeyBytes + 4 + 4 + 8 * uniqueIds.length
  for (const id of uniqueIds) length += id.length
  return length
}

/** Writes a PUSH_MERGED_DATA head. `offsets[i]` is where batch `i` begins in the body; `offsets[0]` is 0. */
export function writePushMergedDataHeader(
  buffer: Uint8Array,
  offset: number,
  requestId: WireId,
  mode: PushMode,
  shuffleKey: Uint8Array,
  uniqueIds: readonly Uint8Array[],
  offsets: readonly number[],
  bodySize: number,
): number {
  if (uniqueIds.length !== offsets.length) {
    throw new CelebornError('CELEBORN_INTERNAL', `${uniqueIds.length} ids for ${offsets.length} batches`)
  }
  const fieldsSize = pushMergedDataHeaderLength(shuffleKey.length, uniqueIds) - FRAME_HEADER_BYTES
  let at = writeFrameHeader(buffer, offset, MessageType.PUSH_MERGED_DATA, fieldsSize, bodySize)
  at = writeWireId(buffer, at, requestId)
  buffer[at++] = mode
  at = writeBytes(buffer, at, shuffleKey)
  at = writeInt32BE(buffer, at, uniqueIds.length)
  for (const id of uniqueIds) at = writeBytes(buffer, at, id)
  at = writeInt32BE(buffer, at, offsets.length)
  for (const value of offsets) at = writeInt32BE(buffer, at, value)
  return at
}

/** Writes an RPC_REQUEST head ({@link RPC_REQUEST_HEADER_BYTES} bytes). */
export function writeRpcRequestHeader(
  buffer: Uint8Array,
  offset: number,
  requestId: WireId,
  bodySize: number,
): number {
  const at = writeFrameHeader(buffer, offset, MessageType.RPC_REQUEST, 12, bodySize)
  return writeInt32BE(buffer, writeWireId(buffer, at, requestId), bodySize)
}

/** Writes an RPC_RESPONSE head ({@link RPC_RESPONSE_HEADER_BYTES} bytes); it answers pushes too. */
export function writeRpcResponseHeader(
  buffer: Uint8Array,
  offset: number,
  requestId: WireId,
  bodySize: number,
): number {
  const at = writeFrameHeader(buffer, offset, MessageType.RPC_RESPONSE, 12, bodySize)
  return writeInt32BE(buffer, writeWireId(buffer, at, requestId), bodySize)
}

/** Length of a whole RPC_FAILURE frame. */
export function rpcFailureLength(error: string): number {
  return FRAME_HEADER_BYTES + 8 + 4 + Buffer.byteLength(error)
}

/** Writes a whole RPC_FAILURE frame. */
export function writeRpcFailure(buffer: Buffer, offset: number, requestId: WireId, error: string): number {
  const at = writeFrameHeader(
    buffer,
    offset,
    MessageType.RPC_FAILURE,
    rpcFailureLength(error) - FRAME_HEADER_BYTES,
    0,
  )
  return writeString(buffer, writeWireId(buffer, at, requestId), error)
}

/** Writes a ONE_WAY_MESSAGE head ({@link ONE_WAY_MESSAGE_HEADER_BYTES} bytes). */
export function writeOneWayMessageHeader(buffer: Uint8Array, offset: number, bodySize: number): number {
  const at = writeFrameHeader(buffer, offset, MessageType.ONE_WAY_MESSAGE, 4, bodySize)
  return writeInt32BE(buffer, at, bodySize)
}

/** Writes a CHUNK_FETCH_SUCCESS head ({@link CHUNK_FETCH_SUCCESS_HEADER_BYTES} bytes). */
export function writeChunkFetchSuccessHeader(
  buffer: Uint8Array,
  offset: number,
  slice: StreamChunkSlice,
  bodySize: number,
): number {
  const at = writeFrameHeader(
    buffer,
    offset,
    MessageType.CHUNK_FETCH_SUCCESS,
    STREAM_CHUNK_SLICE_BYTES,
    bodySize,
  )
  return writeSlice(buffer, at, slice)
}

/** Length of a whole CHUNK_FETCH_FAILURE frame. */
export function chunkFetchFailureLength(error: string): number {
  return FRAME_HEADER_BYTES + STREAM_CHUNK_SLICE_BYTES + 4 + Buffer.byteLength(error)
}

/** Writes a whole CHUNK_FETCH_FAILURE frame. */
export function writeChunkFetchFailure(
  buffer: Buffer,
  offset: number,
  slice: StreamChunkSlice,
  error: string,
): number {
  const fieldsSize = chunkFetchFailureLength(error) - FRAME_HEADER_BYTES
  const at = writeFrameHeader(buffer, offset, MessageType.CHUNK_FETCH_FAILURE, fieldsSize, 0)
  return writeString(buffer, writeSlice(buffer, at, slice), error)
}

/** Writes a whole HEARTBEAT frame ({@link HEARTBEAT_BYTES} bytes). */
export function writeHeartbeat(buffer: Uint8Array, offset: number): number {
  const at = writeFrameHeader(buffer, offset, MessageType.HEARTBEAT, 1, 0)
  buffer[at] = 0
  return at + 1
}

function writeSlice(buffer: Uint8Array, offset: number, slice: StreamChunkSlice): number {
  let at = writeWireId(buffer, offset, slice.streamId)
  at = writeInt32BE(buffer, at, slice.chunkIndex)
  at = writeInt32BE(buffer, at, slice.offset)
  return writeInt32BE(buffer, at, slice.length)
}

function writeString(buffer: Buffer, offset: number, text: string): number {
  const written = buffer.write(text, offset + 4, 'utf8')
  writeInt32BE(buffer, offset, written)
  return offset + 4 + written
}

function writeBytes(buffer: Uint8Array, offset: number, bytes: Uint8Array): number {
  const at = writeInt32BE(buffer, offset, bytes.length)
  buffer.set(bytes, at)
  return at + bytes.length
}
