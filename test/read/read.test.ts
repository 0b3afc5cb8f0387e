import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { turns } from '../push/harness'

const SHUFFLE = { shuffleId: 7, numMappers: 4, numPartitions: 2 }
const APP = 'read-app'

async function start(entries: Record<string, string | number | boolean> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-read-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const conf0 = new CelebornConf({
    'celeborn.client.shuffle.compression.codec': 'NONE',
    'celeborn.client.fetch.maxRetriesForEachReplica': 1,
    'celeborn.data.io.retryWait': '10ms',
    'celeborn.client.rpc.retryWait': '10ms',
    'celeborn.shuffle.chunk.size': '16k',
    ...entries,
  })
  const cluster = await EmbeddedCluster.start({ workers: 2, dir, conf: conf0 })
  onTestFinished(() => cluster.stop())
  const conf = conf0.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  const lifecycle = new LifecycleManager({ appId: APP, conf })
  await lifecycle.start()
  onTestFinished(() => lifecycle.stop())
  const address = { host: lifecycle.host, port: lifecycle.port }
  const client = new ShuffleClient({ appId: APP, conf, lifecycleManager: address })
  onTestFinished(() => client.close())
  return { cluster, client, dir, conf, address }
}

/** Every file of the shuffle's partition, over all workers. */
function partitionFiles(dir: string, partitionId: number): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => new RegExp(`${APP}/7/${partitionId}-\\d+-[01]$`).test(name))
    .map((name) => join(dir, name))
}

async function write(client: ShuffleClient, mapId: number, attemptId: number, texts: readonly string[]) {
  for (const text of texts) {
    const target = { ...SHUFFLE, mapId, attemptId, partitionId: 0 }
    await (await client.pushData(target, Buffer.from(text))).settled
  }
}

async function endAll(client: ShuffleClient, attemptId = 0): Promise<void> {
  for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++) {
    await client.mapperEnd({ ...SHUFFLE, mapId, attemptId })
  }
  // Whoever reads waits for the commit; before it the files may not be complete.
  await read(client, 1)
}

async function read(client: ShuffleClient, partitionId = 0, range = {}): Promise<string[]> {
  const texts: string[] = []
  for await (const batch of client.readPartition(7, partitionId, range))
    texts.push(Buffer.from(batch).toString())
  return texts.sort()
}

const texts = (mapId: number, count = 5): string[] =>
  Array.from({ length: count }, (_, i) => `map ${mapId} batch ${i} ${'x'.repeat(3000)}`)

