// Writes the shuffle that is read back, in a process of its own.
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { serve } from '../lib/child'
import { clientConf, type WriteRequest, type Written } from './messages'
import { Rows } from './rows'
import { BATCH_BYTES, Checksum, Tally } from './tally'

async function write(request: WriteRequest): Promise<Written> {
  const { appId, shuffleId, codec, partitions, batches, lifecycleManager } = request
  const conf = new CelebornConf(clientConf(codec, false))
  const client = new ShuffleClient({ appId, conf, lifecycleManager })
  try {
    const attempt = { shuffleId, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: partitions }
    const rows = new Rows()
    const tally = new Tally()
    const checksum = new Checksum()
    for (let i = 0; i < batches; i++) {
      for (let partitionId = 0; partitionId < partitions; partitionId++) {
        const frame = await client.pool.acquireAsync(BATCH_BYTES)
        rows.fill(frame.bytes, i * partitions + partitionId)
        tally.add(frame.bytes)
        checksum.add(frame.bytes)
        await client.pushFrame({ ...attempt, partitionId }, frame)
      }
    }
    await client.mapperEnd(attempt)
    return { bytes: tally.bytes, sum: tally.sum, checksum: checksum.value }
  } finally {
    await client.close()
  }
}

serve((question) => write(question as WriteRequest))
