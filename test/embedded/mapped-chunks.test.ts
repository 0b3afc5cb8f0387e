import { randomBytes } from 'node:crypto'
import { rmSync, truncateSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mapStats } from '../../src/memory'
import { type PartitionLocation } from '../../src/protocol/locations'
import { ControlMessageType, encodeChunkFetchRequest } from '../../src/protocol/messages'
import { encodeBare } from '../../src/protocol/transport-message'
import { batch, request, TestCluster, until } from './support'

// Chunks of this size and above are mapped.
const CHUNK = 32 * 1024
let t: TestCluster
let location: PartitionLocation
let bodies: Buffer[]

beforeEach(async () => {
  t = await TestCluster.start({
    workers: 1,
    entries: {
      'celeborn.shuffle.chunk.size': String(CHUNK),
      'celeborn.fetch.storage.memoryMapThreshold': String(CHUNK),
    },
  })
  const [first] = await t.client.register(1)
  if (first === undefined) throw new Error('no location')
  location = first
  bodies = Array.from({ length: 300 }, (_, i) => batch(i % 5, i + 1, randomBytes((i * 131) % 1500)))
  for (const body of bodies) await t.client.push(location, body)
  await t.client.commit(location, { primaryIds: ['0-0'], mapAttempts: [0, 0, 0, 0, 0] })
})
afterEach(() => t.stop())

const file = (): string => join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data/test-app/0/0-0-0')

it('large chunks are mapped, smaller ones and map ranges are read; all have the bytes that were pushed', async () => {
  const made = mapStats().mapsMade
  const chunks = await t.client.read(location)
  expect(Buffer.concat(chunks).equals(Buffer.concat(bodies))).toBe(true)
  const mapped = chunks.filter(({ length }) => length >= CHUNK).length
  expect(mapped).toBeGreaterThan(3)
  expect(mapStats().mapsMade - made).toBe(mapped)
  const ranged = await t.client.read(location, { start: 1, end: 2 })
  const wanted = bodies.filter((body) => body.readInt32LE(0) === 1)
  expect(Buffer.concat(ranged).equals(Buffer.concat(wanted))).toBe(true)
  await until(() => mapStats().mapsAlive === 0)
  expect(mapStats().finalizedWithoutRelease).toBe(0)
})

it('a file that lost its end fails its chunks, not the worker', async () => {
  const { streamId, numChunks } = await t.client.openStream(location)
  truncateSync(file(), CHUNK * 2)
  for (let i = 2; i < numChunks; i++) {
    await expect(t.client.fetchChunk(location, streamId, i)).rejects.toThrow(
      /it has only|behind its end|ends at/,
    )
  }
  expect((await t.client.fetchChunk(location, streamId, 0)).length).toBeGreaterThanOrEqual(CHUNK)
  await until(() => mapStats().mapsAlive === 0)
})

it('a chunk on its way survives the removal of its file, and is unmapped with a reader that goes away', async () => {
  const { streamId, numChunks } = await t.client.openStream(location)
  const stalled = connect(location.fetchPort, location.host).pause()
  for (let i = 0; i < 2000; i++) {
    const slice = { streamId, chunkIndex: i % (numChunks - 1), offset: 0, length: 0x7fffffff }
    const body = encodeBare(ControlMessageType.CHUNK_FETCH_REQUEST, encodeChunkFetchRequest(slice))
    stalled.write(request(body, i + 1))
  }
  await until(() => mapStats().mapsAlive > 3)
  rmSync(file())
  await expect(t.client.fetchChunk(location, streamId, 0)).rejects.toThrow('no such file')
  expect(mapStats().mapsAlive).toBeGreaterThan(3)
  stalled.destroy()
  await until(() => mapStats().mapsAlive === 0)
  await until(() => t.cluster.stats().workers[0]?.chunkBytes === 0)
})
