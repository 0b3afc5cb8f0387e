import { TransportConf } from '../buffer'
import { CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { ClosedError, ConfigError } from '../errors'
import { FramePool, type NativeFrame } from '../memory'
import { LeasePool } from '../memory/lease'
import { ConnectionPool, RpcClient } from '../network'
import { BufferSource, CopySource, type CopyCounters, FrameSource, type PushSource } from '../push/payload'
import { Pusher } from '../push/pusher'
import { ReleaseQueue } from '../push/release-queue'
import { pusherConf } from '../push/settings'
import {
  type MapAttempt,
  type PushBufferOptions,
  type PushOptions,
  type PushReceipt,
  type PushTarget,
} from '../push/types'
import { BufferPool } from '../write/buffer-pool'
import { createDataPusher } from '../write/create-pusher'
import { createWriter } from '../write/create-writer'
import { type DataPusher } from '../write/data-pusher'
import { type WriterHost } from '../write/host'
import { type ShuffleWriter, type ShuffleWriterOptions } from '../write/shuffle-writer'
import { ReadBudget } from '../read/budget'
import { PartitionReader, type ReadOptions } from '../read/partition-reader'
import { FileGroupCache } from '../read/file-group-cache'
import { requireBytes, requireEncoding, requireFrame, requireOnRelease, requireTarget } from './arguments'
import { LifecycleClient, type LifecycleManagerAddress } from './lifecycle-client'
import { type ShuffleClientStats } from './stats'

export interface ShuffleClientOptions {
  /** The application whose shuffles these are. Every client of one application gives the same. */
  readonly appId: string
  readonly conf?: CelebornConf
  readonly lifecycleManager: LifecycleManagerAddress
  /** Frames for {@link ShuffleClient.pool}. By default a pool of the client's own, which ends with it. */
  readonly pool?: FramePool
}

/** Memory of read chunks that waits for the next ones. */
const MAX_POOLED_CHUNK_BYTES = 64 * 1024 ** 2

/**
 * Writes and reads shuffles of one application. One client serves any number of map tasks at once; they share its
 * connections and its budget of bytes in flight.
 */
export class ShuffleClient {
  readonly appId: string
  readonly conf: CelebornConf
  /** Native frames for {@link pushFrame}. */
  readonly pool: FramePool
  private readonly ownsPool: boolean
  private readonly leases: LeasePool
  private readonly buffers: BufferPool
  /** Calls of writers that wait for a push task. */
  private tasksWanted = 0
  private readonly readFrames: FramePool
  private readonly readBudget: ReadBudget
  private readonly localFiles: TransportConf | null
  private readonly dataPool: ConnectionPool
  private readonly rpcPool: ConnectionPool
  private readonly rpc: RpcClient
  private readonly lifecycle: LifecycleClient
  private readonly pusher: Pusher
  private readonly releases = new ReleaseQueue()
  private readonly copies: CopyCounters = { payloadCopies: 0, payloadCopiedBytes: 0 }
  private readonly fileGroups: FileGroupCache
  private readonly readers = new Set<PartitionReader>()
  private closing: Promise<void> | null = null
  /** @internal What writers need of their client. */
  readonly writerHost: WriterHost

  constructor(options: ShuffleClientOptions) {
    const { appId, lifecycleManager } = (options ?? {}) as Partial<ShuffleClientOptions>
    if (typeof appId !== 'string' || appId === '') {
      throw new ConfigError('new ShuffleClient({ appId, conf, lifecycleManager }): appId must not be empty')
    }
    const { host, port } = (lifecycleManager ?? {}) as Partial<LifecycleManagerAddress>
    if (typeof host !== 'string' || !Number.isInteger(port) || Number(port) <= 0 || Number(port) >= 65536) {
      const given = lifecycleManager === undefined ? 'nothing' : `${String(host)}:${String(port)}`
      throw new ConfigError(
        `lifecycleManager must be { host, port } of a LifecycleManager that listens, not ${given}; ` +
          (typeof port === 'string'
            ? 'the port must be a number'
            : 'one of this package has its port after start()'),
      )
    }
    this.appId = options.appId
    this.conf = options.conf ?? new CelebornConf()
    const conf = this.conf
    if (conf.get(keys.AUTH_ENABLED)) {
      throw new ConfigError(
        `${keys.AUTH_ENABLED.key} = true: authentication is not supported yet; set it to false`,
      )
    }
    this.ownsPool = options.pool === undefined
    const maxInFlight = conf.get(keys.NODE_MAX_IN_FLIGHT_BYTES)
    this.pool = options.pool ?? new FramePool({ name: 'client', maxPooledBytes: maxInFlight })
    // Copies are bounded by admission; the pool itself must not refuse what was admitted.
    this.leases = new LeasePool({ maxBytes: Number.MAX_SAFE_INTEGER, maxPooledBytes: maxInFlight })
    this.localFiles = conf.get(keys.CLIENT_READ_LOCAL_SHUFFLE_FILE_ENABLED)
      ? new TransportConf('data', conf)
      : null
    this.readBudget = new ReadBudget(conf.get(keys.NODE_MAX_READ_BYTES))
    // Chunks are bounded by their budget; the pool itself must not refuse what has room there.
    this.readFrames = new FramePool({
      name: 'read',
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxPooledBytes: Math.min(MAX_POOLED_CHUNK_BYTES, this.readBudget.maxBytes),
    })
    this.dataPool = new ConnectionPool(conf, { module: 'data' })
    this.rpcPool = new ConnectionPool(conf, { module: 'rpc_app' })
    const form = conf.get(keys.NODE_RPC_FORM)
    this.rpc = new RpcClient(this.rpcPool, { form })
    this.lifecycle = new LifecycleClient(this.appId, this.rpc, options.lifecycleManager, conf)
    const writerBytes = conf.get(keys.NODE_WRITER_MAX_BYTES)
    this.buffers = new BufferPool({
      maxBytes: writerBytes,
      maxPooledBytes: Math.min(writerBytes, 2 * maxInFlight),
      onHunger: () => this.pusher.flushMerged(),
      idleMs: conf.get(keys.CLIENT_PUSH_SEND_BUFFER_POOL_EXPIRE_TIMEOUT),
    })
    const memoryWanted = (): boolean => this.tasksWanted > 0 || this.buffers.hungry
    this.pusher = new Pusher(this.appId, pusherConf(conf), this.dataPool, this.lifecycle, memoryWanted)
    this.writerHost = this.makeWriterHost()
    this.fileGroups = new FileGroupCache(this.lifecycle)
  }

  /** False where the runtime forbids external buffers: then frames are copied memory. */
  get zeroCopy(): boolean {
    return this.pool.zeroCopy
  }

  /**
   * Pushes a frame: its memory is sent from where it lies. Resolves at admission, from when on the client owns the
   * frame and frees it when its batch has ended and nothing reads it any more. While the push waits the frame
   * is nobody's to touch; a rejected push gives it back, untouched.
   *
   * @throws FrameStateError the frame is not the caller's
   * @throws CelebornError an earlier batch of the attempt has failed (that error), no room in time
   *   (CELEBORN_ADMISSION_TIMEOUT), aborted, closed
   */
  pushFrame(target: PushTarget, frame: NativeFrame, options: PushOptions = {}): Promise<PushReceipt> {
    return this.push(target, options, false, () => this.frameSource('pushFrame', frame))
  }

  /**
   * Pushes memory of the caller's own, uncopied. From admission until `onRelease` it belongs to the client: do not
   * write to it, do not free it. A rejected push was never the client's: `onRelease` does not run.
   */
  pushBuffer(target: PushTarget, bytes: Uint8Array, options: PushBufferOptions): Promise<PushReceipt> {
    return this.push(target, options, false, () => this.bufferSource('pushBuffer', bytes, options))
  }

  /**
   * Pushes bytes that the caller keeps: they are encoded or copied (once, into a pooled frame) at admission. Leave
   * them unchanged until the promise resolves; from then on they are free for reuse.
   */
  pushData(target: PushTarget, bytes: Uint8Array, options: PushOptions = {}): Promise<PushReceipt> {
    return this.push(target, options, false, () => this.copySource('pushData', bytes))
  }

  /**
   * As {@link pushData}, for small batches: gathered with others for the same pair of workers, and sent as one request
   * when they are worth one, when somebody waits for room, at {@link pushMergedData}, or at {@link mapperEnd}. Each
   * batch keeps its own receipt, and its memory is released by itself.
   */
  mergeData(target: PushTarget, bytes: Uint8Array, options: PushOptions = {}): Promise<PushReceipt> {
    return this.push(target, options, true, () => this.copySource('mergeData', bytes))
  }

  /** As {@link mergeData}, for a frame: it is sent from where it lies. Ownership is as in {@link pushFrame}. */
  mergeFrame(target: PushTarget, frame: NativeFrame, options: PushOptions = {}): Promise<PushReceipt> {
    return this.push(target, options, true, () => this.frameSource('mergeFrame', frame))
  }

  /** As {@link mergeData}, for memory of the caller's own. Ownership is as in {@link pushBuffer}. */
  mergeBuffer(target: PushTarget, bytes: Uint8Array, options: PushBufferOptions): Promise<PushReceipt> {
    return this.push(target, options, true, () => this.bufferSource('mergeBuffer', bytes, options))
  }

  /** Sends what an attempt has gathered with `merge…`. Resolves when all of it is on its way. */
  pushMergedData(attempt: MapAttempt): Promise<void> {
    return this.pusher.pushMerged(attempt)
  }

  /**
   * Ends a map task attempt: waits until all of its batches are acknowledged, then reports it.
   * Rejects with the first failure of a batch; the report is not sent then.
   */
  mapperEnd(attempt: MapAttempt): Promise<void> {
    return this.pusher.mapperEnd(attempt)
  }

  /**
   * Aborts a map task attempt: pushes that wait are rejected, batches in flight are dropped, its end is never
   * reported. Resolves when all of its memory is free. Harmless after {@link mapperEnd}.
   */
  cleanup(attempt: MapAttempt): Promise<void> {
    return this.pusher.cleanup(attempt)
  }

  /**
   * A writer for one map task attempt, of the kind that the configuration asks for: hash or sort
   * (`celeborn.client.spark.shuffle.writer`), or by the number of partitions
   * (`celeborn.client.spark.push.dynamicWriteMode.enabled`).
   * @throws ConfigError on a wrong option, or when the attempt has a writer already
   */
  createWriter<T, K = T>(options: ShuffleWriterOptions<T, K>): ShuffleWriter<T, K> {
    return createWriter(this, options)
  }

  /**
   * The pusher alone, for who fills push buffers without a writer: `addTaskAndSwapBuffer` hands full ones over, `addTask` copies.
   * Then `waitOnTermination` and {@link mapperEnd}.
   * @throws ConfigError when the attempt has a writer or pusher already
   */
  createDataPusher(attempt: MapAttempt, options: { readonly signal?: AbortSignal } = {}): DataPusher {
    return createDataPusher(this, attempt, options)
  }

  /** Reads a partition back, once its stage has ended: all of it, or the batches of a range of map tasks. */
  readPartition(shuffleId: number, partitionId: number, options: ReadOptions = {}): PartitionReader {
    const reader = new PartitionReader(
      { appId: this.appId, shuffleId, partitionId },
      {
        conf: this.conf,
        lifecycle: this.lifecycle,
        fileGroups: this.fileGroups,
        pool: this.dataPool,
        frames: this.readFrames,
        budget: this.readBudget,
        local: this.localFiles,
      },
      options,
      () => this.readers.delete(reader),
    )
    if (this.closing === null) {
      if (options.signal?.aborted !== true) this.readers.add(reader)
    } else reader.end(new ClosedError('the ShuffleClient is closed'))
    return reader
  }

  /**
   * The shuffle id for a run of an application's shuffle, where its scheduler runs map stages again after a fetch
   * failure: writers get that of their run (`identifier` names it, e.g. `<stage>-<attempt>`), readers that of the newest
   * complete one, or -1 where nothing was written. With `celeborn.client.spark.stageRerun.enabled` = false it is `appShuffleId`.
   * @throws CelebornError CELEBORN_FETCH_FAILED when no run is complete
   */
  getShuffleId(
    appShuffleId: number,
    identifier: string,
    o: { readonly isWriter: boolean; readonly isBarrierStage?: boolean },
  ): Promise<number> {
    return this.lifecycle.shuffleId({
      appShuffleId,
      appShuffleIdentifier: identifier,
      isShuffleWriter: o.isWriter,
      isBarrierStage: o.isBarrierStage ?? false,
    })
  }

  /**
   * Tells the driver that a shuffle that {@link getShuffleId} gave cannot be read. Resolves to true when its map stage
   * runs again: the reader's task fails, and the one after it gets another id.
   */
  reportShuffleFetchFailure(appShuffleId: number, shuffleId: number, taskId = 0): Promise<boolean> {
    return this.lifecycle.reportShuffleFetchFailure({ appShuffleId, shuffleId, taskId })
  }

  /** Tells the driver that a task of a barrier stage failed, so that all of them write anew. */
  reportBarrierStageFailure(appShuffleId: number, identifier: string): Promise<boolean> {
    return this.lifecycle.reportBarrierStageFailure({ appShuffleId, appShuffleIdentifier: identifier })
  }

  /** Forgets what this client knows of a shuffle; whatever of it is in flight is dropped. */
  async forgetShuffle(shuffleId: number): Promise<void> {
    this.fileGroups.forget(shuffleId)
    await this.pusher.forget(shuffleId)
  }

  /** Drops what is in flight, ends readers, closes connections, frees all memory. Idempotent. */
  close(): Promise<void> {
    this.closing ??= this.closeNow()
    return this.closing
  }

  stats(): ShuffleClientStats {
    const frames = this.pool.stats()
    const leases = this.leases.stats()
    const admission = this.pusher.admission.stats()
    return {
      ...this.pusher.stats,
      ...admission,
      ...this.copies,
      maxInFlightBytes: this.pusher.admission.limits.maxBytes,
      releaseCallbackFailures: this.releases.failures,
      framesAllocated: frames.framesAllocated,
      framesAlive: frames.framesAlive,
      peakFramesAlive: frames.peakFramesAlive,
      frames,
      leases,
      writerBuffers: this.buffers.stats(),
      readFrames: this.readFrames.stats(),
      readBudget: this.readBudget.stats(),
      connections: this.dataPool.stats(),
    }
  }

  private makeWriterHost(): WriterHost {
    const { pusher } = this
    return {
      conf: this.conf,
      buffers: this.buffers,
      push: (...push) => pusher.push(...push),
      flushMerged: () => pusher.flushMerged(),
      taskWanted: (change) => {
        this.tasksWanted += change
      },
      mapperEnd: (of) => pusher.mapperEnd(of),
      cleanup: (of) => pusher.cleanup(of),
      claim: (of, onFailure) => pusher.claim(of, onFailure),
    }
  }

  private push(
    target: PushTarget,
    options: PushOptions,
    merged: boolean,
    source: () => PushSource,
  ): Promise<PushReceipt> {
    const encoding = options.encoding ?? 'compress'
    try {
      requireTarget(target)
      requireEncoding(encoding)
      return this.pusher.push(target, source(), encoding, options.signal, merged)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  private frameSource(call: string, frame: NativeFrame): PushSource {
    requireFrame(call, frame)
    return new FrameSource(frame)
  }

  private bufferSource(call: string, bytes: Uint8Array, options: PushBufferOptions): PushSource {
    requireBytes(call, bytes)
    requireOnRelease(call, options.onRelease)
    return new BufferSource(bytes, options.onRelease, this.releases)
  }

  private copySource(call: string, bytes: Uint8Array): PushSource {
    requireBytes(call, bytes)
    return new CopySource(bytes, this.leases, this.copies)
  }

  private async closeNow(): Promise<void> {
    for (const reader of this.readers) reader.end(new ClosedError('the ShuffleClient was closed'))
    this.lifecycle.close()
    await this.pusher.close()
    await this.rpcPool.close()
    this.leases.close()
    this.buffers.close()
    this.readFrames.close()
    this.localFiles?.frames.close()
    if (this.ownsPool) this.pool.close()
  }
}
