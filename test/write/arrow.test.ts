import * as arrow from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { ArrowIpcSerializer } from '../../src/write/arrow'
import { attempt, expectNothingHeld, KINDS, makeWriter, startJob } from './harness'

/** A record batch of a column of numbers and one of repeating texts, which Arrow keeps in a dictionary. */
function makeBatch(first: number, rows: number): arrow.RecordBatch {
  const numbers = Int32Array.from({ length: rows }, (_, i) => first + i)
  const texts = Array.from({ length: rows }, (_, i) => `city ${(first + i) % 5}`)
  const table = arrow.tableFromArrays({ n: numbers, city: texts })
  const [batch] = table.batches
  if (batch === undefined) throw new Error('no batch')
  return batch
}

describe.each(KINDS)('%s: Arrow record batches', (kind) => {
  it('small and large ones are read back by RecordBatchReader.readAll, whatever shares a push', async () => {
    const { client } = await startJob({ 'celeborn.client.spark.push.sort.memory.threshold': '512k' })
    const writer = makeWriter<arrow.RecordBatch>(kind, client, {
      attempt: attempt({ numPartitions: 3 }),
      serializer: new ArrowIpcSerializer(arrow),
    })
    let first = 0
    for (const rows of [1, 10, 500, 40_000, 3, 0, 900, 30_000, 7]) {
      await writer.writeTo(first % 3, makeBatch(first, rows))
      first += rows
    }
    expect(await writer.close()).toMatchObject({ records: 9, giants: 2 })
    const read: number[] = []
    for (let partitionId = 0; partitionId < 3; partitionId++) {
      for await (const pushed of client.readPartition(0, partitionId)) {
        for (const reader of arrow.RecordBatchReader.readAll(Uint8Array.from(pushed))) {
          if (reader instanceof Promise) throw new Error('bytes are read at once')
          for (const batch of reader) {
            for (const row of batch) {
              const { n, city } = row.toJSON() as { n: number; city: string }
              expect(city).toBe(`city ${n % 5}`)
              read.push(n)
            }
          }
        }
      }
    }
    expect(read.sort((a, b) => a - b)).toEqual(Array.from({ length: first }, (_, i) => i))
    for (let i = 0; i < 100 && client.stats().readFrames.framesAlive > 0; i++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expectNothingHeld(client)
  })
})
