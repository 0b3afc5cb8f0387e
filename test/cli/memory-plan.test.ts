import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planMemory } from '../../src/cli/job/memory-plan'

const KIB = 1024
const MIB = 1024 * KIB
const maxFrameBytes = 64 * MIB

test('frames follow from the limit in flight, the tasks and the partitions', () => {
  const plan = planMemory({ maxInFlightBytes: 32 * MIB, tasks: 4, partitions: 16, maxFrameBytes })
  expect(plan).toMatchObject({ tasksAtOnce: 4, frameBytes: 512 * KIB, maxRecordBytes: 32 * MIB })
  expect(plan.poolBytes).toBeLessThan(80 * MIB)
})

test('never more than eight tasks at once, and frames between 4 KiB and 1 MiB', () => {
  expect(planMemory({ maxInFlightBytes: MIB, tasks: 500, partitions: 1000, maxFrameBytes })).toMatchObject({
    tasksAtOnce: 8,
    frameBytes: 4 * KIB,
  })
  expect(
    planMemory({ maxInFlightBytes: 4096 * MIB, tasks: 1, partitions: 1, maxFrameBytes }).frameBytes,
  ).toBe(MIB)
})

test('a push buffer size that the user chose is the largest frame', () => {
  const o = { maxInFlightBytes: 64 * MIB, tasks: 2, partitions: 2, maxFrameBytes }
  expect(planMemory({ ...o, bufferBytes: 64 * KIB }).frameBytes).toBe(64 * KIB)
})

test('open frames fit into the pool unless they are the smallest, and a record of any length does', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 64 * KIB, max: 4096 * MIB }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 10_000 }),
      (maxInFlightBytes, tasks, partitions) => {
        const plan = planMemory({ maxInFlightBytes, tasks, partitions, maxFrameBytes })
        if (plan.frameBytes > 4 * KIB) {
          expect(plan.frameBytes * plan.tasksAtOnce * partitions).toBeLessThanOrEqual(maxInFlightBytes)
        }
        expect(plan.maxRecordBytes).toBeLessThanOrEqual(plan.poolBytes / 2)
        expect(plan.fetchWindow).toBeGreaterThan(0)
      },
    ),
  )
})
