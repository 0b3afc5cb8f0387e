import { promises as fs } from 'node:fs'
import type { HostPort } from '../../conf'
import { ClosedError } from '../../errors'
import { MessageServer, RpcServer } from '../../network'
import { type WorkerAddress, workerUniqueId } from '../../protocol/ids'
import { StorageType } from '../../protocol/locations'
import { type DiskInfo, DiskStatus } from '../../protocol/messages'
import { Endpoint } from '../../protocol/rpc-envelope'
import type { EmbeddedSettings } from '../settings'
import { FileHandles } from '../storage/file-handles'
import { ChunkSender } from './chunk-sender'
import { Commits } from './commits'
import { FetchService } from './fetch-service'
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
  readonly #rules: PushRules
  #link: MasterLink | undefined
  #stopping: Promise<void> | undefined

  /** @param dir exists and is this worker's own. */
  constructor(settings: EmbeddedSettings, dir: string, master: HostPort) {
    this.#settings = settings
    this.#dir = dir
    this.#master = master
    this.#handles = new FileHandles(settings.maxOpenFiles)
    this.#shuffles = new Shuffles(dir, this.#handles)
    this.#chunks = new ChunkSender(this.#streams, this.#handles, {
      maxBytes: settings.maxChunkBytes,
      maxBytesPerConnection: settings.maxChunkBytesPerConnection,
    })
    this.#replication = new Replication(settings.conf)
    const { host, maxMessageBytes, splitEnabled, splitMax } = settings
    this.#rules = { splitEnabled, splitMax, shuttingDown: false }
    this.#rpc = new RpcServer({ host, name: 'worker rpc', maxMessageBytes })
    this.#rpc.endpoint(
      Endpoint.WORKER,
      workerEndpoint({
        reservations: new Reservations(settings, this.#shuffles, this.#handles),
        commits: new Commits(this.#shuffles, settings.commitTimeout),
        shuffles: this.#shuffles,
      }),
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
    this.#stopping ??= this.#stop()
    return this.#stopping
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
    const { bavail, blocks, bsize } = await fs.statfs(this.#dir)
    return [
      {
        mountPoint: this.#dir,
        usableSpace: bavail * bsize,
        avgFlushTime: 0,
        usedSlots: this.#shuffles.values().reduce((sum, state) => sum + state.writers().length, 0),
        status: DiskStatus.HEALTHY,
        avgFetchTime: 0,
        storageType: StorageType.HDD,
        totalSpace: blocks * bsize,
      },
    ]
  }

  stats(): WorkerStats {
    const files = this.#shuffles.values().flatMap((state) => [...state.files.values()])
    const servers = [this.#rpc, this.#push, this.#replicate, this.#fetch].map((server) => server.stats())
    const [, push, replicate] = servers
    return {
      uniqueId: workerUniqueId(this.#address),
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
