import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { turns } from './harness'

const SHUFFLE = { shuffleId: 0, numMappers: 3, numPartitions: 5 }

async function startJob(entries: Record<string, string | number | boolean>) {
  const cluster = await EmbeddedCluster.start({ workers: 2 })
  onTestFinished(() => cluster.stop())
  const conf = new CelebornConf({ 'celeborn.master.endpoints': cluster.masterEndpoint, ...entries })
  const lifecycle = new LifecycleManager({ appId: 'job-1', conf })
  await lifecycle.start()
  onTestFinished(() => lifecycle.stop())
  const client = new ShuffleClient({
    appId: 'job-1',
    conf,
    lifecycleManager: { host: lifecycle.host, port: lifecycle.port },
  })
  onTestFinished(() => client.close())
  return { cluster, lifecycle, client }
}

describe.each(['NONE', 'LZ4', 'ZSTD'])('the whole way over the embedded cluster, codec %s', (codec) => {
  it('reads back exactly what was pushed by frame, buffer and copy', async () => {
    const { client } = await startJob({ 'celeborn.client.shuffle.compression.codec': codec })
    const pushed = new Map<number, string[]>()
    for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++) {
      for (let i = 0; i < 60; i++) {
        const partitionId = i % SHUFFLE.numPartitions
        const target = { ...SHUFFLE, mapId, attemptId: 0, partitionId }
        const bytes = Buffer.alloc(1000 + 997 * i, `map ${mapId} batch ${i} `)
        if (i % 7 === 0) bytes.fill(createHash('sha512').update(`${mapId}/${i}`).digest())
        const digest = createHash('sha256').update(bytes).digest('hex')
        const list = pushed.get(partitionId) ?? []
        pushed.set(partitionId, list)
        list.push(digest)
        const encoding = (['compress', 'stored'] as const)[i % 2] ?? 'compress'
        if (i % 3 === 0) {
          const frame = client.pool.acquire(bytes.length)
          frame.bytes.set(bytes)
          await client.pushFrame(target, frame, { encoding })
        } else if (i % 3 === 1) {
          await client.pushBuffer(target, bytes, { encoding, onRelease: () => bytes.fill(0) })
        } else {
          await client.pushData(target, bytes, { encoding })
          bytes.fill(0)
        }
      }
      await client.mapperEnd({ ...SHUFFLE, mapId, attemptId: 0 })
    }
    for (let partitionId = 0; partitionId < SHUFFLE.numPartitions; partitionId++) {
      const read: string[] = []
      for await (const batch of client.readPartition(0, partitionId)) {
        read.push(createHash('sha256').update(batch).digest('hex'))
      }
      expect(read.sort()).toEqual((pushed.get(partitionId) ?? []).sort())
    }
    // The socket lets go of its last read target when it has another buffer.
    while (client.stats().readFrames.framesAlive > 0) await turns(1)
    expect(client.stats()).toMatchObject({ framesAlive: 0, bytesInFlight: 0, failed: 0, dropped: 0 })
    expect(client.stats().leases.leasesAlive).toBe(0)
  })
})
