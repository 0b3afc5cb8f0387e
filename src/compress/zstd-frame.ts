import { corrupt } from './block'

/** A compressed block decodes to this much at most; the least that stands for it is a header and one byte. */
const MAX_BLOCK_BYTES = 128 * 1024
const BLOCK_HEADER_BYTES = 3
/** Most bytes of original data that one byte of a frame can stand for. */
export const ZSTD_MAX_RATIO = MAX_BLOCK_BYTES / (BLOCK_HEADER_BYTES + 1)
/** Every decoder is expected to take windows of this size (RFC 8878, 3.1.1.1.2). */
const USUAL_WINDOW_BYTES = 8 * 1024 * 1024

const MAGIC = 0xfd2fb528
const RLE = 1
const COMPRESSED = 2

interface FrameHeader {
  readonly blocksAt: number
  readonly windowBytes: number
  /** Null: the frame does not say. */
  readonly contentBytes: number | null
  readonly trailerBytes: number
}

/**
 * Checks that `frame` is one zstd frame, whole, with nothing behind it, that can decode to exactly `originalLength`
 * bytes: its header, and the chain of its blocks without what is in them. Whoever decodes it afterwards allocates nothing
 * by a number of the peer's alone.
 *
 * @param limit largest decoded size accepted, in bytes
 * @throws CelebornError CELEBORN_CORRUPT_DATA
 */
export function checkZstdFrame(frame: Uint8Array, originalLength: number, limit: number): void {
  const header = readFrameHeader(frame)
  const { contentBytes, windowBytes } = header
  if (contentBytes !== null && contentBytes !== originalLength)
    throw corrupt(
      `ZSTD block: the frame has ${contentBytes} bytes of original data, the header claims ${originalLength}`,
    )
  // A frame that knows its size needs no larger window than that; others may have the decoder allocate all of it.
  const windowLimit = Math.max(limit, USUAL_WINDOW_BYTES)
  if (contentBytes === null && windowBytes > windowLimit)
    throw corrupt(`ZSTD block: the frame wants a window of ${windowBytes} bytes, accepted are ${windowLimit}`)
  const { least, most, end } = walkBlocks(frame, header.blocksAt, Math.min(windowBytes, MAX_BLOCK_BYTES))
  if (end + header.trailerBytes > frame.byteLength) throw cutOff(frame)
  if (end + header.trailerBytes < frame.byteLength)
    throw corrupt(
      `ZSTD block: ${frame.byteLength - end - header.trailerBytes} bytes behind the frame; a block is one frame`,
    )
  if (originalLength < least || originalLength > most)
    throw corrupt(
      `ZSTD block: the frame cannot hold ${originalLength} bytes of original data: ${least} to ${most}`,
    )
}

function cutOff(frame: Uint8Array): Error {
  return corrupt(`ZSTD block: the frame is cut off: ${frame.byteLength} bytes are not all of it`)
}

function readFrameHeader(frame: Uint8Array): FrameHeader {
  if (frame.byteLength < 5) throw cutOff(frame)
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (view.getUint32(0, true) !== MAGIC)
    throw corrupt(`ZSTD block: the data are no zstd frame, they begin with ${hex(view.getUint32(0))}`)
  const descriptor = view.getUint8(4)
  const singleSegment = (descriptor & 0x20) !== 0
  if ((descriptor & 0x08) !== 0) throw corrupt('ZSTD block: the frame is of an unknown kind')
  if ((descriptor & 0x03) !== 0) throw corrupt('ZSTD block: the frame wants a dictionary, there is none')
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? (singleSegment ? 1 : 0) : 1 << sizeFlag
  const sizeAt = singleSegment ? 5 : 6
  const blocksAt = sizeAt + sizeBytes
  if (blocksAt > frame.byteLength) throw cutOff(frame)
  const contentBytes = readContentSize(view, sizeAt, sizeBytes)
  const windowBytes = singleSegment ? (contentBytes ?? 0) : readWindow(view.getUint8(5))
  return { blocksAt, windowBytes, contentBytes, trailerBytes: (descriptor & 0x04) === 0 ? 0 : 4 }
}

function readContentSize(view: DataView, at: number, bytes: number): number | null {
  switch (bytes) {
    case 1:
      return view.getUint8(at)
    case 2:
      return view.getUint16(at, true) + 256
    case 4:
      return view.getUint32(at, true)
    case 8:
      return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32
    default:
      return null
  }
}

function readWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

/** Least and most bytes that the blocks can decode to, and where they end. */
function walkBlocks(
  frame: Uint8Array,
  start: number,
  blockLimit: number,
): { least: number; most: number; end: number } {
  let least = 0
  let most = 0
  for (let at = start; ; ) {
    if (at + BLOCK_HEADER_BYTES > frame.byteLength) throw cutOff(frame)
    const header = (frame[at] ?? 0) | ((frame[at + 1] ?? 0) << 8) | ((frame[at + 2] ?? 0) << 16)
    at += BLOCK_HEADER_BYTES
    const kind = (header >> 1) & 3
    const size = header >> 3
    if (kind > COMPRESSED) throw corrupt('ZSTD block: the frame has a block of an unknown kind')
    if (size > blockLimit)
      throw corrupt(`ZSTD block: the frame has a block of ${size} bytes, its most is ${blockLimit}`)
    least += kind === COMPRESSED ? 0 : size
    most += kind === COMPRESSED ? blockLimit : size
    at += kind === RLE ? 1 : size
    if (at > frame.byteLength) throw cutOff(frame)
    if ((header & 1) !== 0) return { least, most, end: at }
  }
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`
}
