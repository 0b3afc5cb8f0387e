import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { CelebornError } from '../errors'
import { readFully } from '../fs/read-fully'
import { systemReason } from '../errors/system-reason'

const open = promisify(fs.open)
const fstat = promisify(fs.fstat)

/** A part of a file: for messages, and for the checks. */
export interface Part {
  readonly path: string
  /** Bytes from the file's start. */
  readonly offset: number
  readonly length: number
}

/** Which file it was, and in what state. */
interface Identity {
  readonly dev: number
  readonly ino: number
  readonly mtimeMs: number
}

/**
 * Opens the file of a segment, again and again, and sees to it that it is the same one each time and long enough. It holds no
 * descriptor.
 */
export class SegmentFile {
  #first: Identity | undefined

  constructor(readonly part: Part) {}

  /** Opens the file, checks it, and runs `work`; the descriptor is closed afterwards. @throws CelebornError CELEBORN_IO */
  async use<T>(work: (descriptor: number) => Promise<T>): Promise<T> {
    const descriptor = await open(this.part.path, 'r').catch((error: unknown) => {
      throw this.problem(systemReason(error), error)
    })
    try {
      this.check(await fstat(descriptor))
      return await work(descriptor)
    } finally {
      fs.close(descriptor, () => undefined)
    }
  }

  /** Opens the file at once and leaves it open. @throws CelebornError CELEBORN_IO */
  openNow(): number {
    let descriptor: number
    try {
      descriptor = fs.openSync(this.part.path, 'r')
    } catch (error) {
      throw this.problem(systemReason(error), error)
    }
    try {
      this.check(fs.fstatSync(descriptor))
      return descriptor
    } catch (error) {
      fs.closeSync(descriptor)
      throw error
    }
  }

  /** An open file may have been cut meanwhile: to be called before it is mapped. @throws CelebornError CELEBORN_IO */
  async recheck(descriptor: number): Promise<void> {
    this.check(await fstat(descriptor))
  }

  /** Fills `target` from `skip` bytes behind the segment's start on. @throws CelebornError CELEBORN_IO */
  async fill(descriptor: number, target: Uint8Array, skip: number): Promise<void> {
    const { offset, length } = this.part
    const got = await readFully(descriptor, target, offset + skip).catch((error: unknown) => {
      throw this.problem(systemReason(error), error)
    })
    const end = offset + skip + got
    if (got < target.length)
      throw this.problem(`it ends at byte ${end}, ${offset + length - end} bytes too early`)
  }

  problem(reason: string, cause?: unknown): CelebornError {
    const { path, offset, length } = this.part
    return new CelebornError(
      'CELEBORN_IO',
      `cannot read ${length} bytes at ${offset} of ${path}: ${reason}`,
      { path, offset, length },
      cause,
    )
  }

  private check(stats: fs.Stats): void {
    const { offset, length } = this.part
    if (stats.isDirectory()) throw this.problem('it is a directory')
    if (!stats.isFile()) throw this.problem('it is not a regular file')
    if (offset + length > stats.size) {
      throw this.problem(
        offset > stats.size
          ? `the offset lies behind its end, it has ${stats.size} bytes`
          : `it has only ${stats.size} bytes, ${offset + length - stats.size} too few`,
      )
    }
    const first = this.#first
    const { dev, ino, mtimeMs } = stats
    if (first === undefined) this.#first = { dev, ino, mtimeMs }
    else if (first.dev !== dev || first.ino !== ino)
      throw this.problem('it was replaced since it was first opened')
    else if (first.mtimeMs !== mtimeMs) throw this.problem('it was changed since it was first opened')
  }
}
