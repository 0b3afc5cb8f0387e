import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { mapStats } from '../../src/memory'
import { directory, openDescriptors } from '../buffer/files'
import { turns } from '../push/harness'
import { ScriptedFetch } from './scripted-fetch'
import { chunkOf, location, ReaderWorld, textsOf } from './scripted-reader'

const LOCAL = { 'celeborn.client.readLocalShuffleFile.enabled': true }
const A = chunkOf(0, 1, 2, 'NONE')
const B = chunkOf(1, 1, 2, 'NONE')
const NONE = { 'celeborn.client.shuffle.compression.codec': 'NONE' }
const OFFSETS = [0, A.bytes.length, A.bytes.length + B.bytes.length]

/** A worker that names a file of this host. */
async function worker(content = Buffer.concat([A.bytes, B.bytes]), chunkOffsets = OFFSETS) {
  const fetch = await ScriptedFetch.start([A.bytes, B.bytes])
  onTestFinished(() => fetch.close())
  const fullPath = join(directory(), '4-0-0')
  writeFileSync(fullPath, content)
  fetch.onOpen = (call) =>
    call.open.readLocalShuffle ? call.handler(2, { fullPath, chunkOffsets }) : call.handler(2)
  return { fetch, fullPath }
}

describe('celeborn.client.readLocalShuffleFile.enabled', () => {
  it.each([
    ['read', '2m'],
    ['mapped', '1'],
  ])('a file of this host is %s, not fetched', async (how, threshold) => {
    const { fetch } = await worker()
    const world = new ReaderWorld({
      ...NONE,
      ...LOCAL,
      'celeborn.data.storage.memoryMapThreshold': threshold,
    })
    const [maps, descriptors] = [mapStats().mapsAlive, openDescriptors()]
    const reader = world.reader([location(fetch)])
    const views: Uint8Array[] = []
    let mapped = 0
    const read: string[] = []
    for await (const bytes of reader) {
      read.push(Buffer.from(bytes).toString())
      views.push(bytes)
      mapped = Math.max(mapped, mapStats().mapsAlive - maps)
    }
    expect(read).toEqual([...A.texts, ...B.texts])
    expect(reader.stats).toMatchObject({ localReads: 1, locations: 1, chunks: 2, retries: 0 })
    expect(fetch.fetched).toEqual([])
    expect(mapped > 0).toBe(how === 'mapped')
    while (fetch.ended === 0) await turns(1)
    expect(views.every(({ length }) => length === 0)).toBe(true)
    expect(await world.nothingHeld()).toBe(0)
    while (world.budget.usedBytes > 0) await turns(1)
    expect([mapStats().mapsAlive, world.local?.frames.stats().framesAlive]).toEqual([maps, 0])
    while (openDescriptors() > descriptors) await turns(1)
  })

  it('is off by default, and is not asked of a worker elsewhere', async () => {
    const { fetch } = await worker()
    expect(await textsOf(new ReaderWorld(NONE).reader([location(fetch)]))).toHaveLength(4)
    const memory = new ReaderWorld({ ...NONE, ...LOCAL }).reader([location(fetch, 0, { storageType: 0 })])
    expect(await textsOf(memory)).toHaveLength(4)
    expect(fetch.opened.map(({ readLocalShuffle }) => readLocalShuffle)).toEqual([false, false])
    expect(memory.stats.localReads).toBe(0)
  })

  it.each([
    ['is not there', ({ fullPath }: { fullPath: string }) => unlinkSync(fullPath)],
    ['is too short', ({ fullPath }: { fullPath: string }) => writeFileSync(fullPath, A.bytes.subarray(9))],
    [
      'is another one',
      ({ fullPath }: { fullPath: string }) => writeFileSync(fullPath, Buffer.alloc(4096, 'x')),
    ],
  ])('a file that %s is fetched', async (_, spoil) => {
    const spoilt = await worker()
    spoil(spoilt)
    const world = new ReaderWorld({ ...NONE, ...LOCAL })
    const reader = world.reader([location(spoilt.fetch)])
    expect(await textsOf(reader)).toEqual([...A.texts, ...B.texts])
    expect(reader.stats).toMatchObject({ localReads: 0, retries: 1 })
    expect(spoilt.fetch.opened.map(({ readLocalShuffle }) => readLocalShuffle)).toEqual([true, false])
    expect(await world.nothingHeld()).toBe(0)
    while (world.budget.usedBytes > 0) await turns(1)
  })

  it.each([
    ['too few', [0, 10]],
    ['not in order', [0, 20, 10]],
    ['negative', [-5, 10, 20]],
    ['further apart than a message may be large', [0, 10, 1 << 30]],
  ])('chunks whose bounds are %s are fetched', async (_, offsets) => {
    const { fetch } = await worker(undefined, offsets)
    const reader = new ReaderWorld({ ...NONE, ...LOCAL }).reader([location(fetch)])
    expect(await textsOf(reader)).toEqual([...A.texts, ...B.texts])
    expect([reader.stats.localReads, fetch.fetched]).toEqual([0, [0, 1]])
    // A stream that was opened for a file's path may have no chunks.
    expect(fetch.opened.map(({ readLocalShuffle }) => readLocalShuffle)).toEqual([true, false])
  })

  it('a worker that names no file serves the chunks of the same stream', async () => {
    const { fetch } = await worker()
    fetch.onOpen = (call) => call.handler(2)
    const reader = new ReaderWorld({ ...NONE, ...LOCAL }).reader([location(fetch)])
    expect(await textsOf(reader)).toEqual([...A.texts, ...B.texts])
    expect([reader.stats.localReads, reader.stats.retries, fetch.opened.length]).toEqual([0, 0, 1])
  })

  it('a range of map tasks is read where the bounds of its chunks say, as of a file that is sorted by map task', async () => {
    const { fetch, fullPath } = await worker()
    const end = A.bytes.length + B.bytes.length
    fetch.onOpen = (call) => call.handler(1, { fullPath, chunkOffsets: [A.bytes.length, end] })
    const range = { startMapIndex: 1, endMapIndex: 2 }
    const world = new ReaderWorld({ ...NONE, ...LOCAL })
    const reader = world.reader([location(fetch, 0, { fileSize: end })], range)
    expect(await textsOf(reader)).toEqual(B.texts)
    expect(reader.stats).toMatchObject({ localReads: 1, bytes: B.bytes.length, retries: 0 })
    expect(fetch.opened).toMatchObject([{ startIndex: 1, endIndex: 2, readLocalShuffle: true }])
    // One that holds none of them.
    fetch.onOpen = (call) => call.handler(0, { fullPath, chunkOffsets: [] })
    expect(await textsOf(world.reader([location(fetch)], range))).toEqual([])
  })

  it.each(['local', 'fetched'])(
    'a worker that gives more than the range, %s: the others’ batches are left out',
    async (how) => {
      const { fetch } = await worker()
      const world = new ReaderWorld(how === 'local' ? { ...NONE, ...LOCAL } : NONE)
      const reader = world.reader([location(fetch)], { startMapIndex: 1, endMapIndex: 2 })
      expect(await textsOf(reader)).toEqual(B.texts)
      expect(reader.stats.localReads).toBe(how === 'local' ? 1 : 0)
      const rangeOf = async (startMapIndex: number): Promise<string[]> =>
        textsOf(world.reader([location(fetch)], { startMapIndex, endMapIndex: startMapIndex + 1 }))
      expect([await rangeOf(0), await rangeOf(2)]).toEqual([A.texts, []])
    },
  )

  it('a file that is corrupt behind what was delivered is an error', async () => {
    const content = Buffer.concat([A.bytes, B.bytes])
    content.fill(0xff, A.bytes.length, A.bytes.length + 16)
    const { fetch } = await worker(content)
    const read: string[] = []
    await expect(
      textsOf(new ReaderWorld({ ...NONE, ...LOCAL }).reader([location(fetch)]), read),
    ).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
      context: { shuffleId: 9, partitionId: 4, location: '4-0' },
    })
    expect(read).toEqual(A.texts)
  })

  it('a reader that ends early lets go of the file', async () => {
    const { fetch } = await worker()
    const world = new ReaderWorld({ ...NONE, ...LOCAL, 'celeborn.data.storage.memoryMapThreshold': '1' })
    const maps = mapStats().mapsAlive
    for await (const bytes of world.reader([location(fetch)])) {
      expect(bytes.length).toBeGreaterThan(0)
      break
    }
    while (mapStats().mapsAlive > maps || world.budget.usedBytes > 0) await turns(1)
    expect(await world.nothingHeld()).toBe(0)
  })
})

