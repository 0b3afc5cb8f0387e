import { createReadStream } from 'node:fs'
import { NEWLINE } from './scanner'

/** Number of the line that holds the byte at `offset`, from 1. Reads the file up to there: for error messages only. */
export async function lineNumberAt(path: string, offset: number): Promise<number> {
  if (offset === 0) return 1
  let line = 1
  const stream: AsyncIterable<Buffer> = createReadStream(path, { end: offset - 1 })
  for await (const chunk of stream) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) line++
  }
  return line
}

/** A record's fault, with the file and the line where the record starts. */
export async function describeProblem(path: string, offset: number, problem: string): Promise<string> {
  const line = await lineNumberAt(path, offset).catch(() => undefined)
  return line === undefined ? `${path}, byte ${offset}: ${problem}` : `${path}, line ${line}: ${problem}`
}
