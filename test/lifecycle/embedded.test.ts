/** The driver's side with real masters and workers of the embedded cluster, written and read by real clients. */
import { afterEach, describe, expect, it } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { type MapAttempt } from '../../src/push/types'
import { eventually } from './driver'

type Entries = Record<string, string | number | boolean>

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const QUICK: Entries = {
  'celeborn.client.shuffle.batchHandleChangePartition.interval': '5ms',
  'celeborn.client.shuffle.batchHandleCommitPartition.interval': '10ms',
  'celeborn.client.requestCommitFiles.retryWait': '10ms',
  'celeborn.client.push.revive.interval': '5ms',
  'celeborn.client.application.heartbeatInterval': '50ms',
  'celeborn.node.embedded.heartbeatInterval': '50ms',
  'celeborn.data.io.retryWait': '10ms',
}

interface Setup {
  readonly cluster: EmbeddedCluster
  readonly manager: LifecycleManager
  readonly client: ShuffleClient
}

async function setUp(workers: number, entries: Entries = {}): Promise<Setup> {
  const conf = new CelebornConf({ ...QUICK, ...entries })
  const cluster = await EmbeddedCluster.start({ workers, conf })
  cleanups.push(() => cluster.stop())
  const forManager = conf.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  const manager = new LifecycleManager({ appId: 'app-over-embedded', conf: forManager })
  await manager.start()
  cleanups.push(() => manager.stop())
  const { host, port, appId } = manager
  const client = new ShuffleClient({ appId, conf, lifecycleManager: { host, port } })
  cleanups.push(() => client.close())
  return { cluster, manager, client }
}

interface Shape {
  readonly shuffleId: number
  readonly numMappers: number
  readonly numPartitions: number
  readonly batches: number
  readonly batchBytes: number
}

/** The bytes of one batch: who wrote it, then filling that does not compress to nothing. */
function batchOf({ batchBytes }: Shape, mapId: number, partitionId: number, n: number): Buffer {
  const batch = Buffer.alloc(batchBytes)
  let state = (mapId * 1_000_003 + partitionId * 10_007 + n * 97 + 1) >>> 0
  for (let at = 0; at < batchBytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    batch[at] = state >>> 24
  }
  batch.write(`${mapId}:${partitionId}:${n};`)
  return batch
}

function attemptOf({ shuffleId, numMappers, numPartitions }: Shape, mapId: number): MapAttempt {
  return { shuffleId, mapId, attemptId: 0, numMappers, numPartitions }
}

/** Pushes the batches from number `from` on to all partitions. */
async function writeBatches(client: ShuffleClient, shape: Shape, mapId: number, from = 0): Promise<void> {
  const attempt = attemptOf(shape, mapId)
  for (let n = from; n < shape.batches; n++) {
    for (let partitionId = 0; partitionId < shape.numPartitions; partitionId++) {
      await client.pushData({ ...attempt, partitionId }, batchOf(shape, mapId, partitionId, n))
    }
  }
}

async function writeMapper(client: ShuffleClient, shape: Shape, mapId: number, from = 0): Promise<void> {
  await writeBatches(client, shape, mapId, from)
  await client.mapperEnd(attemptOf(shape, mapId))
}

/** Checks that these partitions have every batch of every map task exactly once, byte for byte. */
async function verify(client: ShuffleClient, shape: Shape, step = 1): Promise<void> {
  for (let partitionId = 0; partitionId < shape.numPartitions; partitionId += step) {
    const expected = new Map<string, Buffer>()
    for (let mapId = 0; mapId < shape.numMappers; mapId++) {
      for (let n = 0; n < shape.batches; n++) {
        expected.set(`${mapId}:${partitionId}:${n}`, batchOf(shape, mapId, partitionId, n))
      }
    }
    for await (const data of client.readPartition(shape.shuffleId, partitionId)) {
      const bytes = Buffer.from(data)
      const key = bytes.toString('latin1', 0, bytes.indexOf(';'))
      expect(expected.get(key)?.equals(bytes), `batch ${key}, alien, twice or changed`).toBe(true)
      expected.delete(key)
    }
    expect([...expected.keys()], `missing from partition ${partitionId}`).toEqual([])
  }
}

async function writeAll(client: ShuffleClient, shape: Shape): Promise<void> {
  const mappers = Array.from({ length: shape.numMappers }, (_, mapId) => writeMapper(client, shape, mapId))
  await Promise.all(mappers)
}

