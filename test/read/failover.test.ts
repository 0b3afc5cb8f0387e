import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CodecName } from '../../src/compress'
import { ClosedError, CelebornError } from '../../src/errors'
import { encodeRoaringBitmap } from '../../src/protocol/roaring-bitmap'
import { ScriptedFetch } from './scripted-fetch'
import { chunkOf, location, ReaderWorld, textsOf } from './scripted-reader'

async function worker(chunks: readonly Uint8Array[]): Promise<ScriptedFetch> {
  const started = await ScriptedFetch.start(chunks)
  onTestFinished(() => started.close())
  return started
}

const RETRIES = 'celeborn.client.fetch.maxRetriesForEachReplica'
const A = chunkOf(0, 1, 2)
const B = chunkOf(1, 1, 2)
const C = chunkOf(2, 1, 2)

describe('celeborn.client.fetch.maxRetriesForEachReplica', () => {
  it.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])('%i: a location without a peer is tried that often and once', async (retries, tries) => {
    const bad = await worker([A.bytes])
    bad.onOpen = (call) => call.failure('no')
    const reader = new ReaderWorld({ [RETRIES]: retries }).reader([location(bad)])
    await expect(textsOf(reader)).rejects.toMatchObject({ code: 'CELEBORN_FETCH_FAILED' })
    expect(bad.opened).toHaveLength(tries)
    expect(reader.stats.retries).toBe(tries - 1)
  })

  // Whether the reader's own configuration knows of replication does not matter.
  it.each([
    [0, false, [1, 1]],
    [0, true, [1, 1]],
    [1, false, [2, 1]],
    [3, true, [4, 3]],
  ] as const)('%i, replicate %s: two copies are tried in turn: %j', async (retries, replicate, tries) => {
    const copies = [await worker([A.bytes]), await worker([A.bytes])] as const
    for (const copy of copies) copy.onOpen = (call) => call.failure('no')
    const world = new ReaderWorld({ [RETRIES]: retries, 'celeborn.client.push.replicate.enabled': replicate })
    const reader = world.reader([location(copies[0], 0, { peer: location(copies[1], 1) })])
    const error: unknown = await textsOf(reader).catch((thrown: unknown) => thrown)
    expect(copies.map(({ opened }) => opened.length)).toEqual(tries)
    expect((error as CelebornError).context.attempts).toHaveLength(tries[0] + tries[1])
    expect(copies[0].opened[0]?.fileName).toBe('4-0-0')
    expect(copies[1].opened[0]?.fileName).toBe('4-0-1')
  })

  it('counts anew for every location', async () => {
    const shaky = await worker([A.bytes])
    let opens = 0
    shaky.onOpen = (call) => (opens++ % 2 === 0 ? call.failure('no') : call.handler(1))
    const reader = new ReaderWorld({ [RETRIES]: 1 }).reader([
      location(shaky),
      location(shaky, 0, { epoch: 1 }),
      location(shaky, 0, { epoch: 2 }),
    ])
    expect(await textsOf(reader)).toEqual(A.texts)
    expect(reader.stats).toMatchObject({ retries: 3, duplicates: 4, locations: 3 })
  })

  it('a corrupt copy is not asked again, the other one is', async () => {
    const corrupt = await worker([Buffer.from('neither header nor batch')])
    const shaky = await worker([A.bytes])
    let opens = 0
    shaky.onOpen = (call) => (opens++ < 2 ? call.failure('not yet') : call.handler(1))
    const world = new ReaderWorld({ [RETRIES]: 3 })
    const reader = world.reader([location(corrupt, 0, { peer: location(shaky, 1) })])
    expect(await textsOf(reader)).toEqual(A.texts)
    expect(corrupt.opened).toHaveLength(1)
    expect(shaky.opened).toHaveLength(3)
  })
})

