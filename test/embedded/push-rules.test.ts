import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { embeddedSettings } from '../../src/embedded/settings'
import { Worker } from '../../src/embedded/worker/worker'
import { RpcServer } from '../../src/network'
import { parseWorkerUniqueId } from '../../src/protocol/ids'
import { type PartitionLocation } from '../../src/protocol/locations'
import {
  ControlMessageType,
  decodeRegisterWorker,
  encodeRegisterWorkerResponse,
  type RegisterWorker,
} from '../../src/protocol/messages'
import { classifyPushMerged } from '../../src/protocol/push-response'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { StatusCode } from '../../src/protocol/status'
import { batch, type TestClient, TestCluster } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start({ workers: 1 })
})
afterEach(() => t.stop())

async function oneLocation(o: Parameters<TestClient['register']>[1] = {}): Promise<PartitionLocation> {
  const [location] = await t.client.register(1, o)
  if (location === undefined) throw new Error('no location')
  return location
}

test('a partition that was never reserved', async () => {
  const location = await oneLocation()
  const failure = 'PUSH_DATA_FAIL_PARTITION_NOT_FOUND'
  expect(await t.client.push(location, batch(0, 1, 'a'), { uniqueId: '9-0' })).toEqual({ failure })
  expect(await t.client.push(location, batch(0, 1, 'a'), { key: 'test-app-7' })).toEqual({ failure })
  // The replica's table is another one.
  expect(await t.client.push(location, batch(0, 1, 'a'), { mode: 1 })).toEqual({ failure })
  expect(await t.client.pushMerged(location, ['0-0', '9-0'], [batch(0, 1, 'a'), batch(0, 2, 'b')])).toEqual({
    failure,
  })
  // Nothing of the refused message was written.
  expect(await t.client.commit(location, { primaryIds: ['0-0'] })).toMatchObject({ committedPrimaryIds: [] })
})

test('after a commit: an ended map task is told so, a running one gets a hard split', async () => {
  const location = await oneLocation()
  expect(await t.client.push(location, batch(0, 1, 'a'))).toEqual({ body: [] })
  await t.client.commit(location, { primaryIds: ['0-0'], mapAttempts: [2, -1] })
  expect(await t.client.push(location, batch(0, 2, 'b'))).toEqual({ body: [StatusCode.MAP_ENDED] })
  expect(await t.client.push(location, batch(1, 1, 'c'))).toEqual({ body: [StatusCode.HARD_SPLIT] })
  expect(await t.client.pushMerged(location, ['0-0'], [batch(0, 3, 'd')])).toEqual({
    body: [StatusCode.MAP_ENDED],
  })
  const merged = await t.client.pushMerged(location, ['0-0', '0-0'], [batch(1, 2, 'e'), batch(1, 3, 'f')])
  expect('body' in merged && classifyPushMerged(Uint8Array.from(merged.body), 2)).toMatchObject({
    kind: 'split',
    hardSplit: [0, 1],
  })
})

test('a later commit fills in attempts and changes none', async () => {
  const location = await oneLocation()
  await t.client.commit(location, { epoch: 1, mapAttempts: [-1, 4] })
  await t.client.commit(location, { epoch: 2, primaryIds: ['0-0'], mapAttempts: [3, -1] })
  expect(await t.client.push(location, batch(0, 1, 'a'))).toEqual({ body: [StatusCode.MAP_ENDED] })
  expect(await t.client.push(location, batch(1, 1, 'a'))).toEqual({ body: [StatusCode.MAP_ENDED] })
})

test('a soft split is written, a hard one is not', async () => {
  const soft = await oneLocation({ shuffleId: 1, splitThreshold: 50, splitMode: 0 })
  const hard = await oneLocation({ shuffleId: 2, splitThreshold: 50, splitMode: 1 })
  const bodies = [batch(0, 1, Buffer.alloc(60, 1)), batch(0, 2, 'more')]
  const push = (location: PartitionLocation, i: number, key: string) =>
    t.client.push(location, bodies[i] ?? Buffer.alloc(0), { key })
  expect(await push(soft, 0, 'test-app-1')).toEqual({ body: [] })
  expect(await push(soft, 1, 'test-app-1')).toEqual({ body: [StatusCode.SOFT_SPLIT] })
  expect(await push(hard, 0, 'test-app-2')).toEqual({ body: [] })
  expect(await push(hard, 1, 'test-app-2')).toEqual({ body: [StatusCode.HARD_SPLIT] })
  await t.client.commit(soft, { shuffleId: 1, primaryIds: ['0-0'] })
  await t.client.commit(hard, { shuffleId: 2, primaryIds: ['0-0'] })
  expect(Buffer.concat(await t.client.read(soft, { key: 'test-app-1' }))).toEqual(Buffer.concat(bodies))
  expect(Buffer.concat(await t.client.read(hard, { key: 'test-app-2' }))).toEqual(bodies[0])
})

