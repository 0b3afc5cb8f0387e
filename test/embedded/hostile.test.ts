import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applicationDirectoryName } from '../../src/embedded/storage/paths'
import { encodeRpcEnvelope, Endpoint } from '../../src/protocol/rpc-envelope'
import { encodeContent } from '../../src/protocol/transport-message'
import { ControlMessageType } from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { batch, sendRaw, TestCluster, until } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start()
})
afterEach(() => t.stop())

/** Every port of the cluster. */
function ports(): [string, number][] {
  const [worker] = t.workers
  if (worker === undefined) throw new Error('no worker')
  return [
    ['master', t.client.master.port],
    ['worker rpc', worker.rpcPort],
    ['worker push', worker.pushPort],
    ['worker fetch', worker.fetchPort],
    ['worker replicate', worker.replicatePort],
  ]
}

function frame(type: number, fields: Uint8Array, body: Uint8Array = new Uint8Array(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeInt32BE(fields.length, 0)
  head.writeInt8(type, 4)
  head.writeInt32BE(body.length, 5)
  return Buffer.concat([head, fields, body])
}

/** A shuffle written and read; what must still work after every attack. */
async function stillWorks(shuffleId: number): Promise<void> {
  const locations = await t.client.register(4, { shuffleId })
  const key = `test-app-${shuffleId}`
  for (const location of locations) {
    expect(await t.client.push(location, batch(0, 1, `p${location.id}`), { key })).toEqual({ body: [] })
    await t.client.commit(location, { shuffleId, epoch: location.id, primaryIds: [`${location.id}-0`] })
    expect(Buffer.concat(await t.client.read(location, { key }))).toEqual(batch(0, 1, `p${location.id}`))
  }
}

test('bytes that are no messages close the connection and nothing else, on every port', async () => {
  const rpcId = Buffer.alloc(12)
  const attacks: [string, Buffer][] = [
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a negative length', Buffer.from('ffffffff03ffffffff', 'hex')],
    ['lengths whose sum overflows', Buffer.from('7fffffff037fffffff', 'hex')],
    ['no length', Buffer.from('000000000300000000', 'hex')],
    ['an unknown type', frame(99, Buffer.alloc(4))],
    ['a type of answers', frame(4, rpcId, Buffer.alloc(4))],
    ['fields that are cut off', frame(11, Buffer.from([0, 0, 0]))],
    ['a string length beyond the fields', frame(11, Buffer.from('00000000000000010000ffffff', 'hex'))],
    ['a string length that is negative', frame(11, Buffer.from('000000000000000100ffffffff', 'hex'))],
    ['a mode that is none', frame(11, Buffer.from('00000000000000010500000000', 'hex'))],
    ['a count beyond the fields', frame(12, Buffer.from('0000000000000001000000000161' + '7fffffff', 'hex'))],
    ['Flink', frame(13, Buffer.alloc(64))],
    ['a body larger than allowed', Buffer.concat([Buffer.from('0000000c037ffffff0', 'hex'), rpcId])],
  ]
  for (const [port, number] of ports()) {
    for (const [what, bytes] of attacks) {
      const answer = await sendRaw('127.0.0.1', number, bytes)
      expect([port, what, answer.length]).toEqual([port, what, 0])
    }
  }
  const errors = t.cluster.stats().workers[0]?.protocolErrors ?? 0
  expect(errors).toBeGreaterThanOrEqual(4 * (attacks.length - 1))
  await stillWorks(1)
})

test('an RPC whose content is rubbish is refused or ends the connection', async () => {
  const content = (bytes: Uint8Array, endpoint: string): Buffer =>
    encodeRpcEnvelope({ endpoint, content: bytes, receiver: { host: 'x', port: 1 } })
  const bodies = [
    Buffer.alloc(0),
    randomBytes(50),
    content(Buffer.from('aced0005', 'hex'), Endpoint.MASTER),
    content(Buffer.from('aced00057e7e7e7e', 'hex'), Endpoint.WORKER),
    content(encodeContent('V2', ControlMessageType.REQUEST_SLOTS, randomBytes(40)), Endpoint.MASTER),
    content(encodeContent('V1', ControlMessageType.RESERVE_SLOTS, randomBytes(40)), Endpoint.WORKER),
    content(encodeContent('V1', ControlMessageType.COMMIT_FILES, Buffer.from('ff', 'hex')), Endpoint.WORKER),
    content(encodeContent('V1', 12345, Buffer.alloc(0)), Endpoint.MASTER),
    content(encodeContent('V1', 1, Buffer.alloc(0)), 'NoSuchEndpoint'),
    content(Buffer.from('ff000000067fffffff', 'hex'), Endpoint.MASTER),
  ]
  for (const [, number] of ports()) {
    for (const body of bodies) {
      const socket = connect(number, '127.0.0.1')
      socket.on('error', () => {})
      const done = new Promise<void>((resolve) => {
        socket.once('data', () => resolve())
        socket.once('close', () => resolve())
      })
      socket.write(frame(3, Buffer.alloc(12), body))
      await done
      socket.destroy()
    }
  }
  await stillWorks(1)
})

test('random bytes, whole and cut off', async () => {
  for (const [, number] of ports()) {
    for (let i = 0; i < 40; i++) {
      const socket = connect(number, '127.0.0.1')
      socket.on('error', () => {})
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.end(Buffer.concat([Buffer.from([0, 0, 0, i]), randomBytes(i * 7)]))
      await closed
    }
  }
  await stillWorks(1)
})

test('a message that promises much and brings little holds no memory', async () => {
  const before = process.memoryUsage().arrayBuffers
  const sockets = ports().flatMap(([, number]) =>
    Array.from({ length: 20 }, () => {
      const socket = connect(number, '127.0.0.1')
      socket.on('error', () => {})
      // 200 MiB are announced, a few bytes come.
      socket.write(Buffer.concat([Buffer.from('0000000c030c800000', 'hex'), Buffer.alloc(12 + 100)]))
      return socket
    }),
  )
  await until(() => (t.cluster.stats().workers[0]?.connections ?? 0) >= 80)
  await stillWorks(1)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
  for (const socket of sockets) socket.destroy()
  await until(() => (t.cluster.stats().workers[0]?.unwrittenBytes ?? 1) === 0)
})

test('a request for more slots than any shuffle has is refused', async () => {
  expect((await t.client.requestSlots(1_000_001)).status).toBe(StatusCode.REQUEST_FAILED)
  expect(t.cluster.stats().master.shuffles).toBe(0)
})

test.each([
  '..',
  '.',
  '../../../escaped',
  '/tmp/escaped',
  'a/b',
  'a\\b',
  'a\0b',
  '%2e%2e',
  'app ünïcode',
  'con:aux',
  '-',
])('an application id cannot lead out of the directory: %j', async (appId) => {
  const [location] = await t.client.register(1, { applicationId: appId })
  if (location === undefined) throw new Error('no location')
  const key = `${appId}-0`
  expect(await t.client.push(location, batch(0, 1, 'x'), { key })).toEqual({ body: [] })
  await t.client.commit(location, { applicationId: appId, primaryIds: ['0-0'] })
  expect(Buffer.concat(await t.client.read(location, { key }))).toEqual(batch(0, 1, 'x'))
  const found = readdirSync(t.cluster.dir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('0-0-0'),
  )
  expect(found.length).toBe(1)
  expect(found[0]?.split('/').slice(1)).toEqual([
    'celeborn-worker',
    'shuffle_data',
    applicationDirectoryName(appId),
    '0',
    '0-0-0',
  ])
  expect(applicationDirectoryName(appId)).toMatch(/^[A-Za-z0-9_=+@,%-][A-Za-z0-9_=+@,%.-]*$/)
  expect(existsSync(join(t.cluster.dir, 'escaped'))).toBe(false)
})

test('ids that no directory can be named after are refused', async () => {
  for (const applicationId of ['', 'x'.repeat(300), 'ü'.repeat(60)]) {
    const [worker] = t.workers
    if (worker === undefined) throw new Error('no worker')
    const answer = await t.client.reserve(worker, { primaries: [], replicas: [] }, { applicationId })
    expect(answer.status).toBe(StatusCode.RESERVE_SLOTS_FAILED)
  }
  const [worker] = t.workers
  if (worker === undefined) throw new Error('no worker')
  const negative = await t.client.reserve(worker, { primaries: [], replicas: [] }, { shuffleId: -1 })
  expect(negative.status).toBe(StatusCode.RESERVE_SLOTS_FAILED)
})

test('different application ids have different directories', () => {
  const ids = ['a/b', 'a%2Fb', 'a%252Fb', 'a_b', '.a', '%2Ea', 'A', 'a']
  expect(new Set(ids.map(applicationDirectoryName)).size).toBe(ids.length)
  expect(applicationDirectoryName('application_1700000000000_0001')).toBe('application_1700000000000_0001')
  expect(applicationDirectoryName('local-1.2.3')).toBe('local-1.2.3')
})