describe('readPartition', () => {
  it('that comes before a shuffle is written finds nothing, and all of it later', async () => {
    const { client, conf, address } = await start()
    const other = new ShuffleClient({ appId: APP, conf, lifecycleManager: address })
    onTestFinished(() => other.close())
    expect(await read(client)).toEqual([])
    expect(await read(other)).toEqual([])
    await write(client, 0, 0, ['a', 'b'])
    await endAll(client)
    expect(await read(client)).toEqual(['a', 'b'])
    expect(await read(other)).toEqual(['a', 'b'])
  })

  it('gives all map tasks, a range of them, and nothing for a partition without data', async () => {
    const { client } = await start()
    for (let mapId = 0; mapId < 4; mapId++) await write(client, mapId, 0, texts(mapId))
    await endAll(client)
    expect(await read(client)).toEqual([0, 1, 2, 3].flatMap((mapId) => texts(mapId)).sort())
    expect(await read(client, 0, { startMapIndex: 1, endMapIndex: 3 })).toEqual(
      [...texts(1), ...texts(2)].sort(),
    )
    expect(await read(client, 1)).toEqual([])
    expect(() => client.readPartition(7, 0, { startMapIndex: 3, endMapIndex: 3 })).toThrow(/no range/)
  })

  it('drops the batches of attempts that did not win', async () => {
    const { client } = await start()
    await write(client, 0, 1, ['loser'])
    await write(client, 0, 0, ['winner'])
    await endAll(client)
    expect(await read(client)).toEqual(['winner'])
  })

  it('as a Readable of Buffers that stay what they are', async () => {
    const { client } = await start()
    await write(client, 2, 0, texts(2, 20))
    await endAll(client)
    const chunks: Buffer[] = []
    for await (const chunk of client.readPartition(7, 0).toReadable()) chunks.push(chunk as Buffer)
    await turns(5)
    expect(chunks.map(String).sort()).toEqual(texts(2, 20).sort())
  })

  it('releases everything when the consumer stops early, destroys the reader, or closes the client', async () => {
    const { client } = await start()
    await write(client, 0, 0, texts(0, 40))
    await endAll(client)
    for await (const batch of client.readPartition(7, 0)) {
      expect(batch.length).toBeGreaterThan(0)
      break
    }
    const reader = client.readPartition(7, 0)
    const iterator = reader[Symbol.asyncIterator]()
    await iterator.next()
    reader.destroy()
    await expect(iterator.next()).rejects.toMatchObject({
      code: 'CELEBORN_ABORTED',
    })
    const open = client.readPartition(7, 0)[Symbol.asyncIterator]()
    await open.next()
    const pending = open.next().then(() => open.next())
    const closing = client.close()
    await expect(pending).rejects.toMatchObject({ code: 'CELEBORN_CLOSED' })
    await closing
    await expect(read(client)).rejects.toMatchObject({ code: 'CELEBORN_CLOSED' })
    await turns(20)
    expect(client.stats().readFrames.framesAlive).toBe(0)
  })

  it.each(['NONE', 'LZ4'])(
    'a file that is cut off is an error, never fewer rows (codec %s)',
    async (codec) => {
      const { client, dir } = await start({ 'celeborn.client.shuffle.compression.codec': codec })
      await write(client, 0, 0, texts(0, 40))
      await endAll(client)
      const [file] = partitionFiles(dir, 0)
      if (file === undefined) throw new Error('no file')
      truncateSync(file, readFileSync(file).length - 10)
      await expect(read(client)).rejects.toMatchObject({
        code: 'CELEBORN_FETCH_FAILED',
        context: { shuffleId: 7, partitionId: 0, location: '0-0' },
      })
    },
  )

  it('a flipped bit in a block is an error that names shuffle, partition, location, map task and batch', async () => {
    const { client, dir } = await start({ 'celeborn.client.shuffle.compression.codec': 'LZ4' })
    await write(client, 3, 0, texts(3, 3))
    await endAll(client)
    const [file] = partitionFiles(dir, 0)
    if (file === undefined) throw new Error('no file')
    const bytes = readFileSync(file)
    const at = 16 + 21 + 4
    bytes[at] = (bytes[at] as number) ^ 0x40
    writeFileSync(file, bytes)
    await expect(read(client)).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
      context: { shuffleId: 7, partitionId: 0, location: '0-0', mapId: 3, batchId: 1 },
    })
  })

  it('with replication, a corrupt copy or a dead worker is read from the other one, each batch once', async () => {
    const { client, dir, cluster, conf, address } = await start({
      'celeborn.client.push.replicate.enabled': true,
      'celeborn.client.shuffle.compression.codec': 'LZ4',
    })
    for (let mapId = 0; mapId < 4; mapId++) await write(client, mapId, 0, texts(mapId, 20))
    await endAll(client)
    const wanted = [0, 1, 2, 3].flatMap((mapId) => texts(mapId, 20)).sort()
    const primary = partitionFiles(dir, 0).find((name) => name.endsWith('-0'))
    if (primary === undefined) throw new Error('no file')
    const bytes = readFileSync(primary)
    bytes[bytes.length - 3] = (bytes[bytes.length - 3] as number) ^ 1
    writeFileSync(primary, bytes)
    expect(await read(client)).toEqual(wanted)
    // The worker that has the primary dies.
    const index = primary.includes('worker-0') ? 0 : 1
    await cluster.killWorker(index)
    const late = new ShuffleClient({ appId: APP, conf, lifecycleManager: address })
    onTestFinished(() => late.close())
    expect(await read(late)).toEqual(wanted)
  })

  it('data that dead workers had is lost: the error names shuffle and partition', async () => {
    const { client, cluster } = await start({
      'celeborn.client.requestCommitFiles.maxRetries': 1,
      'celeborn.client.requestCommitFiles.retryWait': '10ms',
    })
    await write(client, 0, 0, texts(0))
    for (const worker of [0, 1]) await cluster.killWorker(worker)
    for (let mapId = 0; mapId < SHUFFLE.numMappers; mapId++)
      await client.mapperEnd({ ...SHUFFLE, mapId, attemptId: 0 })
    await expect(read(client)).rejects.toMatchObject({
      code: 'CELEBORN_DATA_LOST',
      message: expect.stringMatching(
        /partition 0 of shuffle 7 cannot be read: data of shuffle 7 is lost/,
      ) as string,
      context: { shuffleId: 7, partitionId: 0 },
    })
  })

  it('a range of map tasks leaves out the locations that have none of them', async () => {
    const { client } = await start({
      'celeborn.client.shuffle.rangeReadFilter.enabled': true,
      'celeborn.client.shuffle.partitionSplit.threshold': '8k',
      'celeborn.client.shuffle.partitionSplit.mode': 'HARD',
      'celeborn.client.push.revive.interval': '5ms',
      'celeborn.client.shuffle.batchHandleChangePartition.interval': '5ms',
    })
    for (let mapId = 0; mapId < 4; mapId++) await write(client, mapId, 0, texts(mapId, 10))
    await endAll(client)
    const locationsOf = async (range = {}): Promise<number> => {
      const reader = client.readPartition(7, 0, range)
      const found: string[] = []
      for await (const batch of reader) found.push(Buffer.from(batch).toString())
      const { startMapIndex = 0, endMapIndex = 4 } = range as { startMapIndex?: number; endMapIndex?: number }
      const wanted = [0, 1, 2, 3].filter((mapId) => mapId >= startMapIndex && mapId < endMapIndex)
      expect(found.sort()).toEqual(wanted.flatMap((mapId) => texts(mapId, 10)).sort())
      return reader.stats.locations
    }
    const all = await locationsOf()
    expect(all).toBeGreaterThan(3)
    const some = await locationsOf({ startMapIndex: 3, endMapIndex: 4 })
    expect(some).toBeLessThan(all)
    expect(await locationsOf({ startMapIndex: 0, endMapIndex: 4 })).toBe(all)
  })
})
