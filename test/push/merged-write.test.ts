import { expect, it } from 'vitest'
import { releaseProbe, setUp, target, turns } from './harness'

const BYTES = 30 * 1024 * 1024

it('the memory of a merged push is released after the write ended when the acknowledgement came first', async () => {
  const { client, worker } = await setUp({
    'celeborn.node.maxInFlightBytes': '256m',
    'celeborn.client.push.buffer.max.size': '256m',
  })
  // The worker answers a push of which it has read the head only.
  worker.onHead = ({ connection, requestId }) => {
    connection.socket.pause()
    connection.respond(requestId, new Uint8Array(0))
  }
  const probes = [releaseProbe(), releaseProbe()]
  const receipts = []
  for (const [i, probe] of probes.entries()) {
    receipts.push(await client.mergeBuffer(target(i), Buffer.alloc(BYTES, i), { onRelease: probe.onRelease }))
  }
  await client.pushMergedData(target())
  for (const receipt of receipts) expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
  await turns(20)
  expect(probes.map(({ reasons }) => reasons)).toEqual([[], []])
  expect(client.stats().bytesInFlight).toBe(2 * BYTES)
  worker.connections[0]?.socket.resume()
  for (const probe of probes) expect(await probe.released).toBe('acked')
  expect(client.stats().bytesInFlight).toBe(0)
})
