/** Disks that fill up: what a worker does about it. Its figures come from the test, all else is real. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { Master } from '../../src/embedded/master/master'
import { embeddedSettings } from '../../src/embedded/settings'
import { DiskSpace } from '../../src/embedded/storage/disk-space'
import { Worker } from '../../src/embedded/worker/worker'
import { type PartitionLocation } from '../../src/protocol/locations'
import {
  ControlMessageType,
  decodeHeartbeatFromApplicationResponse,
  encodeHeartbeatFromApplication,
} from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { APP, batch, TestClient, until } from './support'

const KIB = 1024

let dir = ''
let usable = 0
let looks = 0
const cleanups: (() => Promise<void>)[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'celeborn-node-test-'))
  looks = 0
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  rmSync(dir, { recursive: true })
})

const probe = async () => {
  looks += 1
  return { usable, total: 1000 * KIB }
}

async function start(entries: Record<string, string> = {}): Promise<TestClient> {
  const conf = new CelebornConf({
    'celeborn.node.embedded.diskReserve': '100k',
    'celeborn.worker.shuffle.partitionSplit.min': '1k',
    'celeborn.node.embedded.heartbeatInterval': '20ms',
    ...entries,
  })
  const settings = embeddedSettings(conf, '127.0.0.1')
  const master = new Master(settings, 0)
  await master.start()
  cleanups.push(() => master.stop())
  const worker = new Worker(settings, dir, { host: '127.0.0.1', port: master.port }, probe)
  cleanups.push(() => worker.stop())
  await worker.start()
  const client = new TestClient(`127.0.0.1:${master.port}`)
  cleanups.push(() => client.close())
  return client
}

async function oneLocation(client: TestClient): Promise<PartitionLocation> {
  const [location] = await client.register(1)
  if (location === undefined) throw new Error('no location')
  return location
}

async function excludedWorkers(client: TestClient): Promise<number> {
  const payload = encodeHeartbeatFromApplication({
    appId: APP,
    totalWritten: 0,
    fileCount: 0,
    requestId: 'r#1',
    needCheckedWorkerList: [],
    shouldResponse: true,
  })
  const answer = await client.askMaster(ControlMessageType.HEARTBEAT_FROM_APPLICATION, payload)
  return decodeHeartbeatFromApplicationResponse(answer).excludedWorkers.length
}

test('a full disk takes no reservation, and its worker gets no slots until there is room again', async () => {
  usable = 500 * KIB
  const client = await start()
  const location = await oneLocation(client)
  usable = 99 * KIB
  expect(await client.reserve(location, { primaries: [{ ...location, epoch: 1 }], replicas: [] })).toEqual({
    status: StatusCode.NO_AVAILABLE_WORKING_DIR,
    reason:
      'the disk has 101376 bytes left, and celeborn.node.embedded.diskReserve = 102400 of them are not to be used',
  })
  await until(async () => (await excludedWorkers(client)) === 1)
  expect((await client.requestSlots(1, { shuffleId: 1 })).status).toBe(StatusCode.WORKER_EXCLUDED)
  usable = 500 * KIB
  await until(async () => (await excludedWorkers(client)) === 0)
  expect((await client.requestSlots(1, { shuffleId: 1 })).status).toBe(StatusCode.SUCCESS)
})

test('on a full disk large files are split for good, small ones go on', async () => {
  usable = 500 * KIB
  const client = await start()
  const location = await oneLocation(client)
  expect(await client.push(location, batch(0, 1, 'a'.repeat(600)))).toEqual({ body: [] })
  usable = 0
  await until(async () => (await excludedWorkers(client)) === 1)
  // 616 bytes are no more than the least that is split, 1,232 are.
  expect(await client.push(location, batch(0, 2, 'b'.repeat(600)))).toEqual({ body: [] })
  expect(await client.push(location, batch(0, 3, 'c'.repeat(600)))).toEqual({ body: [StatusCode.HARD_SPLIT] })
  const { committedPrimaryStorageInfos } = await client.commit(location, { primaryIds: ['0-0'] })
  expect(committedPrimaryStorageInfos.get('0-0')?.fileSize).toBe(1232)
})

test('no split for want of room when the worker does not split', async () => {
  usable = 500 * KIB
  const client = await start({ 'celeborn.worker.shuffle.partitionSplit.enabled': 'false' })
  const location = await oneLocation(client)
  await client.push(location, batch(0, 1, 'a'.repeat(2000)))
  usable = 0
  await until(async () => (await excludedWorkers(client)) === 1)
  expect(await client.push(location, batch(0, 2, 'b'))).toEqual({ body: [] })
})

test('a disk that fills faster than heartbeats come is noticed', async () => {
  usable = 110 * KIB
  const client = await start({ 'celeborn.node.embedded.heartbeatInterval': '1h' })
  const location = await oneLocation(client)
  const before = looks
  usable = 0
  expect(await client.push(location, batch(0, 1, 'a'.repeat(4000)))).toEqual({ body: [] })
  expect(looks).toBe(before)
  expect(await client.push(location, batch(0, 2, 'b'.repeat(4000)))).toEqual({ body: [] })
  expect(looks).toBe(before + 1)
  expect(await client.push(location, batch(0, 3, 'c'))).toEqual({ body: [StatusCode.HARD_SPLIT] })
})

describe('DiskSpace', () => {
  test('looks once for all who ask at the same time, and fails as the system does', async () => {
    usable = 5
    const space = new DiskSpace(dir, 10, probe)
    expect(space.full).toBe(false)
    await Promise.all([space.refresh(), space.refresh()])
    expect(looks).toBe(1)
    expect(space.full).toBe(true)
    await expect(new DiskSpace(join(dir, 'none'), 10).refresh()).rejects.toThrow(/ENOENT/)
    expect((await new DiskSpace(dir, 10).refresh()).usable).toBeGreaterThan(0)
  })
})
