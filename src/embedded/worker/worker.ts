import { TransportConf } from '../../buffer'
import type { HostPort } from '../../conf'
import { ClosedError } from '../../errors'
import { MessageServer, type RpcHandler, RpcServer } from '../../network'
import { type WorkerAddress, workerUniqueId } from '../../protocol/ids'
import { StorageType } from '../../protocol/locations'
import { type DiskInfo, DiskStatus } from '../../protocol/messages'
import { Endpoint } from '../../protocol/rpc-envelope'
import type { EmbeddedSettings } from '../settings'
import { DiskSpace, type UsageProbe } from '../storage/disk-space'
import { FileHandles } from '../storage/file-handles'
import { ChunkSender } from './chunk-sender'
import { Commits } from './commits'
import { FetchService } from './fetch-service'
import { Leaving, type LeavingKind, type WorkerCondition } from './leaving'
import { MasterLink } from './master-link'
import type { PushRules } from './push-decision'
import { PushService } from './push-service'
import { Replication } from './replication'
import { Reservations } from './reservations'
import { Shuffles } from './shuffles'
import { Streams } from './streams'
import { workerEndpoint } from './worker-endpoint'

export interface WorkerStats {
  /** `host:rpcPort:pushPort:fetchPort:replicatePort`. */
  readonly uniqueId: string
  /** `normal` until it is told to leave. */
  readonly condition: WorkerCondition
  readonly shuffles: number
  /** Committed partition files, and their bytes. */
  readonly files: number
  readonly fileBytes: number
  /** Pushed bytes that the disk does not have yet, now and at most. */
  readonly unwrittenBytes: number
  readonly peakUnwrittenBytes: number
  readonly openFiles: number
  readonly streams: number
  /** Bytes of chunks that were read and not yet sent, now and at most. */
  readonly chunkBytes: number
  readonly peakChunkBytes: number
  readonly connections: number
  /** Connections closed because of bytes that are no valid message. */
  readonly protocolErrors: number
}

/** A worker: four servers, partition files in one directory, and a conversation with the master. */
export class Worker {
  readonly #settings: EmbeddedSettings
  readonly #dir: string
  readonly #master: HostPort
  readonly #handles: FileHandles
  readonly #shuffles: Shuffles
  readonly #streams = new Streams()
  readonly #chunks: ChunkSender
  readonly #replication: Replication
  readonly #rpc: RpcServer
  readonly #push: MessageServer
  readonly #replicate: MessageServer
  readonly #fetch: MessageServer
  readonly #disk: DiskSpace
  readonly #stopped = new AbortController()
  #condition: WorkerCondition = 'normal'
  #leaving: Leaving | undefined
  /** Requests on the RPC port that have no answer yet. */
  #serving = 0
  #link: MasterLink | undefined
  #stopping: Promise<void> | undefined

