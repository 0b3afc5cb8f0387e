/** One shuffle of Java and TypeScript: under Celeborn's LifecycleManager and under ours. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { JavaAgent } from './support/agent'
import { files, startCluster } from './support/cluster'
import {
  javaDriver,
  javaParty,
  nodeDriver,
  nodeParty,
  type Party,
  type Settings,
  splitSettings,
} from './support/parties'
import { expected, LARGEST, type Plan, plan } from './support/plan'
import { Random } from './support/random'
import { seed } from './support/settings'

const MIB = 1024 * 1024
const random = new Random(seed)
/** Java's driver is a process of its own: our client knows only its address, as it would a Spark driver's. */
let driverAgent: JavaAgent
let clientAgent: JavaAgent

beforeAll(async () => {
  driverAgent = new JavaAgent()
  clientAgent = new JavaAgent()
  await Promise.all([driverAgent.ask('ping'), clientAgent.ask('ping')])
})
afterAll(() => Promise.all([driverAgent.close(), clientAgent.close()]))

let applications = 0

async function application(manager: string, settings: Settings) {
  const cluster = await startCluster(3)
  onTestFinished(() => cluster.stop())
  const all = { 'celeborn.master.endpoints': cluster.masterEndpoint, ...settings }
  const app = `shuffle-${applications++}`
  const driver = await (manager === 'Java' ? javaDriver(driverAgent, app, all) : nodeDriver(app, all))
  onTestFinished(() => driver.stop())
  const java = await javaParty(clientAgent, driver, all)
  onTestFinished(() => java.close())
  const node = nodeParty(driver, all)
  onTestFinished(() => node.close())
  return { app, cluster, java, node }
}

/** Writes all map tasks at once; the writers take turns. */
async function write(planned: Plan, first: Party, second = first, shuffle = 0): Promise<void> {
  await Promise.all(
    planned.tasks.map((task) => (task.mapId % 2 === 0 ? first : second).write(shuffle, planned, task)),
  )
}

async function expectContents(planned: Plan, readers: readonly Party[]): Promise<void> {
  const right = expected(planned)
  for (const reader of readers) {
    for (const [partition, contents] of right.entries())
      expect(await reader.read(0, partition), `partition ${partition}, read by ${reader.name}`).toEqual(
        contents,
      )
  }
}

const CODECS = ['LZ4', 'ZSTD', 'NONE']

describe.each(['Java', 'TypeScript'])('under a LifecycleManager in %s', (manager) => {
  describe.each(CODECS)('codec %s', (codec) => {
    const settings = { 'celeborn.client.shuffle.compression.codec': codec }
    /** One batch of 1 byte and one of 64 MiB in every map task. */
    const planned = (tasks: number) =>
      plan(random.int(2 ** 31), { tasks, partitions: 3, batches: 50, largest: LARGEST })

    it('Java writes, both read', async () => {
      const { java, node } = await application(manager, settings)
      const one = planned(1)
      await write(one, java)
      await expectContents(one, [node, java])
    })

    it('TypeScript writes, both read', async () => {
      const { java, node } = await application(manager, settings)
      const one = planned(1)
      await write(one, node)
      await expectContents(one, [java, node])
    })

    it('both write, both read', async () => {
      const { java, node } = await application(manager, settings)
      const two = planned(2)
      await write(two, java, node)
      await expectContents(two, [node, java])
    })
  })

  it('ranges of map tasks of both', async () => {
    const { java, node } = await application(manager, {})
    const planned = plan(random.int(2 ** 31), { tasks: 6, partitions: 2, batches: 30, largest: 4 * MIB })
    await write(planned, java, node)
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 5],
    ] as const) {
      for (const reader of [java, node]) {
        const contents = await Promise.all([0, 1].map((partition) => reader.read(0, partition, from, to)))
        expect(contents, `map tasks ${from} to ${to}, ${reader.name}`).toEqual(expected(planned, from, to))
      }
    }
  })

  it('attempts that were given up leave nothing behind', async () => {
    const { java, node } = await application(manager, {})
    const planned = plan(random.int(2 ** 31), { tasks: 4, partitions: 2, batches: 20, largest: MIB })
    // Given up in one language, done in the other, with other bytes in the same batches.
    const other = { ...planned, seed: planned.seed + 1 }
    for (const task of planned.tasks) {
      const [first, second] = task.mapId % 2 === 0 ? [java, node] : [node, java]
      await first.write(0, other, task, 0, false)
      await second.write(0, planned, task, 1)
    }
    await expectContents(planned, [java, node])
  })

  it('a stage that runs again because of a failure to fetch', async () => {
    const { java, node } = await application(manager, {
      'celeborn.client.spark.fetch.throwsFetchFailure': 'true',
      'celeborn.client.spark.stageRerun.enabled': 'true',
    })
    const planned = plan(random.int(2 ** 31), { tasks: 2, partitions: 2, batches: 10, largest: MIB })
    const ids = async (run: string, writer: boolean) => [
      await java.shuffleId(run, writer),
      await node.shuffleId(run, writer),
    ]
    const earlier: number[] = []
    for (const [run, reporter] of [
      ['0-1-0', java],
      ['0-1-1', node],
      ['0-1-2', null],
    ] as const) {
      const [shuffle = -1, ...others] = await ids(run, true)
      expect(others).toEqual([shuffle])
      expect(earlier).not.toContain(shuffle)
      earlier.push(shuffle)
      await write(planned, java, node, shuffle)
      expect(await ids(run, false)).toEqual([shuffle, shuffle])
      const contents = await Promise.all([0, 1].map((partition) => node.read(shuffle, partition)))
      expect(contents).toEqual(expected(planned))
      if (reporter !== null) expect(await reporter.fetchFailure(shuffle)).toBe(true)
    }
  })

  it.each(['SOFT', 'HARD'])('both write through %s splits with replication', async (mode) => {
    const { app, cluster, java, node } = await application(manager, {
      'celeborn.client.push.replicate.enabled': 'true',
      ...splitSettings(mode),
      'celeborn.data.io.retryWait': '50ms',
    })
    const planned = plan(random.int(2 ** 31), { tasks: 4, partitions: 2, batches: 120, largest: 4 * MIB })
    await write(planned, java, node)
    await expectContents(planned, [java, node])
    const epochs = files(cluster, app, 0).map(({ epoch }) => epoch)
    expect(Math.max(...epochs)).toBeGreaterThan(mode === 'HARD' ? 2 : 0)
    await cluster.killWorker(0)
    await expectContents(planned, [node, java])
  })
})
