import { describe, expect, it } from 'vitest'
import { setUp, target, turns } from './harness'

describe('onRelease', () => {
  it('never runs inside the push call, not even where the push ends it', async () => {
    const { client } = await setUp({ 'celeborn.client.shuffle.compression.codec': 'LZ4' })
    await (await client.pushData(target(), Buffer.from('first'))).settled
    const order: string[] = []
    const push = async (bytes: Buffer): Promise<void> => {
      const pushed = client.pushBuffer(target(), bytes, { onRelease: (reason) => void order.push(reason) })
      order.push('returned')
      await (await pushed).settled
      await turns(5)
    }
    await push(Buffer.alloc(1000)) // The codec's output replaces it.
    await push(Buffer.alloc(0)) // There is nothing to send.
    await client.mapperEnd(target())
    await push(Buffer.alloc(1000)) // The attempt is over.
    expect(order).toEqual(['returned', 'encoded', 'returned', 'acked', 'returned', 'dropped'])
  })

  it('runs those behind one that throws', async () => {
    const { client } = await setUp()
    await (await client.pushData(target(), Buffer.from('first'))).settled
    const released: number[] = []
    const pushes = [0, 1, 2].map((i) =>
      client.pushBuffer(target(), Buffer.alloc(0), {
        onRelease: () => {
          released.push(i)
          if (i === 0) throw new Error('mine to make')
        },
      }),
    )
    await Promise.all(pushes)
    await turns(5)
    expect(released).toEqual([0, 1, 2])
    expect(client.stats().releaseCallbackFailures).toBe(1)
  })
})
