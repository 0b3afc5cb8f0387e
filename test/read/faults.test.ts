import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CelebornError } from '../../src/errors'
import { type ConnectionFault, FaultProxy } from '../fault/fault-proxy'
import { Random } from '../fuzz/random'
import { FaultyWorld } from './faulty-world'

const few = (mapId: number): string[] =>
  Array.from({ length: 3 }, (_, i) => `map ${mapId} batch ${i} ${'abc'.repeat(20 * (i + 1))}`)

/** Bytes of one reading, either way. */
async function measure(world: FaultyWorld): Promise<{ up: number; down: number }> {
  world.primary.plan = () => ({})
  const first = world.newReader()
  expect(await first.read()).toEqual(world.written)
  expect(first.reader.stats).toMatchObject({ retries: 0, batches: world.written.length })
  expect(first.reader.stats.chunks).toBeGreaterThan(2)
  const connection = world.primary.connections[world.primary.connections.length - 1]
  return { up: connection?.up?.passed ?? 0, down: connection?.down?.passed ?? 0 }
}

describe.each(['up', 'down'] as const)('a connection that is cut at every byte, %s', (direction) => {
  it.each(['reset', 'fin'] as const)('by %s: the replica is read', async (action) => {
    const world = await FaultyWorld.start({ replicate: true, texts: few })
    const bytes = (await measure(world))[direction]
    expect(bytes).toBeGreaterThan(150)
    for (let after = 0; after < bytes; after++) {
      world.primary.plan = () => ({ [direction]: { after, action } })
      const one = world.newReader()
      expect([after, await one.read()]).toEqual([after, world.written])
      // Behind the last chunk nothing is needed from the worker; its end of the stream has no answer.
      if (one.reader.stats.retries !== 1) expect([direction, after > bytes - 60]).toEqual(['up', true])
      world.primary.forget()
      world.replica.forget()
    }
  })

  it('once: the same copy is read again', async () => {
    const world = await FaultyWorld.start({ replicate: false, texts: few })
    const bytes = (await measure(world))[direction]
    for (let after = 0; after < bytes; after += 7) {
      const planned = world.primary.connections.length
      world.primary.plan = (index) => (index === planned ? { [direction]: { after, action: 'reset' } } : {})
      const one = world.newReader()
      expect([after, await one.read()]).toEqual([after, world.written])
      expect(one.reader.stats.batches).toBe(world.written.length)
    }
  })
})

const QUICK = { 'celeborn.client.fetch.timeout': '300ms' }

const FAULTS: [string, ConnectionFault][] = [
  ['accepts nothing', { accept: 'reset' }],
  ['hangs up', { accept: 'fin' }],
  ['never reads', { accept: 'ignore' }],
  ['never answers', { accept: 'swallow' }],
  ['stalls before it answers', { down: { action: 'stall' } }],
  ['stalls within a chunk', { down: { after: 220, action: 'stall' } }],
  ['does not take requests', { up: { after: 30, action: 'stall' } }],
  ['loses requests', { up: { after: 80, action: 'swallow' } }],
  ['loses the rest of a chunk', { down: { after: 300, action: 'swallow' } }],
]

describe.each(FAULTS)('a worker that %s', (_, fault) => {
  it('is left for the replica', async () => {
    const world = await FaultyWorld.start({ replicate: true, texts: few })
    world.primary.plan = () => fault
    // On a busy machine the replica may be late, too; then it is asked again.
    const one = world.newReader({ ...QUICK, 'celeborn.client.fetch.maxRetriesForEachReplica': 5 })
    expect(await one.read()).toEqual(world.written)
    expect(one.reader.stats.retries).toBeGreaterThan(0)
  })

  it('and has no replica is an error that says where and why', async () => {
    const world = await FaultyWorld.start({ replicate: false, texts: few })
    world.primary.plan = () => fault
    const one = world.newReader(QUICK)
    const error: unknown = await one.read().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'CELEBORN_FETCH_FAILED',
      context: { shuffleId: 2, partitionId: 0, location: '0-0', hostPort: world.primary.hostPort },
    })
    const { message, context } = error as CelebornError
    expect(message).toMatch(
      /^location 0-0 of partition 0 of shuffle 2 could not be read in 2 tries; the last, /,
    )
    expect(message).toMatch(/did not answer within|lost:|cannot connect|took no bytes|sent nothing more/)
    expect(context.attempts).toHaveLength(2)
  })
})

