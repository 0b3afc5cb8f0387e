import { describe, expect, it } from 'vitest'
import { HashPartitioner } from '../../src/write/partitioner'
import {
  LengthPrefixedSerializer,
  NdjsonSerializer,
  RawBytesSerializer,
  readLengthPrefixed,
  readNdjson,
} from '../../src/write/serializer'
import {
  attempt,
  expectNothingHeld,
  KINDS,
  makeRecords,
  makeWriter,
  readRecords,
  sorted,
  startJob,
} from './harness'

const CASES = KINDS.flatMap((kind) => ['NONE', 'LZ4', 'ZSTD'].map((codec) => ({ kind, codec })))

describe.each(CASES)('$kind, $codec', ({ kind, codec }) => {
  it('what three map tasks write by key is read back exactly, each record once and in its partition', async () => {
    const { client } = await startJob({
      'celeborn.client.shuffle.compression.codec': codec,
      'celeborn.client.push.buffer.max.size': '16k',
      'celeborn.client.push.buffer.initial.size': '1k',
      'celeborn.client.spark.push.sort.memory.threshold': '256k',
    })
    const partitioner = new HashPartitioner(5)
    const expected: Buffer[][] = Array.from({ length: 5 }, () => [])
    await Promise.all(
      [0, 1, 2].map(async (mapId) => {
        const writer = makeWriter<Buffer>(kind, client, {
          attempt: attempt({ mapId, numMappers: 3 }),
          serializer: new LengthPrefixedSerializer(),
          partitioner,
        })
        // Some larger than a page of the arena, some empty.
        const records = [
          ...makeRecords(4000, 300, mapId + 1),
          ...makeRecords(30, 50_000, mapId + 11),
          Buffer.alloc(0),
        ]
        for (const record of records) {
          expected[partitioner.partition(record)]?.push(record)
          await writer.write(record)
        }
        const metrics = await writer.close()
        const rawBytes = records.reduce((sum, record) => sum + record.length + 4, 0)
        expect(metrics).toMatchObject({ records: records.length, rawBytes })
        expect(metrics.giants).toBeGreaterThan(5)
        if (codec === 'NONE') expect(metrics.encodedBytes).toBe(rawBytes)
        else expect(metrics.encodedBytes).toBeLessThan(rawBytes)
        if (kind === 'SORT') expect(metrics.spills).toBeGreaterThan(3)
      }),
    )
    for (let partitionId = 0; partitionId < 5; partitionId++) {
      const read = await readRecords(client, 0, partitionId)
      expect(sorted(read)).toEqual(sorted(expected[partitionId] ?? []))
    }
    // Nothing was copied after it had been serialised into its buffer.
    expect(client.stats()).toMatchObject({ failed: 0, dropped: 0, payloadCopies: 0 })
    for (let i = 0; i < 100 && client.stats().readFrames.framesAlive > 0; i++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expectNothingHeld(client)
  })
})

describe.each(KINDS)('%s', (kind) => {
  it('keeps the order of a partition’s records within each batch, and loses none between batches', async () => {
    const { client } = await startJob(
      {
        'celeborn.client.shuffle.compression.codec': 'NONE',
        'celeborn.client.push.buffer.max.size': '4k',
        'celeborn.client.spark.push.sort.memory.threshold': '64k',
      },
      1,
    )
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt(),
      serializer: new LengthPrefixedSerializer(),
    })
    for (let i = 0; i < 20_000; i++) await writer.writeTo((i * 7) % 5, Buffer.from(`${i}`))
    await writer.close()
    for (let partitionId = 0; partitionId < 5; partitionId++) {
      const read: number[] = []
      for await (const batch of client.readPartition(0, partitionId)) {
        const records = [...readLengthPrefixed(batch)].map((record) => Number(Buffer.from(record).toString()))
        expect(records).toEqual([...records].sort((a, b) => a - b))
        read.push(...records)
      }
      const written = Array.from({ length: 20_000 }, (_, i) => i).filter((i) => (i * 7) % 5 === partitionId)
      expect(read.sort((a, b) => a - b)).toEqual(written)
    }
  })

  it('takes objects by their key as NDJSON, from a source, and answers undefined as long as it need not wait', async () => {
    const { client } = await startJob()
    const writer = makeWriter<{ user: string; n: number }, string>(kind, client, {
      attempt: attempt(),
      serializer: new NdjsonSerializer(),
      partitioner: new HashPartitioner(5),
      keyOf: ({ user }) => user,
    })
    const rows = Array.from({ length: 2000 }, (_, n) => ({ user: `user-${n % 50}`, n }))
    await writer.write(rows[0] as { user: string; n: number })
    expect(writer.write(rows[1] as { user: string; n: number })).toBeUndefined()
    await writer.writeAll(rows.slice(2, 1000))
    await writer.writeAll(
      (async function* () {
        for (const row of rows.slice(1000)) {
          await Promise.resolve()
          yield row
        }
      })(),
    )
    await writer.close()
    const seen = new Map<string, number>()
    const read: number[] = []
    for (let partitionId = 0; partitionId < 5; partitionId++) {
      for await (const batch of client.readPartition(0, partitionId)) {
        for (const { user, n } of readNdjson<{ user: string; n: number }>(batch)) {
          expect(seen.get(user) ?? partitionId).toBe(partitionId)
          seen.set(user, partitionId)
          read.push(n)
        }
      }
    }
    expect(read.sort((a, b) => a - b)).toEqual(rows.map(({ n }) => n))
    expect(new Set(seen.values()).size).toBe(5)
  })

  it('calls that do not wait for each other are served in order', async () => {
    const { client } = await startJob(
      {
        'celeborn.client.shuffle.compression.codec': 'NONE',
        'celeborn.client.push.queue.capacity': 2,
        'celeborn.client.push.buffer.max.size': '4k',
        'celeborn.client.spark.push.sort.memory.threshold': '32k',
      },
      1,
    )
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numPartitions: 1 }),
      serializer: new LengthPrefixedSerializer(),
    })
    const calls: (Promise<void> | undefined)[] = []
    for (let i = 0; i < 3000; i++) calls.push(writer.writeTo(0, Buffer.from(`${i} `.repeat(20))))
    expect(calls.some((call) => call !== undefined)).toBe(true)
    // Closing waits for all of them.
    await writer.close()
    for (const call of calls) await call
    const read = (await readRecords(client, 0, 0)).map((record) => Number.parseInt(record.toString(), 10))
    expect(read).toEqual(Array.from({ length: 3000 }, (_, i) => i))
    expect(writer.metrics.taskWaitMs).toBeGreaterThan(0)
  })

  it('an empty attempt is an attempt as well', async () => {
    const { client } = await startJob()
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt(),
      serializer: new RawBytesSerializer(),
    })
    expect(await writer.close()).toMatchObject({ records: 0, pushes: 0, encodedBytes: 0 })
    expect(await readRecords(client, 0, 3)).toEqual([])
  })
})