const SHAPE: Shape = { shuffleId: 4, numMappers: 3, numPartitions: 8, batches: 10, batchBytes: 2000 }
const REPLICATED: Entries = { 'celeborn.client.push.replicate.enabled': true }

describe.each([
  ['', {}],
  [', V2 requests', { 'celeborn.node.rpc.form': 'V2' }],
  [', replicated', REPLICATED],
  [', soft splits', { 'celeborn.client.shuffle.partitionSplit.threshold': '5k' }],
  [
    ', hard splits',
    {
      'celeborn.client.shuffle.partitionSplit.threshold': '5k',
      'celeborn.client.shuffle.partitionSplit.mode': 'HARD',
    },
  ],
  [
    ', hard splits, replicated',
    {
      ...REPLICATED,
      'celeborn.client.shuffle.partitionSplit.threshold': '5k',
      'celeborn.client.shuffle.partitionSplit.mode': 'HARD',
    },
  ],
] as [string, Entries][])('a whole shuffle%s', (name, entries) => {
  it('comes back as it was written', async () => {
    const { client, manager } = await setUp(3, entries)
    const [first, ...others] = Array.from({ length: SHAPE.numMappers }, (_, mapId) => mapId)
    if (first === undefined) throw new Error('no map task')
    await writeBatches(client, SHAPE, first)
    // A soft split comes while others still write: they must not have ended before it is there.
    if (name.includes('split'))
      await eventually(() => manager.stats().shuffles[0]?.maxEpoch).toBeGreaterThan(0)
    await Promise.all(others.map((mapId) => writeBatches(client, SHAPE, mapId)))
    for (const mapId of [first, ...others]) await client.mapperEnd(attemptOf(SHAPE, mapId))
    await verify(client, SHAPE)
    const [stats] = manager.stats().shuffles
    expect(stats).toMatchObject({ phase: 'ended', endedMappers: 3, numPartitions: 8, workers: 3 })
    if (!name.includes('split')) expect(stats?.maxEpoch).toBe(0)
    expect(manager.stats().excludedWorkers).toEqual({})
  })
})

