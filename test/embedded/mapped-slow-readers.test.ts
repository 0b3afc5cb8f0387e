import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, truncateSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mapStats } from '../../src/memory'
import { CHUNK_FETCH_SUCCESS_HEADER_BYTES, MessageType } from '../../src/protocol/framing'
import { type PartitionLocation } from '../../src/protocol/locations'
import { ControlMessageType, encodeChunkFetchRequest } from '../../src/protocol/messages'
import { encodeBare } from '../../src/protocol/transport-message'
import { batch, request, TestCluster, until } from './support'

const MIB = 1024 * 1024
let t: TestCluster
let location: PartitionLocation
const warnings: string[] = []
const warned = (warning: Error): number => warnings.push(warning.message)

async function start(entries: Record<string, string>, bodies: readonly Buffer[]): Promise<void> {
  t = await TestCluster.start({
    workers: 1,
    entries: { 'celeborn.fetch.storage.memoryMapThreshold': '1', ...entries },
  })
  const [first] = await t.client.register(1)
  if (first === undefined) throw new Error('no location')
  location = first
  for (const body of bodies) await t.client.push(location, body)
  await t.client.commit(location, { primaryIds: ['0-0'] })
}

beforeEach(() => {
  warnings.length = 0
  process.on('warning', warned)
})
afterEach(async () => {
  await t.stop()
  process.off('warning', warned)
  // A mapping that is released twice is reported as a warning, one that is forgotten is counted.
  expect(warnings).toEqual([])
  expect(mapStats()).toMatchObject({ mapsAlive: 0, bytesMapped: 0, finalizedWithoutRelease: 0 })
})

const file = (): string => join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data/test-app/0/0-0-0')

/** A connection that asks for chunks, again and again the same, and takes nothing. */
async function stalledReader(chunkIndexes: readonly number[]): Promise<Socket> {
  const { streamId } = await t.client.openStream(location)
  const socket = connect(location.fetchPort, location.host).pause()
  socket.on('error', () => undefined)
  chunkIndexes.forEach((chunkIndex, i) => {
    const slice = { streamId, chunkIndex, offset: 0, length: 0x7fffffff }
    const body = encodeBare(ControlMessageType.CHUNK_FETCH_REQUEST, encodeChunkFetchRequest(slice))
    socket.write(request(body, i + 1))
  })
  return socket
}

/** All that comes, up to `size` bytes. `begun` runs with the first of them. */
async function readOn(socket: Socket, size: number, begun?: () => void): Promise<Buffer> {
  const pieces: Buffer[] = []
  let got = 0
  socket.on('data', (piece: Buffer) => {
    if (got === 0) begun?.()
    pieces.push(piece)
    got += piece.length
    if (got >= size) socket.destroy()
  })
  socket.resume()
  await once(socket, 'close')
  return Buffer.concat(pieces)
}

