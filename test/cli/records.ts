import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type InputFile } from '../../src/cli/input/files'
import { createScanner, type KeySpec } from '../../src/cli/input/key'
import { RecordSource, type Slice } from '../../src/cli/input/record-source'

export interface FoundRecord {
  /** Content without its newline, as latin1 so that any bytes compare. */
  readonly record: string
  readonly key: string
  /** Where it starts in the file. */
  readonly offset: number
}

/** Reads slices through a buffer of `chunkBytes` and returns what the scanner finds. */
export async function readSlices(
  slices: readonly Slice[],
  key: KeySpec,
  chunkBytes: number,
  maxRecordBytes = 1 << 20,
): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  const scanner = createScanner(key)
  const source = new RecordSource(maxRecordBytes, chunkBytes)
  try {
    for (const slice of slices) {
      await source.open(slice)
      let at = 0
      while (await source.fill(at)) {
        at = 0
        const { block, last, offset } = source
        while (at < block.bytes.length && scanner.scan(block, at, last)) {
          const keyBytes = Buffer.from(
            scanner.keyView.buffer,
            scanner.keyView.byteOffset + scanner.keyStart,
            scanner.keyEnd - scanner.keyStart,
          )
          found.push({
            record: block.bytes.toString('latin1', at, scanner.contentEnd),
            key: keyBytes.toString('latin1'),
            offset: offset + at,
          })
          at = scanner.next
        }
      }
    }
  } finally {
    source.close()
  }
  return found
}

/** A directory for a test's files, removed by `remove`. */
export class TestDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'celeborn-node-test-'))

  file(name: string, content: Uint8Array | string): InputFile {
    const path = join(this.path, name)
    writeFileSync(path, content)
    return inputFile(path)
  }

  join(...names: string[]): string {
    return join(this.path, ...names)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export function inputFile(path: string): InputFile {
  const { size, mtimeMs } = statSync(path)
  return { path, size, mtimeMs }
}

export function whole(file: InputFile): Slice {
  return { file, start: 0, end: file.size }
}

/** What lies between newlines; a newline at the very end opens no further record. */
export function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
