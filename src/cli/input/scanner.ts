/** Bytes in memory, ready for scanning: `bytes` holds what is valid, `view` shows the same memory from the same start. */
export interface Block {
  readonly bytes: Buffer
  readonly view: DataView
}

/** Wraps bytes that stay where they are. */
export function blockOf(bytes: Uint8Array): Block {
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }
}

/** Why a record has no key. The caller knows file and line and makes the error of it. */
export class RecordProblem extends Error {}

/**
 * Finds records and their keys in a {@link Block} without making a string or an object of any of them: the result of
 * the last successful {@link scan} lies in the fields.
 */
export abstract class RecordScanner {
  /** The key is the whole record, so that one hash serves both. */
  abstract readonly keyIsRecord: boolean
  /** Just past the record's content; its newline, if it has one, comes next. */
  contentEnd = 0
  /** Where the next record starts. */
  next = 0
  /** Where the key lies: memory, start, end. It is the block's memory, or a scratch buffer that lives until the next scan. */
  keyView: DataView = EMPTY_VIEW
  keyStart = 0
  keyEnd = 0

  /**
   * Scans the record that starts at `start`.
   *
   * @param last nothing follows the block, so that a record without a newline ends with it
   * @returns false if the record does not end within the block
   * @throws RecordProblem if the record has no such key
   */
  abstract scan(block: Block, start: number, last: boolean): boolean

  /** As {@link scan}, but looks for the record's end only: for headers, and for finding where records start. */
  abstract skip(block: Block, start: number, last: boolean): boolean

  /** Sets {@link contentEnd} and {@link next} for a record that ends at the next newline. */
  protected endAtNewline(block: Block, start: number, last: boolean): boolean {
    const newline = block.bytes.indexOf(NEWLINE, start)
    if (newline >= 0) {
      this.contentEnd = newline
      this.next = newline + 1
      return true
    }
    if (!last) return false
    this.contentEnd = block.bytes.length
    this.next = block.bytes.length
    return true
  }
}

export const NEWLINE = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const QUOTE = 0x22
export const COMMA = 0x2c

const EMPTY_VIEW = new DataView(new ArrayBuffer(0))

/** Length of a UTF-8 byte order mark at `start`: 3 or 0. */
export function byteOrderMark(bytes: Buffer, start: number): number {
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? 3 : 0
}

/** Memory for keys that do not lie in the block as they are, because they were escaped there. */
export class KeyScratch {
  bytes = Buffer.alloc(256)
  view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length)

  /** Makes room for `size` bytes; what was in it is lost. */
  reserve(size: number): void {
    if (size <= this.bytes.length) return
    this.bytes = Buffer.alloc(Math.max(size, this.bytes.length * 2))
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length)
  }
}
