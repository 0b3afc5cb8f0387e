/** Celeborn's Java client with its own LifecycleManager: the embedded cluster serves it as a real one would. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { JavaAgent } from './support/agent'
import { type Cluster, files, startCluster } from './support/cluster'
import { javaDriver, javaParty, type Party, type Settings, splitSettings } from './support/parties'
import { expected, type Plan, plan } from './support/plan'
import { Random } from './support/random'
import { seed } from './support/settings'

const MIB = 1024 * 1024
const random = new Random(seed)
let agent: JavaAgent

beforeAll(async () => {
  agent = new JavaAgent()
  await agent.ask('ping')
})
afterAll(() => agent.close())

let applications = 0

/** A cluster with an application of Java's own; both end with the test. */
async function application(settings: Settings, clusterSettings: Settings = {}) {
  const cluster = await startCluster(3, clusterSettings)
  onTestFinished(() => cluster.stop())
  const all = { 'celeborn.master.endpoints': cluster.masterEndpoint, ...settings }
  const driver = await javaDriver(agent, `java-${applications++}`, all)
  onTestFinished(() => driver.stop())
  const party = await javaParty(agent, driver, all)
  onTestFinished(() => party.close())
  return { cluster, driver, party }
}

async function write(party: Party, shuffle: number, planned: Plan): Promise<void> {
  await Promise.all(planned.tasks.map((task) => party.write(shuffle, planned, task)))
}

async function readAll(party: Party, shuffle: number, { partitions }: Plan) {
  const contents = []
  for (let partition = 0; partition < partitions; partition++)
    contents.push(await party.read(shuffle, partition))
  return contents
}

it('listens on loopback only', async () => {
  const { driver } = await application({})
  expect(driver.host).toBe('127.0.0.1')
})

describe.each(['LZ4', 'ZSTD', 'NONE'])('codec %s', (codec) => {
  it.each([false, true])('writes and reads, replication %s', async (replicate) => {
    const { cluster, driver, party } = await application({
      'celeborn.client.shuffle.compression.codec': codec,
      'celeborn.client.push.replicate.enabled': String(replicate),
    })
    const planned = plan(random.int(2 ** 31), { tasks: 3, partitions: 4, batches: 40, largest: 16 * MIB })
    await write(party, 0, planned)
    expect(await readAll(party, 0, planned)).toEqual(expected(planned))
    const replicas = files(cluster, driver.app, 0).filter(({ mode }) => mode === 1)
    expect(replicas.length > 0).toBe(replicate)
  })
})

it('reads ranges of map tasks', async () => {
  const { party } = await application({})
  const planned = plan(random.int(2 ** 31), { tasks: 5, partitions: 2, batches: 30, largest: 8 * MIB })
  await write(party, 0, planned)
  for (const [from, to] of [
    [0, 1],
    [1, 4],
    [4, 5],
  ] as const) {
    const contents = await Promise.all([0, 1].map((partition) => party.read(0, partition, from, to)))
    expect(contents).toEqual(expected(planned, from, to))
  }
})

it('an attempt that was given up leaves nothing behind', async () => {
  const { party } = await application({})
  const planned = plan(random.int(2 ** 31), { tasks: 3, partitions: 2, batches: 20, largest: 2 * MIB })
  const other = { ...planned, seed: planned.seed + 1 }
  for (const task of planned.tasks) await party.write(0, other, task, 0, false)
  for (const task of planned.tasks) await party.write(0, planned, task, 1)
  expect(await readAll(party, 0, planned)).toEqual(expected(planned))
})

describe.each(['SOFT', 'HARD'])('%s splits', (mode) => {
  it.each([false, true])('lose and double nothing, replication %s', async (replicate) => {
    const { cluster, driver, party } = await application({
      'celeborn.client.push.replicate.enabled': String(replicate),
      ...splitSettings(mode),
    })
    const planned = plan(random.int(2 ** 31), { tasks: 4, partitions: 2, batches: 150, largest: 4 * MIB })
    await write(party, 0, planned)
    expect(await readAll(party, 0, planned)).toEqual(expected(planned))
    const epochs = files(cluster, driver.app, 0).map(({ epoch }) => epoch)
    expect(Math.max(...epochs)).toBeGreaterThan(mode === 'HARD' ? 2 : 0)
  })
})

/** Which worker to kill: one that holds primaries of the shuffle. */
function holderOfPrimaries(cluster: Cluster, app: string, shuffle: number): number {
  const primary = files(cluster, app, shuffle).find(({ mode }) => mode === 0)
  if (primary === undefined) throw new Error('no worker has files')
  return Number(primary.worker.slice('worker-'.length))
}

const QUICK = { 'celeborn.data.io.retryWait': '50ms', 'celeborn.data.io.connectTimeout': '2s' }

it('a worker that dies between write and read: with replication all is read', async () => {
  const { cluster, driver, party } = await application({
    'celeborn.client.push.replicate.enabled': 'true',
    ...QUICK,
  })
  const planned = plan(random.int(2 ** 31), { tasks: 3, partitions: 4, batches: 60, largest: 8 * MIB })
  await write(party, 0, planned)
  // The stage has ended, and its files are committed, once something was read.
  await party.read(0, 0)
  await cluster.killWorker(holderOfPrimaries(cluster, driver.app, 0))
  expect(await readAll(party, 0, planned)).toEqual(expected(planned))
})

it('a worker that dies between write and read: without replication reading fails', async () => {
  const { cluster, driver, party } = await application(QUICK)
  const planned = plan(random.int(2 ** 31), { tasks: 2, partitions: 3, batches: 20, largest: MIB })
  await write(party, 0, planned)
  await readAll(party, 0, planned)
  await cluster.killWorker(holderOfPrimaries(cluster, driver.app, 0))
  await expect(readAll(party, 0, planned)).rejects.toThrow(/CelebornIOException/)
})

it('a worker that dies in the middle of the write: with replication all is read', async () => {
  const { cluster, driver, party } = await application({
    'celeborn.client.push.replicate.enabled': 'true',
    'celeborn.client.requestCommitFiles.maxRetries': '1',
    'celeborn.client.requestCommitFiles.retryWait': '100ms',
    'celeborn.rpc.askTimeout': '5s',
    ...QUICK,
  })
  const planned = plan(random.int(2 ** 31), { tasks: 4, partitions: 4, batches: 60, largest: 4 * MIB })
  const [first, ...others] = planned.tasks
  if (first === undefined) throw new Error('there are tasks')
  await party.write(0, planned, first)
  const writing = Promise.all(others.map((task) => party.write(0, planned, task)))
  await cluster.killWorker(holderOfPrimaries(cluster, driver.app, 0))
  await writing
  expect(await readAll(party, 0, planned)).toEqual(expected(planned))
})