describe('worker loss', () => {
  it('before anything is reserved: others take the slots', async () => {
    const { client, cluster, manager } = await setUp(3)
    await cluster.killWorker(1)
    await writeAll(client, SHAPE)
    await verify(client, SHAPE)
    expect(Object.values(manager.stats().excludedWorkers)).toHaveLength(1)
  })

  it('while writing, with replication: the writers go on elsewhere and nothing is lost', async () => {
    const { client, cluster, manager } = await setUp(4, REPLICATED)
    const attempt = attemptOf(SHAPE, 0)
    for (let partitionId = 0; partitionId < 8; partitionId++) {
      const receipt = await client.pushData({ ...attempt, partitionId }, batchOf(SHAPE, 0, partitionId, 0))
      expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    }
    await cluster.killWorker(2)
    await Promise.all([
      writeMapper(client, SHAPE, 0, 1),
      writeMapper(client, SHAPE, 1),
      writeMapper(client, SHAPE, 2),
    ])
    await verify(client, SHAPE)
    expect(manager.stats().shuffles[0]?.maxEpoch).toBeGreaterThan(0)
  })

  it('after writing, without replication: the data is lost, and readers are told so', async () => {
    const { client, cluster, manager } = await setUp(2)
    const last = { shuffleId: 4, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 2 }
    for (const partitionId of [0, 1]) {
      const receipt = await client.pushData({ ...last, partitionId }, batchOf(SHAPE, 0, partitionId, 0))
      await receipt.settled
    }
    await cluster.killWorker(0)
    await client.mapperEnd(last)
    const read = (): Promise<unknown> => client.readPartition(4, 0)[Symbol.asyncIterator]().next()
    const lost =
      /data of shuffle 4 is lost: .*location\(s\) is lost: [01]-0 on worker 127\.0\.0\.1:\d+ \(no answer in 4 tries: .*ECONNREFUSED/
    await expect(read()).rejects.toMatchObject({
      code: 'CELEBORN_DATA_LOST',
      message: expect.stringMatching(lost),
      context: { shuffleId: 4, location: expect.stringMatching(/^[01]-0$/) },
    })
    expect(manager.stats().shuffles[0]?.phase).toBe('data-lost')
  })
})

it('a stage runs again when its data cannot be read, and readers get the new run', async () => {
  const { client, cluster, manager } = await setUp(2)
  const run = async (identifier: string): Promise<Shape> => {
    const shuffleId = await client.getShuffleId(9, identifier, { isWriter: true })
    const shape = { ...SHAPE, shuffleId }
    await writeAll(client, shape)
    return shape
  }
  const first = await run('9-0')
  await eventually(() => manager.stats().shuffles[0]?.phase).toBe('ended')
  expect(await client.getShuffleId(9, '', { isWriter: false })).toBe(first.shuffleId)
  await cluster.killWorker(0)
  await cluster.startWorker()
  await expect(verify(client, first)).rejects.toMatchObject({ code: 'CELEBORN_FETCH_FAILED' })
  expect(await client.reportShuffleFetchFailure(9, first.shuffleId, 5)).toBe(true)
  const second = await run('9-1')
  expect(second.shuffleId).not.toBe(first.shuffleId)
  await eventually(() => manager.stats().shuffles[1]?.phase).toBe('ended')
  expect(await client.getShuffleId(9, '', { isWriter: false })).toBe(second.shuffleId)
  await verify(client, second)
})

describe('a worker that leaves', () => {
  /** Writes the first batches, has worker 0 leave, and writes the rest: the writers must go elsewhere. */
  async function writeWhile(setup: Setup, leave: () => Promise<string[]>): Promise<Promise<string[]>> {
    const { client, manager } = setup
    for (let partitionId = 0; partitionId < SHAPE.numPartitions; partitionId++) {
      const target = { ...attemptOf(SHAPE, 0), partitionId }
      const receipt = await client.pushData(target, batchOf(SHAPE, 0, partitionId, 0))
      expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    }
    const left = leave()
    await eventually(() => manager.stats().shuttingWorkers).toHaveLength(1)
    await Promise.all([0, 1, 2].map((mapId) => writeBatches(client, SHAPE, mapId, mapId === 0 ? 1 : 0)))
    for (const mapId of [0, 1, 2]) await client.mapperEnd(attemptOf(SHAPE, mapId))
    return left
  }

  it('gracefully, with replication: its data is committed and read from the other copies', async () => {
    const setup = await setUp(3, REPLICATED)
    const { client, cluster, manager } = setup
    const left = writeWhile(setup, () => cluster.stopWorker(0))
    expect(await left).toEqual([])
    await verify(client, SHAPE)
    const [stats] = manager.stats().shuffles
    expect(stats).toMatchObject({ phase: 'ended' })
    expect(stats?.maxEpoch).toBeGreaterThan(0)
    // The master no longer knows it, and the driver keeps off it.
    await eventually(() => Object.values(manager.stats().excludedWorkers)).toEqual(['WORKER_UNKNOWN'])
  })

  it('by decommission: its files are read until the shuffle is unregistered', async () => {
    const setup = await setUp(2)
    const { client, cluster, manager } = setup
    let gone = false
    const left = writeWhile(setup, () =>
      cluster.decommissionWorker(0).finally(() => {
        gone = true
      }),
    )
    await eventually(() => manager.stats().shuffles[0]?.phase).toBe('ended')
    await verify(client, SHAPE)
    expect(gone).toBe(false)
    expect(cluster.stats().workers[0]?.files).toBeGreaterThan(0)
    await manager.unregisterShuffle(SHAPE.shuffleId)
    expect(await left).toEqual([])
    expect(cluster.stats().master.workers).toBe(1)
  })
})

describe('the end of a shuffle', () => {
  it('deletes its files on the workers', async () => {
    const { client, cluster, manager } = await setUp(2)
    await writeAll(client, SHAPE)
    await verify(client, SHAPE)
    const files = () => cluster.stats().workers.map((w) => w?.files ?? 0)
    expect(files().every((n) => n > 0)).toBe(true)
    await manager.unregisterShuffle(4)
    await eventually(files).toEqual([0, 0])
  })

  it('comes with the end of the application', async () => {
    const { client, cluster, manager } = await setUp(2)
    await writeAll(client, SHAPE)
    await client.close()
    await manager.stop()
    await eventually(() => cluster.stats().workers.map((w) => w?.files)).toEqual([0, 0])
  })
})

it('takes 2,000 partitions', async () => {
  const { client, manager } = await setUp(4)
  const shape: Shape = { shuffleId: 1, numMappers: 2, numPartitions: 2000, batches: 1, batchBytes: 100 }
  await writeAll(client, shape)
  await verify(client, shape, 50)
  expect(manager.stats().shuffles[0]).toMatchObject({ phase: 'ended', locations: 2000 })
})
