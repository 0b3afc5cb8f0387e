import { describe, expect, it } from 'vitest'
import {
  codecOf,
  content,
  digestsOf,
  expectNothingHeld,
  MODES,
  type Pushed,
  pushOne,
  settle,
  SHUFFLE,
  World,
} from './world'

const ATTEMPT = { ...SHUFFLE, mapId: 0, attemptId: 0 }
const BATCHES = 240
/** Tries end soon, so that what cannot succeed fails within seconds. */
const ENTRIES = {
  'celeborn.client.push.timeout': '3s',
  'celeborn.client.push.maxReqsInFlight.total': 1000,
  'celeborn.client.push.maxReqsInFlight.perWorker': 1000,
  'celeborn.data.io.connectTimeout': '2s',
  'celeborn.client.rpc.reserveSlots.askTimeout': '1s',
  'celeborn.client.rpc.commitFiles.askTimeout': '1s',
  'celeborn.client.requestCommitFiles.maxRetries': 1,
  'celeborn.master.heartbeat.worker.timeout': '2s',
}

/** Pushes the job's batches; `at` runs before the batch of that number. */
async function pushJob(
  world: World,
  mode: (typeof MODES)[number],
  at: ReadonlyMap<number, () => Promise<unknown>>,
  pushed: Pushed[] = [],
): Promise<Pushed[]> {
  for (let i = 0; i < BATCHES; i++) {
    await at.get(i)?.()
    const bytes = content(100 + ((i * 7919) % 20_000), i)
    const target = { ...ATTEMPT, partitionId: i % SHUFFLE.numPartitions }
    pushed.push(await pushOne(world.client, mode, target, bytes, i))
  }
  return pushed
}

describe.each(MODES)('%s', (mode) => {
  const codec = { 'celeborn.client.shuffle.compression.codec': codecOf(mode) }

  it('a worker is killed in the middle and another is started, replicated: nothing is lost (B36)', async () => {
    const world = await World.start({
      workers: 3,
      entries: { ...ENTRIES, ...codec, 'celeborn.client.push.replicate.enabled': true },
    })
    const { client, cluster } = world
    const pushed = await pushJob(
      world,
      mode,
      new Map<number, () => Promise<unknown>>([
        [80, () => cluster.killWorker(0)],
        [120, () => cluster.startWorker()],
      ]),
    )
    await client.mapperEnd(ATTEMPT)
    for (const { outcome } of await settle(pushed)) expect(outcome).toBe('acked')
    expectNothingHeld(client)
    expect(client.stats().retries).toBeGreaterThan(0)
    expect(await world.readBack()).toEqual(digestsOf(pushed))
    await world.close()
  })

  it('a worker is killed before anything was acknowledged by it, not replicated: nothing is lost (B27, B36)', async () => {
    const world = await World.start({ workers: 3, entries: { ...ENTRIES, ...codec } })
    // All pushes are under way, and no worker has seen one.
    world.fault = (index) => (index < 3 ? { up: { delayMs: 400 } } : {})
    const { client, cluster } = world
    const pushed = await pushJob(world, mode, new Map())
    await client.pushMergedData(ATTEMPT)
    expect(client.stats().acked).toBe(0)
    await cluster.killWorker(0)
    await client.mapperEnd(ATTEMPT)
    for (const { outcome } of await settle(pushed)) expect(outcome).toBe('acked')
    expectNothingHeld(client)
    // Its committed files are empty, and lost all the same: nothing says that they were.
    const read = world.readBack()
    await expect(read).rejects.toMatchObject({ code: 'CELEBORN_DATA_LOST' })
    await world.close()
  })

  it('a worker is killed with acknowledged data, not replicated: a clear error, never a part of the data', async () => {
    const world = await World.start({ workers: 3, entries: { ...ENTRIES, ...codec } })
    const { client, cluster } = world
    const pushed: Pushed[] = []
    await pushJob(
      world,
      mode,
      new Map<number, () => Promise<unknown>>([
        [
          120,
          async () => {
            await client.pushMergedData(ATTEMPT)
            await Promise.all(pushed.map(({ receipt }) => receipt.settled))
            await cluster.killWorker(0)
          },
        ],
        [180, () => cluster.startWorker()],
      ]),
      pushed,
    )
    await client.mapperEnd(ATTEMPT)
    for (const { outcome } of await settle(pushed)) expect(outcome).toBe('acked')
    expectNothingHeld(client)
    await expect(world.readBack()).rejects.toMatchObject({ code: 'CELEBORN_DATA_LOST' })
    await world.close()
  })

  it('all workers are gone: a clear error soon, and all memory back', async () => {
    const world = await World.start({
      workers: 2,
      entries: { ...ENTRIES, ...codec, 'celeborn.client.push.revive.maxRetries': 2 },
    })
    const { client, cluster } = world
    const pushed = await pushJob(
      world,
      mode,
      new Map([[230, () => Promise.all([cluster.killWorker(0), cluster.killWorker(1)])]]),
    ).catch((error: unknown) => error)
    const error = await client.mapperEnd(ATTEMPT).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CELEBORN_PUSH_FAILED' })
    expect(String(error)).toMatch(
      /127\.0\.0\.1:\d+ \(epoch \d+\).*(CONNECTION_EXCEPTION|CREATE_CONNECTION_FAIL|TIMEOUT)/,
    )
    if (Array.isArray(pushed)) await settle(pushed as Pushed[])
    await client.cleanup(ATTEMPT)
    expectNothingHeld(client)
    expect(world.relay.mapperEnds).toBe(0)
    await world.close()
  })

  it('the LifecycleManager disappears during a revive: a clear error soon, and all memory back', async () => {
    const world = await World.start({
      workers: 2,
      entries: { ...ENTRIES, ...codec, 'celeborn.client.push.revive.maxRetries': 2 },
    })
    const { client, relay } = world
    world.fault = (index) => (index < 2 ? { up: { after: 20_000, action: 'reset' } } : {})
    const gone: Promise<void>[] = []
    relay.onRevive = () => {
      if (gone.length === 0) gone.push(relay.disappear())
      return new Promise(() => undefined)
    }
    const pushed = await pushJob(world, mode, new Map()).catch((error: unknown) => error)
    const error = await client.mapperEnd(ATTEMPT).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CELEBORN_PUSH_FAILED' })
    expect(String(error)).toMatch(
      /asking the LifecycleManager for new locations of shuffle 3 failed: .*127\.0\.0\.1/,
    )
    if (Array.isArray(pushed)) await settle(pushed as Pushed[])
    await client.cleanup(ATTEMPT)
    expectNothingHeld(client)
    expect(gone).toHaveLength(1)
    await Promise.all(gone)
    await world.close()
  })

  it('the LifecycleManager does not answer a revive in time, and does the next (B30)', async () => {
    const world = await World.start({
      workers: 3,
      entries: { ...ENTRIES, ...codec, 'celeborn.client.rpc.requestPartition.askTimeout': '300ms' },
    })
    const { client, relay } = world
    world.fault = (index) => (index < 2 ? { up: { after: 20_000, action: 'reset' } } : {})
    let unanswered = 0
    relay.onRevive = () => (unanswered++ === 0 ? new Promise(() => undefined) : undefined)
    const pushed = await pushJob(world, mode, new Map())
    await client.mapperEnd(ATTEMPT)
    expectNothingHeld(client)
    expect(relay.mapperEnds).toBe(1)
    for (const { outcome } of await settle(pushed)) expect(outcome).toBe('acked')
    expect(unanswered).toBeGreaterThan(1)
    expect(await world.readBack()).toEqual(digestsOf(pushed))
    await world.close()
  })
})
