import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { iterateBatches } from '../../src/protocol/batch'
import { type PartitionLocation } from '../../src/protocol/locations'
import {
  ALL_MAPS,
  ControlMessageType,
  decodeOpenStreamListResponse,
  encodeChunkFetchRequest,
  encodeOpenStreamList,
} from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { encodeBare } from '../../src/protocol/transport-message'
import { batch, request, TestClient, TestCluster, until } from './support'

const CHUNK = 16 * 1024
let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start({
    workers: 1,
    entries: { 'celeborn.shuffle.chunk.size': String(CHUNK), 'celeborn.node.embedded.maxChunkBytes': '64k' },
  })
})
afterEach(() => t.stop())

async function oneLocation(): Promise<PartitionLocation> {
  const [location] = await t.client.register(1)
  if (location === undefined) throw new Error('no location')
  return location
}

/** A committed file with the batches of 7 map tasks, interleaved; what was pushed. */
async function written(location: PartitionLocation): Promise<Buffer[]> {
  const bodies = Array.from({ length: 200 }, (_, i) =>
    batch((i * 3) % 7, i + 1, randomBytes((i * 131) % 1500)),
  )
  for (const body of bodies) await t.client.push(location, body)
  await t.client.commit(location, { primaryIds: ['0-0'], mapAttempts: [0, 0, 0, 0, 0, 0, 0] })
  return bodies
}

const mapOf = (body: Buffer): number => body.readInt32LE(0)

test.each([
  [0, 1],
  [2, 5],
  [6, 7],
  [0, 7],
  [3, 1000],
])('a map range [%i, %i) gives the batches of these map tasks and no other', async (start, end) => {
  const location = await oneLocation()
  const bodies = await written(location)
  const wanted = bodies.filter((body) => mapOf(body) >= start && mapOf(body) < end)
  const chunks = await t.client.read(location, { start, end })
  expect(Buffer.concat(chunks).equals(Buffer.concat(wanted))).toBe(true)
  for (const chunk of chunks) expect([...iterateBatches(chunk)].length).toBeGreaterThan(0)
  for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeGreaterThanOrEqual(CHUNK)
})

test('the batches of one map task are cut into chunks as well', async () => {
  const location = await oneLocation()
  const bodies = Array.from({ length: 50 }, (_, i) => batch(3, i + 1, randomBytes(2000)))
  for (const body of bodies) await t.client.push(location, body)
  await t.client.commit(location, { primaryIds: ['0-0'] })
  const chunks = await t.client.read(location, { start: 3, end: 4 })
  expect(Buffer.concat(chunks).equals(Buffer.concat(bodies))).toBe(true)
  expect(chunks.length).toBeGreaterThan(3)
  for (const chunk of chunks.slice(0, -1)) {
    expect(chunk.length).toBeGreaterThanOrEqual(CHUNK)
    expect(chunk.length).toBeLessThan(CHUNK * 1.5)
  }
})

test('a range without batches has no chunk; an odd one is no range', async () => {
  const location = await oneLocation()
  const bodies = await written(location)
  expect(await t.client.read(location, { start: 7, end: 20 })).toEqual([])
  expect(await t.client.read(location, { start: 2, end: 2 })).toEqual([])
  // As skewed reads ask: the number of parts, and the index of this one.
  expect(
    Buffer.concat(await t.client.read(location, { start: 3, end: 1 })).equals(Buffer.concat(bodies)),
  ).toBe(true)
  expect(
    Buffer.concat(await t.client.read(location, { start: 0, end: -1 })).equals(Buffer.concat(bodies)),
  ).toBe(true)
})