describe('fail-over', () => {
  it('B42: whatever is thrown while a copy is read or given up, the other one is tried', async () => {
    const bad = await worker([A.bytes, B.bytes])
    bad.onChunk = (call) => (call.slice.chunkIndex === 0 ? call.chunk(A.bytes) : call.chunkFailure('no'))
    const good = await worker([A.bytes, B.bytes])
    const world = new ReaderWorld()
    const { pool } = world
    const original = pool.connection.bind(pool)
    let calls = 0
    // The end of the stream is said through a connection of its own.
    pool.connection = (host, port) => {
      if (port === bad.port && ++calls > 3) throw new TypeError('not an error of ours')
      return original(host, port)
    }
    const reader = world.reader([location(bad, 0, { peer: location(good, 1) })])
    expect(await textsOf(reader)).toEqual([...A.texts, ...B.texts])
    expect(calls).toBeGreaterThan(3)
    // Opening throws.
    calls = 3
    const second = world.reader([location(bad, 0, { peer: location(good, 1) })])
    expect(await textsOf(second)).toEqual([...A.texts, ...B.texts])
    // All that is there has been read by the time that the end of the stream is said.
    calls = 0
    bad.onChunk = (call) => call.chunk(bad.chunks[call.slice.chunkIndex] ?? A.bytes)
    expect(await textsOf(world.reader([location(bad)]))).toEqual([...A.texts, ...B.texts])
    expect(calls).toBeGreaterThan(3)
    // Nobody else is left.
    calls = 3
    await expect(textsOf(world.reader([location(bad)]))).rejects.toMatchObject({
      code: 'CELEBORN_FETCH_FAILED',
      message: expect.stringMatching(/not an error of ours/) as string,
      cause: { code: 'CELEBORN_INTERNAL', cause: { name: 'TypeError' } },
    })
  })

  it('B43: a replica without a chunk is an error when the primary had some, though nobody tells its size', async () => {
    const bad = await worker([A.bytes, B.bytes, C.bytes])
    bad.onChunk = (call) => (call.slice.chunkIndex === 0 ? call.chunk(A.bytes) : call.chunkFailure('gone'))
    const empty = await worker([])
    const read: string[] = []
    const reader = new ReaderWorld().reader([location(bad, 0, { peer: location(empty, 1) })])
    await expect(textsOf(reader, read)).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
      message: expect.stringMatching(
        /replica at .*: the file is empty, though the other copy is not/,
      ) as string,
    })
    expect(read).toEqual(A.texts)
    // Of a range of map tasks a copy may have nothing.
    const range = { startMapIndex: 1, endMapIndex: 2 }
    const ranged = new ReaderWorld().reader([location(empty)], range)
    expect(await textsOf(ranged)).toEqual([])
  })

  it('what was delivered before is not delivered again, however the other copy is cut', async () => {
    const bad = await worker([A.bytes, B.bytes, C.bytes])
    bad.onChunk = (call) =>
      call.slice.chunkIndex < 2
        ? call.chunk(bad.chunks[call.slice.chunkIndex] ?? A.bytes)
        : call.chunkFailure('x')
    const good = await worker([Buffer.concat([C.bytes, A.bytes]), B.bytes])
    const reader = new ReaderWorld().reader([location(bad, 0, { peer: location(good, 1) })])
    expect(await textsOf(reader)).toEqual([...A.texts, ...B.texts, ...C.texts])
    expect(reader.stats).toMatchObject({ duplicates: 4, retries: 1 })
  })

  it('data on HDFS or S3 is an error that says so', async () => {
    const unasked = await worker([A.bytes])
    for (const [storageType, name] of [
      [3, 'HDFS'],
      [4, 'OSS'],
      [5, 'S3'],
    ] as const) {
      const reader = new ReaderWorld().reader([location(unasked, 0, { storageType })])
      await expect(textsOf(reader)).rejects.toThrow(new RegExp(`the data lies on ${name}`))
    }
    expect(unasked.opened).toEqual([])
  })
})

describe('the wrong codec', () => {
  const names: CodecName[] = ['NONE', 'LZ4', 'ZSTD']
  const pairs = names.flatMap((writer) =>
    names.filter((one) => one !== writer).map((reader) => [writer, reader]),
  )

  it.each(pairs as [CodecName, CodecName][])(
    'B69: written with %s, read with %s: the error names both, and the key',
    async (writer, readerCodec) => {
      const fetch = await worker([chunkOf(0, 1, 2, writer).bytes])
      const world = new ReaderWorld({
        'celeborn.client.shuffle.compression.codec': readerCodec,
        [RETRIES]: 3,
      })
      const read: string[] = []
      await expect(textsOf(world.reader([location(fetch)]), read)).rejects.toMatchObject({
        code: 'CELEBORN_CORRUPT_DATA',
        message: expect.stringMatching(
          new RegExp(
            `location 4-0 of partition 4 of shuffle 9 .*written with ${writer}\\b.*` +
              `celeborn\\.client\\.shuffle\\.compression\\.codec; this reader has ${readerCodec}`,
          ),
        ) as string,
      })
      expect(read).toEqual([])
      expect(fetch.opened).toHaveLength(1)
    },
  )
})

