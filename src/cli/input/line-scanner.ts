import { type Block, RecordScanner } from './scanner'

/** `--key line`: the record is what lies between two newlines, and so is the key. */
export class LineScanner extends RecordScanner {
  readonly keyIsRecord = true

  scan(block: Block, start: number, last: boolean): boolean {
    if (!this.endAtNewline(block, start, last)) return false
    this.keyView = block.view
    this.keyStart = start
    this.keyEnd = this.contentEnd
    return true
  }

  skip(block: Block, start: number, last: boolean): boolean {
    return this.endAtNewline(block, start, last)
  }
}