test('a merged push names the batches that were split, softly or hard', async () => {
  await t.stop()
  t = await TestCluster.start({
    workers: 1,
    entries: { 'celeborn.worker.shuffle.partitionSplit.max': '200' },
  })
  const [first] = await t.client.register(3, { splitThreshold: 50 })
  if (first === undefined) throw new Error('no location')
  const fill = async (uniqueId: string, bytes: number) =>
    expect(await t.client.push(first, batch(0, 1, Buffer.alloc(bytes)), { uniqueId })).toEqual({ body: [] })
  await fill('1-0', 100)
  await fill('2-0', 300)
  const batches = [batch(0, 2, 'a'), batch(0, 3, 'b'), batch(0, 4, 'c'), batch(0, 5, 'd')]
  const answer = await t.client.pushMerged(first, ['2-0', '0-0', '1-0', '2-0'], batches)
  const body = 'body' in answer ? Uint8Array.from(answer.body) : new Uint8Array(0)
  expect(body[0]).toBe(StatusCode.HARD_SPLIT)
  expect(classifyPushMerged(body, 4)).toMatchObject({ kind: 'split', hardSplit: [0, 3], softSplit: [2] })
  const onlySoft = await t.client.pushMerged(first, ['0-0', '1-0'], [batch(0, 6, 'e'), batch(0, 7, 'f')])
  expect('body' in onlySoft && onlySoft.body[0]).toBe(StatusCode.SOFT_SPLIT)
  const { committedPrimaryStorageInfos: files } = await t.client.commit(first, {
    primaryIds: ['0-0', '1-0', '2-0'],
  })
  expect([...files].map(([id, { fileSize }]) => [id, fileSize]).sort()).toEqual([
    ['0-0', 34],
    ['1-0', 116 + 34],
    ['2-0', 316],
  ])
})

test('no split when the worker does not split', async () => {
  await t.stop()
  t = await TestCluster.start({
    workers: 1,
    entries: { 'celeborn.worker.shuffle.partitionSplit.enabled': 'false' },
  })
  const location = await oneLocation({ splitThreshold: 1, splitMode: 1 })
  for (let i = 1; i <= 3; i++) expect(await t.client.push(location, batch(0, i, 'a'))).toEqual({ body: [] })
})

test.each([
  ['nothing at all', Buffer.alloc(0)],
  ['less than a header', batch(0, 1, 'abc').subarray(0, 15)],
  ['a batch that is cut off', batch(0, 1, 'abcdef').subarray(0, 20)],
  ['bytes behind the batch', Buffer.concat([batch(0, 1, 'abc'), Buffer.alloc(5)])],
  ['a negative size', Buffer.from('000000000000000001000000ffffffff', 'hex')],
  ['a size beyond the body', Buffer.from('000000000000000001000000ffffff7f', 'hex')],
])('a body that is no whole batches is refused: %s', async (_what, body) => {
  const location = await oneLocation()
  const refused = { failure: expect.stringMatching(/^PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY: /) }
  expect(await t.client.push(location, body)).toEqual(refused)
  expect(await t.client.pushMerged(location, ['0-0'], [body])).toEqual(refused)
  expect(await t.client.push(location, batch(0, 1, 'good'))).toEqual({ body: [] })
  await t.client.commit(location, { primaryIds: ['0-0'] })
  expect(Buffer.concat(await t.client.read(location))).toEqual(batch(0, 1, 'good'))
})

test.each([
  ['not from 0', [1, 21]],
  ['not ascending', [0, 0]],
  ['beyond the body', [0, 999]],
  ['negative', [0, -5]],
  ['inside a batch', [0, 18]],
])('batch offsets that do not cut the body at batches are refused: %s', async (_what, offsets) => {
  const location = await oneLocation()
  const batches = [batch(0, 1, 'abcde'), batch(0, 2, 'fghij')]
  expect(await t.client.pushMerged(location, ['0-0', '0-0'], batches, { offsets })).toEqual({
    failure: expect.stringMatching(/^PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY: /),
  })
  expect(await t.client.commit(location, { primaryIds: ['0-0'] })).toMatchObject({ committedPrimaryIds: [] })
})

test('until it is registered a worker drops pushes and refuses requests', async () => {
  // A master that answers a registration when the test says so.
  let registration: RegisterWorker | undefined
  let accept: () => void = () => {}
  const accepted = new Promise<void>((resolve) => (accept = resolve))
  const arrived = new Promise<void>((resolve) => {
    master.endpoint(Endpoint.MASTER, async (type, payload) => {
      if (type === ControlMessageType.REGISTER_WORKER) registration = decodeRegisterWorker(payload)
      resolve()
      await accepted
      return {
        type: ControlMessageType.REGISTER_WORKER_RESPONSE,
        payload: encodeRegisterWorkerResponse({ success: true, message: '' }),
      }
    })
  })
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-node-test-'))
  const { port } = await master.listen()
  const settings = embeddedSettings(new CelebornConf(), '127.0.0.1')
  const worker = new Worker(settings, dir, { host: '127.0.0.1', port })
  try {
    const started = worker.start()
    await arrived
    if (registration === undefined) throw new Error('no registration')
    const { host, rpcPort, pushPort, fetchPort, replicatePort } = registration
    expect(parseWorkerUniqueId(worker.stats().uniqueId)).toEqual({
      host,
      rpcPort,
      pushPort,
      fetchPort,
      replicatePort,
    })
    const location = { ...(await oneLocation()), rpcPort, pushPort, fetchPort, replicatePort }
    await t.client.reserve(location, { primaries: [location], replicas: [] })
    await expect(t.client.openStream(location)).rejects.toMatchObject({
      context: { peerMessage: expect.stringContaining('Worker Not Registered!') },
    })
    await expect(t.client.rpc.askBare(host, pushPort, 57, new Uint8Array(0))).rejects.toThrow(
      'Worker Not Registered!',
    )
    await expect(t.client.push(location, batch(0, 1, 'early'), { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'CELEBORN_TIMEOUT',
    })
    accept()
    await started
    expect(await t.client.push(location, batch(0, 2, 'late'))).toEqual({ body: [] })
    await t.client.commit(location, { primaryIds: ['0-0'] })
    expect(Buffer.concat(await t.client.read(location))).toEqual(batch(0, 2, 'late'))
  } finally {
    accept()
    await worker.stop()
    await master.close()
    rmSync(dir, { recursive: true })
  }
})

const master = new RpcServer({ name: 'test master' })
