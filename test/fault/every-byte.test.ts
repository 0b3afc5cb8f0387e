import { describe, expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { FaultProxy, type PipeFault } from './fault-proxy'
import { ScriptedLifecycle } from './scripted-lifecycle'
import { ScriptedWorker } from './scripted-worker'
import { codecOf, content, expectNothingHeld, type Mode, MODES, type Pushed, pushOne, settle } from './world'

const TARGET = { shuffleId: 5, mapId: 0, attemptId: 0, partitionId: 0, numMappers: 1, numPartitions: 1 }
const SIZE = 33

/** A client, a proxy, and a worker that notes every batch that it received whole. */
async function setUp(mode: Mode) {
  const worker = await ScriptedWorker.start()
  onTestFinished(() => worker.close())
  // A cut leaves half a message; that is what this is about.
  worker.onBroken = () => undefined
  const proxy = await FaultProxy.start(worker)
  onTestFinished(() => proxy.close())
  const lifecycle = new ScriptedLifecycle(() => proxy)
  const lifecycleManager = await lifecycle.start()
  onTestFinished(() => lifecycle.close())
  const client = new ShuffleClient({
    appId: 'every-byte',
    lifecycleManager,
    conf: new CelebornConf({
      'celeborn.client.shuffle.compression.codec': codecOf(mode),
      'celeborn.client.push.revive.interval': '0ms',
      'celeborn.client.push.timeout': '20s',
    }),
  })
  onTestFinished(() => client.close())
  return { worker, proxy, client, lifecycle }
}

/** Bytes of one exchange in either direction. */
async function measure(mode: Mode): Promise<{ up: number; down: number }> {
  const { worker, proxy, client } = await setUp(mode)
  const pushed = await exchange(client, mode, 1)
  await settle(pushed)
  const [connection] = proxy.connections
  const sizes = { up: connection?.up?.passed ?? 0, down: connection?.down?.passed ?? 0 }
  expect(worker.pushes).toHaveLength(1)
  await client.close()
  return sizes
}

/** One push; merged: three batches in one request. */
async function exchange(client: ShuffleClient, mode: Mode, number: number): Promise<Pushed[]> {
  const pushed: Pushed[] = []
  for (let i = 0; i < (mode === 'merged' ? 3 : 1); i++) {
    pushed.push(await pushOne(client, mode, TARGET, content(SIZE, number + i), number + i))
  }
  if (mode === 'merged') await client.pushMergedData(TARGET)
  return pushed
}

describe.each(MODES)('%s', (mode) => {
  it.each(['up', 'down'] as const)('survives a cut at every byte, %s', async (direction) => {
    const bytes = (await measure(mode))[direction]
    expect(bytes).toBeGreaterThan(direction === 'up' ? 80 : 15)
    const { worker, proxy, client, lifecycle } = await setUp(mode)
    let batches = 0
    for (let after = 0; after < bytes; after++) {
      for (const action of ['reset', 'fin'] as const) {
        const fault: PipeFault = { after, action }
        // On a connection that is in use, and on a fresh one.
        const planned = proxy.connections.length
        if (after % 2 === 0) {
          proxy.afflict({ [direction]: fault })
          proxy.plan = (index) => (index === planned && planned === 0 ? { [direction]: fault } : {})
        } else {
          proxy.resetAll()
          while (client.stats().connections.connections.length > 0) {
            await new Promise((resolve) => setImmediate(resolve))
          }
          proxy.plan = (index) => (index === planned ? { [direction]: fault } : {})
        }
        const before = client.stats().retries
        const pushed = await exchange(client, mode, after)
        batches += pushed.length
        for (const { outcome } of await settle(pushed)) expect(outcome).toBe('acked')
        expect(client.stats().retries - before).toBe(pushed.length)
        expectNothingHeld(client)
        // Whatever the worker received before the cut, each batch has arrived, whole.
        const arrived = new Map<number, Set<string>>()
        for (const { batches: received } of worker.pushes) {
          for (const { batchId, payload } of received) {
            const seen = arrived.get(batchId) ?? new Set()
            arrived.set(batchId, seen.add(Buffer.from(payload).toString('hex')))
          }
        }
        for (const { receipt } of pushed) expect(arrived.get(receipt.batchId)?.size).toBe(1)
        worker.forget()
      }
    }
    expect(client.stats()).toMatchObject({ acked: batches, failed: 0, dropped: 0, retries: batches })
    await client.mapperEnd(TARGET)
    expect(lifecycle.mapperEnds).toHaveLength(1)
    await client.close()
    await proxy.empty()
    expect(proxy.open).toBe(0)
  })
})
