/**
 * An executor's process: runs the map and reduce tasks that the driver orders, with a ShuffleClient. It ends when the
 * driver lets go of it, or is gone.
 */
import { ShuffleClient } from 'celeborn-node'
import { type Answer, type Job, type Order, partitionOf, textOf } from './job'

/** Words are gathered and pushed in batches of about this size. */
const BATCH_BYTES = 32 * 1024

const job = JSON.parse(process.argv[2] ?? '') as Job
const { shuffleId, numMappers, numPartitions } = job
const client = new ShuffleClient({ appId: job.appId, lifecycleManager: job.lifecycleManager })

/** Pushes each word of the task's text to its partition. */
async function map(mapId: number): Promise<number> {
  const attempt = { shuffleId, mapId, attemptId: 0, numMappers, numPartitions }
  const batches = new Array<string>(numPartitions).fill('')
  const push = async (partitionId: number): Promise<void> => {
    const batch = batches[partitionId] ?? ''
    batches[partitionId] = ''
    if (batch !== '') await client.pushData({ ...attempt, partitionId }, Buffer.from(batch))
  }

  let words = 0
  for (const line of textOf(mapId, job.lines)) {
    for (const word of line.split(' ')) {
      const partitionId = partitionOf(word, numPartitions)
      const batch = `${batches[partitionId] ?? ''}${word}\n`
      batches[partitionId] = batch
      words++
      if (batch.length >= BATCH_BYTES) await push(partitionId)
    }
  }
  for (let partitionId = 0; partitionId < numPartitions; partitionId++) await push(partitionId)
  await client.mapperEnd(attempt) // waits until the workers have all of it
  return words
}

/** Counts the words of some partitions, whoever wrote them. */
async function reduce(partitionIds: readonly number[]): Promise<[string, number][]> {
  const counts = new Map<string, number>()
  for (const partitionId of partitionIds) {
    // A batch comes back as it was pushed: here, whole lines of one word each.
    for await (const batch of client.readPartition(shuffleId, partitionId)) {
      for (const word of Buffer.from(batch).toString().split('\n'))
        if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts]
}

async function carryOut(order: Order): Promise<Answer> {
  try {
    if (order.kind === 'map') return { kind: 'mapped', words: await map(order.mapId) }
    return { kind: 'reduced', counts: await reduce(order.partitionIds) }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', (order: Order) => {
  void carryOut(order).then((answer) => {
    if (process.connected) process.send?.(answer)
  })
})
process.on('disconnect', () => {
  void client.close()
})
// Ctrl-C reaches every process of a terminal: the driver decides what becomes of its executors.
process.on('SIGINT', () => undefined)
