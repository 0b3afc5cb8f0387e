import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PartitionLocation } from '../../src/protocol/locations'
import { StatusCode } from '../../src/protocol/status'
import { batch, TestCluster, until } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start({ workers: 1 })
})
afterEach(() => t.stop())

const shuffleDir = () => join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data/test-app/0')

async function pushUntilFailure(location: PartitionLocation, body: Uint8Array): Promise<string> {
  for (let i = 0; i < 1000; i++) {
    const answer = await t.client.push(location, body)
    if ('failure' in answer) return answer.failure
    expect(answer.body).toEqual([])
  }
  throw new Error('no push failed')
}

async function failsWhole(location: PartitionLocation, other: PartitionLocation): Promise<void> {
  const body = batch(0, 1, Buffer.alloc(50_000))
  expect(await pushUntilFailure(location, body)).toMatch(/^PUSH_DATA_WRITE_FAIL_PRIMARY: writing .*0-0-0/)
  expect(await t.client.pushMerged(location, ['1-0', '0-0'], [body, body])).toEqual({
    failure: expect.stringMatching(/^PUSH_DATA_WRITE_FAIL_PRIMARY/),
  })
  // The others go on.
  expect(await t.client.push(other, batch(0, 2, 'fine'))).toEqual({ body: [] })
  expect(await t.client.commit(location, { primaryIds: ['0-0', '1-0'] })).toMatchObject({
    status: StatusCode.PARTIAL_SUCCESS,
    committedPrimaryIds: ['1-0'],
    failedPrimaryIds: ['0-0'],
  })
  expect(Buffer.concat(await t.client.read(other))).toEqual(batch(0, 2, 'fine'))
  await until(() => t.cluster.stats().workers[0]?.unwrittenBytes === 0)
}

async function twoLocations(): Promise<[PartitionLocation, PartitionLocation]> {
  const [location, other] = await t.client.register(2)
  if (location === undefined || other === undefined) throw new Error('no location')
  return [location, other]
}

test('a file that cannot be made fails its partition and no other', async () => {
  const [location, other] = await twoLocations()
  mkdirSync(join(shuffleDir(), '0-0-0'))
  await failsWhole(location, other)
  // What is not the worker's is not removed by it.
  expect(readdirSync(shuffleDir()).sort()).toEqual(['0-0-0', '1-0-0'])
})

test('a disk that takes no more fails its partition: short writes, then the error', async () => {
  const [location, other] = await twoLocations()
  // The limit on file size behaves as a full disk does. Only Linux can set it for a running process.
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
  if (process.platform !== 'linux') {
    mkdirSync(join(shuffleDir(), '0-0-0'))
    return failsWhole(location, other)
  }
  limit('1000000')
  try {
    const [cut] = await t.client.register(1, { shuffleId: 1 })
    if (cut === undefined) throw new Error('no location')
    // One body that fits in part: accepted, but never committed.
    const body = batch(0, 1, Buffer.alloc(1_500_000))
    expect(await t.client.push(cut, body, { key: 'test-app-1' })).toEqual({ body: [] })
    expect(await t.client.commit(cut, { shuffleId: 1, primaryIds: ['0-0'] })).toMatchObject({
      committedPrimaryIds: [],
      failedPrimaryIds: ['0-0'],
    })
    await failsWhole(location, other)
  } finally {
    limit('unlimited')
  }
  // The failed file gives its space back.
  expect(readdirSync(shuffleDir())).toEqual(['1-0-0'])
})

test('a directory that cannot be made fails the reservation', async () => {
  const data = join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'test-app'), 'in the way')
  const [worker] = t.workers
  if (worker === undefined) throw new Error('no worker')
  const answer = await t.client.reserve(worker, { primaries: [], replicas: [] })
  expect(answer).toEqual({
    status: StatusCode.NO_AVAILABLE_WORKING_DIR,
    reason: expect.stringMatching(/EEXIST|ENOTDIR/),
  })
  rmSync(join(data, 'test-app'))
  expect((await t.client.reserve(worker, { primaries: [], replicas: [] })).status).toBe(StatusCode.SUCCESS)
})

test('pushed bytes that wait for the disk are bounded', async () => {
  await t.stop()
  t = await TestCluster.start({ workers: 1, entries: { 'celeborn.node.embedded.maxUnwrittenBytes': '1m' } })
  const [location, other] = await twoLocations()
  const body = batch(0, 1, Buffer.alloc(100_000))
  const pushes = Array.from({ length: 400 }, (_, i) => t.client.push(i % 2 === 0 ? location : other, body))
  for (const answer of await Promise.all(pushes)) expect(answer).toEqual({ body: [] })
  const committed = await t.client.commit(location, { primaryIds: ['0-0', '1-0'] })
  expect([...committed.committedPrimaryStorageInfos.values()].map((info) => info.fileSize)).toEqual([
    body.length * 200,
    body.length * 200,
  ])
  // A message may have arrived behind the one that went over the limit.
  expect(t.cluster.stats().workers[0]?.peakUnwrittenBytes).toBeLessThan(2 * 1024 * 1024)
})
