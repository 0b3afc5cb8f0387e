import { describe, expect, it } from 'vitest'
import { createCodec } from '../../src/compress'
import { RawBytesSerializer } from '../../src/write/serializer'
import { setUp } from '../push/harness'
import { attempt, expectNothingHeld, KINDS, makeWriter, turns } from './harness'

const FRAME = 64 * 1024
const FRAMES = 6

/** Compresses to about two thirds. */
function content(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let x = 1
  for (let i = 0; i < length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = i % 16 < 9 ? x >>> 24 : 97
  }
  return bytes
}

describe.each(KINDS)('%s writer: memory of batches in flight', (kind) => {
  it('LZ4: one copy of a batch is alive, the codec’s output, charged at what it holds; the staging buffer is free', async () => {
    const { client, worker } = await setUp({
      'celeborn.client.shuffle.compression.codec': 'LZ4',
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.buffer.initial.size': FRAME,
    })
    const answers: (() => void)[] = []
    worker.onPush = (push) => answers.push(() => push.ack())
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2, numPartitions: 1 }),
      serializer: new RawBytesSerializer(),
    })
    const block = content(FRAME)
    for (let i = 0; i < FRAMES; i++) await writer.writeTo(0, block)
    const closing = writer.close()
    await worker.received(FRAMES)
    const codec = createCodec('LZ4')
    const encoded = codec.encode(block)
    const { allocatedBytes } = encoded
    const stats = client.stats()
    // Alive of these batches are the codec's outputs and nothing else: no buffer of the writer, no task, no lease.
    expect(stats.bytesInFlight).toBe(FRAMES * allocatedBytes)
    expect(stats.writerBuffers).toMatchObject({ buffersAlive: 0, bytesAlive: 0, taskBytes: 0 })
    expect(stats).toMatchObject({ payloadCopies: 0, framesAlive: 0, acked: 0 })
    expect(stats.leases.leasesAlive).toBe(0)
    // What is sent is what the codec made, byte for byte.
    const expected = Buffer.concat([encoded.header, encoded.payload])
    expect(worker.payloads.every((payload) => payload.equals(expected))).toBe(true)
    encoded.release()
    for (const answer of answers) answer()
    expect(await closing).toMatchObject({ rawBytes: FRAMES * FRAME, encodedBytes: FRAMES * expected.length })
    await expectNothingHeld(client)
  })

  it.each([true, false])(
    'aborted while buffers are compressed, in threads: %s: all memory comes back, nothing is sent',
    async (inThreads) => {
      const { client, worker, lifecycle } = await setUp({
        'celeborn.client.shuffle.compression.codec': 'LZ4',
        'celeborn.client.push.buffer.max.size': FRAME,
        'celeborn.client.push.buffer.initial.size': FRAME,
        'celeborn.client.spark.push.sort.memory.threshold': 4 * FRAME,
        'celeborn.node.writer.compressInThreads': inThreads,
      })
      worker.onPush = () => undefined
      const writer = makeWriter<Buffer>(kind, client, {
        attempt: attempt({ numMappers: 2, numPartitions: 1 }),
        serializer: new RawBytesSerializer(),
      })
      const block = content(FRAME)
      for (let i = 0; i < 12; i++) await writer.writeTo(0, block)
      while (client.stats().bytesInFlight === 0) await turns(1)
      const { batches } = client.stats()
      await writer.abort()
      // What was with a thread when the attempt ended was not sent afterwards.
      expect(client.stats().batches).toBe(batches)
      expect(lifecycle.mapperEnds).toEqual([])
      await expectNothingHeld(client)
    },
  )

  it('LZ4: the same staging buffer serves batch after batch while all of them are in flight', async () => {
    const { client, worker } = await setUp({
      'celeborn.client.shuffle.compression.codec': 'LZ4',
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.buffer.initial.size': FRAME,
      'celeborn.client.spark.push.sort.memory.threshold': 4 * FRAME,
    })
    const answers: (() => void)[] = []
    worker.onPush = (push) => answers.push(() => push.ack())
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2, numPartitions: 1 }),
      serializer: new RawBytesSerializer(),
    })
    const block = content(FRAME)
    for (let i = 0; i < 20; i++) await writer.writeTo(0, block)
    while (client.stats().batches < 18) await turns(1)
    // Registering takes a moment, during which tasks wait; from then on buffers return at once.
    // What is with a thread at this moment comes back from it; nothing waits for an answer.
    while (client.stats().writerBuffers.taskBytes > 0) await turns(1)
    expect(client.stats().acked).toBe(0)
    expect(client.stats().bytesInFlight).toBeGreaterThanOrEqual(18 * (FRAME / 2))
    worker.onPush = (push) => push.ack()
    const closing = writer.close()
    while (client.stats().batches < 20) await turns(1)
    await worker.received(20)
    for (const answer of answers) answer()
    await closing
    await expectNothingHeld(client)
  })

  it('NONE: the buffer that was filled is what the socket reads, and the one copy alive', async () => {
    const { client, worker } = await setUp({
      'celeborn.client.push.buffer.max.size': FRAME,
      'celeborn.client.push.buffer.initial.size': FRAME,
    })
    const answers: (() => void)[] = []
    worker.onPush = (push) => answers.push(() => push.ack())
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2, numPartitions: 1 }),
      serializer: new RawBytesSerializer(),
    })
    for (let i = 0; i < FRAMES; i++) await writer.writeTo(0, content(FRAME))
    const closing = writer.close()
    await worker.received(FRAMES)
    const stats = client.stats()
    expect(stats.bytesInFlight).toBe(FRAMES * FRAME)
    expect(stats.writerBuffers).toMatchObject({
      buffersAlive: FRAMES,
      bytesAlive: FRAMES * FRAME,
      taskBytes: FRAMES * FRAME,
    })
    expect(stats).toMatchObject({ payloadCopies: 0, framesAlive: 0 })
    expect(stats.leases.leasesAlive).toBe(0)
    for (const answer of answers) answer()
    await closing
    await expectNothingHeld(client)
  })
})
