import { describe, expect, it } from 'vitest'
import { createCodec } from '../../src/compress'
import { StatusCode } from '../../src/protocol/status'
import { LengthPrefixedSerializer, readLengthPrefixed } from '../../src/write/serializer'
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

const CASES = KINDS.flatMap((kind) => ['NONE', 'LZ4'].map((codec) => ({ kind, codec })))

describe.each(CASES)('$kind, $codec', ({ kind, codec }) => {
  it('a worker that is killed while writers write: nothing is lost with replicas, each record once', async () => {
    const { client, cluster } = await startJob(
      {
        'celeborn.client.shuffle.compression.codec': codec,
        'celeborn.client.push.replicate.enabled': true,
        'celeborn.client.push.buffer.max.size': '8k',
        'celeborn.client.spark.push.sort.memory.threshold': '128k',
        'celeborn.client.push.timeout': '3s',
        'celeborn.data.io.connectTimeout': '2s',
        'celeborn.client.rpc.reserveSlots.askTimeout': '1s',
        'celeborn.client.rpc.commitFiles.askTimeout': '1s',
        'celeborn.client.requestCommitFiles.maxRetries': 1,
        'celeborn.client.requestCommitFiles.retryWait': '20ms',
        'celeborn.client.reserveSlots.retryWait': '20ms',
      },
      4,
    )
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt(),
      serializer: new LengthPrefixedSerializer(),
    })
    const records = makeRecords(6000, 300)
    for (const [i, record] of records.entries()) {
      if (i === 3000) {
        while (client.stats().acked === 0) await turns(1)
        await cluster.killWorker(1)
      }
      await writer.writeTo(i % 5, record)
    }
    await writer.close()
    const read = []
    for (let partitionId = 0; partitionId < 5; partitionId++)
      read.push(...(await readRecords(client, 0, partitionId)))
    expect(sorted(read)).toEqual(sorted(records))
    expect(client.stats().retries).toBeGreaterThan(0)
    await client.forgetShuffle(0)
    await expectNothingHeld(client)
  })

  it('hard splits and lost connections: buffers stay their tasks’ until the last try, and each record arrives once', async () => {
    const { client, worker } = await setUp({
      'celeborn.client.shuffle.compression.codec': codec,
      'celeborn.client.push.buffer.max.size': '8k',
      'celeborn.client.push.buffer.initial.size': '2k',
      'celeborn.client.spark.push.sort.memory.threshold': '128k',
      'celeborn.data.io.retryWait': '10ms',
      'celeborn.client.push.revive.maxRetries': 20,
    })
    // By batch, as readers do: an acknowledgement that was lost with its connection makes a batch come again.
    const accepted = new Map<number, Buffer>()
    let pushes = 0
    worker.onPush = (push) => {
      const number = pushes++
      if (number === 25) {
        // What was under way on the connection comes again.
        push.connection.reset()
      } else if (number % 3 === 1) {
        if (push.merged) push.failure('PUSH_DATA_WRITE_FAIL_PRIMARY')
        else push.status(StatusCode.HARD_SPLIT)
      } else {
        for (const { batchId, payload } of push.batches) accepted.set(batchId, Buffer.from(payload))
        push.ack()
      }
    }
    const writer = makeWriter<Buffer>(kind, client, {
      attempt: attempt({ numMappers: 2 }),
      serializer: new LengthPrefixedSerializer(),
    })
    const records = makeRecords(3000, 300)
    for (const [i, record] of records.entries()) await writer.writeTo(i % 5, record)
    await writer.close()
    expect(client.stats().retries).toBeGreaterThan(10)
    const decoder = createCodec(codec as 'NONE' | 'LZ4')
    const read = [...accepted.values()].flatMap((payload) =>
      [...readLengthPrefixed(decoder.decode(payload, 1 << 20))].map((record) => Buffer.from(record)),
    )
    expect(sorted(read)).toEqual(sorted(records))
    await expectNothingHeld(client)
  })
})
