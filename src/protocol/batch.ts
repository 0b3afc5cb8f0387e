import { ProtocolError } from '../errors'

/**
 * A batch: mapId, attemptId, batchId and payload size, each an int32, then the payload. These four are
 * little-endian (Java writes them in the machine's own order), unlike everything else on the wire.
 */
export const BATCH_HEADER_BYTES = 16

export interface BatchHeader {
  readonly mapId: number
  readonly attemptId: number
  readonly batchId: number
  /** Bytes of payload behind the header. */
  readonly size: number
}

export interface Batch extends BatchHeader {
  /** A view of the payload where it lies in the chunk. */
  readonly payload: Uint8Array
}

/** Writes a batch header and returns the offset behind it. */
export function writeBatchHeader(
  buffer: Uint8Array,
  offset: number,
  mapId: number,
  attemptId: number,
  batchId: number,
  size: number,
): number {
  writeInt32LE(buffer, offset, mapId)
  writeInt32LE(buffer, offset + 4, attemptId)
  writeInt32LE(buffer, offset + 8, batchId)
  writeInt32LE(buffer, offset + 12, size)
  return offset + BATCH_HEADER_BYTES
}

/** Reads a batch header. Throws a ProtocolError if it is cut off or its size is negative. */
export function readBatchHeader(bytes: Uint8Array, offset = 0): BatchHeader {
  const left = bytes.length - offset
  if (!(left >= BATCH_HEADER_BYTES)) {
    throw new ProtocolError(`a batch header at offset ${offset} is cut off after ${left} bytes`)
  }
  const size = readInt32LE(bytes, offset + 12)
  if (size < 0) throw new ProtocolError(`a batch at offset ${offset} has size ${size}`)
  return {
    mapId: readInt32LE(bytes, offset),
    attemptId: readInt32LE(bytes, offset + 4),
    batchId: readInt32LE(bytes, offset + 8),
    size,
  }
}

/** mapId of the batch at `offset`, which is known to have a whole header. */
export function peekMapId(bytes: Uint8Array, offset = 0): number {
  return readInt32LE(bytes, offset)
}

/**
 * The batches of a chunk, in order, as views. Throws a ProtocolError when the chunk does not end exactly
 * with a batch; the batches before that have been yielded by then.
 */
export function* iterateBatches(chunk: Uint8Array): Generator<Batch, void, undefined> {
  let offset = 0
  while (offset < chunk.length) {
    const header = readBatchHeader(chunk, offset)
    const start = offset + BATCH_HEADER_BYTES
    const end = start + header.size
    if (end > chunk.length) {
      throw new ProtocolError(
        `batch ${header.batchId} of map ${header.mapId} attempt ${header.attemptId} wants ${header.size} bytes at offset ${start} of a chunk of ${chunk.length}`,
      )
    }
    // The cursor moves before the batch is handed out, so that skipping one can never stop the loop.
    offset = end
    yield { ...header, payload: chunk.subarray(start, end) }
  }
}

function writeInt32LE(buffer: Uint8Array, offset: number, value: number): void {
  buffer[offset] = value
  buffer[offset + 1] = value >>> 8
  buffer[offset + 2] = value >>> 16
  buffer[offset + 3] = value >>> 24
}

function readInt32LE(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] as number) |
    ((bytes[offset + 1] as number) << 8) |
    ((bytes[offset + 2] as number) << 16) |
    ((bytes[offset + 3] as number) << 24)
  )
}
