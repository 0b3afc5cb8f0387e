import { describe, expect, it } from 'vitest'
import { LengthPrefixedSerializer } from '../../src/write/serializer'
import { setUp } from '../push/harness'
import { attempt, expectNothingHeld, type Kind, makeWriter } from './harness'

const THRESHOLD = 2 * 1024 * 1024

/** What a writer held at most of one record for each partition and then some. */
async function peak(kind: Kind, numPartitions: number): Promise<number> {
  const { client, worker } = await setUp({
    'celeborn.client.push.buffer.initial.size': '8k',
    'celeborn.client.spark.push.sort.memory.threshold': THRESHOLD,
    'celeborn.client.push.queue.capacity': 4,
  })
  worker.keepsPushes = false
  const writer = makeWriter<Buffer>(kind, client, {
    attempt: attempt({ numMappers: 2, numPartitions }),
    serializer: new LengthPrefixedSerializer(),
  })
  const record = Buffer.alloc(100, 1)
  for (let i = 0; i < 60_000; i++) await writer.writeTo(i % numPartitions, record)
  const { peakBytes } = writer.metrics
  const { records } = await writer.close()
  expect(records).toBe(60_000)
  await expectNothingHeld(client)
  return peakBytes
}

describe('native memory of a writer', () => {
  it.each([10, 1000, 20_000])(
    'sort, %i partitions: the threshold and its push tasks',
    async (numPartitions) => {
      const bytes = await peak('SORT', numPartitions)
      expect(bytes).toBeGreaterThan(THRESHOLD / 2)
      expect(bytes).toBeLessThanOrEqual(THRESHOLD + 6 * 64 * 1024)
    },
  )

  it('hash: a buffer for each partition', async () => {
    expect(await peak('HASH', 1000)).toBeGreaterThanOrEqual(1000 * 8192)
    expect(await peak('HASH', 10)).toBeLessThan(THRESHOLD)
  })
})
