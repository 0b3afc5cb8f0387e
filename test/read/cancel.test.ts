import { getEventListeners, once } from 'node:events'
import { type Socket } from 'node:net'
import { type Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ClosedError } from '../../src/errors'
import { native } from '../../src/memory/native'
import { blockBytes } from '../../src/memory/size-class'
import { type BudgetHolder } from '../../src/read/budget'
import { turns } from '../push/harness'
import { type ChunkCall, type OpenCall, ScriptedFetch } from './scripted-fetch'
import { bulk, location, ReaderWorld, textsOf } from './scripted-reader'

const SIZE = 100_000
const HALF = 40_000
const CHUNKS = [bulk(0, 0, SIZE), bulk(0, 1, SIZE)]
/** What a chunk's frame takes. */
const CHARGE = blockBytes(SIZE + 16, native().pageBytes)

/** What has become of the second chunk, while the consumer has the first. */
const STATES = ['asked for', 'half arrived', 'arrived'] as const
type State = (typeof STATES)[number]
const WAYS = ['destroyed', 'ended by its signal', 'ended with its client', 'returned', 'a Readable'] as const
type Way = (typeof WAYS)[number]

interface Scene {
  readonly fetch: ScriptedFetch
  readonly world: ReaderWorld
  /** Ends the reader; resolves when its consumer has seen it. */
  readonly end: () => Promise<void>
  /** The worker sends what is left of the second chunk. */
  readonly sendRest: () => void
}

/** Memory is given back without anybody's closing the connection. */
async function allReleased({ frames, budget }: ReaderWorld): Promise<void> {
  while (frames.stats().framesAlive > 0 || budget.usedBytes > 0) await turns(1)
}

/** A reader whose consumer has the first chunk, and whose second chunk is in that state. */
async function start(state: State, way: Way, entries: Record<string, string> = {}): Promise<Scene> {
  const fetch = await ScriptedFetch.start(CHUNKS)
  onTestFinished(() => fetch.close())
  const world = new ReaderWorld({
    'celeborn.client.shuffle.compression.codec': 'NONE',
    'celeborn.shuffle.chunk.size': '50k',
    ...entries,
  })
  const [first, second] = CHUNKS as [Buffer, Buffer]
  let socket: Socket | null = null
  fetch.onChunk = (call) => {
    socket = call.socket
    if (call.slice.chunkIndex === 0) call.chunk(first)
    else if (state === 'half arrived') call.chunk(second, call.slice, HALF)
    else if (state === 'arrived') call.chunk(second)
  }
  const abort = new AbortController()
  const reader = world.reader([location(fetch)], { signal: abort.signal })
  let readable: Readable | null = null
  const iterator = reader[Symbol.asyncIterator].bind(reader)
  let batches: AsyncGenerator<Uint8Array, void, undefined> | null = null
  if (way === 'a Readable') {
    readable = reader.toReadable()
    while (readable.readableLength === 0) {
      readable.read(0)
      await turns(1)
    }
  } else {
    batches = iterator()
    expect((await batches.next()).value).toHaveLength(SIZE)
  }
  while (fetch.fetched.length < 2) await turns(1)
  const alive = state === 'asked for' ? 1 : 2
  const late = (): boolean => world.pool.stats().timedOut > 0
  while (world.frames.stats().framesAlive < alive && !late()) await turns(1)
  if (state === 'arrived') while (world.pool.stats().pending > 0) await turns(1)
  await turns(5)
  // The machine stood still for as long as a time-out: nothing can be said of what was to come.
  if (late()) return start(state, way, entries)
  expect([world.frames.stats().framesAlive, world.budget.usedBytes]).toEqual([alive, 2 * CHARGE])

  const end = async (): Promise<void> => {
    if (way === 'returned') {
      await batches?.return(undefined)
      return
    }
    if (readable !== null) {
      readable.destroy()
      await once(readable, 'close')
      return
    }
    if (way === 'destroyed') reader.destroy()
    else if (way === 'ended by its signal') abort.abort()
    else reader.end(new ClosedError('the client is closed'))
    // What the consumer does not have is gone at once, though it does not know yet.
    expect(world.pool.stats().pending).toBe(0)
    if (state !== 'half arrived') {
      expect([world.frames.stats().framesAlive, world.budget.usedBytes]).toEqual([1, CHARGE])
    }
    const code = way === 'ended with its client' ? 'CELEBORN_CLOSED' : 'CELEBORN_ABORTED'
    await expect(batches?.next()).rejects.toMatchObject({ code })
  }
  return {
    fetch,
    world,
    end,
    sendRest: () => void socket?.write(second.subarray(HALF)),
  }
}

