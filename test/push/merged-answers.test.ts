import { describe, expect, it } from 'vitest'
import { StatusCode } from '../../src/protocol/status'
import { setUp, target } from './harness'

describe('merged pushes', () => {
  it('garbage behind a split status is retried on another connection, as a lost one', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => {
      if (push.connection.index === 0)
        push.answer(Buffer.from([StatusCode.HARD_SPLIT, 1, 2, 3, 4, 5, 6, 7, 8]))
      else push.ack()
    }
    const receipts = []
    for (let i = 0; i < 3; i++) receipts.push(await client.mergeData(target(i), Buffer.from(`batch ${i}`)))
    await client.pushMergedData(target())
    for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(worker.connections).toHaveLength(2)
    expect(worker.payloads.slice(3).map(String).sort()).toEqual(['batch 0', 'batch 1', 'batch 2'])
    const causes = lifecycle.revives.flatMap(({ partitions }) => partitions.map(({ cause }) => cause))
    expect(new Set(causes)).toEqual(new Set([StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY]))
    expect(client.stats()).toMatchObject({ acked: 3, bytesInFlight: 0 })
  })

  it('what is merged without waiting is part of the end that is asked for behind it', async () => {
    const { client, worker, lifecycle } = await setUp()
    for (let i = 0; i < 3; i++) void client.mergeData(target(i), Buffer.from(`batch ${i}`))
    await client.mapperEnd(target())
    expect(worker.payloads.map(String).sort()).toEqual(['batch 0', 'batch 1', 'batch 2'])
    expect(lifecycle.mapperEnds).toHaveLength(1)
    expect(client.stats()).toMatchObject({ acked: 3, bytesInFlight: 0 })
  })
})
