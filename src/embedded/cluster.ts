import { promises as fs } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CelebornConf, formatHostPort } from '../conf'
import { CelebornError, ClosedError, ConfigError } from '../errors'
import { makeDirectories } from '../fs/make-directories'
import { partitionFilesPerWorker } from './open-files'
import { Master, type MasterStats } from './master/master'
import { type EmbeddedSettings, embeddedSettings } from './settings'
import type { LeavingKind } from './worker/leaving'
import { Worker, type WorkerStats } from './worker/worker'

/** How to start an {@link EmbeddedCluster}. */
export interface EmbeddedClusterOptions {
  /** Workers to start with; 2 by default. With 0 there is a master only, until {@link EmbeddedCluster.startWorker}. */
  readonly workers?: number
  /**
   * Where the workers' partition files go: `<dir>/worker-<n>/celeborn-worker/shuffle_data/…`. Made when it does
   * not exist. Without it a fresh temporary directory is used. {@link EmbeddedCluster.stop} removes what was made.
   */
  readonly dir?: string
  /** Address that every server listens on and announces; 127.0.0.1 by default. */
  readonly host?: string
  /** The master's port; 0, the default, lets the system choose. Workers' ports are always the system's choice. */
  readonly port?: number
  /** Celeborn's own keys and those under `celeborn.node.embedded.*`. */
  readonly conf?: CelebornConf
}

export interface EmbeddedClusterStats {
  readonly master: MasterStats
  /** By index; undefined for a worker that was killed or has left. */
  readonly workers: readonly (WorkerStats | undefined)[]
}

/**
 * A Celeborn master and workers in this process, on loopback, with partition files on local disk. They speak the
 * wire protocol of real ones, so that any Celeborn client can use them; see docs/embedded.md for what they leave
 * out. It keeps the process alive until {@link stop}.
 */
export class EmbeddedCluster {
  readonly #settings: EmbeddedSettings
  readonly #dir: string
  /** The topmost directory that was made for `#dir`; undefined when all of it was there before. */
  readonly #madeDir: string | undefined
  readonly #master: Master
  readonly #workers: (Worker | undefined)[] = []
  readonly #workerDirs: string[] = []
  readonly #starting = new Set<Promise<void>>()
  #stopping: Promise<void> | undefined

  private constructor(settings: EmbeddedSettings, master: Master, dir: string, madeDir: string | undefined) {
    this.#settings = settings
    this.#master = master
    this.#dir = dir
    this.#madeDir = madeDir
  }

