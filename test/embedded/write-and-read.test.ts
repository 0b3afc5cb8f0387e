import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseWorkerUniqueId, workerUniqueId } from '../../src/protocol/ids'
import { StatusCode } from '../../src/protocol/status'
import { APP, batch, TestCluster } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start({ entries: { 'celeborn.shuffle.chunk.size': '64k' } })
})
afterEach(() => t.stop())

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

test('workers are registered when start() resolves, and slots go round robin', async () => {
  expect(t.cluster.stats().master.workers).toBe(2)
  const { status, workerResource } = await t.client.requestSlots(5)
  expect(status).toBe(StatusCode.SUCCESS)
  expect([...workerResource.keys()].sort()).toEqual(t.workers.map(workerUniqueId).sort())
  const counts = [...workerResource.values()].map((resource) => resource.primaries.length)
  expect(counts.sort()).toEqual([2, 3])
  for (const [id, { primaries, replicas }] of workerResource) {
    const { host, rpcPort, pushPort, fetchPort, replicatePort } = parseWorkerUniqueId(id)
    expect(replicas).toEqual([])
    for (const location of primaries) {
      expect(location).toMatchObject({ host, rpcPort, pushPort, fetchPort, replicatePort, epoch: 0, mode: 0 })
      expect(location.peer).toBeUndefined()
    }
  }
})

test('the unpacked form of slots says the same', async () => {
  const { workerResource } = await t.client.requestSlots(3, { packed: false, replicate: true })
  const primaries = [...workerResource.values()].flatMap((resource) => resource.primaries)
  expect(primaries.map((location) => location.id).sort()).toEqual([0, 1, 2])
  for (const { peer, pushPort } of primaries) {
    expect(peer?.mode).toBe(1)
    expect(peer?.pushPort).not.toBe(pushPort)
  }
})

test('what is pushed is read back byte for byte, in chunks of whole batches', async () => {
  const [location] = await t.client.register(1)
  if (location === undefined) throw new Error('no location')
  const batches = Array.from({ length: 100 }, (_, i) => batch(0, i + 1, randomBytes(1 + ((i * 997) % 9000))))
  for (const body of batches) expect(await t.client.push(location, body)).toEqual({ body: [] })
  const committed = await t.client.commit(location, { primaryIds: ['0-0'] })
  expect(committed).toMatchObject({
    status: StatusCode.SUCCESS,
    committedPrimaryIds: ['0-0'],
    failedPrimaryIds: [],
  })
  const expected = Buffer.concat(batches)
  const info = committed.committedPrimaryStorageInfos.get('0-0')
  expect(info).toMatchObject({ finalResult: true, fileSize: expected.length, mountPoint: '', filePath: '' })

  const chunks = await t.client.read(location)
  expect(sha(Buffer.concat(chunks))).toBe(sha(expected))
  expect(chunks.length).toBeGreaterThan(3)
  let offset = 0
  expect([0, ...chunks.map((chunk) => (offset += chunk.length))]).toEqual(info?.chunkOffsets)
  for (const chunk of chunks.slice(0, -1)) {
    expect(chunk.length).toBeGreaterThanOrEqual(64 * 1024)
    expect(chunk.length).toBeLessThan(64 * 1024 + 10_000)
  }
  const path = join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data', APP, '0', '0-0-0')
  const other = path.replace('worker-0', 'worker-1')
  expect(sha(readFileSync(existsSync(path) ? path : other))).toBe(sha(expected))
})

test('a body that arrives in many pieces, and one larger than a chunk', async () => {
  const [location] = await t.client.register(1)
  if (location === undefined) throw new Error('no location')
  const big = batch(3, 1, randomBytes(5_000_000))
  const small = batch(3, 2, 'x')
  expect(await t.client.push(location, big)).toEqual({ body: [] })
  expect(await t.client.push(location, small)).toEqual({ body: [] })
  await t.client.commit(location, { primaryIds: ['0-0'] })
  const chunks = await t.client.read(location)
  expect(chunks.map((chunk) => chunk.length)).toEqual([big.length, small.length])
  expect(sha(Buffer.concat(chunks))).toBe(sha(Buffer.concat([big, small])))
})

test('a merged push is spread over its partitions', async () => {
  const locations = await t.client.register(4, { excluded: [t.workers[1] ?? fail()] })
  const [first] = locations
  if (first === undefined) throw new Error('no location')
  const batches = [0, 1, 2, 1].map((partition, i) => batch(0, i + 1, `partition ${partition} batch ${i}`))
  const ids = ['0-0', '1-0', '2-0', '1-0']
  expect(await t.client.pushMerged(first, ids, batches)).toEqual({ body: [0] })
  const committed = await t.client.commit(first, { primaryIds: ['0-0', '1-0', '2-0', '3-0'] })
  expect(committed.status).toBe(StatusCode.SUCCESS)
  expect([...committed.committedPrimaryIds].sort()).toEqual(['0-0', '1-0', '2-0'])
  // The partition without data is neither committed nor failed, and has no file.
  expect(committed.failedPrimaryIds).toEqual([])
  const content = async (id: number): Promise<Buffer> => {
    const location = locations[id]
    if (location === undefined) throw new Error('no location')
    return Buffer.concat(await t.client.read(location))
  }
  expect(await content(0)).toEqual(batches[0])
  expect(await content(1)).toEqual(Buffer.concat([batches[1] ?? fail(), batches[3] ?? fail()]))
  expect(await content(2)).toEqual(batches[2])
  await expect(content(3)).rejects.toThrow(/PartitionUnRetryAbleException.*no committed file 3-0-0/)
})

test('many partitions share few open files', async () => {
  await t.stop()
  t = await TestCluster.start({ workers: 1, entries: { 'celeborn.node.embedded.maxOpenFiles': '4' } })
  const locations = await t.client.register(64)
  const bodies = new Map<number, Buffer[]>()
  for (let round = 0; round < 5; round++) {
    const answers = locations.map((location) => {
      const body = batch(location.id, round + 1, `round ${round} of partition ${location.id}`)
      bodies.set(location.id, [...(bodies.get(location.id) ?? []), body])
      return t.client.push(location, body)
    })
    expect(t.cluster.stats().workers[0]?.openFiles).toBeLessThanOrEqual(4)
    for (const answer of await Promise.all(answers)) expect(answer).toEqual({ body: [] })
  }
  const [first] = locations
  const primaryIds = locations.map((location) => `${location.id}-0`)
  const committed = await t.client.commit(first ?? fail(), { primaryIds })
  expect(committed.committedPrimaryIds.length).toBe(64)
  const contents = await Promise.all(locations.map((location) => t.client.read(location)))
  contents.forEach((chunks, id) => expect(Buffer.concat(chunks)).toEqual(Buffer.concat(bodies.get(id) ?? [])))
  expect(t.cluster.stats().workers[0]?.openFiles).toBeLessThanOrEqual(4)
})

function fail(): never {
  throw new Error('missing')
}