it('the embedded cluster’s files are read locally; ranges of map tasks, which it does not name, are fetched', async () => {
  const base = new CelebornConf({ ...NONE, ...LOCAL, 'celeborn.shuffle.chunk.size': '4k' })
  const cluster = await EmbeddedCluster.start({ workers: 2, dir: directory(), conf: base })
  onTestFinished(() => cluster.stop())
  const conf = base.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  const manager = new LifecycleManager({ appId: 'local', conf })
  await manager.start()
  onTestFinished(() => manager.stop())
  const lifecycleManager = { host: manager.host, port: manager.port }
  const client = new ShuffleClient({ appId: 'local', conf, lifecycleManager })
  onTestFinished(() => client.close())
  const texts = (mapId: number) =>
    Array.from({ length: 20 }, (_, i) => `map ${mapId} ${i} ${'z'.repeat(900)}`)
  const maps = [0, 1, 2, 3]
  const attempts = maps.map((mapId) => ({
    shuffleId: 1,
    mapId,
    attemptId: 0,
    numMappers: 4,
    numPartitions: 1,
  }))
  // The batches of all map tasks lie mixed.
  for (let i = 0; i < 20; i++) {
    for (const attempt of attempts) {
      const bytes = Buffer.from(texts(attempt.mapId)[i] ?? '')
      const receipt = await client.pushData({ ...attempt, partitionId: 0 }, bytes)
      await receipt.settled
    }
  }
  for (const attempt of attempts) await client.mapperEnd(attempt)
  const whole = client.readPartition(1, 0)
  expect((await textsOf(whole)).sort()).toEqual(maps.flatMap(texts).sort())
  expect(whole.stats).toMatchObject({ localReads: 1, retries: 0 })
  expect(client.stats().readFrames.framesAllocated).toBe(0)
  for (const startMapIndex of maps) {
    for (let endMapIndex = startMapIndex + 1; endMapIndex <= 5; endMapIndex++) {
      const range = client.readPartition(1, 0, { startMapIndex, endMapIndex })
      const wanted = maps.slice(startMapIndex, endMapIndex).flatMap(texts)
      const read = (await textsOf(range)).sort()
      expect([startMapIndex, endMapIndex, read]).toEqual([startMapIndex, endMapIndex, wanted.sort()])
      // The others' bytes are not sent.
      const bytes = wanted.reduce((sum, text) => sum + 16 + text.length, 0)
      expect(range.stats).toMatchObject({ localReads: 0, batches: wanted.length, bytes })
    }
  }
})
