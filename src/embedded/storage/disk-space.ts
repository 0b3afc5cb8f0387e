import { promises as fs } from 'node:fs'

export interface Usage {
  /** Bytes that can still be written, and those of the whole file system. */
  readonly usable: number
  readonly total: number
}

/** Where a worker's figures come from: the file system, unless a test says otherwise. */
export type UsageProbe = (directory: string) => Promise<Usage>

/**
 * The room on a worker's disk, as it was at the last look. It is looked at when slots are reserved, at every heartbeat,
 * and when half of the room above the reserve may have been written since.
 */
export class DiskSpace {
  readonly #directory: string
  readonly #reserve: number
  readonly #probe: UsageProbe
  #usable = Number.POSITIVE_INFINITY
  #written = 0
  #looking: Promise<Usage> | undefined

  /** @param reserve bytes below which the disk counts as full */
  constructor(directory: string, reserve: number, probe: UsageProbe = fileSystemUsage) {
    this.#directory = directory
    this.#reserve = reserve
    this.#probe = probe
  }

  get full(): boolean {
    return this.#usable < this.#reserve
  }

  get reserve(): number {
    return this.#reserve
  }

  /** Looks anew. @throws the system's error when the directory cannot be looked at */
  refresh(): Promise<Usage> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** So many bytes are about to be written. */
  writes(bytes: number): void {
    this.#written += bytes
    if (this.full || this.#written * 2 <= this.#usable - this.#reserve) return
    // A disk that cannot be looked at tells so when it is written to.
    this.refresh().catch(() => undefined)
  }

  async #look(): Promise<Usage> {
    this.#written = 0
    const usage = await this.#probe(this.#directory)
    this.#usable = usage.usable
    return usage
  }
}

async function fileSystemUsage(directory: string): Promise<Usage> {
  const { bavail, blocks, bsize } = await fs.statfs(directory)
  return { usable: bavail * bsize, total: blocks * bsize }
}