describe.each(WAYS)('a reader that is %s', (way) => {
  it.each(STATES)('releases a chunk that is %s, once', async (state) => {
    const { fetch, world, end, sendRest } = await start(state, way)
    await end()
    if (state === 'half arrived') {
      await turns(5)
      // The socket still points into it.
      expect([world.frames.stats().framesAlive, world.budget.usedBytes]).toEqual([1, CHARGE])
      const others = Array.from({ length: 4 }, () => world.frames.acquire(SIZE + 16))
      for (const { bytes } of others) bytes.fill(0x11)
      sendRest()
      while (world.budget.usedBytes > 0) await turns(1)
      for (const frame of others) {
        expect(frame.bytes.every((byte) => byte === 0x11)).toBe(true)
        frame.release()
      }
    }
    await allReleased(world)
    expect(world.pool.stats().pending).toBe(0)
    while (fetch.ended === 0) await turns(1)
    // The connection is as good as before.
    fetch.onChunk = (call) => call.chunk(CHUNKS[call.slice.chunkIndex] ?? Buffer.alloc(0))
    const again = world.reader([location(fetch)])
    expect((await textsOf(again)).map((text) => [text[0], text.length])).toEqual([
      ['a', SIZE],
      ['b', SIZE],
    ])
    expect([again.stats.retries, fetch.sockets.size]).toEqual([0, 1])
    await allReleased(world)
  })

  it('releases a chunk of which no more comes, with its connection', async () => {
    const { world, end } = await start('half arrived', way, {
      'celeborn.client.fetch.timeout': '200ms',
    })
    await end()
    await allReleased(world)
    expect(world.pool.stats()).toMatchObject({ connections: [], connectionsLost: 1 })
    await allReleased(world)
  })
})

describe('a reader that waits for room', () => {
  const blocker: BudgetHolder = { name: 'another', chargedBytes: 0, shedIfPaused: () => undefined }

  it.each(['destroyed', 'ended by its signal', 'ended with its client', 'a Readable'] as const)(
    'and is %s takes none',
    async (way) => {
      const fetch = await ScriptedFetch.start(CHUNKS)
      onTestFinished(() => fetch.close())
      const world = new ReaderWorld({
        'celeborn.client.shuffle.compression.codec': 'NONE',
        'celeborn.shuffle.chunk.size': '50k',
        'celeborn.node.maxReadBytes': CHARGE,
      })
      const abort = new AbortController()
      const reader = world.reader([location(fetch)], { signal: abort.signal })
      const readable = way === 'a Readable' ? reader.toReadable() : null
      const batches = readable === null ? reader[Symbol.asyncIterator]() : null
      if (readable !== null) await once(readable, 'readable')
      else await batches?.next()
      // It stands before the reader, which gives up the first chunk's room and finds the next one's taken.
      const taken = world.budget.take(blocker, SIZE, {
        timeoutMs: 60_000,
        signal: new AbortController().signal,
      })
      const pending = batches?.next()
      readable?.resume()
      const charge = await taken
      while (world.budget.waiting === 0) await turns(1)
      expect(world.frames.stats().framesAlive).toBe(0)
      if (readable !== null) {
        readable.destroy()
        await once(readable, 'close')
      } else {
        if (way === 'destroyed') reader.destroy()
        else if (way === 'ended by its signal') abort.abort()
        else reader.end(new ClosedError('the client is closed'))
        const code = way === 'ended with its client' ? 'CELEBORN_CLOSED' : 'CELEBORN_ABORTED'
        await expect(pending).rejects.toMatchObject({ code })
      }
      expect([world.budget.waiting, world.budget.usedBytes]).toEqual([0, CHARGE])
      charge.release()
      await allReleased(world)
      expect([fetch.fetched, world.pool.stats().pending]).toEqual([[0], 0])
      expect(await textsOf(world.reader([location(fetch)]))).toHaveLength(2)
      await allReleased(world)
    },
  )
})