  /**
   * Starts master and workers and waits until the workers have registered.
   *
   * @throws ConfigError for options that cannot work; CelebornError CELEBORN_IO when the directory cannot be used;
   *   the system's error when the port cannot be had. Nothing is left behind then.
   */
  static async start(o: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
    const workers = o.workers ?? 2
    if (!Number.isInteger(workers) || workers < 0) {
      throw new ConfigError(`workers = ${String(o.workers)}: a number of workers is needed`)
    }
    const host = o.host ?? '127.0.0.1'
    if (host === '0.0.0.0' || host === '::') {
      throw new ConfigError(`host = ${host}: an address that clients can connect to is needed`)
    }
    const configured = embeddedSettings(o.conf ?? new CelebornConf(), host)
    const settings = {
      ...configured,
      maxOpenFiles: partitionFilesPerWorker(configured.maxOpenFiles, workers),
    }
    const { dir, made } = await makeDirectory(o.dir)
    const master = new Master(settings, o.port ?? 0)
    const cluster = new EmbeddedCluster(settings, master, dir, made)
    try {
      await master.start()
      await Promise.all(Array.from({ length: workers }, () => cluster.startWorker()))
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** `host:port` of the master, for `celeborn.master.endpoints`. */
  get masterEndpoint(): string {
    return formatHostPort({ host: this.#settings.host, port: this.#master.port })
  }

  /** Where the workers' directories are. */
  get dir(): string {
    return this.#dir
  }

  /**
   * Adds a worker on fresh ports, with an empty directory, and waits until it has registered.
   *
   * @returns its index.
   */
  async startWorker(): Promise<number> {
    if (this.#stopping !== undefined) throw new ClosedError('the cluster is stopped')
    const index = this.#workers.length
    const dir = join(this.#dir, `worker-${index}`)
    const worker = new Worker(this.#settings, dir, { host: this.#settings.host, port: this.#master.port })
    this.#workers.push(worker)
    const starting = this.#start(worker, dir)
    this.#starting.add(starting)
    try {
      await starting
    } catch (error) {
      this.#workers[index] = undefined
      await worker.stop()
      throw error
    } finally {
      this.#starting.delete(starting)
    }
    return index
  }

  async #start(worker: Worker, dir: string): Promise<void> {
    await makeWorkerDirectory(dir)
    this.#workerDirs.push(dir)
    await worker.start()
  }

  /**
   * Ends a worker as a crash would: its connections and ports are gone at once, the master is not told, its files
   * stay on disk until the cluster stops but nobody serves them.
   */
  async killWorker(index: number): Promise<void> {
    const worker = this.#worker(index)
    this.#workers[index] = undefined
    await worker.stop()
  }

  /**
   * Stops a worker gracefully, as Celeborn's workers stop: it takes no more slots, answers pushes so that clients go
   * elsewhere, tells the master, waits until all that it holds is committed, and leaves. What it has committed cannot be
   * read any more then, except from replicas; see {@link decommissionWorker}.
   *
   * @returns the files that were not committed when
   *   `celeborn.worker.graceful.shutdown.checkSlotsFinished.timeout` was over: `<application>-<shuffle>/<id>-<epoch>-<mode>`
   */
  stopWorker(index: number): Promise<string[]> {
    return this.#leave(index, 'graceful', this.#settings.gracefulTimeout)
  }

  /**
   * Takes a worker out of service without losing anything: as {@link stopWorker}, but it goes on serving reads until
   * all of its shuffles are unregistered.
   *
   * @returns the shuffles that were not gone when `celeborn.worker.decommission.forceExitTimeout` was over
   */
  decommissionWorker(index: number): Promise<string[]> {
    return this.#leave(index, 'decommission', this.#settings.decommissionTimeout)
  }

  async #leave(index: number, kind: LeavingKind, timeoutMs: number): Promise<string[]> {
    const worker = this.#worker(index)
    if (worker.condition !== 'normal') throw new ConfigError(`worker ${index} is leaving already`)
    try {
      return await worker.leave(kind, timeoutMs)
    } finally {
      if (this.#workers[index] === worker) this.#workers[index] = undefined
    }
  }

  #worker(index: number): Worker {
    const worker = this.#workers[index]
    if (worker === undefined) throw new ConfigError(`there is no worker ${index}`)
    return worker
  }

  /** Ends everything and removes the files. No handle of this cluster is left. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#workers.flatMap((worker) => (worker === undefined ? [] : [worker.stop()])))
    await Promise.allSettled([...this.#starting])
    await this.#master.stop()
    await Promise.all(this.#workerDirs.map((dir) => fs.rm(dir, { recursive: true, force: true })))
    if (this.#madeDir !== undefined) await removeEmpty(this.#dir, this.#madeDir)
  }

  stats(): EmbeddedClusterStats {
    return { master: this.#master.stats(), workers: this.#workers.map((worker) => worker?.stats()) }
  }
}

async function makeDirectory(dir: string | undefined): Promise<{ dir: string; made: string | undefined }> {
  try {
    if (dir === undefined) {
      const made = await fs.mkdtemp(join(tmpdir(), 'celeborn-node-'))
      return { dir: made, made }
    }
    const path = resolve(dir)
    return { dir: path, made: makeDirectories(path) }
  } catch (error) {
    throw unusable(dir ?? tmpdir(), error)
  }
}

/** Removes `dir` and its parents up to `top`, as far as nobody else has put something there. */
async function removeEmpty(dir: string, top: string): Promise<void> {
  for (let path = dir; path.length >= top.length; path = dirname(path)) {
    try {
      await fs.rmdir(path)
    } catch {
      return
    }
  }
}

async function makeWorkerDirectory(dir: string): Promise<void> {
  try {
    await fs.mkdir(dir)
  } catch (error) {
    throw unusable(dir, error)
  }
}

function unusable(dir: string, error: unknown): CelebornError {
  const reason = error instanceof Error ? error.message : String(error)
  const left =
    error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? `. It belongs to another embedded cluster, or one that was killed left it: remove it or use another directory`
      : ''
  return new CelebornError(
    'CELEBORN_IO',
    `the embedded cluster cannot use ${dir}: ${reason}${left}`,
    { path: dir },
    error,
  )
}
