import {
  type Block,
  byteOrderMark,
  CARRIAGE_RETURN,
  COMMA,
  KeyScratch,
  NEWLINE,
  QUOTE,
  RecordProblem,
  RecordScanner,
} from './scanner'

/**
 * `--key csv:N`: records and fields as RFC 4180 has them. A field that opens with a quote may hold commas, newlines and
 * doubled quotes; a quote inside any other field is an ordinary character. A carriage return before the newline
 * belongs to the line end. The key is the field's value, without its quotes.
 */
export class CsvScanner extends RecordScanner {
  readonly keyIsRecord = false
  readonly #column: number
  readonly #scratch = new KeyScratch()
  /** Place of the first quote at or after where the last search began, in `#quoteBlock`. */
  #nextQuote = -1
  #quoteBlock: Block | undefined
  #keyHasDoubledQuotes = false

  /** @param column which field is the key; the first is 1 */
  constructor(column: number) {
    super()
    this.#column = column
  }

  scan(block: Block, start: number, last: boolean): boolean {
    const found = this.#walk(block, start, last)
    if (found === INCOMPLETE) return false
    if (found < this.#column) {
      throw new RecordProblem(
        `has ${found} field${found === 1 ? '' : 's'}, and the key is field ${this.#column}`,
      )
    }
    if (this.#keyHasDoubledQuotes) this.#unescapeKey(block.bytes)
    else this.keyView = block.view
    return true
  }

  skip(block: Block, start: number, last: boolean): boolean {
    if (!this.#hasQuote(block, start, last)) return this.endAtNewline(block, start, last)
    return this.#walk(block, start, last) !== INCOMPLETE
  }

  /** True if a quote comes before the next newline: only then can the record hold a newline of its own. */
  #hasQuote(block: Block, start: number, last: boolean): boolean {
    if (this.#quoteBlock !== block || (this.#nextQuote >= 0 && this.#nextQuote < start)) {
      this.#quoteBlock = block
      this.#nextQuote = block.bytes.indexOf(QUOTE, start)
    }
    if (this.#nextQuote < 0) return false
    return !this.endAtNewline(block, start, last) || this.#nextQuote < this.contentEnd
  }

  /** Number of fields of the record, or {@link INCOMPLETE}. Remembers where the key field's value lies. */
  #walk(block: Block, start: number, last: boolean): number {
    const { bytes } = block
    const { length } = bytes
    let field = 1
    let at = start + byteOrderMark(bytes, start)
    this.#keyHasDoubledQuotes = false
    for (;;) {
      let valueStart = at
      let valueEnd: number
      let doubled = false
      if (bytes[at] === QUOTE) {
        valueStart = at + 1
        let close = bytes.indexOf(QUOTE, valueStart)
        while (close >= 0 && bytes[close + 1] === QUOTE) {
          doubled = true
          close = bytes.indexOf(QUOTE, close + 2)
        }
        if (close < 0) {
          if (!last) return INCOMPLETE
          throw new RecordProblem('opens a quoted field that is never closed')
        }
        valueEnd = close
        at = close + 1
        if (!endsField(bytes, at)) {
          throw new RecordProblem(`has text after the closing quote of field ${field}`)
        }
        while (at < length && bytes[at] !== COMMA && bytes[at] !== NEWLINE) at++
      } else {
        while (at < length && bytes[at] !== COMMA && bytes[at] !== NEWLINE) at++
        valueEnd = at
        if (bytes[at] !== COMMA && valueEnd > valueStart && bytes[valueEnd - 1] === CARRIAGE_RETURN)
          valueEnd--
      }
      if (field === this.#column) {
        this.keyStart = valueStart
        this.keyEnd = valueEnd
        this.#keyHasDoubledQuotes = doubled
      }
      if (bytes[at] === COMMA) {
        field++
        at++
        continue
      }
      if (at >= length && !last) return INCOMPLETE
      this.contentEnd = at
      this.next = Math.min(at + 1, length)
      return field
    }
  }

  #unescapeKey(bytes: Buffer): void {
    this.#scratch.reserve(this.keyEnd - this.keyStart)
    let length = 0
    for (let i = this.keyStart; i < this.keyEnd; i++) {
      const byte = bytes[i] ?? 0
      if (byte === QUOTE) i++
      this.#scratch.bytes[length++] = byte
    }
    this.keyView = this.#scratch.view
    this.keyStart = 0
    this.keyEnd = length
  }
}

const INCOMPLETE = -1

/** True if a field can end at `at`: a comma, a line end, or the end of the bytes, behind which anything may come. */
function endsField(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]
  if (byte === undefined || byte === COMMA || byte === NEWLINE) return true
  return byte === CARRIAGE_RETURN && (bytes[at + 1] === undefined || bytes[at + 1] === NEWLINE)
}
