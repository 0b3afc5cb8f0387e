import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ControlMessageType as Type } from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture } from './driver'
import { type FakeWorker } from './fake-cluster'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

const MAPPERS = 3
const PARTITIONS = 4
const CAUSES = [
  StatusCode.HARD_SPLIT,
  StatusCode.SOFT_SPLIT,
  StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY,
]

/** Each unique id of a side with how often workers were asked to commit it. */
function asked(workers: readonly FakeWorker[], side: 'primaryIds' | 'replicaIds'): Map<string, number> {
  const counts = new Map<string, number>()
  const ids = workers.flatMap((w) => w.commits.flatMap((c) => [...c[side]]))
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

const step = fc.oneof(
  fc.record({
    op: fc.constant('revive' as const),
    partitionId: fc.nat({ max: PARTITIONS - 1 }),
    back: fc.nat({ max: 2 }),
    cause: fc.constantFrom(...CAUSES),
  }),
  fc.record({
    op: fc.constant('end' as const),
    mapId: fc.nat({ max: MAPPERS - 1 }),
    attemptId: fc.nat({ max: 3 }),
  }),
  fc.record({ op: fc.constant('register' as const) }),
)

describe('whatever writers do, and in whatever order', () => {
  it.each([false, true])(
    'each location is committed once, and the first attempts win (replicated: %s)',
    { timeout: 120_000 },
    async (replicate) => {
      const { client, workers, manager } = await fixture.start({
        workers: 3,
        conf: {
          'celeborn.client.push.replicate.enabled': replicate,
          'celeborn.client.shuffle.batchHandleChangePartition.interval': '1ms',
          'celeborn.client.shuffle.batchHandleCommitPartition.interval': '2ms',
        },
      })
      let shuffleId = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, atOnce) => {
          shuffleId++
          for (const w of workers) for (const log of [w.commits, w.destroys, w.reserves]) log.length = 0
          for (const w of workers) for (const held of [w.primaries, w.replicas]) held.clear()
          await client.register(shuffleId, MAPPERS, PARTITIONS)
          const latest = new Array<number>(PARTITIONS).fill(0)
          const winners = new Array<number>(MAPPERS).fill(-1)
          const run = async (s: (typeof steps)[number]): Promise<void> => {
            if (s.op === 'register') {
              const { status } = await client.register(shuffleId, MAPPERS, PARTITIONS)
              expect(status).toBe(StatusCode.SUCCESS)
            } else if (s.op === 'revive') {
              const epoch = Math.max(-1, (latest[s.partitionId] ?? 0) - s.back)
              const { partitions } = await client.revive(shuffleId, [
                { partitionId: s.partitionId, epoch, cause: s.cause },
              ])
              const [answer] = partitions
              if (answer?.status === StatusCode.STAGE_ENDED) return
              expect(answer).toMatchObject({ partitionId: s.partitionId, status: StatusCode.SUCCESS })
              expect(answer?.location?.epoch).toBeGreaterThan(epoch)
              latest[s.partitionId] = Math.max(latest[s.partitionId] ?? 0, answer?.location?.epoch ?? 0)
            } else {
              if (winners[s.mapId] === -1) winners[s.mapId] = s.attemptId
              await client.mapperEnd(shuffleId, s.mapId, s.attemptId, MAPPERS)
            }
          }
          if (atOnce) await Promise.all(steps.map(run))
          else for (const s of steps) await run(s)
          for (const [mapId, winner] of winners.entries()) {
            if (winner !== -1) continue
            winners[mapId] = 9
            await client.mapperEnd(shuffleId, mapId, 9, MAPPERS)
          }
          const group = await client.fileGroup(shuffleId)
          expect(group.status).toBe(StatusCode.SUCCESS)
          expect(group.attempts).toEqual(winners)
          // What the stage's end overtook is given back; all else is committed, by the worker that holds it.
          await eventuallyCommitted(workers)
          for (const side of ['primaryIds', 'replicaIds'] as const) {
            for (const [id, count] of asked(workers, side)) expect([id, count]).toEqual([id, 1])
          }
          for (const [partitionId, locations] of group.fileGroups) {
            for (const location of locations) {
              expect(location.id).toBe(partitionId)
              expect(location.peer !== undefined).toBe(replicate)
            }
            expect(locations.length).toBeGreaterThan(latest[partitionId] ?? 0)
          }
          await manager.unregisterShuffle(shuffleId)
        }),
        { numRuns: 40 },
      )
    },
  )
})

async function eventuallyCommitted(workers: readonly FakeWorker[]): Promise<void> {
  await expect
    .poll(
      () =>
        workers.flatMap((w) => {
          const primaries = new Set(w.commits.flatMap((c) => [...c.primaryIds]))
          const replicas = new Set(w.commits.flatMap((c) => [...c.replicaIds]))
          return [...w.primaries]
            .filter((id) => !primaries.has(id))
            .concat([...w.replicas].filter((id) => !replicas.has(id)))
        }),
      { timeout: 20_000, interval: 2 },
    )
    .toEqual([])
}

describe('whatever comes over the wire', () => {
  // Without GET_REDUCER_FILE_GROUP, which may rightly wait for a shuffle that some of these bytes made.
  const SERVED = [
    Type.REGISTER_SHUFFLE,
    Type.CHANGE_LOCATION,
    Type.MAPPER_END,
    Type.GET_STAGE_END,
    Type.GET_SHUFFLE_ID,
    Type.REPORT_SHUFFLE_FETCH_FAILURE,
    Type.READ_REDUCER_PARTITION_END,
  ]

  it('is answered or refused, and the driver serves on', { timeout: 60_000 }, async () => {
    const { client } = await fixture.start()
    await client.register(1, 1, 1)
    await client.mapperEnd(1, 0, 0, 1)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SERVED),
        fc.uint8Array({ maxLength: 60 }),
        async (type, payload) => {
          await client.ask(type, payload, type + 1).catch((error: unknown) => {
            // Refused in words, never a lost connection or a time-out.
            expect(error).toMatchObject({ code: 'CELEBORN_RPC' })
          })
        },
      ),
      { numRuns: 400 },
    )
    expect((await client.fileGroup(1)).status).toBe(StatusCode.SUCCESS)
  })

  it('any numbers of map tasks and partitions cost no more than the limits', {
    timeout: 60_000,
  }, async () => {
    const { client, master } = await fixture.start()
    master.onSlots = () => ({ status: StatusCode.SLOT_NOT_AVAILABLE, workerResource: new Map() })
    const int = fc.integer({ min: -0x80000000, max: 0x7fffffff })
    await fc.assert(
      fc.asyncProperty(int, int, int, int, async (shuffleId, numMappers, numPartitions, mapId) => {
        await client.register(shuffleId, numMappers, numPartitions).catch(() => undefined)
        await client.mapperEnd(shuffleId, mapId, 0, numMappers).catch(() => undefined)
        await client.revive(
          shuffleId,
          [{ partitionId: numPartitions, epoch: mapId, cause: numMappers }],
          [mapId],
        )
      }),
      { numRuns: 200 },
    )
    expect(await client.stageEnd(1)).toBe(false)
  })
})
