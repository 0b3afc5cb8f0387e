import { createHash } from 'node:crypto'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { type Codec, equal, fill } from './world'

const SHUFFLE = { shuffleId: 0, numMappers: 3, numPartitions: 4 }

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Written through the embedded cluster and read back, compared batch for batch. */
export async function readBack(codec: Codec): Promise<void> {
  const cluster = await EmbeddedCluster.start({ workers: 2 })
  const conf = new CelebornConf({
    'celeborn.master.endpoints': cluster.masterEndpoint,
    'celeborn.client.shuffle.compression.codec': codec,
  })
  const lifecycle = new LifecycleManager({ appId: 'app', conf })
  await lifecycle.start()
  const client = new ShuffleClient({
    appId: 'app',
    conf,
    lifecycleManager: { host: lifecycle.host, port: lifecycle.port },
  })
  try {
    const pushed: string[][] = Array.from({ length: SHUFFLE.numPartitions }, () => [])
    for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++) {
      for (let i = 0; i < 60; i++) {
        const partitionId = i % SHUFFLE.numPartitions
        const to = { ...SHUFFLE, mapId, attemptId: 0, partitionId }
        const frame = client.pool.acquire(500 + ((i * 7919) % 150_000))
        fill(frame.bytes, 1 + (i % 100))
        // Half of it does not compress.
        for (let at = 0; at + 64 <= frame.bytes.length / 2; at += 64)
          frame.bytes.set(createHash('sha512').update(`${mapId}/${i}/${at}`).digest(), at)
        if (i % 5 === 0) frame.trim(frame.length >> 1)
        pushed[partitionId]?.push(digest(frame.bytes))
        if (i % 3 === 0) await client.pushFrame(to, frame, { encoding: i % 2 ? 'stored' : 'compress' })
        else if (i % 3 === 1) await client.mergeBuffer(to, frame.bytes, { onRelease: () => frame.release() })
        else {
          await client.pushData(to, frame.bytes)
          frame.release()
        }
      }
      await client.mapperEnd({ ...SHUFFLE, mapId, attemptId: 0 })
    }
    for (let partitionId = 0; partitionId < SHUFFLE.numPartitions; partitionId++) {
      const read: string[] = []
      for await (const batch of client.readPartition(0, partitionId)) read.push(digest(batch))
      equal(`partition ${partitionId}`, read.sort(), pushed[partitionId]?.sort())
    }
    // A reader that is left in the middle.
    for await (const batch of client.readPartition(0, 0)) if (batch.length > 0) break
  } finally {
    await client.close()
    await lifecycle.stop()
    await cluster.stop()
  }
}
