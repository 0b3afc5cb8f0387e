import { ProtocolError } from '../../errors'
import { BATCH_HEADER_BYTES, readBatchHeader } from '../../protocol/batch'

/** The batches of a push that go to one partition, as they lie in the pieces that the socket delivered. */
export interface PushElement {
  readonly pieces: readonly Uint8Array[]
  readonly length: number
  /** The map tasks of its batches, each named once per run of batches. */
  readonly mapIds: readonly number[]
}

/** A position in a list of pieces that only moves forward. */
class PieceCursor {
  #piece = 0
  #offset = 0
  readonly #pieces: readonly Uint8Array[]

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces
  }

  /** Moves on by `length` bytes and calls `visit` for every part of them; false when there are not so many. */
  take(length: number, visit?: (part: Uint8Array) => void): boolean {
    let left = length
    while (left > 0) {
      const piece = this.#pieces[this.#piece]
      if (piece === undefined) return false
      const size = Math.min(left, piece.byteLength - this.#offset)
      if (size > 0) visit?.(piece.subarray(this.#offset, this.#offset + size))
      left -= size
      this.#offset += size
      if (this.#offset === piece.byteLength) {
        this.#piece += 1
        this.#offset = 0
      }
    }
    return true
  }
}

/**
 * Cuts the body of a push at `offsets` and checks that every element is a sequence of whole batches: what is
 * written to a partition file must be readable to its last byte, whatever a client sends.
 *
 * @param offsets where each element begins: `[0]` for PUSH_DATA.
 * @throws ProtocolError when the offsets or the batches' sizes do not add up to the body.
 */
export function splitPushBody(
  parts: readonly Uint8Array[],
  length: number,
  offsets: readonly number[],
): PushElement[] {
  if (offsets[0] !== 0) throw malformed('its first batch does not begin at 0')
  const headers = new PieceCursor(parts)
  const slices = new PieceCursor(parts)
  return offsets.map((start, i) => {
    const end = offsets[i + 1] ?? length
    if (!(end > start && end <= length))
      throw malformed(`batch ${i} is [${start}, ${end}) of ${length} bytes`)
    const mapIds = walkBatches(headers, start, end)
    const pieces: Uint8Array[] = []
    slices.take(end - start, (part) => pieces.push(part))
    return { pieces, length: end - start, mapIds }
  })
}

function walkBatches(cursor: PieceCursor, start: number, end: number): number[] {
  const header = new Uint8Array(BATCH_HEADER_BYTES)
  const mapIds: number[] = []
  let position = start
  while (position < end) {
    let filled = 0
    const whole = cursor.take(BATCH_HEADER_BYTES, (part) => {
      header.set(part, filled)
      filled += part.byteLength
    })
    const { mapId, size } = readBatchHeader(header, 0)
    position += BATCH_HEADER_BYTES + size
    if (!whole || position > end || !cursor.take(size)) {
      throw malformed(`a batch of ${size} bytes ends at ${position}, its element at ${end}`)
    }
    if (mapIds[mapIds.length - 1] !== mapId) mapIds.push(mapId)
  }
  return mapIds
}

function malformed(what: string): ProtocolError {
  return new ProtocolError(`a pushed body is no sequence of whole batches: ${what}`)
}
