import { expect, it, onTestFinished } from 'vitest'
import { CelebornError } from '../../src/errors'
import { mapStats } from '../../src/memory'
import { type PartitionReader } from '../../src/read/partition-reader'
import { type ConnectionFault, type FaultProxy } from '../fault/fault-proxy'
import { Random } from '../fuzz/random'
import { turns } from '../push/harness'
import { digestOf, ParallelWorld, type ReadingProcess, sha256, SHUFFLE } from './parallel-world'

const READERS = 16
/** Faulty connections of each worker; those that come later are good ones. */
const FAULTS = 10
const TIMEOUT_MS = 600
const HASTY = {
  'celeborn.client.fetch.timeout': `${TIMEOUT_MS}ms`,
  'celeborn.client.fetch.maxRetriesForEachReplica': 6,
}
const PATIENT = {
  'celeborn.client.fetch.timeout': '20s',
  'celeborn.client.fetch.maxRetriesForEachReplica': 3,
}

/** One connection's fault, and whether it is reset some time later. */
interface Plan {
  readonly fault: ConnectionFault
  readonly resetAfterMs?: number
}

/** Bytes behind which something happens: within the first messages, or somewhere in a chunk. */
function within(random: Random, most: number): number {
  return random.chance(30) ? random.below(200) : random.below(most)
}

function planOf(random: Random): Plan {
  const direction = random.pick(['up', 'down'] as const)
  const after = within(random, direction === 'up' ? 3000 : 120_000)
  switch (random.below(6)) {
    case 0:
    case 1:
      return { fault: { [direction]: { after, action: 'reset' } } }
    case 2:
      return { fault: { [direction]: { after, action: 'fin' } } }
    case 3:
      return { fault: { [direction]: { after, action: 'stall' } }, resetAfterMs: random.below(TIMEOUT_MS) }
    // What was asked for is answered when nobody waits for it any more.
    case 4:
      return { fault: { down: { delayMs: TIMEOUT_MS + 100 } }, resetAfterMs: 2 * TIMEOUT_MS }
    default:
      return { fault: { down: { pieceBytes: 1 + random.below(5000) } } }
  }
}

/** Plans the faults of the next connections to a worker. */
function afflict(proxy: FaultProxy, random: Random): void {
  const plans = Array.from({ length: FAULTS }, () => planOf(random))
  const first = proxy.connections.length
  const timers = new Set<NodeJS.Timeout>()
  proxy.plan = (index) => {
    const plan = plans[index - first]
    if (plan?.resetAfterMs !== undefined)
      timers.add(setTimeout(() => proxy.connections[index]?.reset(), plan.resetAfterMs))
    return plan?.fault ?? {}
  }
  onTestFinished(() => {
    for (const timer of timers) clearTimeout(timer)
  })
}

type Outcome = { readonly digest: string } | { readonly error: unknown }

async function readAll(reader: PartitionReader, onBatch: (count: number) => unknown): Promise<Outcome> {
  const digests: string[] = []
  try {
    for await (const bytes of reader) {
      digests.push(sha256(bytes))
      await onBatch(digests.length)
    }
    return { digest: digestOf(digests) }
  } catch (error) {
    return { error }
  }
}

async function nothingHeld(process: ReadingProcess, maps: number): Promise<void> {
  for (;;) {
    const { frames, localFrames, usedBytes, waiting, pending } = process.held()
    const left = [frames, localFrames, usedBytes, waiting, pending, mapStats().mapsAlive - maps]
    if (left.every((value) => value === 0)) return
    await turns(1)
  }
}

it.each([1, 2, 3])('16 readers over failing connections and workers, seed %i', async (seed) => {
  const random = new Random(20_261_201, seed)
  const maps = mapStats().mapsAlive
  const world = await ParallelWorld.start(random)
  const { cluster, proxies, written } = world
  expect(proxies).toHaveLength(3)
  for (const count of world.locationCounts) expect(count).toBeGreaterThanOrEqual(4)

  // Neither has room for all of its readers' next chunks, let alone for those ahead.
  const memory = { 'celeborn.node.maxReadBytes': '128k', 'celeborn.client.fetch.maxReqsInFlight': 3 }
  const processes = [
    world.newProcess(memory),
    world.newProcess({
      ...memory,
      'celeborn.client.readLocalShuffleFile.enabled': true,
      'celeborn.data.storage.memoryMapThreshold': '1',
    }),
  ]
  for (const proxy of proxies) afflict(proxy, random)
  const [first, second] = proxies
  let batches = 0
  const events = new Map<number, () => unknown>([
    // A worker is gone for a while, and comes back with its files; then another one for good.
    [60, () => first?.refuse()],
    [180, () => first?.listen()],
    [
      300,
      async () => {
        second?.resetAll()
        await cluster.killWorker(random.below(3))
        await cluster.startWorker()
      },
    ],
  ])
  const happened: unknown[] = []
  const readers = Array.from({ length: READERS }, (_, i) => {
    const reader = processes[i % 2]?.reader((i >> 1) % SHUFFLE.numPartitions, HASTY)
    if (reader === undefined) throw new Error('no process')
    return {
      reader,
      partitionId: (i >> 1) % SHUFFLE.numPartitions,
      endsAt: i % 8 === 5 ? 1 + random.below(50) : 0,
    }
  })
  const outcomes = await Promise.all(
    readers.map(async ({ reader, endsAt }) => {
      const pauses = new Random(seed, endsAt)
      return readAll(reader, async (count) => {
        happened.push(events.get(++batches)?.())
        if (count === endsAt) reader.destroy()
        if (pauses.chance(20)) await turns(pauses.below(8))
      })
    }),
  )
  await Promise.all(happened)
  const { shuffleId } = SHUFFLE
  for (const [i, outcome] of outcomes.entries()) {
    const { partitionId, endsAt } = readers[i] ?? { partitionId: -1, endsAt: 0 }
    if ('digest' in outcome) {
      expect([i, outcome.digest]).toEqual([i, written[partitionId]])
      continue
    }
    const { error } = outcome
    if (!(error instanceof CelebornError)) throw error
    if (endsAt > 0 && error.code === 'CELEBORN_ABORTED') continue
    expect(['CELEBORN_FETCH_FAILED', 'CELEBORN_ADMISSION_TIMEOUT']).toContain(error.code)
    const location = expect.stringMatching(new RegExp(`^${partitionId}-\\d+$`)) as string
    expect(error.context).toMatchObject({ shuffleId, partitionId, location })
    expect(error.message).toContain(`partition ${partitionId} of shuffle ${shuffleId}`)
  }
  expect(readers.reduce((sum, { reader }) => sum + reader.stats.retries, 0)).toBeGreaterThan(0)
  for (const process of processes) {
    expect(process.budget.peakBytes).toBeLessThanOrEqual(process.budget.maxBytes)
    await nothingHeld(process, maps)
  }

  // What went wrong has left nothing behind: the same memory reads all of it.
  await first?.listen()
  for (const proxy of proxies) {
    proxy.plan = () => ({})
    proxy.resetAll()
  }
  for (const process of processes) {
    const again = Array.from({ length: SHUFFLE.numPartitions }, async (_, partitionId) =>
      readAll(process.reader(partitionId, PATIENT), () => undefined),
    )
    expect(await Promise.all(again)).toEqual(written.map((digest) => ({ digest })))
    await nothingHeld(process, maps)
    await process.close()
  }
  for (const proxy of proxies) {
    await proxy.empty()
    expect(proxy.open).toBe(0)
  }
})