describe('a DataPusher without a writer', () => {
  it.each(['NONE', 'LZ4'])('%s: what is swapped and what is copied into it is read back', async (codec) => {
    const { client } = await startJob({ 'celeborn.client.shuffle.compression.codec': codec })
    const of = attempt({ numPartitions: 2 })
    const pusher = client.createDataPusher(of)
    expect(() => client.createDataPusher(of)).toThrow(/has a writer already/)
    let buffer = await pusher.acquireBuffer()
    const own = new Uint8Array(1000)
    for (let i = 0; i < 200; i++) {
      buffer.bytes.fill(i)
      buffer = await pusher.addTaskAndSwapBuffer(0, buffer)
      own.fill(i)
      await pusher.addTask(1, own)
    }
    buffer.release()
    await pusher.waitOnTermination()
    await client.mapperEnd(of)
    for (const [partitionId, size] of [
      [0, 64 * 1024],
      [1, 1000],
    ] as const) {
      const seen: number[] = []
      for await (const batch of client.readPartition(0, partitionId)) {
        expect(Buffer.from(batch).equals(Buffer.alloc(size, batch[0]))).toBe(true)
        seen.push(batch[0] ?? -1)
      }
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i))
    }
    expect(client.stats().writerBuffers.bytesAlive).toBe(0)
  })
})