it('a late answer that stops half-way does not hold up whoever asks next', async () => {
  const fetch = await ScriptedFetch.start(CHUNKS.slice(0, 1))
  onTestFinished(() => fetch.close())
  const world = new ReaderWorld({
    'celeborn.client.shuffle.compression.codec': 'NONE',
    'celeborn.client.fetch.timeout': '300ms',
    'celeborn.client.fetch.maxRetriesForEachReplica': 9,
  })
  const answer = fetch.onChunk
  const calls: ChunkCall[] = []
  fetch.onChunk = (call) => {
    calls.push(call)
    const [first] = calls
    // The first connection answers only the request that nobody waits for any more, and that not to its end.
    if (first?.socket !== call.socket) answer(call)
    else if (calls.length === 2) first.chunk(CHUNKS[0] ?? Buffer.alloc(0), first.slice, HALF)
  }
  expect((await textsOf(world.reader([location(fetch)]))).map((text) => text[0])).toEqual(['a'])
  expect(calls.length).toBeGreaterThanOrEqual(3)
  expect(world.pool.stats().connectionsLost).toBeGreaterThan(0)
  await allReleased(world)
})

it('nor does it when whoever asks next only opens a stream', async () => {
  const fetch = await ScriptedFetch.start(CHUNKS.slice(0, 1))
  onTestFinished(() => fetch.close())
  const world = new ReaderWorld({
    'celeborn.client.shuffle.compression.codec': 'NONE',
    'celeborn.client.fetch.timeout': '300ms',
    'celeborn.client.fetch.maxRetriesForEachReplica': 9,
  })
  const { onOpen, onChunk } = fetch
  let first: ChunkCall | null = null
  fetch.onChunk = (call) => {
    if (first === null) first = call
    else onChunk(call)
  }
  fetch.onOpen = (call) => {
    if (first?.socket !== call.socket) onOpen(call)
    else if (fetch.opened.length === 2) first.chunk(CHUNKS[0] ?? Buffer.alloc(0), first.slice, HALF)
  }
  expect((await textsOf(world.reader([location(fetch)]))).map((text) => text[0])).toEqual(['a'])
  expect(world.pool.stats().connectionsLost).toBeGreaterThan(0)
  await allReleased(world)
})

it.each(['not read', 'begun', 'read on'])(
  'a reader that is ended, %s, listens to no signal any more',
  async (how) => {
    const fetch = await ScriptedFetch.start(CHUNKS)
    onTestFinished(() => fetch.close())
    const { signal } = new AbortController()
    const reader = new ReaderWorld().reader([location(fetch)], { signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    const batches = how === 'not read' ? null : reader[Symbol.asyncIterator]()
    const pending = how === 'read on' ? batches?.next() : undefined
    reader.destroy()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    if (pending !== undefined) await expect(pending).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
  },
)

it.each(['destroyed', 'ended by its signal', 'a Readable'])(
  'a stream that is opened for a reader that is %s meanwhile is ended when its answer comes',
  async (way) => {
    const fetch = await ScriptedFetch.start(CHUNKS)
    onTestFinished(() => fetch.close())
    const world = new ReaderWorld({ 'celeborn.client.shuffle.compression.codec': 'NONE' })
    const calls: OpenCall[] = []
    fetch.onOpen = (call) => void calls.push(call)
    const abort = new AbortController()
    const reader = world.reader([location(fetch)], { signal: abort.signal })
    const readable = way === 'a Readable' ? reader.toReadable().resume() : null
    const pending = readable === null ? reader[Symbol.asyncIterator]().next() : null
    while (calls.length === 0) await turns(1)
    if (readable !== null) {
      readable.destroy()
      await once(readable, 'close')
    } else {
      if (way === 'destroyed') reader.destroy()
      else abort.abort()
      await expect(pending).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    }
    calls[0]?.handler(2)
    while (fetch.ended === 0) await turns(1)
    expect([fetch.fetched, world.pool.stats().pending]).toEqual([[], 0])
    await allReleased(world)
  },
)
