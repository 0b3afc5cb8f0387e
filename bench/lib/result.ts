import { writeFileSync } from 'node:fs'
import { systemReason } from '../../src/errors/system-reason'
import { CelebornError } from '../../src/errors'
import { type Environment } from './environment'
import { type Row } from './rows'

/** Writes a suite's result as JSON. @throws CelebornError that names the file */
export function writeResult(
  file: string,
  result: {
    /** With what was measured against, where there is a choice. */
    readonly environment: Environment & { readonly target?: string }
    readonly options: object
    readonly rows: readonly Row[]
  },
): void {
  try {
    writeFileSync(file, `${JSON.stringify(result, undefined, 1)}\n`)
  } catch (error) {
    const reason = systemReason(error)
    throw new CelebornError('CELEBORN_IO', `cannot write ${file}: ${reason}`, { path: file }, error)
  }
}

/** One line of the terminal, written over by the next; an empty text clears it. Nothing where there is no terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}