describe('a worker that', () => {
  it('is not there is left for the replica', async () => {
    const world = await FaultyWorld.start({ replicate: true, texts: few })
    await world.primary.refuse()
    const one = world.newReader()
    expect(await one.read()).toEqual(world.written)
    await world.replica.refuse()
    await expect(world.newReader().read()).rejects.toMatchObject({
      code: 'CELEBORN_FETCH_FAILED',
      cause: { code: 'CELEBORN_CONNECT' },
      context: { attempts: { length: 3 } },
    })
  })

  it('dies while it is read, after some chunks: each batch comes once', async () => {
    const many = (mapId: number): string[] =>
      Array.from({ length: 200 }, (_, i) => `map ${mapId} batch ${i} ${'xyz'.repeat(30)}`)
    const world = await FaultyWorld.start({ replicate: true, texts: many })
    const one = world.newReader()
    let batches = 0
    const seen: string[] = []
    for await (const bytes of one.reader) {
      seen.push(Buffer.from(bytes).toString('latin1'))
      if (++batches === 100) await world.primary.refuse()
    }
    expect(seen.sort()).toEqual(world.written)
    expect(one.reader.stats.duplicates).toBeGreaterThan(0)
  })
})

describe('bytes that arrive', () => {
  it.each([1, 2, 3, 7, 61])('%i in a turn of the event loop, make the same chunks', async (pieceBytes) => {
    const world = await FaultyWorld.start({ replicate: false, texts: few })
    world.primary.plan = () => ({ down: { pieceBytes }, up: { pieceBytes } })
    const one = world.newReader()
    expect(await one.read()).toEqual(world.written)
    expect(one.reader.stats.retries).toBe(0)
  })

  it('through a tiny window, make the same chunks, of any size', async () => {
    const sizes = [1, 500, 2303, 16_384, 65_537, 700_000]
    const large = (mapId: number): string[] =>
      sizes.map((size) =>
        Array.from({ length: size }, (_, i) => String.fromCharCode((i * 31 + mapId) & 0xff)).join(''),
      )
    const entries = {
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.shuffle.chunk.size': '64k',
    }
    const world = await FaultyWorld.start({ replicate: false, texts: large, entries })
    const [location] = world.groups.locations.get(0) ?? []
    if (location === undefined) throw new Error('no location')
    const port = await smallWindow(world.primary.port)
    const proxied = await FaultProxy.start({ host: '127.0.0.1', port })
    onTestFinished(() => proxied.close())
    const groups = new Map([[0, [{ ...location, fetchPort: proxied.port }]]])
    Object.assign(world.groups, { locations: groups })
    const one = world.newReader()
    expect(await one.read()).toEqual(world.written)
    expect(one.reader.stats.retries).toBe(0)
  })
})

/** A relay whose sockets have a receive buffer of about 2 KiB. */
async function smallWindow(target: number): Promise<number> {
  const script = join(__dirname, '../fault/small-window.py')
  const relay = spawn('python3', [script, String(target)], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const ended = once(relay, 'exit')
    relay.stdin.end()
    await ended
  })
  const [line] = (await once(createInterface(relay.stdout), 'line')) as [string]
  return Number(line)
}

// Networks do not do this, but disks and memory do; and a peer may.
it('a flipped bit anywhere is an error or harmless: other rows are never delivered as all of them', async () => {
  const world = await FaultyWorld.start({ replicate: false, texts: few })
  const { down } = await measure(world)
  const random = new Random(20_261_201, 7)
  const outcomes = { right: 0, refused: 0 }
  for (let i = 0; i < 150; i++) {
    const at = random.below(down)
    const bit = 1 << random.below(8)
    let passed = 0
    const replace = (data: Buffer): Buffer => {
      const copy = Buffer.from(data)
      const index = at - passed
      passed += data.length
      if (index >= 0 && index < copy.length) copy[index] = (copy[index] ?? 0) ^ bit
      return copy
    }
    const planned = world.primary.connections.length
    world.primary.plan = (index) => (index === planned ? { down: { replace } } : {})
    const one = world.newReader({ ...QUICK, 'celeborn.client.fetch.maxRetriesForEachReplica': 0 })
    try {
      expect(await one.read()).toEqual(world.written)
      outcomes.right++
    } catch (error) {
      if (!(error instanceof CelebornError)) throw error
      expect(['CELEBORN_FETCH_FAILED', 'CELEBORN_CORRUPT_DATA']).toContain(error.code)
      expect(error.context).toMatchObject({ shuffleId: 2, partitionId: 0 })
      outcomes.refused++
    }
    world.primary.forget()
  }
  expect(outcomes.refused).toBeGreaterThan(60)
})
