import { promises as fs } from 'node:fs'
import { ClosedError } from '../../errors'
import { parseShuffleKey } from '../../protocol/ids'
import type { FileHandles } from '../storage/file-handles'
import { applicationDirectory, shuffleDirectory } from '../storage/paths'
import { type ShuffleOptions, ShuffleState } from './shuffle-state'

/** The shuffles of a worker and their directories. */
export class Shuffles {
  readonly #workerDir: string
  readonly #handles: FileHandles
  readonly #states = new Map<string, ShuffleState>()
  /** Deletions under way: a shuffle that is reserved again waits for the old one's files to go. */
  readonly #deleting = new Map<string, Promise<void>>()
  /** Directories are made and removed one at a time: an empty one must not go while a child is being made. */
  #directoryTask: Promise<void> = Promise.resolve()
  readonly #onChange: () => void
  #closed = false

  /** @param onChange called when there is less to commit, or a shuffle less. */
  constructor(workerDir: string, handles: FileHandles, onChange: () => void) {
    this.#workerDir = workerDir
    this.#handles = handles
    this.#onChange = onChange
  }

  /** Locations of a shuffle were committed or given up. */
  changed(): void {
    this.#onChange()
  }

  get(shuffleKey: string): ShuffleState | undefined {
    return this.#states.get(shuffleKey)
  }

  keys(): string[] {
    return [...this.#states.keys()]
  }

  values(): ShuffleState[] {
    return [...this.#states.values()]
  }

  /**
   * The shuffle's state, made with its directory when it is new. The options of the first call hold.
   *
   * @throws ProtocolError when the key is none; CelebornError CELEBORN_IO when the application id cannot name a
   *   directory; the system's error when the directory cannot be made.
   */
  async open(shuffleKey: string, options: ShuffleOptions): Promise<ShuffleState> {
    await this.#deleting.get(shuffleKey)
    const known = this.#states.get(shuffleKey)
    if (known !== undefined) return known
    if (this.#closed) throw new ClosedError('the worker is stopped')
    const { appId, shuffleId } = parseShuffleKey(shuffleKey)
    const directory = shuffleDirectory(this.#workerDir, appId, shuffleId)
    await this.#directories(async () => {
      await fs.mkdir(directory, { recursive: true })
    })
    // Another request may have come first while the directory was made.
    const raced = this.#states.get(shuffleKey)
    if (raced !== undefined) return raced
    const state = new ShuffleState(shuffleKey, appId, shuffleId, directory, options)
    this.#states.set(shuffleKey, state)
    return state
  }

  /** Forgets the shuffle and deletes its files. Never fails; what cannot be deleted goes with the worker's directory. */
  delete(shuffleKey: string): Promise<void> {
    const state = this.#states.get(shuffleKey)
    if (state === undefined) return this.#deleting.get(shuffleKey) ?? Promise.resolve()
    this.#states.delete(shuffleKey)
    this.#onChange()
    const deletion = this.#deleteFiles(state).finally(() => this.#deleting.delete(shuffleKey))
    this.#deleting.set(shuffleKey, deletion)
    return deletion
  }

  /** Takes no more shuffles and waits for what is being written, without deleting anything. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#directoryTask
    await Promise.all(this.values().map((state) => this.#settle(state)))
    await Promise.all(this.#deleting.values())
  }

  async #settle(state: ShuffleState): Promise<void> {
    await Promise.all(state.writers().map((writer) => writer.close().catch(() => undefined)))
    await Promise.allSettled(state.indexes.values())
  }

  async #deleteFiles(state: ShuffleState): Promise<void> {
    await Promise.all(state.writers().map((writer) => writer.destroy()))
    for (const file of state.files.values()) this.#handles.forget(file.path)
    await fs.rm(state.directory, { recursive: true, force: true }).catch(() => {})
    await this.#directories(async () => {
      await fs.rmdir(applicationDirectory(this.#workerDir, state.appId)).catch(() => {})
    })
  }

  #directories(task: () => Promise<void>): Promise<void> {
    const done = this.#directoryTask.then(task)
    this.#directoryTask = done.catch(() => {})
    return done
  }
}