describe('readers that do not read', () => {
  // More than the system takes for a connection.
  const REQUESTS = 40
  const CHUNK = MIB

  beforeEach(() =>
    start(
      {
        'celeborn.shuffle.chunk.size': '1m',
        'celeborn.node.embedded.maxChunkBytesPerConnection': '4m',
        'celeborn.node.embedded.maxChunkBytes': '9m',
      },
      [1, 2, 3].map((i) => batch(0, i, randomBytes(CHUNK - 16))),
    ),
  )

  it('hold no more mappings than their limits allow, and give all of them back when they go', async () => {
    const indexes = Array.from({ length: REQUESTS }, (_, i) => i % 3)
    const sockets = [await stalledReader(indexes)]
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 4 * CHUNK)
    sockets.push(await stalledReader(indexes), await stalledReader(indexes), await stalledReader(indexes))
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 9 * CHUNK)
    await until(() => mapStats().mapsAlive === 9)
    expect(mapStats().bytesMapped).toBe(9 * CHUNK)
    for (const socket of sockets) socket.destroy()
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 0)
    expect(mapStats().mapsAlive).toBe(0)
    expect(mapStats().peakMapsAlive).toBeLessThanOrEqual(9)
    expect(t.cluster.stats().workers[0]?.peakChunkBytes).toBe(9 * CHUNK)
  })

  it('lose their connection when the worker stops, and nothing stays mapped', async () => {
    const socket = await stalledReader(Array.from({ length: REQUESTS }, (_, i) => i % 3))
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 4 * CHUNK)
    const closed = once(socket.resume(), 'close')
    await t.stop()
    await closed
    expect(mapStats().mapsAlive).toBe(0)
  })

  it('get every byte in the end', async () => {
    const indexes = Array.from({ length: REQUESTS }, (_, i) => i % 3)
    const socket = await stalledReader(indexes)
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 4 * CHUNK)
    const answer = CHUNK_FETCH_SUCCESS_HEADER_BYTES + CHUNK
    const all = await readOn(socket, REQUESTS * answer)
    const written = readFileSync(file())
    const answered = indexes.map((_, i) => {
      const head = all.subarray(i * answer, i * answer + CHUNK_FETCH_SUCCESS_HEADER_BYTES)
      const chunk = all.subarray(head.length + i * answer, (i + 1) * answer)
      const index = head.readInt32BE(head.length - 12)
      expect(chunk.equals(written.subarray(index * CHUNK, (index + 1) * CHUNK))).toBe(true)
      return index
    })
    // Whatever was there first is sent first.
    expect(answered.sort()).toEqual(indexes.sort())
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 0)
    expect(mapStats().peakMapsAlive).toBeLessThanOrEqual(9)
  })
})

// What a reader takes for a chunk is what was pushed, or there is no chunk: a cut file has zeros up to the end of its page.
describe('a file that is cut while a slow reader waits for one of its chunks', () => {
  // More than the system takes for a connection; the chunk's last page is not full.
  const SIZE = 24 * MIB + 1234
  const LAST_PAGE = 24 * MIB

  beforeEach(() => start({ 'celeborn.shuffle.chunk.size': '64m' }, [batch(0, 1, randomBytes(SIZE - 16))]))

  async function cutTo(length: number): Promise<{ received: Buffer; written: Buffer }> {
    const written = readFileSync(file())
    expect(written.length).toBe(SIZE)
    const socket = await stalledReader([0])
    const received = await readOn(socket, CHUNK_FETCH_SUCCESS_HEADER_BYTES + SIZE, () => {
      expect(mapStats().mapsAlive).toBe(1)
      truncateSync(file(), length)
    })
    expect(received[4]).toBe(MessageType.CHUNK_FETCH_SUCCESS)
    return { received: received.subarray(CHUNK_FETCH_SUCCESS_HEADER_BYTES), written }
  }

  it.each([
    ['in its last page', LAST_PAGE + 1],
    ['by a byte', SIZE - 1],
  ])('%s: the reader gets the chunk as it was', async (_, length) => {
    const { received, written } = await cutTo(length)
    expect(received.equals(written)).toBe(true)
  })

  it.each([
    ['at the start of its last page', LAST_PAGE],
    ['just before it', LAST_PAGE - 1],
    ['some pages before', LAST_PAGE - 70_000],
    ['in the middle', 12 * MIB + 5],
    ['to nothing', 0],
  ])('%s: the reader loses its connection, the worker lives', async (_, length) => {
    const { received } = await cutTo(length)
    expect(received.length).toBeLessThan(SIZE)
    await until(() => t.cluster.stats().workers[0]?.chunkBytes === 0)
    expect(statSync(file()).size).toBe(length)
    // Now the worker knows, and says so.
    const { streamId } = await t.client.openStream(location)
    await expect(t.client.fetchChunk(location, streamId, 0)).rejects.toThrow(/it has only|behind its end/)
    expect(t.cluster.stats().workers[0]).toMatchObject({ protocolErrors: 0, chunkBytes: 0 })
  })
})
