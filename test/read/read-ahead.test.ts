import { describe, expect, it, onTestFinished } from 'vitest'
import { turns } from '../push/harness'
import { ScriptedFetch } from './scripted-fetch'
import { bulk, chunkOf, location, ReaderWorld, textsOf } from './scripted-reader'

async function workers(...chunks: (readonly Uint8Array[])[]): Promise<ScriptedFetch[]> {
  return Promise.all(
    chunks.map(async (of) => {
      const started = await ScriptedFetch.start(of)
      onTestFinished(() => started.close())
      return started
    }),
  )
}

const A = chunkOf(0, 1, 2)
const B = chunkOf(1, 1, 2)
const C = chunkOf(2, 1, 2)
const inOrder = (places: readonly ScriptedFetch[]) =>
  places.map((place, epoch) => location(place, 0, { epoch }))

describe('locations that come next', () => {
  it('are opened and fetched while the first one is consumed, and delivered in order', async () => {
    const places = await workers([A.bytes], [B.bytes], [C.bytes])
    const world = new ReaderWorld()
    const reader = world.reader(inOrder(places))
    const read: string[] = []
    for await (const bytes of reader) {
      // The consumer does not go on before they were asked.
      while (places.some(({ fetched }) => fetched.length === 0)) await turns(1)
      read.push(Buffer.from(bytes).toString())
    }
    expect(read).toEqual([...A.texts, ...B.texts, ...C.texts])
    expect(places.map(({ opened }) => opened.length)).toEqual([1, 1, 1])
    expect(reader.stats).toMatchObject({ locations: 3, chunks: 3, retries: 0, duplicates: 0 })
    while (places.some(({ ended }) => ended === 0)) await turns(1)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })

  it('share the window of requests with the present one', async () => {
    const three = [1, 2, 3].map((batchId) => chunkOf(0, batchId, 1).bytes)
    const places = await workers([A.bytes], three, [C.bytes])
    const world = new ReaderWorld({ 'celeborn.client.fetch.maxReqsInFlight': 2 })
    const iterator = world.reader(inOrder(places))[Symbol.asyncIterator]()
    await iterator.next()
    while ((places[1]?.fetched.length ?? 0) < 2) await turns(1)
    await turns(50)
    expect(places.map(({ fetched }) => fetched.length)).toEqual([1, 2, 0])
    await iterator.return(undefined)
    expect(await world.nothingHeld()).toBe(0)
  })

  it('that could not be opened ahead are opened anew when it is their turn', async () => {
    const places = await workers([A.bytes], [B.bytes], [C.bytes])
    for (const place of places.slice(1)) {
      place.onOpen = (call) => (place.opened.length === 1 ? call.failure('too early') : call.handler(1))
    }
    const world = new ReaderWorld({ 'celeborn.client.fetch.maxRetriesForEachReplica': 0 })
    const reader = world.reader(inOrder(places))
    const read: string[] = []
    for await (const bytes of reader) {
      while (places.some(({ opened }) => opened.length === 0)) await turns(1)
      read.push(Buffer.from(bytes).toString())
    }
    expect(read).toEqual([...A.texts, ...B.texts, ...C.texts])
    expect(places.map(({ opened }) => opened.length)).toEqual([1, 2, 2])
  })

  it('whose chunks are corrupt are an error when it is their turn, and not before', async () => {
    const places = await workers([A.bytes], [Buffer.from('neither header nor batch')])
    const read: string[] = []
    await expect(textsOf(new ReaderWorld().reader(inOrder(places)), read)).rejects.toMatchObject({
      code: 'CELEBORN_CORRUPT_DATA',
      context: { location: '4-1' },
    })
    expect(read).toEqual(A.texts)
    expect(places[1]?.opened).toHaveLength(1)
  })

  it('are given up for the chunk that is wanted first, where memory is short', async () => {
    const [bad, good, next] = await workers([], [bulk(0, 1, 100_000)], [bulk(0, 2, 60_000)])
    if (bad === undefined || good === undefined || next === undefined) throw new Error('no workers')
    const world = new ReaderWorld({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.node.maxReadBytes': '128k',
      'celeborn.shuffle.chunk.size': '30k',
    })
    bad.onOpen = (call) => call.handler(1)
    bad.onChunk = (call) => {
      void (async () => {
        // Half of the room is the next location's.
        while (world.frames.stats().framesAlive === 0) await turns(1)
        call.chunkFailure('no')
      })()
    }
    const first = location(bad, 0, { peer: location(good, 1) })
    const reader = world.reader([first, location(next, 0, { epoch: 1 })])
    expect((await textsOf(reader)).map(({ length }) => length)).toEqual([100_000, 60_000])
    // The other copy's chunk is larger than was thought, and came twice; the next location was read ahead in vain.
    expect([good.fetched, next.opened.length]).toEqual([[0, 0], 2])
    expect(world.frames.stats().peakBytesAlive).toBeLessThanOrEqual(128 * 1024)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })
})

