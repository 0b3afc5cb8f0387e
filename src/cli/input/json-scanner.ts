import {
  type Block,
  byteOrderMark,
  CARRIAGE_RETURN,
  COMMA,
  KeyScratch,
  QUOTE,
  RecordProblem,
  RecordScanner,
} from './scanner'

const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/**
 * `--key json:FIELD`: one JSON object a line. The key is the value of the object's own field of that name: a string's
 * text, or a number, true, false or null as it is written. Where a name occurs twice the last one counts, as in
 * JSON.parse. Only what the key needs is checked: this is no validator.
 */
export class JsonScanner extends RecordScanner {
  readonly keyIsRecord = false
  readonly #field: string
  readonly #fieldBytes: Buffer
  readonly #scratch = new KeyScratch()
  /** The string that was read last: its text's end, and whether it has escapes. */
  #stringEnd = 0
  #stringEscaped = false

  constructor(field: string) {
    super()
    this.#field = field
    this.#fieldBytes = Buffer.from(field)
  }

  skip(block: Block, start: number, last: boolean): boolean {
    return this.endAtNewline(block, start, last)
  }

  scan(block: Block, start: number, last: boolean): boolean {
    if (!this.endAtNewline(block, start, last)) return false
    const { bytes } = block
    const end = this.contentEnd
    let found: 'none' | 'plain' | 'escaped' | 'nested' = 'none'
    let at = skipBlanks(bytes, start + byteOrderMark(bytes, start), end)
    if (bytes[at] !== OPEN_BRACE || at >= end) throw notAnObject()
    at = skipBlanks(bytes, at + 1, end)
    if (at < end && bytes[at] === CLOSE_BRACE) at++
    else {
      for (;;) {
        const nameStart = at + 1
        at = skipBlanks(bytes, this.#string(bytes, at, end), end)
        const isKey = this.#isField(bytes, nameStart)
        if (at >= end || bytes[at] !== COLON) throw notAnObject()
        const valueStart = skipBlanks(bytes, at + 1, end)
        const first = valueStart < end ? bytes[valueStart] : undefined
        if (first === QUOTE) {
          at = this.#string(bytes, valueStart, end)
          if (isKey) {
            this.keyStart = valueStart + 1
            this.keyEnd = this.#stringEnd
            found = this.#stringEscaped ? 'escaped' : 'plain'
          }
        } else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
          at = this.#nested(bytes, valueStart, end)
          if (isKey) found = 'nested'
        } else {
          at = literal(bytes, valueStart, end)
          if (isKey) {
            this.keyStart = valueStart
            this.keyEnd = at
            found = 'plain'
          }
        }
        at = skipBlanks(bytes, at, end)
        if (at >= end) throw notAnObject()
        const separator = bytes[at++]
        if (separator === CLOSE_BRACE) break
        if (separator !== COMMA) throw notAnObject()
        at = skipBlanks(bytes, at, end)
      }
    }
    if (skipBlanks(bytes, at, end) !== end) throw notAnObject()
    if (found === 'none') throw new RecordProblem(`has no field "${this.#field}"`)
    if (found === 'nested') {
      throw new RecordProblem(`has an object or an array in field "${this.#field}", which cannot be a key`)
    }
    if (found === 'escaped') this.#unescapeKey(bytes)
    else this.keyView = block.view
    return true
  }

  /** Reads the string whose opening quote is at `start`; returns the place past its closing quote. */
  #string(bytes: Buffer, start: number, end: number): number {
    if (start >= end || bytes[start] !== QUOTE) throw notAnObject()
    this.#stringEscaped = false
    for (let at = start + 1; at < end; at++) {
      const byte = bytes[at]
      if (byte === BACKSLASH) {
        this.#stringEscaped = true
        at++
      } else if (byte === QUOTE) {
        this.#stringEnd = at
        return at + 1
      }
    }
    throw notAnObject()
  }

  /** Skips an object or an array; returns the place past it. */
  #nested(bytes: Buffer, start: number, end: number): number {
    let depth = 0
    for (let at = start; at < end; ) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        at = this.#string(bytes, at, end)
        continue
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
      at++
      if (depth === 0) return at
    }
    throw notAnObject()
  }

  /** Whether the name read last, which began at `start`, is the key's. */
  #isField(bytes: Buffer, start: number): boolean {
    if (this.#stringEscaped) return parseString(bytes, start, this.#stringEnd) === this.#field
    return (
      this.#stringEnd - start === this.#fieldBytes.length &&
      bytes.compare(this.#fieldBytes, 0, this.#fieldBytes.length, start, this.#stringEnd) === 0
    )
  }

  #unescapeKey(bytes: Buffer): void {
    const text = parseString(bytes, this.keyStart, this.keyEnd)
    this.#scratch.reserve(Buffer.byteLength(text))
    this.keyEnd = this.#scratch.bytes.write(text)
    this.keyStart = 0
    this.keyView = this.#scratch.view
  }
}

function notAnObject(): RecordProblem {
  return new RecordProblem('is not a JSON object')
}

function parseString(bytes: Buffer, start: number, end: number): string {
  try {
    return String(JSON.parse(`"${bytes.toString('utf8', start, end)}"`))
  } catch {
    throw notAnObject()
  }
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start
  for (; at < end; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== CARRIAGE_RETURN) break
  }
  return at
}

const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
/** Far longer than any number that means something. */
const MAX_LITERAL = 400

/** Checks the number, true, false or null at `start`; returns the place past it. */
function literal(bytes: Buffer, start: number, end: number): number {
  let at = start
  let digits = true
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === COMMA || byte === CLOSE_BRACE || byte <= 0x20) break
    if (byte < 0x30 || byte > 0x39) digits = false
  }
  if (digits && at > start) return at
  if (at - start > MAX_LITERAL || !LITERAL.test(bytes.toString('latin1', start, at))) throw notAnObject()
  return at
}
