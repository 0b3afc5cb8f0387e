import { type WireId, wireIdKey } from './int64'

/** Encoded length of a slice in a frame. */
export const STREAM_CHUNK_SLICE_BYTES = 20

/** `length` of a request for a whole chunk. */
export const WHOLE_CHUNK = 0x7fff_ffff

/** Names a piece of a chunk of a stream. The answer to a chunk request repeats it exactly. */
export interface StreamChunkSlice {
  readonly streamId: WireId
  readonly chunkIndex: number
  /** Where in the chunk the piece begins, in bytes. */
  readonly offset: number
  /** Length of the piece in bytes; {@link WHOLE_CHUNK} for all of it. */
  readonly length: number
}

/** A key of a Map for an outstanding chunk request: equal exactly for equal slices. */
export function sliceKey(slice: StreamChunkSlice): string {
  return `${wireIdKey(slice.streamId)}/${slice.chunkIndex}/${slice.offset}/${slice.length}`
}