describe('what was fetched ahead is released', () => {
  it.each(['break', 'destroy', 'signal', 'failure'] as const)('at the end by %s', async (how) => {
    const places = await workers([A.bytes], [B.bytes], [C.bytes])
    const abort = new AbortController()
    const world = new ReaderWorld()
    const reader = world.reader(inOrder(places), { signal: abort.signal })
    const iterator = reader[Symbol.asyncIterator]()
    await iterator.next()
    while (places.some(({ fetched }) => fetched.length === 0)) await turns(1)
    if (how === 'break') await iterator.return(undefined)
    else if (how === 'failure') await expect(iterator.throw(new Error('mine'))).rejects.toThrow('mine')
    else {
      if (how === 'destroy') reader.destroy()
      else abort.abort()
      await expect(iterator.next()).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    }
    while (places.some(({ ended }) => ended === 0)) await turns(1)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })

  it('while streams are being opened ahead: they are ended when their answer comes', async () => {
    const places = await workers([A.bytes], [B.bytes])
    const second = places[1]
    if (second === undefined) throw new Error('no worker')
    let answer: () => void = () => undefined
    second.onOpen = (call) => {
      answer = () => call.handler(1)
    }
    const world = new ReaderWorld()
    const iterator = world.reader(inOrder(places))[Symbol.asyncIterator]()
    await iterator.next()
    while (second.opened.length === 0) await turns(1)
    await iterator.return(undefined)
    answer()
    while (second.ended === 0) await turns(1)
    expect(second.fetched).toEqual([])
    expect(await world.nothingHeld()).toBe(0)
  })

  it('a signal that has fired already: nothing is asked, the first read is told', async () => {
    const places = await workers([A.bytes])
    const reader = new ReaderWorld().reader(inOrder(places), { signal: AbortSignal.abort() })
    await expect(textsOf(reader)).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    expect(places[0]?.opened).toEqual([])
  })
})

it('batches of codec NONE are views of their chunk’s frame', async () => {
  const chunk = chunkOf(0, 1, 3, 'NONE')
  const places = await workers([chunk.bytes])
  const reader = new ReaderWorld({ 'celeborn.client.shuffle.compression.codec': 'NONE' }).reader(
    inOrder(places),
  )
  const buffers = new Set<ArrayBufferLike>()
  const kept: Uint8Array[] = []
  for await (const bytes of reader) {
    buffers.add(bytes.buffer)
    kept.push(bytes)
  }
  expect([buffers.size, kept.length]).toEqual([1, 3])
  while (kept.some(({ length }) => length > 0)) await turns(1)
})

it('B74: duplicates between compressed batches are skipped, the others come in order, each once', async () => {
  const [first, again, other] = [chunkOf(0, 1, 4), chunkOf(0, 2, 5), chunkOf(1, 1, 3)]
  const places = await workers([first.bytes, again.bytes], [again.bytes, other.bytes, first.bytes])
  const reader = new ReaderWorld().reader(inOrder(places))
  expect(await textsOf(reader)).toEqual([...chunkOf(0, 1, 6).texts, ...other.texts])
  expect(reader.stats).toMatchObject({ batches: 9, duplicates: 3 + 5 + 4, chunks: 5, locations: 2 })
})
