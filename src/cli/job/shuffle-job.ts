import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { ShuffleClient } from '../../client'
import { type CelebornConf } from '../../conf'
import * as keys from '../../conf/keys'
import { ConfigError } from '../../errors'
import { LifecycleManager } from '../../lifecycle'
import { FramePool, type FramePoolStats } from '../../memory'
import { orAborted, withinMs } from '../abortable'
import { ClusterProcess } from '../cluster/cluster-process'
import { inspectInputs, type InputFile, readFileList } from '../input/files'
import { keyText } from '../input/key'
import { planTasks, type TaskPlan } from '../input/plan'
import { atExit } from '../last-moments'
import { type ShuffleOptions } from '../options'
import { type Progress } from '../progress'
import { PartitionChecksums } from './checksums'
import { runMapTasks } from './map-phase'
import { requireMaster } from './masters'
import { type MemoryPlan, planMemory } from './memory-plan'
import { OutputDirectory } from './output'
import { readPartitions } from './read-phase'
import { type ShuffleReport } from './report'

const WORKERS = 2
const SHUFFLE_ID = 0
const CLOSE_DEADLINE_MS = 3_000

type UntimedReport = Omit<ShuffleReport, 'wallMs' | 'cpuMs'>

/** One run of `celeborn-node shuffle`. Whatever way it ends, what it started is stopped and what it made is removed. */
export class ShuffleJob {
  readonly #options: ShuffleOptions
  readonly #signal: AbortSignal
  readonly #progress: Progress
  readonly #pushed: PartitionChecksums
  readonly #read: PartitionChecksums

  constructor(options: ShuffleOptions, signal: AbortSignal, progress: Progress) {
    this.#options = options
    this.#signal = signal
    this.#progress = progress
    this.#pushed = new PartitionChecksums(options.partitions)
    this.#read = new PartitionChecksums(options.partitions)
  }

  /** A run whose result is not `verified` has written nothing. @throws CelebornError if it could not be finished */
  async run(): Promise<ShuffleReport> {
    const { out } = this.#options
    const started = performance.now()
    const files = await this.#inputs()
    const output = out === undefined ? undefined : OutputDirectory.create(out)
    const forget = atExit(() => output?.discard())
    try {
      const report = await this.#withCluster(files, output)
      this.#signal.throwIfAborted()
      if (report.verified) output?.publish()
      return { ...report, wallMs: rounded(performance.now() - started), cpuMs: cpuMs() }
    } finally {
      this.#progress.stop()
      output?.discard()
      forget()
    }
  }

  async #inputs(): Promise<readonly InputFile[]> {
    const { inputs, filesFrom } = this.#options
    const listed = filesFrom === undefined ? [] : await orAborted(readFileList(filesFrom), this.#signal)
    if (inputs.length + listed.length === 0) {
      throw new ConfigError(
        `no input: ${filesFrom === '-' ? 'standard input' : (filesFrom ?? '')} names no file`,
      )
    }
    return inspectInputs([...inputs, ...listed])
  }

