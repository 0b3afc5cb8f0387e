import { describe, expect, it, onTestFinished } from 'vitest'
import { CelebornError } from '../../src/errors'
import { type BudgetHolder, type Charge, ReadBudget } from '../../src/read/budget'
import { turns } from '../push/harness'
import { ScriptedFetch } from './scripted-fetch'
import { bulk, location, ReaderWorld, textsOf } from './scripted-reader'

const PAGE = 4096
const CHUNK = 64 * 1024
const NONE = { 'celeborn.client.shuffle.compression.codec': 'NONE' }

async function worker(chunks: readonly Uint8Array[]): Promise<ScriptedFetch> {
  const started = await ScriptedFetch.start(chunks)
  onTestFinished(() => started.close())
  return started
}

function holder(name: string): BudgetHolder {
  return { name, chargedBytes: 0, shedIfPaused: () => undefined }
}

const never = new AbortController().signal
const patient = { timeoutMs: 60_000, signal: never }

describe('ReadBudget', () => {
  it('gives room in the order of asking: a smaller chunk does not overtake', async () => {
    const budget = new ReadBudget(10 * PAGE)
    const first = budget.tryTake(holder('a'), 8 * PAGE)
    const order: string[] = []
    const take = async (name: string, pages: number): Promise<Charge> => {
      const charge = await budget.take(holder(name), pages * PAGE, patient)
      order.push(name)
      return charge
    }
    const large = take('large', 5)
    const small = take('small', 1)
    expect(budget.tryTake(holder('ahead'), 1)).toBeUndefined()
    await turns(3)
    expect([order, budget.waiting]).toEqual([[], 2])
    first?.release()
    first?.release()
    for (const charge of await Promise.all([large, small])) charge.release()
    expect(order).toEqual(['large', 'small'])
    expect([budget.usedBytes, budget.waiting, budget.peakBytes]).toEqual([0, 0, 8 * PAGE])
  })

  it('admits a chunk larger than everything alone', async () => {
    const budget = new ReadBudget(2 * PAGE)
    const small = budget.tryTake(holder('a'), 1)
    const large = budget.take(holder('b'), 100 * PAGE, patient)
    await turns(3)
    expect(budget.waiting).toBe(1)
    small?.release()
    const charge = await large
    expect(budget.hasRoomAhead(holder('c'), 1)).toBe(false)
    charge.release()
    expect(budget.hasRoomAhead(holder('c'), 1)).toBe(true)
  })

  it('who gives up lets those behind it pass; who waits too long is told who holds the memory', async () => {
    const budget = new ReadBudget(4 * PAGE)
    const held = budget.tryTake(holder('partition 1 of shuffle 2'), 3 * PAGE)
    const abort = new AbortController()
    const aborted = budget.take(holder('b'), 2 * PAGE, { timeoutMs: 60_000, signal: abort.signal })
    const behind = budget.take(holder('c'), PAGE, patient)
    abort.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    ;(await behind).release()
    const late = budget.take(holder('d'), 2 * PAGE, { timeoutMs: 5, signal: never })
    await expect(late).rejects.toMatchObject({
      code: 'CELEBORN_ADMISSION_TIMEOUT',
      message: expect.stringMatching(
        /^d waited 5 ms for 8192 bytes .*12288 of 16384 bytes \(celeborn\.node\.maxReadBytes\).*partition 1 of shuffle 2 12288/,
      ) as string,
    })
    held?.release()
    expect([budget.usedBytes, budget.waiting]).toEqual([0, 0])
  })

  it('readers fetch ahead within their share; who has more gives it up as soon as somebody waits, the largest first', async () => {
    const budget = new ReadBudget(12 * PAGE)
    const shed: string[] = []
    const greedy = (name: string): BudgetHolder & { charges: Charge[] } => ({
      ...holder(name),
      charges: [],
      shedIfPaused() {
        shed.push(name)
        for (const charge of this.charges.splice(1)) charge.release()
      },
    })
    const ahead = (one: BudgetHolder & { charges: Charge[] }, pages: number): boolean => {
      const charge = budget.tryTakeAhead(one, pages * PAGE)
      if (charge !== undefined) one.charges.push(charge)
      return charge !== undefined
    }
    const [first, second] = [greedy('first'), greedy('second')]
    // Alone it may have everything.
    expect([2, 2, 2].map((pages) => ahead(first, pages))).toEqual([true, true, true])
    // Half of it is the second one's share.
    expect([2, 2, 2, 1].map((pages) => ahead(second, pages))).toEqual([true, true, true, false])
    // One that comes late finds no room, and is made some at once.
    const third = greedy('third')
    const taken = budget.take(third, 2 * PAGE, patient)
    expect(shed).toEqual(['first'])
    third.charges.push(await taken)
    // Each has a third now: two of two pages are that; the first is below, and may take one more.
    expect([ahead(third, 3), ahead(second, 1), ahead(first, 3), ahead(first, 2)]).toEqual([
      false,
      false,
      false,
      true,
    ])
    for (const { charges } of [first, second, third]) for (const charge of charges) charge.release()
    expect([budget.usedBytes, budget.waiting]).toEqual([0, 0])
  })

  it('a charge grows only where there is room, and one that shrinks lets others in', async () => {
    const budget = new ReadBudget(4 * PAGE)
    const one = budget.tryTake(holder('a'), 2 * PAGE)
    const other = budget.tryTake(holder('b'), PAGE)
    expect(one?.fit(4 * PAGE)).toBe(false)
    expect(one?.fit(3 * PAGE)).toBe(true)
    const waiting = budget.take(holder('c'), 2 * PAGE, patient)
    expect(one?.fit(10)).toBe(true)
    const third = await waiting
    expect(budget.usedBytes).toBe(4 * PAGE)
    for (const charge of [one, other, third]) charge?.release()
    expect(budget.usedBytes).toBe(0)
  })
})

