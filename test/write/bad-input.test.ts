import { describe, expect, it } from 'vitest'
import { AbortedError, ClosedError, ConfigError } from '../../src/errors'
import { HashPartitioner, partitionBy } from '../../src/write/partitioner'
import { LengthPrefixedSerializer, type Serializer } from '../../src/write/serializer'
import { type ShuffleWriter } from '../../src/write/shuffle-writer'
import { setUp } from '../push/harness'
import {
  attempt,
  expectNothingHeld,
  KINDS,
  makeRecords,
  makeWriter,
  readRecords,
  sorted,
  startJob,
  turns,
} from './harness'

const SMALL = {
  'celeborn.client.shuffle.compression.codec': 'NONE',
  'celeborn.client.push.buffer.max.size': '4k',
  'celeborn.client.push.buffer.initial.size': '1k',
  'celeborn.client.spark.push.sort.memory.threshold': '64k',
}

describe.each(KINDS)('%s writer', (kind) => {
  it('a record larger than celeborn.node.maxFrameBytes is refused with its size, and the writer goes on', async () => {
    const { client } = await startJob({ ...SMALL, 'celeborn.node.maxFrameBytes': '100k' })
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt(),
      serializer: new LengthPrefixedSerializer(),
    })
    const records = [Buffer.from('before'), Buffer.alloc(100 * 1024 - 4, 1), Buffer.from('after')]
    await writer.writeTo(2, records[0] as Buffer)
    await expect(writer.writeTo(2, Buffer.alloc(100 * 1024 - 3))).rejects.toThrow(
      /a record of 102401 bytes for partition 2 exceeds celeborn\.node\.maxFrameBytes = 102400/,
    )
    // The largest that is allowed goes by itself.
    await writer.writeTo(2, records[1] as Buffer)
    await writer.writeTo(2, records[2] as Buffer)
    expect(await writer.close()).toMatchObject({ records: 3, giants: 1 })
    expect(sorted(await readRecords(client, 0, 2))).toEqual(sorted(records))
    await expectNothingHeld(client)
  })

  it.each([5, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', undefined, null])(
    'a partitioner that returns %s: that record is refused, no other',
    async (answer) => {
      const { client } = await setUp(SMALL)
      const writer = makeWriter<Buffer, number>(kind, client, {
        attempt: attempt({ numMappers: 2 }),
        serializer: new LengthPrefixedSerializer(),
        partitioner: partitionBy(5, (key) => (key === 13 ? (answer as number) : key)),
      })
      await writer.write(Buffer.from('a'), 3)
      await expect(writer.write(Buffer.from('b'), 13)).rejects.toThrow(ConfigError)
      await expect(writer.write(Buffer.from('b'), 13)).rejects.toThrow(/not within 0\.\.4/)
      await writer.write(Buffer.from('c'), 4)
      expect(await writer.close()).toMatchObject({ records: 2, rawBytes: 10 })
      await expectNothingHeld(client)
    },
  )

  it('a partitioner that throws, a missing key, no partitioner, too many partitions', async () => {
    const { client } = await setUp(SMALL)
    const serializer = new LengthPrefixedSerializer()
    const failure = new Error('no partition for you')
    const throwing = makeWriter<Buffer, unknown>(kind, client, {
      attempt: attempt({ numMappers: 2 }),
      serializer,
      partitioner: partitionBy(5, () => {
        throw failure
      }),
    })
    await expect(throwing.write(Buffer.from('a'))).rejects.toBe(failure)
    await throwing.close()
    const without = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ mapId: 1, numMappers: 2 }),
      serializer,
    })
    await expect(without.write(Buffer.from('a'))).rejects.toThrow(/use writeTo/)
    await expect(without.writeTo(7, Buffer.from('a'))).rejects.toThrow(/partition 7 is not within 0\.\.4/)
    await without.close()
    const partitioner = new HashPartitioner(6)
    expect(() =>
      makeWriter(kind, client, { attempt: attempt({ shuffleId: 9 }), serializer, partitioner }),
    ).toThrow(/over 6 partitions, the shuffle has 5/)
  })

  it('a serializer that throws halfway: nothing of that record is there, everything else is', async () => {
    const { client } = await startJob(SMALL)
    const plain = new LengthPrefixedSerializer()
    const failure = new Error('half of it')
    const halfway: Serializer<Buffer> = {
      name: 'halfway',
      write(record, target, at) {
        const end = plain.write(record, target, at)
        if (record[0] !== 0x21) return end
        // Garbage in the buffer, also behind where the record would have ended.
        target.fill(0xee, at)
        throw failure
      },
    }
    const writer = makeWriter<Buffer>(kind, client, { attempt: attempt(), serializer: halfway })
    const records = makeRecords(2000, 200)
    for (const [i, record] of records.entries()) {
      await writer.writeTo(i % 5, record)
      if (i % 3 === 0) await expect(writer.writeTo(i % 5, Buffer.from('!half'))).rejects.toBe(failure)
    }
    expect(await writer.close()).toMatchObject({ records: 2000 })
    const read = []
    for (let partitionId = 0; partitionId < 5; partitionId++)
      read.push(...(await readRecords(client, 0, partitionId)))
    expect(sorted(read)).toEqual(sorted(records))
    await expectNothingHeld(client)
  })

  it.each([
    ['an end behind the buffer', (_: number, room: number) => room + 1],
    ['an end before its start', (at: number) => at - 1],
    ['a fraction', (at: number) => at + 0.5],
    ['a need that is there', () => -1],
    ['nothing', () => undefined as unknown as number],
  ])('a serializer that returns %s is named', async (_what, answer) => {
    const { client } = await setUp(SMALL)
    let wrong = false
    const serializer: Serializer<Buffer> = {
      name: 'wrong',
      write: (_record, target, at) => (wrong ? answer(at, target.length) : at + 5),
    }
    const writer = makeWriter<Buffer>(kind, client, { attempt: attempt({ numMappers: 2 }), serializer })
    await writer.writeTo(0, Buffer.from('a'))
    wrong = true
    await expect(writer.writeTo(0, Buffer.from('b'))).rejects.toThrow(/the serializer wrong returned/)
    expect(await writer.close()).toMatchObject({ records: 1, rawBytes: 5 })
    await expectNothingHeld(client)
  })

  it('used after close: an error; closed twice: the same promise, one report', async () => {
    const { client, lifecycle } = await setUp(SMALL)
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2 }),
      serializer: new LengthPrefixedSerializer(),
    })
    await writer.writeTo(0, Buffer.from('a'))
    const closing = writer.close()
    // While it closes, too.
    await expect(writer.writeTo(0, Buffer.from('b'))).rejects.toThrow(ClosedError)
    expect(writer.close()).toBe(closing)
    await closing
    await expect(writer.writeTo(0, Buffer.from('b'))).rejects.toThrow(/is closed/)
    expect(writer.close()).toBe(closing)
    await writer.abort()
    expect(lifecycle.mapperEnds).toHaveLength(1)
    expect(writer.metrics.records).toBe(1)
    await expectNothingHeld(client)
  })

  it('aborted while it closes: no report, close rejects, all memory comes back', async () => {
    const { client, worker, lifecycle } = await setUp({ ...SMALL, 'celeborn.client.push.queue.capacity': 8 })
    worker.onPush = () => undefined
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2 }),
      serializer: new LengthPrefixedSerializer(),
    })
    for (const [i, record] of makeRecords(100, 200).entries()) await writer.writeTo(i % 5, record)
    const closing = writer.close()
    const failed = expect(closing).rejects.toThrow(AbortedError)
    await worker.received(1)
    await writer.abort(new Error('changed my mind'))
    await failed
    await expect(writer.writeTo(0, Buffer.from('b'))).rejects.toThrow(AbortedError)
    await writer.abort()
    expect(lifecycle.mapperEnds).toEqual([])
    await expectNothingHeld(client)
  })

  it('aborted while a write waits for a task: that write rejects, and the memory comes back', async () => {
    const { client, worker } = await setUp({ ...SMALL, 'celeborn.client.push.queue.capacity': 2 })
    worker.onPush = () => undefined
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2, numPartitions: 1 }),
      serializer: new LengthPrefixedSerializer(),
    })
    const calls = fill(writer)
    await worker.received(1)
    const results = Promise.allSettled(calls)
    await writer.abort()
    const rejected = (await results).filter(({ status }) => status === 'rejected')
    expect(rejected.length).toBeGreaterThan(0)
    for (const one of rejected) expect(one).toMatchObject({ reason: expect.any(AbortedError) as unknown })
    await expect(writer.close()).rejects.toThrow(AbortedError)
    await expectNothingHeld(client)
  })

  it('aborted by its signal, before and after the fact', async () => {
    const { client, worker } = await setUp(SMALL)
    worker.onPush = () => undefined
    const controller = new AbortController()
    const options = { serializer: new LengthPrefixedSerializer(), signal: controller.signal }
    const writer = makeWriter<Buffer>(kind, client, { attempt: attempt({ numMappers: 2 }), ...options })
    await writer.writeTo(0, Buffer.alloc(1000))
    controller.abort()
    await expect(writer.writeTo(0, Buffer.alloc(1000))).rejects.toThrow(AbortedError)
    await expect(writer.close()).rejects.toThrow(AbortedError)
    expect(() =>
      makeWriter(kind, client, { attempt: attempt({ mapId: 1, numMappers: 2 }), ...options }),
    ).toThrow(AbortedError)
    await expectNothingHeld(client)
  })

  it('two writers of one attempt: the second is refused, also when the first has ended; another attempt is not', async () => {
    const { client } = await setUp(SMALL)
    const options = { serializer: new LengthPrefixedSerializer() }
    const first = makeWriter<Buffer>(kind, client, { attempt: attempt({ numMappers: 2 }), ...options })
    const again = (): unknown => makeWriter(kind, client, { attempt: attempt({ numMappers: 2 }), ...options })
    expect(again).toThrow(/attempt 0 of map task 0 of shuffle 0 has a writer already/)
    await first.writeTo(0, Buffer.from('a'))
    await first.close()
    expect(again).toThrow(ConfigError)
    const next = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2, attemptId: 1 }),
      ...options,
    })
    await next.abort()
    await expectNothingHeld(client)
  })

  it('the first push failure reaches the next write and close; memory comes back without either', async () => {
    const { client, worker, lifecycle } = await setUp({
      ...SMALL,
      'celeborn.client.push.revive.maxRetries': 0,
    })
    worker.onPush = (push) => push.failure('the disk is full')
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2, numPartitions: 1 }),
      serializer: new LengthPrefixedSerializer(),
    })
    await Promise.allSettled(fill(writer))
    while (client.stats().failed === 0) await turns(1)
    await expectNothingHeld(client)
    await expect(writer.writeTo(0, Buffer.from('a'))).rejects.toThrow(/the disk is full/)
    await expect(writer.close()).rejects.toThrow(/the disk is full/)
    expect(lifecycle.mapperEnds).toEqual([])
  })

  it('its client closes: the writer is told, and holds nothing', async () => {
    const { client, worker } = await setUp(SMALL)
    worker.onPush = () => undefined
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2 }),
      serializer: new LengthPrefixedSerializer(),
    })
    for (const [i, record] of makeRecords(100, 200).entries()) await writer.writeTo(i % 5, record)
    await client.close()
    await expect(writer.writeTo(0, Buffer.from('a'))).rejects.toThrow(ClosedError)
    await expect(writer.close()).rejects.toThrow(ClosedError)
    await expectNothingHeld(client)
  })

  it('a buffer pool that can never hold what a writer needs is refused when the writer is made', async () => {
    const { client } = await setUp({ ...SMALL, 'celeborn.node.writer.maxBytes': '2k' })
    const options = { attempt: attempt({ numMappers: 2 }), serializer: new LengthPrefixedSerializer() }
    expect(() => makeWriter(kind, client, options)).toThrow(
      /more than celeborn\.node\.writer\.maxBytes = 2048/,
    )
    // And the attempt is not taken.
    expect(() => makeWriter(kind, client, options)).toThrow(/celeborn\.node\.writer\.maxBytes/)
  })
})

/** More than all tasks and the arena take. @returns the calls that waited */
function fill(writer: ShuffleWriter<Buffer, Buffer>): Promise<void>[] {
  const calls = Array.from({ length: 400 }, (_, i) => writer.writeTo(0, Buffer.alloc(500, i % 251)))
  return calls.filter((call) => call !== undefined)
}
