import { describe, expect, it } from 'vitest'
import { createCodec } from '../../src/compress'
import { setUp, target, turns } from './harness'

/** Pushes of which none is answered: they fill whatever they are allowed to. */
async function fill(limit: number, codec: string, push: (to: Setup) => Promise<unknown>): Promise<Setup> {
  const setup = await setUp({
    'celeborn.node.maxInFlightBytes': 2 * limit,
    'celeborn.node.maxInFlightBytesPerWorker': limit,
    'celeborn.client.shuffle.compression.codec': codec,
  })
  setup.worker.onPush = () => undefined
  for (let i = 0; i < 8; i++) void push(setup).catch(() => undefined)
  while (setup.client.stats().waiting === 0) await turns(1)
  await turns(5)
  return setup
}

type Setup = Awaited<ReturnType<typeof setUp>>

describe('what admission charges', () => {
  it('what a codec may occupy, which can be more than the raw bytes', async () => {
    const bytes = Buffer.alloc(100_000)
    // Hardly compressible: nine tenths are noise.
    let state = 1
    for (let i = 0; i < 90_000; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      bytes[i] = state >>> 24
    }
    const most = createCodec('LZ4').maxAllocatedBytes(bytes.length)
    expect(most).toBeGreaterThan(bytes.length)
    // Three fit by their raw bytes, and two by what is really allocated for them.
    const limit = 3 * most - 1
    const { client } = await fill(limit, 'LZ4', ({ client: to }) =>
      to.pushBuffer(target(), bytes, { onRelease: () => undefined }),
    )
    expect(client.stats().peakBytesInFlight).toBeLessThanOrEqual(limit)
    expect(client.stats()).toMatchObject({ waiting: 6 })
  })
})