  /**
   * @param dir exists and is this worker's own.
   * @param usage where the figures of its disk come from.
   */
  constructor(settings: EmbeddedSettings, dir: string, master: HostPort, usage?: UsageProbe) {
    this.#settings = settings
    this.#dir = dir
    this.#master = master
    this.#disk = new DiskSpace(dir, settings.diskReserve, usage)
    this.#handles = new FileHandles(settings.maxOpenFiles)
    this.#shuffles = new Shuffles(dir, this.#handles, () => this.#leaving?.changed())
    this.#chunks = new ChunkSender(this.#streams, this.#handles, new TransportConf('fetch', settings.conf), {
      maxBytes: settings.maxChunkBytes,
      maxBytesPerConnection: settings.maxChunkBytesPerConnection,
    })
    this.#replication = new Replication(settings.conf)
    const { host, maxMessageBytes } = settings
    this.#rpc = new RpcServer({ host, name: 'worker rpc', maxMessageBytes })
    this.#rpc.endpoint(
      Endpoint.WORKER,
      this.#counted(
        workerEndpoint({
          reservations: new Reservations(settings, this.#shuffles, this.#handles, {
            leaving: () => this.#condition !== 'normal',
            disk: this.#disk,
          }),
          commits: new Commits(this.#shuffles, settings.commitTimeout),
          shuffles: this.#shuffles,
        }),
      ),
    )
    this.#push = this.#pushServer('worker push')
    this.#replicate = this.#pushServer('worker replicate')
    const fetch = new FetchService({
      shuffles: this.#shuffles,
      streams: this.#streams,
      handles: this.#handles,
      chunks: this.#chunks,
      chunkSize: settings.chunkSize,
      registered: () => this.#registered,
    })
    this.#fetch = new MessageServer({
      host,
      name: 'worker fetch',
      maxMessageBytes,
      onMessage: (conn, message, body) => fetch.onMessage(conn, message, body),
      onConnectionClosed: (conn) => this.#chunks.connectionClosed(conn),
    })
  }

  get #address(): WorkerAddress {
    return {
      host: this.#settings.host,
      rpcPort: this.#rpc.port,
      pushPort: this.#push.port,
      fetchPort: this.#fetch.port,
      replicatePort: this.#replicate.port,
    }
  }

  get #registered(): boolean {
    return this.#link?.registered ?? false
  }

  /** Listens, then registers with the master; resolves when the master knows the worker. */
  async start(): Promise<void> {
    await Promise.all([
      this.#rpc.listen(),
      this.#push.listen(),
      this.#replicate.listen(),
      this.#fetch.listen(),
    ])
    // Stopped meanwhile: the servers refuse to listen or are closed, but the link would be a new one.
    if (this.#stopping !== undefined) throw new ClosedError('the worker is stopped')
    this.#link = new MasterLink(this.#settings, this.#master, {
      address: this.#address,
      condition: () => this.#condition,
      disks: () => this.#disks(),
      activeShuffleKeys: () => this.#shuffles.keys(),
      expire: (shuffleKeys) => {
        for (const shuffleKey of shuffleKeys) this.#expire(shuffleKey)
      },
    })
    await this.#link.start()
  }

  /** Closes every connection and port at once and tells nobody; waits for writes under way. Files stay. Idempotent. */
  stop(): Promise<void> {
    this.#stopped.abort()
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /**
   * Leaves in good order: takes no more slots, makes whoever pushes go elsewhere, tells the master, waits for what
   * `kind` says, then stops. Once only.
   *
   * @returns what was not committed, or the shuffles that were not gone, when `timeoutMs` were over.
   */
  async leave(kind: LeavingKind, timeoutMs: number): Promise<string[]> {
    this.#condition = kind
    const leaving = new Leaving(
      { pending: (what) => this.#pending(what), quiet: () => this.#quiet() },
      kind,
      this.#stopped.signal,
    )
    this.#leaving = leaving
    await this.#link?.announce(kind)
    const pending = await leaving.wait(timeoutMs)
    if (!this.#stopped.signal.aborted) await this.#link?.farewell()
    await this.stop()
    return pending
  }

  get condition(): WorkerCondition {
    return this.#condition
  }

  #pending(kind: LeavingKind): string[] {
    if (kind === 'decommission') return this.#shuffles.keys()
    return this.#shuffles
      .values()
      .flatMap((state) => state.writers().map((writer) => `${state.shuffleKey}/${writer.fileName}`))
  }

  #quiet(): boolean {
    if (this.#serving > 0 || this.#rpc.stats().unsentBytes > 0) return false
    return [this.#push, this.#replicate, this.#fetch].every((server) => {
      const { unsentBytes, unreleasedBytes } = server.stats()
      return unsentBytes === 0 && unreleasedBytes === 0
    })
  }

  #counted(handler: RpcHandler): RpcHandler {
    return async (type, payload, context) => {
      this.#serving += 1
      try {
        return await handler(type, payload, context)
      } finally {
        this.#serving -= 1
      }
    }
  }

  get #rules(): PushRules {
    const { splitEnabled, splitMin, splitMax } = this.#settings
    return {
      splitEnabled,
      splitMin,
      splitMax,
      diskFull: this.#disk.full,
      shuttingDown: this.#condition !== 'normal',
    }
  }

  async #stop(): Promise<void> {
    await Promise.all([
      this.#rpc.close(),
      this.#push.close(),
      this.#replicate.close(),
      this.#fetch.close(),
      this.#link?.close(),
      this.#replication.close(),
    ])
    this.#chunks.close()
    await this.#shuffles.close()
    await this.#handles.close()
  }

  /** Pushes come from clients or, on the replicate port, from other workers; each port has its own memory limit. */
  #pushServer(name: string): MessageServer {
    const service = new PushService({
      shuffles: this.#shuffles,
      replication: this.#replication,
      registered: () => this.#registered,
      rules: () => this.#rules,
      writes: (bytes) => this.#disk.writes(bytes),
      congested: () => congestionControl && server.budget.used * 2 > maxUnwrittenBytes,
    })
    const { host, maxMessageBytes, maxUnwrittenBytes, congestionControl } = this.#settings
    const server = new MessageServer({
      host,
      name,
      maxMessageBytes,
      maxReceivedBytes: maxUnwrittenBytes,
      onMessage: (conn, message, body) => service.onMessage(conn, message, body),
    })
    return server
  }

  #expire(shuffleKey: string): void {
    this.#streams.endShuffle(shuffleKey)
    void this.#shuffles.delete(shuffleKey)
  }

  /** The one disk there is, for masters that look at it. */
  async #disks(): Promise<DiskInfo[]> {
    const { usable, total } = await this.#disk.refresh()
    return [
      {
        mountPoint: this.#dir,
        usableSpace: usable,
        avgFlushTime: 0,
        usedSlots: this.#shuffles.values().reduce((sum, state) => sum + state.writers().length, 0),
        status: this.#disk.full ? DiskStatus.HIGH_DISK_USAGE : DiskStatus.HEALTHY,
        avgFetchTime: 0,
        storageType: StorageType.HDD,
        totalSpace: total,
      },
    ]
  }

  stats(): WorkerStats {
    const files = this.#shuffles.values().flatMap((state) => [...state.files.values()])
    const servers = [this.#rpc, this.#push, this.#replicate, this.#fetch].map((server) => server.stats())
    const [, push, replicate] = servers
    return {
      uniqueId: workerUniqueId(this.#address),
      condition: this.#condition,
      shuffles: this.#shuffles.keys().length,
      files: files.length,
      fileBytes: files.reduce((sum, file) => sum + file.length, 0),
      unwrittenBytes: (push?.unreleasedBytes ?? 0) + (replicate?.unreleasedBytes ?? 0),
      peakUnwrittenBytes: (push?.peakUnreleasedBytes ?? 0) + (replicate?.peakUnreleasedBytes ?? 0),
      openFiles: this.#handles.openFiles,
      streams: this.#streams.size,
      chunkBytes: this.#chunks.heldBytes,
      peakChunkBytes: this.#chunks.peakBytes,
      connections: servers.reduce((sum, server) => sum + server.connections, 0),
      protocolErrors: servers.reduce((sum, server) => sum + server.protocolErrors, 0),
    }
  }
}
