import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { createCodec } from '../../src/compress'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { BATCH_HEADER_BYTES, iterateBatches, writeBatchHeader } from '../../src/protocol/batch'

const APP = 'sums'
const SHUFFLE = { shuffleId: 3, numMappers: 3, numPartitions: 4 }
const SWITCH = 'celeborn.client.shuffle.integrityCheck.enabled'

type Entries = Record<string, string | number | boolean>

async function start(entries: Entries = {}, driver: Entries = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-sums-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cluster = await EmbeddedCluster.start({ workers: 2, dir })
  onTestFinished(() => cluster.stop())
  const conf = new CelebornConf({
    'celeborn.master.endpoints': cluster.masterEndpoint,
    'celeborn.client.fetch.maxRetriesForEachReplica': 0,
    'celeborn.client.rpc.retryWait': '10ms',
    [SWITCH]: true,
    ...entries,
  })
  const lifecycle = new LifecycleManager({ appId: APP, conf: conf.with(driver) })
  await lifecycle.start()
  onTestFinished(() => lifecycle.stop())
  const lifecycleManager = { host: lifecycle.host, port: lifecycle.port }
  const newClient = (more: Entries = {}): ShuffleClient => {
    const client = new ShuffleClient({ appId: APP, conf: conf.with(more), lifecycleManager })
    onTestFinished(() => client.close())
    return client
  }
  return { client: newClient(), newClient, dir, conf }
}

/** Every way to push, partition 3 left out; ends all map tasks. */
async function write(client: ShuffleClient, codecName: 'LZ4' | 'ZSTD' | 'NONE' = 'LZ4'): Promise<void> {
  const codec = createCodec(codecName)
  for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++) {
    const attempt = { ...SHUFFLE, mapId, attemptId: 0 }
    for (let i = 0; i < 12; i++) {
      const target = { ...attempt, partitionId: i % 3 }
      const bytes = Buffer.alloc(2000 + 100 * i, `map ${mapId} batch ${i} `)
      const onRelease = (): void => undefined
      if (i < 3) await client.pushData(target, bytes)
      else if (i < 6) await client.pushBuffer(target, bytes, { onRelease, encoding: 'stored' })
      else if (i < 9) {
        const { header, payload } = codec.encode(bytes)
        const block = Buffer.concat([header, payload])
        await client.pushBuffer(target, block, { onRelease, encoding: 'encoded' })
      } else if (i < 11) {
        const frame = client.pool.acquire(bytes.length)
        frame.bytes.set(bytes)
        await client.pushFrame(target, frame)
      } else await client.mergeData(target, bytes)
    }
    await client.mapperEnd(attempt)
  }
}

async function read(client: ShuffleClient, partitionId: number, range = {}): Promise<number> {
  let batches = 0
  for await (const batch of client.readPartition(SHUFFLE.shuffleId, partitionId, range)) {
    // What the consumer does with its bytes does not matter.
    batch.fill(0)
    batches++
  }
  return batches
}

/** Changes the batches of a partition's file: all of them are whole and right, but they are not all. */
function rewrite(dir: string, partitionId: number, change: (batches: Buffer[]) => Buffer[]): void {
  const name = readdirSync(dir, { recursive: true, encoding: 'utf8' }).find((one) =>
    one.endsWith(`${APP}/3/${partitionId}-0-0`),
  )
  if (name === undefined) throw new Error(`no file of partition ${partitionId}`)
  const file = readFileSync(join(dir, name))
  const batches = [...iterateBatches(file)].map((batch) => {
    const header = Buffer.alloc(BATCH_HEADER_BYTES)
    writeBatchHeader(header, 0, batch.mapId, batch.attemptId, batch.batchId, batch.size)
    return Buffer.concat([header, batch.payload])
  })
  const changed = Buffer.concat(change(batches))
  expect(changed.length).toBe(file.length)
  writeFileSync(join(dir, name), changed)
}

