import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { PartitionChecksums } from '../../src/cli/job/checksums'
import { type MapPhaseOptions, runMapTasks } from '../../src/cli/job/map-phase'
import { type PushClient } from '../../src/cli/job/push-client'
import { PartitionReadBack } from '../../src/cli/job/read-back'
import { planTasks } from '../../src/cli/input/plan'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { FramePool } from '../../src/memory'
import { TestDirectory } from './records'

const KIB = 1024
const PARTITIONS = 40
const TASKS = 3
const key = { kind: 'line' } as const

let cluster: EmbeddedCluster
let directory: TestDirectory
beforeAll(async () => {
  cluster = await EmbeddedCluster.start({ workers: 2 })
  directory = new TestDirectory()
})
afterAll(async () => {
  directory.remove()
  await cluster.stop()
})

let manager: LifecycleManager
let pool: FramePool
let client: ShuffleClient
let jobs = 0
beforeEach(async () => {
  const appId = `job-test-${jobs++}`
  const conf = new CelebornConf({
    'celeborn.master.endpoints': cluster.masterEndpoint,
    'celeborn.node.maxInFlightBytes': '64k',
  })
  manager = new LifecycleManager({ appId, conf })
  await manager.start()
  pool = new FramePool({ maxBytes: 64 * KIB })
  const lifecycleManager = { host: manager.host, port: manager.port }
  client = new ShuffleClient({ appId, conf, lifecycleManager, pool })
})
afterEach(async () => {
  await client.close()
  expect(pool.stats().framesAlive).toBe(0)
  pool.close()
  await manager.stop()
})

/** Which map tasks were reported as ended. */
const ended: number[] = []
beforeEach(() => void ended.splice(0))
function watched(): PushClient {
  return {
    pool,
    pushFrame: (target, frame, options) => client.pushFrame(target, frame, options),
    cleanup: (attempt) => client.cleanup(attempt),
    mapperEnd: (attempt) => {
      ended.push(attempt.mapId)
      return client.mapperEnd(attempt)
    },
  }
}

async function phase(text: string, changes: Partial<MapPhaseOptions> = {}): Promise<MapPhaseOptions> {
  const file = directory.file('in', text)
  return {
    client: watched(),
    shuffleId: 0,
    plans: await planTasks([file], { key, tasks: TASKS, maxRecordBytes: 32 * KIB }),
    partitions: PARTITIONS,
    tasksAtOnce: TASKS,
    key,
    header: false,
    frameBytes: 4 * KIB,
    maxRecordBytes: 32 * KIB,
    checksums: new PartitionChecksums(PARTITIONS),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  }
}

const lines = Array.from({ length: 6_000 }, (_, i) => `record ${i}`)
const text = `${lines.join('\n')}\n`

async function readBack(partitions = PARTITIONS): Promise<PartitionChecksums> {
  const checksums = new PartitionChecksums(partitions)
  const signal = new AbortController().signal
  const reader = new PartitionReadBack({
    client,
    shuffleId: 0,
    key,
    checksums,
    output: undefined,
    signal,
    onProgress: () => undefined,
  })
  for (let p = 0; p < partitions; p++) await reader.read(p)
  return checksums
}

test('B70: tasks that starve for frames push what they have, and end when all is delivered', async () => {
  // 16 frames for 3 tasks with 40 partitions each.
  const job = await phase(`${text}${'x'.repeat(20 * KIB)}\n`)
  await runMapTasks(job)
  expect([...ended].sort()).toEqual([0, 1, 2])
  expect(client.stats().batches).toBeGreaterThan(TASKS * PARTITIONS)
  expect(pool.stats().peakBytesAlive).toBeLessThanOrEqual(64 * KIB)
  const read = await readBack()
  expect(job.checksums.difference(read)).toBeUndefined()
  expect(read.total().records).toBe(lines.length + 1)
})

test('B34: an error of any kind in a task is the one that is reported, and no task that failed is ended', async () => {
  const cause = new TypeError('of the callback')
  let calls = 0
  const job = await phase(text, {
    onProgress: () => {
      if (++calls === 2) throw cause
    },
  })
  await expect(runMapTasks(job)).rejects.toBe(cause)
  expect(ended.length).toBeLessThan(TASKS)
})

test('B35: an abort in the middle gives all frames back and ends no task', async () => {
  const abort = new AbortController()
  const reason = new Error('enough')
  const job = await phase(text, { signal: abort.signal })
  const pushFrame: PushClient['pushFrame'] = async (target, frame, options) => {
    const receipt = await client.pushFrame(target, frame, options)
    if (receipt.batchId === 3) abort.abort(reason)
    return receipt
  }
  await expect(runMapTasks({ ...job, client: { ...watched(), pushFrame } })).rejects.toThrow()
  expect(ended).toEqual([])
  expect(client.stats().bytesInFlight).toBe(0)
})

describe('reading back', () => {
  const attempt = { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 2 }
  // xxHash32 of "a" is even and that of "b" is odd.
  const push = async (partitionId: number, bytes: string): Promise<void> => {
    await client.pushData({ ...attempt, partitionId }, Buffer.from(bytes))
  }

  test('notices a record in a partition where it does not belong', async () => {
    await push(0, 'b\n')
    await client.mapperEnd(attempt)
    await expect(readBack(2)).rejects.toThrow(
      'verification failed: in partition 0 a record belongs to partition 1',
    )
  })

  test('notices a record that is cut off', async () => {
    await push(1, 'b\nb')
    await client.mapperEnd(attempt)
    await expect(readBack(2)).rejects.toThrow('in partition 1 a batch does not end with a whole record')
  })

  test('notices a record that is there twice', async () => {
    await push(1, 'b\n')
    await push(1, 'b\n')
    await client.mapperEnd(attempt)
    const once = new PartitionChecksums(2)
    once.add(1, 2, 0xa20cadbf, 0)
    expect(once.difference(await readBack(2))).toMatch(
      /^partition 1: pushed 1 records .* read back 2 records/,
    )
  })
})
