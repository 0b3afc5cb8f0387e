import { describe, expect, it } from 'vitest'
import { CelebornError } from '../../src/errors'
import { type ConnectionFault } from './fault-proxy'
import { codecOf, digestsOf, expectNothingHeld, MODES, pushAll, settle, SHUFFLE, World } from './world'

const ATTEMPT = { ...SHUFFLE, mapId: 0, attemptId: 0 }
const NEXT = { ...ATTEMPT, attemptId: 1 }
const SIZES = Array.from({ length: 16 }, (_, i) => 100 + i * 137)

const FEW = { 'celeborn.client.push.revive.maxRetries': 2, 'celeborn.client.push.timeout': '1500ms' }

/** Faults on every connection, whatever its location. */
const LASTING: readonly { name: string; fault: ConnectionFault; says: RegExp }[] = [
  {
    name: 'every connection is reset at once',
    fault: { accept: 'reset' },
    says: /CONNECTION_EXCEPTION|CREATE_CONNECTION_FAIL/,
  },
  {
    name: 'every connection is closed within the first batch',
    fault: { up: { after: 90, action: 'fin' } },
    says: /CONNECTION_EXCEPTION/,
  },
  { name: 'no worker answers', fault: { accept: 'swallow' }, says: /TIMEOUT/ },
  { name: 'no worker reads', fault: { accept: 'ignore' }, says: /TIMEOUT/ },
  { name: 'all answers are lost', fault: { down: { action: 'swallow' } }, says: /TIMEOUT/ },
]

async function startWorld(mode: (typeof MODES)[number], entries = {}): Promise<World> {
  return World.start({
    workers: 2,
    entries: { ...entries, 'celeborn.client.shuffle.compression.codec': codecOf(mode) },
  })
}

/** The faults are over: the next attempt of the map task delivers, and it alone is read. */
async function expectNextAttemptAlone(world: World, mode: (typeof MODES)[number]): Promise<void> {
  world.fault = () => ({})
  for (const proxy of world.relay.proxies) {
    await proxy.listen()
    proxy.resetAll()
  }
  // The client hears of it; what it pushed before would be one more failure.
  while (world.client.stats().connections.connections.length > 0) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  const pushed = await pushAll(world.client, mode, NEXT, SIZES)
  await world.client.mapperEnd(NEXT)
  const settlements = await settle(pushed)
  expect(new Set(settlements.map(({ outcome }) => outcome))).toEqual(new Set(['acked']))
  expect(await world.readBack()).toEqual(digestsOf(pushed))
}

describe.each(MODES)('%s', (mode) => {
  it.each(LASTING)('fails with its whole history: $name', async ({ fault, says }) => {
    const world = await startWorld(mode, FEW)
    world.fault = () => fault
    const { client } = world
    const pushed = await pushAll(client, mode, ATTEMPT, SIZES)
    const ended = expect(client.mapperEnd(ATTEMPT)).rejects.toMatchObject({ code: 'CELEBORN_PUSH_FAILED' })
    const settlements = await settle(pushed)
    await ended
    for (const [i, settlement] of settlements.entries()) {
      expect(settlement.outcome).toBe('failed')
      if (settlement.outcome !== 'failed') continue
      const { error } = settlement
      expect(error).toBeInstanceOf(CelebornError)
      const { partitionId, receipt } = pushed[i] ?? { partitionId: -1, receipt: null }
      expect(error.context).toMatchObject({
        shuffleId: SHUFFLE.shuffleId,
        mapId: 0,
        attemptId: 0,
        partitionId,
        batchId: receipt?.batchId,
      })
      expect(error.context.attempts).toHaveLength(3)
      expect(error.message).toMatch(says)
      expect(error.message).toMatch(/127\.0\.0\.1:\d+ \(epoch 0\)/)
    }
    expect(world.relay.mapperEnds).toBe(0)
    expectNothingHeld(client)
    await expectNextAttemptAlone(world, mode)
    await world.close()
  })

  it('fails with its whole history: every connection is refused', async () => {
    const world = await startWorld(mode, FEW)
    const { client, relay } = world
    const onProxy = relay.onProxy
    const refusals: Promise<void>[] = []
    relay.onProxy = (proxy) => {
      onProxy(proxy)
      refusals.push(proxy.refuse())
    }
    const pushed = await pushAll(client, mode, ATTEMPT, SIZES)
    const ended = expect(client.mapperEnd(ATTEMPT)).rejects.toMatchObject({ code: 'CELEBORN_PUSH_FAILED' })
    const settlements = await settle(pushed)
    await ended
    await Promise.all(refusals)
    for (const settlement of settlements) {
      expect(settlement).toMatchObject({ outcome: 'failed' })
      if (settlement.outcome === 'failed') {
        expect(settlement.error.message).toMatch(
          /CREATE_CONNECTION_FAIL_PRIMARY: cannot connect .*ECONNREFUSED/,
        )
      }
    }
    relay.onProxy = onProxy
    await expectNextAttemptAlone(world, mode)
    await world.close()
  })

  it.each([
    ['no worker reads', { accept: 'ignore' }],
    ['no worker answers', { accept: 'swallow' }],
    ['workers stop reading within a batch', { up: { after: 500, action: 'stall' } }],
    ['answers are lost', { down: { action: 'swallow' } }],
  ] as const)('drops what an abort finds in flight, and no more: %s', async (_name, fault) => {
    const world = await startWorld(mode)
    world.fault = () => fault
    const { client } = world
    // The first attempt has more than sockets take: some of it is under way, some was never written.
    const pushed = await pushAll(client, mode, ATTEMPT, [...SIZES, ...SIZES.map(() => 500_000)])
    while (world.connections < 2) await new Promise((resolve) => setImmediate(resolve))
    const ended = expect(client.mapperEnd(ATTEMPT)).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    const cleaned = client.cleanup(ATTEMPT)
    await ended
    // Memory that a socket is reading comes back with the end of that write.
    for (const proxy of world.relay.proxies) proxy.resetAll()
    const settlements = await settle(pushed)
    await cleaned
    for (const settlement of settlements) {
      expect(settlement).toMatchObject({ outcome: 'dropped', reason: 'aborted' })
    }
    expectNothingHeld(client)
    expect(world.relay.mapperEnds).toBe(0)
    await expectNextAttemptAlone(world, mode)
    await world.close()
  })

  it.each([
    ['no worker reads', { accept: 'ignore' }],
    ['workers stop reading within a batch', { up: { after: 500, action: 'stall' } }],
    ['answers are lost', { down: { action: 'swallow' } }],
  ] as const)('drops what a close finds in flight, whatever workers do: %s', async (_name, fault) => {
    const world = await startWorld(mode)
    world.fault = () => fault
    const { client } = world
    const pushed = await pushAll(client, mode, ATTEMPT, [...SIZES, ...SIZES.map(() => 500_000)])
    const closed = client.close()
    const settlements = await settle(pushed)
    await closed
    for (const settlement of settlements) {
      expect(settlement).toMatchObject({ outcome: 'dropped', reason: 'closed' })
    }
    await world.close()
  })
})
