import { onTestFinished } from 'vitest'
import { LifecycleClient } from '../../src/client/lifecycle-client'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { FramePool } from '../../src/memory'
import { ConnectionPool, RpcClient } from '../../src/network'
import { type PartitionLocation } from '../../src/protocol/locations'
import { ReadBudget } from '../../src/read/budget'
import { FileGroupCache } from '../../src/read/file-group-cache'
import { type FileGroups, type ReadLifecycle } from '../../src/read/lifecycle'
import { PartitionReader, type ReadOptions } from '../../src/read/partition-reader'
import { FaultProxy } from '../fault/fault-proxy'

const APP = 'faulty-reads'
const SHUFFLE = { shuffleId: 2, numMappers: 2, numPartitions: 1 }

export interface FaultyWorldOptions {
  readonly replicate: boolean
  readonly texts: (mapId: number) => readonly string[]
  readonly entries?: Record<string, string | number | boolean>
}

/** A partition in a real embedded cluster, written through a real driver; whoever reads it goes through proxies. */
export class FaultyWorld {
  /** What was written, sorted. */
  readonly written: readonly string[]
  /** In front of the fetch port of the primary's worker. */
  readonly primary: FaultProxy
  /** In front of the replica's; without replication the primary's. */
  readonly replica: FaultProxy

  private constructor(
    readonly conf: CelebornConf,
    readonly groups: FileGroups,
    private readonly lifecycle: ReadLifecycle,
    written: readonly string[],
    private readonly proxies: ReadonlyMap<number, FaultProxy>,
  ) {
    this.written = [...written].sort()
    const [location] = groups.locations.get(0) ?? []
    const proxyOf = (port: number | undefined): FaultProxy => {
      const proxy = port === undefined ? undefined : this.proxies.get(port)
      if (proxy === undefined) throw new Error('no proxy')
      return proxy
    }
    this.primary = proxyOf(location?.fetchPort)
    this.replica = proxyOf((location?.peer ?? location)?.fetchPort)
  }

  static async start({ replicate, texts, entries = {} }: FaultyWorldOptions): Promise<FaultyWorld> {
    const base = new CelebornConf({
      'celeborn.client.push.replicate.enabled': replicate,
      'celeborn.client.shuffle.integrityCheck.enabled': true,
      'celeborn.client.fetch.maxRetriesForEachReplica': 1,
      'celeborn.data.io.retryWait': '1ms',
      'celeborn.client.fetch.timeout': '20s',
      'celeborn.data.fetch.timeoutCheck.interval': '20ms',
      'celeborn.shuffle.chunk.size': 100,
      ...entries,
    })
    const cluster = await EmbeddedCluster.start({ workers: 2, conf: base })
    onTestFinished(() => cluster.stop())
    const conf = base.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
    const manager = new LifecycleManager({ appId: APP, conf })
    await manager.start()
    onTestFinished(() => manager.stop())
    const address = { host: manager.host, port: manager.port }
    const written = await write(conf, address, texts)
    const rpcPool = new ConnectionPool(conf, { module: 'rpc_app' })
    onTestFinished(() => rpcPool.close())
    const lifecycle = new LifecycleClient(APP, new RpcClient(rpcPool), address, conf)
    const proxies = new Map<number, FaultProxy>()
    const { locations, attempts } = await lifecycle.reducerFileGroups(SHUFFLE.shuffleId)
    const proxied = async (location: PartitionLocation): Promise<PartitionLocation> => {
      const proxy = await FaultProxy.start({ host: location.host, port: location.fetchPort })
      onTestFinished(() => proxy.close())
      proxies.set(proxy.port, proxy)
      const peer = location.peer === undefined ? undefined : await proxied(location.peer)
      return { ...location, fetchPort: proxy.port, peer }
    }
    const there = await Promise.all((locations.get(0) ?? []).map(proxied))
    const groups = { locations: new Map([[0, there]]), attempts }
    return new FaultyWorld(conf, groups, lifecycle, written, proxies)
  }

  /** A reader with connections and memory of its own, as in another process. */
  newReader(
    entries: Record<string, string | number | boolean> = {},
    options: ReadOptions = {},
  ): FaultyReader {
    const lifecycle: ReadLifecycle = {
      reducerFileGroups: () => Promise.resolve(this.groups),
      partitionRead: (read, signal) => this.lifecycle.partitionRead(read, signal),
    }
    return new FaultyReader(this.conf.with(entries), lifecycle, options)
  }
}

export class FaultyReader {
  readonly texts: string[] = []
  private readonly pool: ConnectionPool
  private readonly frames = new FramePool({ name: 'read' })
  readonly reader: PartitionReader

  constructor(conf: CelebornConf, lifecycle: ReadLifecycle, options: ReadOptions) {
    this.pool = new ConnectionPool(conf, { module: 'data' })
    this.reader = new PartitionReader(
      { appId: APP, shuffleId: SHUFFLE.shuffleId, partitionId: 0 },
      {
        conf,
        lifecycle,
        fileGroups: new FileGroupCache(lifecycle),
        pool: this.pool,
        frames: this.frames,
        budget: new ReadBudget(256 << 20),
        local: null,
      },
      options,
      () => undefined,
    )
  }

  /** Reads all there is, and lets go of everything, however it ends. */
  async read(): Promise<string[]> {
    try {
      for await (const bytes of this.reader) this.texts.push(Buffer.from(bytes).toString('latin1'))
      return [...this.texts].sort()
    } finally {
      await this.pool.close()
      if (this.frames.stats().framesAlive > 0) throw new Error('chunks are held')
      this.frames.close()
    }
  }
}

async function write(
  conf: CelebornConf,
  lifecycleManager: { host: string; port: number },
  texts: (mapId: number) => readonly string[],
): Promise<string[]> {
  const client = new ShuffleClient({ appId: APP, conf, lifecycleManager })
  const written: string[] = []
  for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++) {
    const attempt = { ...SHUFFLE, mapId, attemptId: 0 }
    for (const text of texts(mapId)) {
      written.push(text)
      await client.pushData({ ...attempt, partitionId: 0 }, Buffer.from(text, 'latin1'))
    }
    await client.mapperEnd(attempt)
  }
  await client.close()
  return written
}
