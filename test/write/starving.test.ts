import { describe, expect, it } from 'vitest'
import { LengthPrefixedSerializer } from '../../src/write/serializer'
import { type ShuffleWriter } from '../../src/write/shuffle-writer'
import {
  attempt,
  expectNothingHeld,
  type Kind,
  makeRecords,
  makeWriter,
  readRecords,
  sorted,
  startJob,
} from './harness'

const WRITERS = 16
const RECORDS = 300
const FRAME = 8 * 1024

const CASES = (['HASH', 'SORT', 'both'] as const).flatMap((kind) =>
  ['NONE', 'LZ4'].map((codec) => ({ kind, codec })),
)

describe.each(CASES)('16 $kind writers share a cap of 4 frames, $codec', ({ kind, codec }) => {
  it('all finish, with partial buffers flushed, and everything is read back', async () => {
    const { client } = await startJob({
      'celeborn.client.shuffle.compression.codec': codec,
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.buffer.initial.size': FRAME,
      'celeborn.client.spark.push.sort.memory.threshold': 8 * FRAME,
      'celeborn.node.writer.maxBytes': 4 * FRAME,
    })
    const expected: Buffer[][] = Array.from({ length: 6 }, () => [])
    const writers: ShuffleWriter<Buffer, Buffer>[] = []
    const run = async (mapId: number): Promise<void> => {
      const one: Kind = kind === 'both' ? (mapId % 2 === 0 ? 'HASH' : 'SORT') : kind
      const writer = makeWriter<Buffer>(one, client, {
        attempt: attempt({ mapId, numMappers: WRITERS, numPartitions: 6 }),
        serializer: new LengthPrefixedSerializer(),
      })
      writers.push(writer)
      const records = [...makeRecords(RECORDS, 400, mapId + 1), ...makeRecords(2, 3 * FRAME, mapId + 101)]
      for (const [i, record] of records.entries()) {
        expected[i % 6]?.push(record)
        await writer.writeTo(i % 6, record)
        // Turns are taken while all hold something.
        if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      await writer.close()
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, mapId) => run(mapId)))
    for (let partitionId = 0; partitionId < 6; partitionId++) {
      expect(sorted(await readRecords(client, 0, partitionId))).toEqual(sorted(expected[partitionId] ?? []))
    }
    const { writerBuffers } = client.stats()
    expect(writerBuffers.waits).toBeGreaterThan(WRITERS)
    // Sort writers that are at work make room by themselves.
    if (kind !== 'SORT') expect(writerBuffers.relieved).toBeGreaterThan(0)
    // A giant is had alone, beyond the cap or not.
    expect(writerBuffers.peakBytesAlive).toBeLessThanOrEqual(4 * FRAME)
    if (kind === 'HASH') {
      expect(writers.some(({ metrics }) => metrics.flushedPartial > 0)).toBe(true)
      expect(writers.every(({ metrics }) => metrics.taskWaitMs > 0)).toBe(true)
    }
    await expectNothingHeld(client)
  })
})

describe.each(['HASH', 'SORT'] as const)('%s', (kind) => {
  it('a writer that nobody goes on with does not keep memory that others wait for', async () => {
    const { client } = await startJob({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.buffer.initial.size': FRAME,
      'celeborn.node.writer.maxBytes': 4 * FRAME,
    })
    const options = { serializer: new LengthPrefixedSerializer() }
    const idle = makeWriter<Buffer>(kind, client, { attempt: attempt({ numMappers: 2 }), ...options })
    const records = makeRecords(10, 1000)
    for (let i = 0; i < (kind === 'HASH' ? 4 : 10); i++) await idle.writeTo(i % 4, records[i] as Buffer)
    const other = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ mapId: 1, numMappers: 2 }),
      ...options,
    })
    for (const record of records) await other.writeTo(4, record)
    await other.close()
    await idle.close()
    expect(sorted(await readRecords(client, 0, 4))).toEqual(sorted(records))
    expect((await readRecords(client, 0, 2)).length).toBeGreaterThan(0)
    await expectNothingHeld(client)
  })

  it('also when it took the memory after the others had begun to wait', async () => {
    const { client } = await startJob({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.buffer.initial.size': FRAME,
      'celeborn.node.writer.maxBytes': 4 * FRAME,
    })
    const options = { serializer: new LengthPrefixedSerializer() }
    const writers = Array.from({ length: 6 }, (_, mapId) =>
      makeWriter<Buffer>(kind, client, { attempt: attempt({ mapId, numMappers: 6 }), ...options }),
    )
    // All at once, and then none of them goes on.
    await Promise.all(
      writers.map(async (writer, mapId) => writer.writeTo(mapId % 5, Buffer.from(`${mapId}`))),
    )
    await Promise.all(writers.map((writer) => writer.close()))
    expect(sorted(await readRecords(client, 0, 0))).toEqual(['0', '5'])
    await expectNothingHeld(client)
  })

  it('a single push task and the least memory are enough', async () => {
    const { client } = await startJob({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.queue.capacity': 1,
      'celeborn.client.push.maxReqsInFlight.total': 1,
      'celeborn.client.spark.push.sort.memory.threshold': 4 * FRAME,
      'celeborn.node.writer.maxBytes': kind === 'HASH' ? FRAME : 4 * FRAME,
    })
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt(),
      serializer: new LengthPrefixedSerializer(),
    })
    const records = makeRecords(600, 500)
    for (const [i, record] of records.entries()) await writer.writeTo(i % 5, record)
    await writer.close()
    const read = []
    for (let partitionId = 0; partitionId < 5; partitionId++)
      read.push(...(await readRecords(client, 0, partitionId)))
    expect(sorted(read)).toEqual(sorted(records))
    await expectNothingHeld(client)
  })
})