test('many streams are opened at once, each with a status of its own', async () => {
  const location = await oneLocation()
  const bodies = await written(location)
  const file = { startIndex: 0, endIndex: ALL_MAPS, initialCredit: 0, readLocalShuffle: false }
  const { payload } = await t.client.rpc.askBare(
    location.host,
    location.fetchPort,
    ControlMessageType.BATCH_OPEN_STREAM,
    encodeOpenStreamList({
      shuffleKey: 'test-app-0',
      files: [
        { ...file, fileName: '0-0-0' },
        { ...file, fileName: '../../0-0-0' },
        { ...file, fileName: '0-0-0', startIndex: 1, endIndex: 2 },
        { ...file, fileName: '0-0-1' },
      ],
    }),
  )
  const { handlers } = decodeOpenStreamListResponse(payload)
  expect(handlers.map((handler) => handler.status)).toEqual([
    StatusCode.SUCCESS,
    StatusCode.OPEN_STREAM_FAILED,
    StatusCode.SUCCESS,
    StatusCode.OPEN_STREAM_FAILED,
  ])
  expect(handlers[1]?.errorMsg).toContain('no committed file')
  const whole = handlers[0]?.streamHandler
  if (whole === undefined) throw new Error('no stream')
  const first = await t.client.fetchChunk(location, whole.streamId, 0)
  expect(first).toEqual(Buffer.concat(bodies).subarray(0, first.length))
  expect(t.cluster.stats().workers[0]?.streams).toBe(2)
  t.client.endStream(location, whole.streamId)
  await until(() => t.cluster.stats().workers[0]?.streams === 1)
  await expect(t.client.fetchChunk(location, whole.streamId, 0)).rejects.toThrow(
    `Stream ${String(whole.streamId)} is not registered`,
  )
})

test('chunks and streams that do not exist fail, and nothing else does', async () => {
  const location = await oneLocation()
  await written(location)
  const { streamId, numChunks } = await t.client.openStream(location)
  await expect(t.client.fetchChunk(location, streamId, numChunks)).rejects.toThrow(/Chunk \d+ is none of/)
  await expect(t.client.fetchChunk(location, streamId, -1)).rejects.toThrow('Chunk -1 is none of')
  await expect(t.client.fetchChunk(location, { high: 0x7fffffff, low: 0xffffffff }, 0)).rejects.toThrow(
    'is not registered',
  )
  await expect(t.client.openStream(location, { key: 'other-app-0' })).rejects.toThrow('no committed file')
  await expect(t.client.openStream(location, { key: 'nokey' })).rejects.toThrow('no committed file')
  expect((await t.client.fetchChunk(location, streamId, 0)).length).toBeGreaterThan(0)
})

test('a file can be read locally, a map range cannot', async () => {
  const location = await oneLocation()
  const bodies = await written(location)
  const { numChunks, chunkOffsets, fullPath } = await t.client.openStream(location, { local: true })
  expect(chunkOffsets.length).toBe(numChunks + 1)
  expect(readFileSync(fullPath).equals(Buffer.concat(bodies))).toBe(true)
  expect(chunkOffsets[numChunks]).toBe(Buffer.concat(bodies).length)
  await expect(t.client.openStream(location, { local: true, start: 0, end: 1 })).rejects.toThrow(
    'not read locally',
  )
})

test('a part of a chunk', async () => {
  const location = await oneLocation()
  const whole = Buffer.concat(await written(location))
  const { streamId } = await t.client.openStream(location)
  const socket = connect(location.fetchPort, location.host)
  const slice = { streamId, chunkIndex: 0, offset: 100, length: 50 }
  socket.write(request(encodeBare(ControlMessageType.CHUNK_FETCH_REQUEST, encodeChunkFetchRequest(slice))))
  const answer = await readBytes(socket, 9 + 20 + 50)
  socket.destroy()
  expect(answer[4]).toBe(1)
  expect(answer.readInt32BE(9 + 12)).toBe(100)
  expect(answer.readInt32BE(9 + 16)).toBe(50)
  expect(answer.subarray(29)).toEqual(whole.subarray(100, 150))
})