describe('many readers under a small budget', () => {
  const MAX = 4 << 20

  it.each([
    ['known', 3 * (CHUNK + 16), '8m', true],
    ['thought smaller than they are', 0, '1', false],
    ['thought larger than the budget', 0, '8m', true],
  ] as const)('200 at once all finish, sizes of chunks %s', async (_, fileSize, chunkSize, waits) => {
    const chunks = [0, 1, 2].map((batchId) => bulk(0, batchId, CHUNK))
    const fetch = await worker(chunks)
    const world = new ReaderWorld({
      ...NONE,
      'celeborn.node.maxReadBytes': MAX,
      'celeborn.shuffle.chunk.size': chunkSize,
    })
    const readers = Array.from({ length: 200 }, () => world.reader([location(fetch, 0, { fileSize })]))
    const read = await Promise.all(readers.map((reader) => textsOf(reader)))
    for (const texts of read)
      expect(texts.map((text) => [text.length, text[0]])).toEqual([
        [CHUNK, 'a'],
        [CHUNK, 'b'],
        [CHUNK, 'c'],
      ])
    const { peakBytesAlive } = world.frames.stats()
    expect(peakBytesAlive).toBeGreaterThan(CHUNK)
    expect(peakBytesAlive).toBeLessThanOrEqual(MAX)
    // Where the sizes are known before, most of them cannot even ask at first.
    if (waits) expect(readers.some(({ stats }) => stats.budgetWaitMs > 0)).toBe(true)
    expect(readers.every(({ stats }) => stats.retries === 0)).toBe(true)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })

  it.each([
    ['finds room for all, and waits for none', 8],
    ['of one more is told who has the memory', 7],
  ])('a merge of 8 readers, each at its next batch, %s', async (_, room) => {
    const chunks = [0, 1, 2].map((batchId) => bulk(0, batchId, CHUNK - 1000))
    const fetch = await worker(chunks)
    const world = new ReaderWorld({
      ...NONE,
      'celeborn.shuffle.chunk.size': CHUNK / 2,
      'celeborn.node.maxReadBytes': room * CHUNK,
      'celeborn.client.fetch.timeout': room === 8 ? '20s' : '300ms',
    })
    // Sizes are not known: each is charged at twice the chunks' size until it comes.
    const readers = Array.from({ length: 8 }, () => world.reader([location(fetch)]))
    const merged = readers.map((reader) => reader[Symbol.asyncIterator]())
    const read: number[] = readers.map(() => 0)
    const advance = async (): Promise<void> => {
      for (const [i, one] of merged.entries()) {
        const { value, done } = await one.next()
        if (done !== true) read[i] = (read[i] ?? 0) + value.length
      }
    }
    if (room === 8) {
      for (let i = 0; i < 4; i++) await advance()
      expect(read).toEqual(readers.map(() => 3 * (CHUNK - 1000)))
    } else {
      await expect(advance()).rejects.toMatchObject({
        code: 'CELEBORN_ADMISSION_TIMEOUT',
        message: expect.stringMatching(/held by 7 readers: partition 4 of shuffle 9 65536/) as string,
      })
    }
    for (const one of merged) await one.return(undefined)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })

  it('a chunk that changes its size each time it is asked for is corrupt', async () => {
    const fetch = await worker([bulk(0, 0, CHUNK)])
    const world = new ReaderWorld({
      ...NONE,
      'celeborn.node.maxReadBytes': CHUNK,
      'celeborn.shuffle.chunk.size': '1',
    })
    const blocker = world.budget.tryTake(holder('other'), 1)
    let size = CHUNK
    fetch.onChunk = (call) => {
      if (fetch.fetched.length > 1) expect(world.budget.tryTake(holder('more'), 1)).toBeUndefined()
      call.chunk(bulk(0, 0, (size *= 2)))
    }
    const reading = textsOf(world.reader([location(fetch)]))
    while (fetch.fetched.length === 0 || world.budget.waiting === 0) await turns(1)
    // Alone it may have any size; beside another chunk, not.
    blocker?.release()
    expect((await reading)[0]).toHaveLength(4 * CHUNK)
    expect(fetch.fetched).toEqual([0, 0])
  })
})

