import { describe, expect, it } from 'vitest'
import { releaseProbe, setUp, target, turns } from './harness'

const BYTES = 64 * 1024 * 1024
/** What the kernel and the peer's socket may hold before the peer stops reading: far less than the payload. */
const MOST_THAT_SOCKETS_HOLD = BYTES / 2

async function stalledSetUp() {
  const setup = await setUp({ 'celeborn.node.maxInFlightBytes': '256m' })
  setup.worker.stall()
  return setup
}

/** Bytes from the first one of this value on: memory is sent in order, so everything behind it was read later. */
function from(payload: Buffer | undefined, byte: number): number {
  if (payload === undefined) throw new Error('nothing was received')
  expect(payload.length).toBe(BYTES)
  const first = payload.indexOf(byte)
  return first < 0 ? 0 : BYTES - first
}

/**
 * The copy disproved from outside: the peer stops reading, the memory is overwritten through its owner's pointer
 * while the write is under way, and the peer reads on. Whoever sends from the memory itself sends the new bytes.
 */
describe('no user-space copy', () => {
  it('pushBuffer: the stalled peer reads what the owner wrote after the push', async () => {
    const { client, worker } = await stalledSetUp()
    const bytes = Buffer.alloc(BYTES, 1)
    const probe = releaseProbe()
    await client.pushBuffer(target(), bytes, { onRelease: probe.onRelease })
    while (worker.connections.length === 0) await turns(1)
    await turns(50)
    bytes.fill(2)
    worker.unstall()
    expect(await probe.released).toBe('acked')
    expect(from(worker.payloads[0], 2)).toBeGreaterThan(BYTES - MOST_THAT_SOCKETS_HOLD)
    expect(client.stats().payloadCopies).toBe(0)
  })

  it('pushFrame: the same with a native frame', async () => {
    const { client, worker } = await stalledSetUp()
    const frame = client.pool.acquire(BYTES)
    // The pointer of the owner before the push: a misbehaving writer, on purpose.
    const pointer = frame.bytes
    pointer.fill(1)
    const receipt = await client.pushFrame(target(), frame)
    while (worker.connections.length === 0) await turns(1)
    await turns(50)
    pointer.fill(2)
    worker.unstall()
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(from(worker.payloads[0], 2)).toBeGreaterThan(BYTES - MOST_THAT_SOCKETS_HOLD)
    await turns(10)
    expect(pointer.length).toBe(0)
    expect(client.stats()).toMatchObject({ payloadCopies: 0, framesAlive: 0 })
  })

  it('pushData: the peer reads what was pushed, because one copy was made', async () => {
    const { client, worker } = await stalledSetUp()
    const bytes = Buffer.alloc(BYTES, 1)
    const receipt = await client.pushData(target(), bytes)
    bytes.fill(2)
    while (worker.connections.length === 0) await turns(1)
    await turns(50)
    worker.unstall()
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(worker.payloads[0]?.equals(Buffer.alloc(BYTES, 1))).toBe(true)
    expect(client.stats().payloadCopies).toBe(1)
  })
})
