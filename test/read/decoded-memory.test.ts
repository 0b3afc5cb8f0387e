import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'

const APP = 'decoded-memory'

it.each(['LZ4', 'ZSTD'])(
  '%s: what a batch was decoded into is free when the next one is asked for, and stored ones come whole',
  async (codec) => {
    const cluster = await EmbeddedCluster.start({ workers: 1 })
    onTestFinished(() => cluster.stop())
    const conf = new CelebornConf({
      'celeborn.master.endpoints': cluster.masterEndpoint,
      'celeborn.client.shuffle.compression.codec': codec,
    })
    const manager = new LifecycleManager({ appId: APP, conf })
    await manager.start()
    onTestFinished(() => manager.stop())
    const lifecycleManager = { host: manager.host, port: manager.port }
    const client = new ShuffleClient({ appId: APP, conf, lifecycleManager })
    onTestFinished(() => client.close())
    const attempt = { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 1 }
    // Noise is stored, as a view of the chunk that the next batches of text lie in, too.
    const written = Array.from({ length: 12 }, (_, i) =>
      i % 3 === 1 ? randomBytes(5000) : Buffer.alloc(9000 + i, `text ${i}, `),
    )
    for (const batch of written) await client.pushData({ ...attempt, partitionId: 0 }, batch)
    await client.mapperEnd(attempt)

    const views: Uint8Array[] = []
    const lengths: number[] = []
    let i = 0
    for await (const batch of client.readPartition(0, 0)) {
      expect(Buffer.compare(batch, written[i] ?? Buffer.alloc(0)), `batch ${i}`).toBe(0)
      views.push(batch)
      lengths.push(
        views.filter((_, at) => at % 3 !== 1 && at < i).reduce((sum, view) => sum + view.length, 0),
      )
      i++
    }
    expect(lengths).toEqual(written.map(() => 0))
  },
)
