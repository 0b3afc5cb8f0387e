import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CelebornError, ConfigError } from '../../errors'
import { makeDirectories } from '../../fs/make-directories'
import { systemReason } from '../../errors/system-reason'

export function partName(partitionId: number): string {
  return `part-${String(partitionId).padStart(5, '0')}`
}

/**
 * Where partitions are written until all of them are whole and verified. A directory that does not exist yet is built
 * beside its place under another name and then renamed as a whole; in one that exists, files are built in a
 * sub-directory and renamed one by one. Either way nothing is ever called part-* that is not whole.
 */
export class OutputDirectory {
  /** As the user named it. */
  readonly path: string
  readonly #target: string
  readonly #existed: boolean
  /** The outermost directory that had to be made to hold the target, if any. */
  readonly #madeParent: string | undefined
  readonly #staging: string
  #done = false

  private constructor(path: string, target: string, existed: boolean) {
    this.path = path
    this.#target = target
    this.#existed = existed
    const unique = `celeborn-node-${process.pid}-${randomBytes(4).toString('hex')}`
    if (existed) this.#staging = join(target, `.${unique}`)
    else {
      this.#staging = join(dirname(target), `.${basename(target)}.${unique}`)
      this.#madeParent = makeDirectories(dirname(target))
    }
    mkdirSync(this.#staging)
  }

  /** @throws CelebornError if the directory holds part files already or cannot be written to */
  static create(path: string): OutputDirectory {
    const target = resolve(path)
    try {
      const existed = existsSync(target)
      const part = existed ? readdirSync(target).find((name) => name.startsWith('part-')) : undefined
      if (part !== undefined) {
        throw new ConfigError(`${path} already holds ${part}: remove it, or give another directory to --out`)
      }
      return new OutputDirectory(path, target, existed)
    } catch (error) {
      throw error instanceof CelebornError ? error : unwritable(path, error)
    }
  }

  async openPart(partitionId: number): Promise<PartFile> {
    const shown = join(this.path, partName(partitionId))
    const handle = await open(join(this.#staging, partName(partitionId)), 'wx').catch((error: unknown) => {
      throw unwritable(shown, error)
    })
    return new PartFile(handle, shown)
  }

  /** Gives the files their names. Synchronous, so that no signal comes in between. */
  publish(): void {
    const renamed: string[] = []
    try {
      if (!this.#existed) renameSync(this.#staging, this.#target)
      else {
        for (const name of readdirSync(this.#staging)) {
          const to = join(this.#target, name)
          if (existsSync(to)) throw new ConfigError(`${to} appeared during the run: remove it and run again`)
          renameSync(join(this.#staging, name), to)
          renamed.push(to)
        }
        rmdirSync(this.#staging)
      }
      this.#done = true
    } catch (error) {
      for (const path of renamed) rmSync(path, { force: true })
      this.discard()
      throw error instanceof CelebornError ? error : unwritable(this.path, error)
    }
  }

  /** Removes what was written, unless it was published. Synchronous, for the process's last moments. */
  discard(): void {
    if (this.#done) return
    this.#done = true
    rmSync(this.#staging, { recursive: true, force: true })
    if (this.#madeParent === undefined) return
    try {
      for (let path = dirname(this.#target); path.startsWith(this.#madeParent); path = dirname(path))
        rmdirSync(path)
    } catch {
      // Somebody put something there meanwhile.
    }
  }
}

/** One partition's file under way. */
export class PartFile {
  readonly #handle: FileHandle
  readonly #shown: string
  #bytes = 0

  constructor(handle: FileHandle, shown: string) {
    this.#handle = handle
    this.#shown = shown
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, at)
        at += bytesWritten
      }
      this.#bytes += bytes.length
    } catch (error) {
      throw unwritable(this.#shown, error)
    }
  }

  /** Makes sure that the disk has everything: some disks report only now that they are full. */
  async finish(): Promise<void> {
    try {
      await this.#handle.datasync()
      const { size } = await this.#handle.stat()
      if (size !== this.#bytes) throw new Error(`${size} bytes arrived of ${this.#bytes}`)
    } catch (error) {
      throw unwritable(this.#shown, error)
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

function unwritable(path: string, error: unknown): CelebornError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
  const fix = full ? 'free some space, or give another directory to --out' : 'give another directory to --out'
  return new CelebornError(
    'CELEBORN_IO',
    `cannot write ${path}: ${systemReason(error)}; ${fix}`,
    { path },
    error,
  )
}
