import { type Stats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { CelebornError, ConfigError } from '../../errors'
import { systemReason } from '../../errors/system-reason'

/** An input as it was when the run began. */
export interface InputFile {
  readonly path: string
  readonly size: number
  /** To tell whether somebody writes to the file while it is read. */
  readonly mtimeMs: number
}

/**
 * Looks at every input, in the order given.
 *
 * @throws CelebornError naming the first input that cannot be used
 */
export function inspectInputs(paths: readonly string[]): readonly InputFile[] {
  const files: InputFile[] = []
  for (const path of paths) {
    const info = inspect(path)
    if (info.isDirectory()) {
      throw new ConfigError(
        `${path} is a directory: give its files, or write their names into a list for --files-from ` +
          `(find ${path} -type f > list.txt)`,
      )
    }
    if (!info.isFile()) {
      throw new ConfigError(`${path} is not a regular file: write its content to a file first and give that`)
    }
    files.push({ path, size: info.size, mtimeMs: info.mtimeMs })
  }
  return files
}

function inspect(path: string): Stats {
  try {
    return statSync(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/**
 * The names in a list, one a line; empty lines do not count.
 *
 * @param list a file's name, or `-` for standard input
 */
export async function readFileList(list: string): Promise<readonly string[]> {
  try {
    const bytes = list === '-' ? Buffer.concat(await process.stdin.toArray()) : await readFile(list)
    return bytes
      .toString()
      .split(/\r?\n/)
      .filter((line) => line !== '')
  } catch (error) {
    throw unreadable(list === '-' ? 'standard input' : list, error)
  }
}

export function unreadable(path: string, error: unknown): CelebornError {
  return new CelebornError(
    'CELEBORN_IO',
    `cannot read ${path}: ${systemReason(error)}; check the name and that you may read it`,
    { path },
    error,
  )
}

export function changed(path: string): CelebornError {
  return new CelebornError(
    'CELEBORN_IO',
    `${path} changed while it was read; run again when nobody writes to it, or on a copy`,
    { path },
  )
}
