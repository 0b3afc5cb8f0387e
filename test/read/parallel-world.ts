import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { TransportConf } from '../../src/buffer'
import { ShuffleClient } from '../../src/client'
import { LifecycleClient } from '../../src/client/lifecycle-client'
import { CelebornConf } from '../../src/conf'
import { CLIENT_READ_LOCAL_SHUFFLE_FILE_ENABLED, NODE_MAX_READ_BYTES } from '../../src/conf/keys'
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
import { type Random } from '../fuzz/random'

const APP = 'parallel-reads'
export const SHUFFLE = { shuffleId: 6, numMappers: 2, numPartitions: 4 }

type Entries = Record<string, string | number | boolean>

/** Partitions of several locations each, replicated over three workers; whoever reads them goes through proxies. */
export class ParallelWorld {
  private constructor(
    readonly cluster: EmbeddedCluster,
    /** One in front of each worker's fetch port. */
    readonly proxies: readonly FaultProxy[],
    private readonly conf: CelebornConf,
    private readonly groups: FileGroups,
    private readonly lifecycle: ReadLifecycle,
    /** By partition: {@link digestOf} of what was written. */
    readonly written: readonly string[],
  ) {}

  static async start(random: Random): Promise<ParallelWorld> {
    const base = new CelebornConf({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.replicate.enabled': true,
      'celeborn.client.shuffle.integrityCheck.enabled': true,
      'celeborn.client.shuffle.partitionSplit.threshold': '40k',
      'celeborn.client.shuffle.partitionSplit.mode': 'HARD',
      'celeborn.client.push.revive.interval': '5ms',
      'celeborn.client.shuffle.batchHandleChangePartition.interval': '5ms',
      'celeborn.shuffle.chunk.size': '16k',
      'celeborn.data.io.retryWait': '1ms',
      'celeborn.data.io.numConnectionsPerPeer': 2,
    })
    const cluster = await EmbeddedCluster.start({ workers: 3, conf: base })
    onTestFinished(() => cluster.stop())
    const conf = base.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
    const manager = new LifecycleManager({ appId: APP, conf })
    await manager.start()
    onTestFinished(() => manager.stop())
    const address = { host: manager.host, port: manager.port }
    const written = await write(conf, address, random)
    const rpcPool = new ConnectionPool(conf, { module: 'rpc_app' })
    onTestFinished(() => rpcPool.close())
    const lifecycle = new LifecycleClient(APP, new RpcClient(rpcPool), address, conf)
    const { locations, attempts } = await lifecycle.reducerFileGroups(SHUFFLE.shuffleId)
    const proxies = new Map<number, FaultProxy>()
    for (const one of [...locations.values()].flat()) {
      for (const { host, fetchPort } of one.peer === undefined ? [one] : [one, one.peer]) {
        if (proxies.has(fetchPort)) continue
        const proxy = await FaultProxy.start({ host, port: fetchPort })
        onTestFinished(() => proxy.close())
        proxies.set(fetchPort, proxy)
      }
    }
    const proxied = (location: PartitionLocation): PartitionLocation => ({
      ...location,
      fetchPort: proxies.get(location.fetchPort)?.port ?? 0,
      peer: location.peer === undefined ? undefined : proxied(location.peer),
    })
    const groups = {
      locations: new Map([...locations].map(([id, all]) => [id, all.map(proxied)])),
      attempts,
    }
    return new ParallelWorld(cluster, [...proxies.values()], conf, groups, lifecycle, written)
  }

  /** How many locations each partition has. */
  get locationCounts(): number[] {
    return [...this.groups.locations.values()].map(({ length }) => length)
  }

  /** Connections and memory that readers share, as those of one client do. */
  newProcess(entries: Entries = {}): ReadingProcess {
    return new ReadingProcess(this.conf.with(entries), {
      reducerFileGroups: () => Promise.resolve(this.groups),
      partitionRead: (read, signal) => this.lifecycle.partitionRead(read, signal),
    })
  }
}

export class ReadingProcess {
  readonly pool: ConnectionPool
  readonly frames = new FramePool({ name: 'read' })
  readonly budget: ReadBudget
  readonly local: TransportConf | null

  constructor(
    private readonly conf: CelebornConf,
    private readonly lifecycle: ReadLifecycle,
  ) {
    this.pool = new ConnectionPool(conf, { module: 'data' })
    this.budget = new ReadBudget(conf.get(NODE_MAX_READ_BYTES))
    this.local = conf.get(CLIENT_READ_LOCAL_SHUFFLE_FILE_ENABLED) ? new TransportConf('data', conf) : null
    onTestFinished(() => this.close())
  }

  reader(partitionId: number, entries: Entries = {}, options: ReadOptions = {}): PartitionReader {
    const { lifecycle, pool, frames, budget, local } = this
    return new PartitionReader(
      { appId: APP, shuffleId: SHUFFLE.shuffleId, partitionId },
      {
        conf: this.conf.with(entries),
        lifecycle,
        fileGroups: new FileGroupCache(lifecycle),
        pool,
        frames,
        budget,
        local,
      },
      options,
      () => undefined,
    )
  }

  /** What is held; all of it is 0 when nobody reads. */
  held(): Record<'frames' | 'localFrames' | 'usedBytes' | 'waiting' | 'pending', number> {
    return {
      frames: this.frames.stats().framesAlive,
      localFrames: this.local?.frames.stats().framesAlive ?? 0,
      usedBytes: this.budget.usedBytes,
      waiting: this.budget.waiting,
      pending: this.pool.stats().pending,
    }
  }

  async close(): Promise<void> {
    await this.pool.close()
    this.frames.close()
    this.local?.frames.close()
  }
}

/** SHA-256 of the sorted SHA-256s of a partition's batches: the same whichever copy gave them. */
export function digestOf(batches: Iterable<string>): string {
  return createHash('sha256')
    .update([...batches].sort().join('\n'))
    .digest('hex')
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function write(
  conf: CelebornConf,
  lifecycleManager: { host: string; port: number },
  random: Random,
): Promise<string[]> {
  const client = new ShuffleClient({ appId: APP, conf, lifecycleManager })
  const digests = Array.from({ length: SHUFFLE.numPartitions }, (): string[] => [])
  for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++) {
    const attempt = { ...SHUFFLE, mapId, attemptId: 0 }
    for (let i = 0; i < 30; i++) {
      for (const [partitionId, of] of digests.entries()) {
        const bytes = random.bytes(1 + random.below(8000))
        of.push(sha256(bytes))
        // One after the other: a split comes between batches, not behind all of them.
        await (await client.pushData({ ...attempt, partitionId }, bytes)).settled
      }
    }
    await client.mapperEnd(attempt)
  }
  await client.close()
  return digests.map(digestOf)
}