it('B73: memory that the system refuses is an error at once: no other try, no other copy', async () => {
  const fetch = await worker([bulk(0, 0, CHUNK)])
  const world = new ReaderWorld({ ...NONE, 'celeborn.client.fetch.maxRetriesForEachReplica': 3 })
  world.frames.acquire = () => {
    throw new CelebornError('CELEBORN_OUT_OF_MEMORY', 'the system refused')
  }
  const reader = world.reader([location(fetch, 0, { peer: location(fetch, 1) })])
  await expect(textsOf(reader)).rejects.toMatchObject({
    code: 'CELEBORN_OUT_OF_MEMORY',
    message: 'partition 4 of shuffle 9 cannot be read: the system refused',
  })
  expect([fetch.opened.length, fetch.fetched]).toEqual([1, [0]])
  expect(await world.nothingHeld()).toBe(0)
  expect(world.budget.usedBytes).toBe(0)
})

describe('a consumer that stops', () => {
  it('holds its window at most, within the budget, and goes on when it likes', async () => {
    const chunks = Array.from({ length: 12 }, (_, batchId) => bulk(0, batchId, CHUNK))
    const fetch = await worker(chunks)
    const budget = 5 * (CHUNK + PAGE * 4)
    const world = new ReaderWorld({
      ...NONE,
      'celeborn.node.maxReadBytes': budget,
      'celeborn.client.fetch.maxReqsInFlight': 8,
      'celeborn.shuffle.chunk.size': '32k',
    })
    const iterator = world.reader([location(fetch)])[Symbol.asyncIterator]()
    await iterator.next()
    while (fetch.fetched.length < 3) await turns(1)
    await turns(50)
    // Without the budget the window would allow nine.
    expect(fetch.fetched.length).toBeLessThan(8)
    let read = 1
    while ((await iterator.next()).done !== true) read++
    expect(read).toBe(12)
    expect(world.frames.stats().peakBytesAlive).toBeLessThanOrEqual(budget)
    expect(await world.nothingHeld()).toBe(0)
  })

  it('as a Readable: no more is asked for than the window, until it is read on', async () => {
    const chunks = Array.from({ length: 12 }, (_, batchId) => bulk(0, batchId, CHUNK))
    const fetch = await worker(chunks)
    const world = new ReaderWorld({ ...NONE, 'celeborn.client.fetch.maxReqsInFlight': 2 })
    const readable = world.reader([location(fetch)]).toReadable()
    while (readable.readableLength === 0) {
      readable.read(0)
      await turns(1)
    }
    await turns(50)
    // One in the stream's own buffer, one that waits for room there, and the window.
    expect(fetch.fetched.length).toBeLessThanOrEqual(4)
    let bytes = 0
    for await (const part of readable) bytes += (part as Buffer).length
    expect(bytes).toBe(12 * CHUNK)
    expect(await world.nothingHeld()).toBe(0)
  })

  it('gives up what it fetched ahead when others wait, and reads it again later', async () => {
    const chunks = Array.from({ length: 4 }, (_, batchId) => bulk(0, batchId, CHUNK))
    const fetch = await worker(chunks)
    const size = 4 * (CHUNK + 16)
    const world = new ReaderWorld({
      ...NONE,
      'celeborn.node.maxReadBytes': 3 * (CHUNK + PAGE * 4),
      'celeborn.client.fetch.maxReqsInFlight': 8,
      'celeborn.shuffle.chunk.size': '32k',
      'celeborn.client.fetch.timeout': '20s',
    })
    const paused = world.reader([location(fetch, 0, { fileSize: size })])[Symbol.asyncIterator]()
    await paused.next()
    // All the room is taken by chunks that nobody looks at.
    while (world.budget.hasRoomAhead(holder('c'), CHUNK + 16)) await turns(1)
    const other = world.reader([location(fetch, 0, { fileSize: size })])
    expect(await textsOf(other)).toHaveLength(4)
    expect(other.stats.budgetWaitMs).toBeGreaterThan(0)
    let read = 1
    while ((await paused.next()).done !== true) read++
    expect(read).toBe(4)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })

  it('and has all there is: who waits longer than the fetch time-out is told who, and asks no other copy', async () => {
    const fetch = await worker([bulk(0, 0, CHUNK)])
    const world = new ReaderWorld({
      ...NONE,
      'celeborn.node.maxReadBytes': CHUNK,
      'celeborn.client.fetch.timeout': '200ms',
      'celeborn.client.fetch.maxRetriesForEachReplica': 3,
    })
    const paused = world.reader([location(fetch)])[Symbol.asyncIterator]()
    await paused.next()
    const late = world.reader([location(fetch, 0, { peer: location(fetch, 1) })])
    await expect(textsOf(late)).rejects.toMatchObject({
      code: 'CELEBORN_ADMISSION_TIMEOUT',
      message: expect.stringMatching(
        /^partition 4 of shuffle 9 cannot be read: .* are held by 1 readers: partition 4 of shuffle 9 \d+/,
      ) as string,
      context: { shuffleId: 9, partitionId: 4, location: '4-0' },
    })
    expect(late.stats.retries).toBe(0)
    await paused.return(undefined)
    expect(await textsOf(world.reader([location(fetch)]))).toHaveLength(1)
    expect(await world.nothingHeld()).toBe(0)
    expect(world.budget.usedBytes).toBe(0)
  })
})