test('a file that lost its end fails the chunk, not the worker', async () => {
  const location = await oneLocation()
  await written(location)
  const path = join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data/test-app/0/0-0-0')
  truncateSync(path, 20_000)
  const { streamId, numChunks } = await t.client.openStream(location)
  await expect(t.client.fetchChunk(location, streamId, numChunks - 1)).rejects.toThrow('ends at')
  await expect(t.client.openStream(location, { start: 0, end: 3 })).rejects.toThrow('ends at')
  expect((await t.client.fetchChunk(location, streamId, 0)).length).toBeGreaterThan(0)
})

test('a reader that does not read holds no more than its share, and others are served all the same', async () => {
  await t.stop()
  t = await TestCluster.start({
    workers: 1,
    entries: {
      'celeborn.node.embedded.maxChunkBytes': '20m',
      'celeborn.node.embedded.maxChunkBytesPerConnection': '1m',
    },
  })
  const location = await oneLocation()
  const big = batch(0, 1, randomBytes(8_000_000))
  await t.client.push(location, big)
  await t.client.commit(location, { primaryIds: ['0-0'] })
  const { streamId } = await t.client.openStream(location)
  const bare = encodeBare(
    ControlMessageType.CHUNK_FETCH_REQUEST,
    encodeChunkFetchRequest({ streamId, chunkIndex: 0, offset: 0, length: 0x7fffffff }),
  )
  const stalled = connect(location.fetchPort, location.host).pause()
  for (let i = 0; i < 3000; i++) stalled.write(request(bare))
  // The chunk is larger than its share: it is served alone.
  await until(() => t.cluster.stats().workers[0]?.chunkBytes === big.length)
  for (let i = 0; i < 3; i++) {
    expect(big.equals(await t.client.fetchChunk(location, streamId, 0))).toBe(true)
  }
  expect(t.cluster.stats().workers[0]?.peakChunkBytes).toBeLessThanOrEqual(2 * big.length)
  expect(t.cluster.stats().workers[0]?.chunkBytes).toBe(big.length)
  stalled.destroy()
  await until(() => t.cluster.stats().workers[0]?.chunkBytes === 0)
})

test('requests that come faster than they can be served all get their answer', async () => {
  await t.stop()
  // One chunk at a time per connection.
  t = await TestCluster.start({
    workers: 1,
    entries: { 'celeborn.node.embedded.maxChunkBytesPerConnection': '1b' },
  })
  const location = await oneLocation()
  await t.client.push(location, batch(0, 1, 'small'))
  await t.client.commit(location, { primaryIds: ['0-0'] })
  const { streamId } = await t.client.openStream(location)
  const slice = { streamId, chunkIndex: 0, offset: 0, length: 0x7fffffff }
  const one = request(encodeBare(ControlMessageType.CHUNK_FETCH_REQUEST, encodeChunkFetchRequest(slice)))
  const socket = connect(location.fetchPort, location.host)
  socket.write(Buffer.concat(Array.from({ length: 5000 }, () => one)))
  const answers = await readBytes(socket, 5000 * (29 + 16 + 5))
  expect(answers.length).toBe(5000 * (29 + 16 + 5))
  socket.destroy()
})

test('with memory for one chunk all readers get theirs, one after the other', async () => {
  const location = await oneLocation()
  const big = batch(0, 1, randomBytes(3_000_000))
  await t.client.push(location, big)
  await t.client.commit(location, { primaryIds: ['0-0'] })
  const others = Array.from({ length: 4 }, () => new TestClient(t.cluster.masterEndpoint))
  try {
    const { streamId } = await t.client.openStream(location)
    const chunks = others.flatMap((client) => [0, 0, 0].map(() => client.read(location)))
    for (const [chunk] of await Promise.all(chunks)) expect(chunk?.equals(big)).toBe(true)
    expect(t.cluster.stats().workers[0]?.peakChunkBytes).toBe(big.length)
    t.client.endStream(location, streamId)
  } finally {
    for (const client of others) await client.close()
  }
})

async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  let received = Buffer.alloc(0)
  while (received.length < count) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    received = Buffer.concat([received, chunk])
  }
  return received
}
