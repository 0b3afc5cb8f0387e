import * as fs from 'node:fs'

interface Entry {
  readonly path: string
  fd: number
  users: number
  /** The file was removed or the cache closed: the last user closes the descriptor. */
  doomed: boolean
}

/**
 * Open partition files, at most `limit` of them at a time: a shuffle has far more partitions than a process may
 * have descriptors. An idle file stays open until its place is needed; when all are in use the next user waits.
 */
export class FileHandles {
  readonly #limit: number
  readonly #entries = new Map<string, Entry>()
  /** Idle entries, the least recently used first. */
  readonly #idle = new Map<string, Entry>()
  readonly #waiting: (() => void)[] = []
  /** Descriptors that are open or being opened or closed. */
  #open = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get openFiles(): number {
    return this.#open
  }

  /**
   * Runs `work` with the descriptor of `path`. `create` makes the file, which must not exist. One caller at a
   * time per path may use `create`; readers of one path may overlap.
   */
  async use<T>(path: string, create: boolean, work: (fd: number) => Promise<T>): Promise<T> {
    const entry = this.#idleEntry(path) ?? (await this.#acquire(path, create))
    try {
      return await work(entry.fd)
    } finally {
      this.#release(entry)
    }
  }

  /** Closes the file's descriptor as soon as nobody uses it; to be called before the file is removed. */
  forget(path: string): void {
    const entry = this.#entries.get(path)
    if (entry === undefined) return
    this.#entries.delete(path)
    entry.doomed = true
    if (entry.users === 0) {
      this.#idle.delete(path)
      this.#close(entry)
    }
  }

  /** Closes every descriptor, those in use when their users are done, and waits for that. */
  async close(): Promise<void> {
    this.#closed = true
    for (const path of [...this.#entries.keys()]) this.forget(path)
    while (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #idleEntry(path: string): Entry | undefined {
    const entry = this.#entries.get(path)
    if (entry === undefined) return undefined
    entry.users += 1
    this.#idle.delete(path)
    return entry
  }

  async #acquire(path: string, create: boolean): Promise<Entry> {
    while (this.#open >= this.#limit) {
      const oldest = this.#idle.values().next()
      if (oldest.done !== true) this.forget(oldest.value.path)
      // Woken when a descriptor is closed or becomes idle.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
      // Somebody else may have opened the file in the meantime.
      const entry = this.#idleEntry(path)
      if (entry !== undefined) {
        this.#wake()
        return entry
      }
    }
    this.#open += 1
    let fd: number
    try {
      fd = await openFile(path, create ? 'wx+' : 'r+')
    } catch (error) {
      this.#open -= 1
      this.#wake()
      throw error
    }
    const entry: Entry = { path, fd, users: 1, doomed: this.#closed }
    // A reader that opened the same file meanwhile keeps the entry of the cache; this one goes at its release.
    if (this.#entries.has(path)) entry.doomed = true
    else if (!entry.doomed) this.#entries.set(path, entry)
    return entry
  }

  #release(entry: Entry): void {
    entry.users -= 1
    if (entry.users > 0) return
    if (entry.doomed) {
      this.#close(entry)
    } else {
      this.#idle.set(entry.path, entry)
      this.#wake()
    }
  }

  #close(entry: Entry): void {
    // The place is free only when the system has closed the file: the limit is about descriptors.
    fs.close(entry.fd, () => {
      this.#open -= 1
      this.#wake()
    })
  }

  #wake(): void {
    this.#waiting.shift()?.()
  }
}

function openFile(path: string, flags: string): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.open(path, flags, 0o644, (error, fd) => {
      if (error === null) resolve(fd)
      else reject(error)
    })
  })
}
