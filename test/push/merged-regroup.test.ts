import { expect, it } from 'vitest'
import { StatusCode } from '../../src/protocol/status'
import { locationAt } from '../fault/scripted-lifecycle'
import { setUp, target, turns } from './harness'

it('a merged push whose location changes while it waits for its request is sent to the new one without another call', async () => {
  const { client, worker, workers, lifecycle } = await setUp(
    { 'celeborn.client.push.maxReqsInFlight.perWorker': 1 },
    2,
  )
  const other = workers[1]
  if (other === undefined) throw new Error('no second worker')
  lifecycle.place = () => worker
  lifecycle.onRevive = (partition) => ({
    partitionId: partition.partitionId,
    status: StatusCode.SUCCESS,
    location: locationAt(other, partition.partitionId, partition.epoch + 1),
    oldAvailable: true,
  })
  worker.onPush = (push) => {
    if (push.uniqueIds[0] === '0-0') push.status(StatusCode.SOFT_SPLIT)
  }
  // The attempt's only request is taken, so that its merged push has to wait for one.
  await client.pushData(target(1), Buffer.from('holds the only request'))
  const merged = await client.mergeData(target(0), Buffer.from('merged'))
  const sent = client.pushMergedData(target(0))
  // Another attempt learns meanwhile that partition 0 has moved.
  await (await client.pushData(target(0, { mapId: 1 }), Buffer.from('splits'))).settled
  while (lifecycle.revives.length === 0) await turns(1)
  await turns(20)
  worker.pushes.find((push) => push.uniqueIds[0] === '1-0')?.ack()
  await sent
  expect(await merged.settled).toMatchObject({ outcome: 'acked' })
  expect(other.payloads.map(String)).toEqual(['merged'])
})