describe('the integrity check', () => {
  it.each(['LZ4', 'ZSTD', 'NONE'] as const)(
    'passes when all that was written is read, whole or by map tasks, codec %s',
    async (codec) => {
      const { client } = await start({ 'celeborn.client.shuffle.compression.codec': codec })
      await write(client, codec)
      for (const partition of [0, 1, 2]) expect(await read(client, partition)).toBe(12)
      expect(await read(client, 3)).toBe(0)
      expect(await read(client, 0, { startMapIndex: 0, endMapIndex: 1 })).toBe(4)
      expect(await read(client, 0, { startMapIndex: 1, endMapIndex: 3 })).toBe(8)
    },
  )

  it('data of an attempt that did not win counts for nobody', async () => {
    const { client } = await start()
    const loser = { ...SHUFFLE, mapId: 0, attemptId: 1, partitionId: 0 }
    await (await client.pushData(loser, Buffer.from('loser'))).settled
    await write(client)
    await client.mapperEnd(loser)
    expect(await read(client, 0)).toBe(12)
  })

  // The first batch once more instead of one as long: every checksum in the file is right.
  it('a batch that is lost is an error that names shuffle and partition, and no other partition’s', async () => {
    const { client, dir } = await start({ 'celeborn.client.shuffle.compression.codec': 'NONE' })
    await write(client, 'NONE')
    await read(client, 3)
    rewrite(dir, 1, (batches) => {
      const [first] = batches
      const at = batches.findIndex((batch, i) => i > 0 && batch.length === first?.length)
      if (first === undefined || at < 0) throw new Error('no two batches of one length')
      return batches.map((batch, i) => (i === at ? first : batch))
    })
    await expect(read(client, 1)).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
      message: expect.stringMatching(
        /what was read of partition 1 of shuffle 3 is not what was written: .*written \d+ bytes.*, read \d+ bytes/,
      ) as string,
      context: { applicationId: APP, shuffleId: 3, partitionId: 1 },
    })
    for (const partition of [0, 2]) expect(await read(client, partition)).toBe(12)
  })

  it('a flipped bit is found where the codec has no checksum', async () => {
    const { client, dir } = await start({ 'celeborn.client.shuffle.compression.codec': 'NONE' })
    await write(client, 'NONE')
    await read(client, 3)
    rewrite(dir, 2, (batches) =>
      batches.map((batch, i) => {
        if (i === 5) batch[500] = (batch[500] ?? 0) ^ 1
        return batch
      }),
    )
    await expect(read(client, 2)).rejects.toMatchObject({ code: 'CELEBORN_CORRUPT_DATA' })
    // Whoever does not compare takes it for what was written.
    const { newClient, dir: other } = await start({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      [SWITCH]: false,
    })
    const unchecked = newClient()
    await write(unchecked, 'NONE')
    await read(unchecked, 3)
    rewrite(other, 2, (batches) =>
      batches.map((batch, i) => {
        if (i === 5) batch[500] = (batch[500] ?? 0) ^ 1
        return batch
      }),
    )
    expect(await read(unchecked, 2)).toBe(12)
  })

  it('a map task’s share that is wrong fails with the range that completes them', async () => {
    const { client, dir } = await start({ 'celeborn.client.shuffle.compression.codec': 'NONE' })
    await write(client, 'NONE')
    await read(client, 3)
    rewrite(dir, 0, (batches) =>
      batches.map((batch) => {
        if (batch.readInt32LE(0) === 1) batch[100] = (batch[100] ?? 0) ^ 1
        return batch
      }),
    )
    expect(await read(client, 0, { startMapIndex: 1, endMapIndex: 3 })).toBe(8)
    await expect(read(client, 0, { startMapIndex: 0, endMapIndex: 1 })).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
      context: { partitionId: 0 },
    })
  })

  it('a reader that stops early is not compared', async () => {
    const { client } = await start()
    await write(client)
    for await (const batch of client.readPartition(3, 0)) {
      expect(batch.length).toBeGreaterThan(0)
      break
    }
  })

  it('an empty shuffle is one', async () => {
    const { client } = await start()
    expect(await read(client, 0)).toBe(0)
  })

  it('a driver or a writer that does not keep sums is named by its setting', async () => {
    const { client } = await start({}, { [SWITCH]: false })
    await write(client)
    await expect(read(client, 0)).rejects.toThrow(/driver keeps no checksums: set .*integrityCheck/)
    const other = await start()
    await write(other.newClient({ [SWITCH]: false }))
    await expect(read(other.client, 0)).rejects.toThrow(
      /written 0 bytes .*need the same celeborn\.client\.shuffle\.integrityCheck\.enabled/,
    )
  })

  it('off, nothing is summed and nothing is asked', async () => {
    const { client, newClient } = await start({ [SWITCH]: false }, { [SWITCH]: true })
    await write(client)
    // The driver compares, but nobody asks it to.
    expect(await read(client, 0)).toBe(12)
    await expect(read(newClient({ [SWITCH]: true }), 0)).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
    })
  })

  it('a block that others have encoded wrongly fails its push', async () => {
    const { client } = await start()
    const target = { ...SHUFFLE, mapId: 0, attemptId: 0, partitionId: 0 }
    const receipt = await client.pushBuffer(target, Buffer.from('no block at all'), {
      encoding: 'encoded',
      onRelease: () => undefined,
    })
    const error = {
      code: 'CELEBORN_PUSH_FAILED',
      message: expect.stringMatching(/a batch is no LZ4 block/) as string,
    }
    expect(await receipt.settled).toMatchObject({ outcome: 'failed', error })
    await expect(client.mapperEnd(target)).rejects.toMatchObject(error)
  })
})