describe('ranges of map tasks', () => {
  it('locations whose bitmap has none of them are not asked', async () => {
    const more = chunkOf(1, 3, 2)
    const [first, second, third] = [
      await worker([A.bytes]),
      await worker([B.bytes]),
      await worker([more.bytes]),
    ]
    const locations = [
      location(first, 0, { mapIdBitmap: encodeRoaringBitmap([0]) }),
      location(second, 0, { epoch: 1, mapIdBitmap: encodeRoaringBitmap([1]) }),
      // One that says nothing, and one that cannot be understood, may have any.
      location(third, 0, { epoch: 2 }),
      location(third, 0, { epoch: 3, mapIdBitmap: Buffer.from('no bitmap') }),
    ]
    const world = new ReaderWorld()
    const ranged = world.reader(locations, { startMapIndex: 1, endMapIndex: 2 })
    expect(await textsOf(ranged)).toEqual([...B.texts, ...more.texts])
    expect(ranged.stats).toMatchObject({ locations: 3, duplicates: 2 })
    expect([first, second, third].map(({ opened }) => opened.length)).toEqual([0, 1, 2])
    expect(second.opened[0]).toMatchObject({ startIndex: 1, endIndex: 2 })
    expect(await textsOf(world.reader(locations))).toEqual([...A.texts, ...B.texts, ...more.texts])
    expect(first.opened).toHaveLength(1)
  })
})

describe('the end of a reader', () => {
  it.each([
    ['while a stream is opened', (fetch: ScriptedFetch) => (fetch.onOpen = () => undefined)],
    ['while a chunk is awaited', (fetch: ScriptedFetch) => (fetch.onChunk = () => undefined)],
    ['in a pause', (fetch: ScriptedFetch) => (fetch.onOpen = (call) => call.failure('no'))],
  ])('%s: a pending read is told how it came to an end, and nothing is held', async (_, play) => {
    for (const how of ['destroyed', 'closed'] as const) {
      const fetch = await worker([A.bytes])
      play(fetch)
      const world = new ReaderWorld({ [RETRIES]: 9, 'celeborn.data.io.retryWait': '1h' })
      const reader = world.reader([location(fetch)])
      const iterator = reader[Symbol.asyncIterator]()
      const pending = iterator.next()
      while (fetch.opened.length === 0) await new Promise((resolve) => setImmediate(resolve))
      if (how === 'destroyed') reader.destroy()
      else reader.end(new ClosedError('the client is closed'))
      const code = how === 'destroyed' ? 'CELEBORN_ABORTED' : 'CELEBORN_CLOSED'
      await expect(pending).rejects.toMatchObject({ code })
      expect(await iterator.next()).toEqual({ done: true, value: undefined })
      expect(await world.nothingHeld()).toBe(0)
    }
  })

  it('before it began: the first read is told', async () => {
    const fetch = await worker([A.bytes])
    const reader = new ReaderWorld().reader([location(fetch)])
    reader.destroy()
    await expect(textsOf(reader)).rejects.toMatchObject({
      code: 'CELEBORN_ABORTED',
      context: { shuffleId: 9, partitionId: 4 },
    })
    expect(fetch.opened).toEqual([])
  })

  it('a Readable that is destroyed while a worker is silent ends at once', async () => {
    const fetch = await worker([A.bytes, B.bytes])
    fetch.onChunk = (call) => void (call.slice.chunkIndex === 0 && call.chunk(A.bytes))
    const world = new ReaderWorld()
    const readable = world.reader([location(fetch)]).toReadable()
    let batches = 0
    readable.on('data', () => void batches++)
    while (batches < A.texts.length) await new Promise((resolve) => setImmediate(resolve))
    // By now it waits for the second chunk.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    readable.destroy()
    await once(readable, 'close')
    while (fetch.ended === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await world.nothingHeld()).toBe(0)
  })
})

it('a driver that does not compare what was read: the error says for which partition', async () => {
  const fetch = await worker([A.bytes])
  const world = new ReaderWorld({ 'celeborn.client.shuffle.integrityCheck.enabled': true })
  const read: string[] = []
  const reader = world.readerOf({
    reducerFileGroups: () => Promise.resolve({ locations: new Map([[4, [location(fetch)]]]), attempts: [0] }),
    partitionRead: () => Promise.reject(new CelebornError('CELEBORN_RPC', 'unknown message 94')),
  })
  await expect(textsOf(reader, read)).rejects.toMatchObject({
    code: 'CELEBORN_RPC',
    message: expect.stringMatching(
      /^partition 4 of shuffle 9 was read, but the driver did not compare .*: unknown message 94$/,
    ) as string,
    context: { shuffleId: 9, partitionId: 4 },
  })
  expect(read).toEqual(A.texts)
})

it('where the data is, is not known: the error says for which partition it was asked', async () => {
  const world = new ReaderWorld()
  const reader = world.readerOf({
    reducerFileGroups: () =>
      Promise.reject(new CelebornError('CELEBORN_DATA_LOST', 'data of shuffle 9 is lost', { shuffleId: 9 })),
    partitionRead: () => Promise.resolve(null),
  })
  await expect(textsOf(reader)).rejects.toMatchObject({
    code: 'CELEBORN_DATA_LOST',
    message: 'partition 4 of shuffle 9 cannot be read: data of shuffle 9 is lost',
    context: { shuffleId: 9, partitionId: 4 },
  })
})
