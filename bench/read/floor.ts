import { LifecycleClient } from '../../src/client/lifecycle-client'
import { type CelebornConf } from '../../src/conf'
import * as keys from '../../src/conf/keys'
import { CelebornError } from '../../src/errors'
import { FramePool } from '../../src/memory'
import { ConnectionPool, RpcClient } from '../../src/network'
import { shuffleKey } from '../../src/protocol/ids'
import { ALL_MAPS } from '../../src/protocol/messages'
import { ReadBudget } from '../../src/read/budget'
import { type FileGroups } from '../../src/read/lifecycle'
import { LocationStream, type StreamParts } from '../../src/read/location-stream'
import { type Shuffle } from './messages'
import { type Source } from './source'

/** Chunks of a partition, fetched as a reader fetches them and not looked into: what no reader can do without. */
export class ChunkFloor implements Source {
  readonly #data: ConnectionPool
  readonly #rpc: ConnectionPool
  readonly #lifecycle: LifecycleClient
  readonly #frames: FramePool
  readonly #abort = new AbortController()
  readonly #parts: StreamParts
  #groups: FileGroups | undefined
  #fetchedBytes = 0

  constructor(
    private readonly shuffle: Shuffle,
    conf: CelebornConf,
  ) {
    const { appId, lifecycleManager } = shuffle
    this.#data = new ConnectionPool(conf, { module: 'data' })
    this.#rpc = new ConnectionPool(conf, { module: 'rpc_app' })
    this.#lifecycle = new LifecycleClient(appId, new RpcClient(this.#rpc), lifecycleManager, conf)
    this.#frames = new FramePool({ name: 'floor', maxPooledBytes: conf.get(keys.NODE_MAX_READ_BYTES) })
    this.#parts = {
      settings: {
        shuffleKey: shuffleKey(appId, shuffle.shuffleId),
        startMapIndex: 0,
        endMapIndex: ALL_MAPS,
        fetchTimeoutMs: conf.get(keys.CLIENT_FETCH_TIMEOUT),
        window: conf.get(keys.CLIENT_FETCH_MAX_REQS_IN_FLIGHT),
        maxChunkBytes: conf.get(keys.NODE_MAX_MESSAGE_BYTES),
        likelyChunkBytes: 2 * conf.get(keys.SHUFFLE_CHUNK_SIZE),
      },
      connections: this.#data,
      frames: this.#frames,
      budget: new ReadBudget(conf.get(keys.NODE_MAX_READ_BYTES)),
      holder: { name: 'floor', chargedBytes: 0, shedIfPaused: () => undefined },
      local: null,
      signal: this.#abort.signal,
      onStarved: () => undefined,
      onBudgetWait: () => undefined,
    }
  }

  get fetchedBytes(): number {
    return this.#fetchedBytes
  }

  async read(partitionId: number, use: (chunk: Uint8Array) => void): Promise<void> {
    this.#groups ??= await this.#lifecycle.reducerFileGroups(this.shuffle.shuffleId)
    for (const location of this.#groups.locations.get(partitionId) ?? []) {
      const stream = new LocationStream(location, this.#parts, false)
      const before = this.#fetchedBytes
      try {
        await stream.open()
        stream.fill(this.#parts.settings.window)
        for (let chunk = await stream.next(); chunk !== null; chunk = await stream.next()) {
          stream.fill(this.#parts.settings.window)
          this.#fetchedBytes += chunk.length
          use(chunk)
        }
      } finally {
        stream.close()
      }
      const { fileSize } = location.storage
      const fetched = this.#fetchedBytes - before
      // Celeborn 0.5 tells no size.
      if (fileSize <= 0 || fetched === fileSize) continue
      throw new CelebornError(
        'CELEBORN_INTERNAL',
        `a sample is void: ${fetched} of ${fileSize} bytes were fetched`,
      )
    }
  }

  async close(): Promise<void> {
    this.#lifecycle.close()
    await this.#data.close()
    await this.#rpc.close()
    this.#frames.close()
  }
}