  async #withCluster(
    files: readonly InputFile[],
    output: OutputDirectory | undefined,
  ): Promise<UntimedReport> {
    const { masters, conf, confEntries } = this.#options
    if (masters !== undefined) {
      await requireMaster(masters, conf, this.#signal)
      return this.#withClient(files, output, conf, this.#signal)
    }
    const cluster = await ClusterProcess.start({ workers: WORKERS, conf: confEntries, signal: this.#signal })
    const lost = new AbortController()
    cluster.failure.catch((error: unknown) => lost.abort(error))
    try {
      const own = conf.with({ [keys.MASTER_ENDPOINTS.key]: cluster.masterEndpoint })
      return await this.#withClient(files, output, own, AbortSignal.any([this.#signal, lost.signal]))
    } catch (error) {
      // A dead cluster shows in many ways; this one says what happened.
      throw lost.signal.aborted ? lost.signal.reason : error
    } finally {
      await cluster.stop()
    }
  }

  async #withClient(
    files: readonly InputFile[],
    output: OutputDirectory | undefined,
    given: CelebornConf,
    signal: AbortSignal,
  ): Promise<UntimedReport> {
    const { tasks, partitions } = this.#options
    const memory = planMemory({
      maxInFlightBytes: given.get(keys.NODE_MAX_IN_FLIGHT_BYTES),
      tasks,
      partitions,
      maxFrameBytes: given.get(keys.NODE_MAX_FRAME_BYTES),
      bufferBytes: given.isSet(keys.CLIENT_PUSH_BUFFER_MAX_SIZE)
        ? given.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE)
        : undefined,
    })
    const conf = given.isSet(keys.CLIENT_FETCH_MAX_REQS_IN_FLIGHT)
      ? given
      : given.with({ [keys.CLIENT_FETCH_MAX_REQS_IN_FLIGHT.key]: memory.fetchWindow })
    const appId = `celeborn-node-${randomUUID()}`
    const manager = new LifecycleManager({ appId, conf, host: '127.0.0.1' })
    const pool = new FramePool({
      name: 'shuffle',
      maxBytes: memory.poolBytes,
      maxPooledBytes: memory.poolBytes,
    })
    let client: ShuffleClient | undefined
    try {
      await orAborted(manager.start(), signal)
      const lifecycleManager = { host: manager.host, port: manager.port }
      client = new ShuffleClient({ appId, conf, lifecycleManager, pool })
      const { pushMs, frames } = await this.#push(client, files, memory, signal)
      const { readMs, problem } = await this.#readBack(client, output, memory, signal)
      await orAborted(manager.unregisterShuffle(SHUFFLE_ID), signal)
      await client.close()
      return this.#report(files, memory, client, frames, { pushMs, readMs, problem })
    } finally {
      // Whatever went wrong is on its way up; a peer that is gone must not hold it back.
      await withinMs(CLOSE_DEADLINE_MS, client?.close())
      pool.close()
      await withinMs(CLOSE_DEADLINE_MS, manager.stop())
    }
  }

  async #push(
    client: ShuffleClient,
    files: readonly InputFile[],
    memory: MemoryPlan,
    signal: AbortSignal,
  ): Promise<{ pushMs: number; frames: FramePoolStats }> {
    const { key, header, tasks, partitions } = this.#options
    const { maxRecordBytes, tasksAtOnce, frameBytes } = memory
    const started = performance.now()
    const plans: readonly TaskPlan[] = await planTasks(files, { key, tasks, maxRecordBytes, signal })
    this.#progress.start('push', totalSize(files))
    await runMapTasks({
      client,
      shuffleId: SHUFFLE_ID,
      plans,
      partitions,
      tasksAtOnce,
      key,
      header,
      frameBytes,
      maxRecordBytes,
      checksums: this.#pushed,
      signal,
      onProgress: this.#progress.advance,
    })
    const frames = client.pool.stats()
    // Reading back needs frames of another size.
    client.pool.trim()
    return { pushMs: performance.now() - started, frames }
  }

  async #readBack(
    client: ShuffleClient,
    output: OutputDirectory | undefined,
    memory: MemoryPlan,
    signal: AbortSignal,
  ): Promise<{ readMs: number; problem: string | undefined }> {
    const { key } = this.#options
    const started = performance.now()
    this.#progress.start('read', this.#pushed.total().bytes)
    await readPartitions({
      client,
      shuffleId: SHUFFLE_ID,
      key,
      checksums: this.#read,
      output,
      signal,
      onProgress: this.#progress.advance,
      pushed: this.#pushed,
      memory,
    })
    this.#progress.stop()
    return { readMs: performance.now() - started, problem: this.#pushed.difference(this.#read) }
  }

  #report(
    files: readonly InputFile[],
    memory: MemoryPlan,
    client: ShuffleClient,
    frames: FramePoolStats,
    { pushMs, readMs, problem }: { pushMs: number; readMs: number; problem: string | undefined },
  ): UntimedReport {
    const stats = client.stats()
    const { key, tasks, partitions, masters, out } = this.#options
    const total = this.#read.total()
    return {
      records: total.records,
      inputBytes: totalSize(files),
      pushedBytes: stats.pushedBytes,
      batches: stats.batches,
      framesAllocated: frames.framesAllocated,
      peakFramesAlive: frames.peakFramesAlive,
      framesAlive: stats.framesAlive,
      peakInFlightBytes: stats.peakBytesInFlight,
      maxInFlightBytes: stats.maxInFlightBytes,
      payloadCopies: stats.payloadCopies,
      verified: problem === undefined,
      problem: problem ?? null,
      files: files.length,
      tasks,
      partitions,
      key: keyText(key),
      recordBytes: total.bytes,
      codec: client.conf.get(keys.CLIENT_SHUFFLE_COMPRESSION_CODEC),
      checksum: total.hash,
      frameBytes: memory.frameBytes,
      zeroCopy: client.zeroCopy,
      admissionWaits: stats.waits,
      retries: stats.retries,
      pushMs: rounded(pushMs),
      readMs: rounded(readMs),
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      cluster: masters === undefined ? 'embedded' : masters.join(','),
      out: out ?? null,
    }
  }
}

function totalSize(files: readonly InputFile[]): number {
  return files.reduce((sum, file) => sum + file.size, 0)
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** CPU time of this process so far. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return rounded((user + system) / 1000)
}
