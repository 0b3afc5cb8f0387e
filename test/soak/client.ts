/** The process whose memory is watched: pushes without end, or against one stalled worker. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { type PushReceipt, type PushTarget } from '../../src/push/types'
import { Content } from './content'

const { values } = parseArgs({
  options: {
    phase: { type: 'string', default: 'soak' },
    port: { type: 'string' },
    pushes: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '16384' },
    seed: { type: 'string', default: '1' },
    'limit-ms': { type: 'string', default: '1e12' },
    turns: { type: 'string', default: '20' },
    'turn-ms': { type: 'string', default: '300' },
  },
})
const PARTITIONS = 16
const PUSHES_PER_TASK = 5_000
const content = new Content(Number(values.seed), Number(values.bytes))

function newClient(entries: Record<string, string> = {}): ShuffleClient {
  return new ShuffleClient({
    appId: 'soak',
    lifecycleManager: { host: '127.0.0.1', port: Number(values.port) },
    conf: new CelebornConf({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.timeout': '1s',
      'celeborn.client.push.revive.interval': '20ms',
      // Nothing may fail for good here: whatever is lost on the way is sent again.
      'celeborn.client.push.revive.maxRetries': 1000,
      ...entries,
    }),
  })
}

/** Memory of the caller's own; handed out again once the client has released it. */
const buffers: Buffer[] = []

async function pushOne(client: ShuffleClient, target: PushTarget, number: number): Promise<PushReceipt> {
  const kind = number % 10
  if (kind < 6 || kind === 9) {
    const frame = client.pool.acquire(content.bytes)
    content.write(number, frame.bytes)
    return kind === 9 ? client.mergeFrame(target, frame) : client.pushFrame(target, frame)
  }
  const bytes = buffers.pop() ?? Buffer.alloc(content.bytes)
  content.write(number, bytes)
  if (kind < 8) {
    return client.pushBuffer(target, bytes, {
      onRelease: () => {
        bytes.fill(0xee)
        buffers.push(bytes)
      },
    })
  }
  const receipt = await client.pushData(target, bytes)
  bytes.fill(0xee)
  buffers.push(bytes)
  return receipt
}

async function soak(): Promise<void> {
  const client = newClient()
  const pushes = Number(values.pushes)
  const start = performance.now()
  const every = Math.max(500, Math.floor(pushes / 400))
  let number = 0
  for (let task = 0; number < pushes; task++) {
    // A new shuffle now and then; what is known of the old one goes.
    const shuffleId = Math.floor(task / 10)
    const attempt = { shuffleId, mapId: task % 10, attemptId: 0, numMappers: 10, numPartitions: PARTITIONS }
    for (let i = 0; i < PUSHES_PER_TASK && number < pushes; i++, number++) {
      await pushOne(client, { ...attempt, partitionId: number % PARTITIONS }, number)
      if (number % every === 0) process.send?.({ pushed: number })
    }
    await client.mapperEnd(attempt)
    if (task % 10 === 9) await client.forgetShuffle(shuffleId)
    if (performance.now() - start > Number(values['limit-ms'])) break
  }
  const { acked, failed, dropped, retries, framesAlive, bytesInFlight, leases, connections } = client.stats()
  await client.close()
  process.send?.({
    result: {
      pushes: number,
      seconds: (performance.now() - start) / 1000,
      acked,
      failed,
      dropped,
      retries,
      framesAlive,
      bytesInFlight,
      leasesAlive: leases.leasesAlive,
      strayAnswers: connections.strayAnswers,
      framesAliveAfterClose: client.stats().framesAlive,
    },
  })
}

const KINDS = ['healthy', 'stalled', 'three'] as const
type Kind = (typeof KINDS)[number]
/** After a change, until queues are as they will be. */
const CHANGE_MS = 100

/** The fourth worker reads, or does not, from when this has resolved. */
function stall(stalled: boolean): Promise<void> {
  return new Promise((resolve) => {
    process.once('message', () => resolve())
    process.send?.({ stall: stalled })
  })
}

/**
 * One task for each worker pushes. In turns all are healthy, the fourth worker is stalled, and the fourth task pauses.
 * Turns are short, so that whatever else the machine does meets all of them alike. Counts what the first three get done.
 */
async function turns(): Promise<void> {
  const client = newClient({ 'celeborn.client.push.timeout': '120s' })
  const settled = { healthy: 0, stalled: 0, three: 0 }
  const ms = { healthy: 0, stalled: 0, three: 0 }
  const latencies: Record<Kind, number[]> = { healthy: [], stalled: [], three: [] }
  let kind: Kind = 'healthy'
  let counting = false
  let ended = false
  const task = async (worker: number): Promise<void> => {
    const attempt = { shuffleId: 0, mapId: worker, attemptId: 0, numMappers: 4, numPartitions: 4 }
    const target = { ...attempt, partitionId: worker }
    for (let number = 0; !ended; number++) {
      if (worker === 3 && kind === 'three') {
        await sleep(5)
        continue
      }
      const frame = client.pool.acquire(content.bytes)
      content.write(number, frame.bytes)
      const from = performance.now()
      const receipt = await client.pushFrame(target, frame).catch((error: unknown) => {
        frame.release()
        throw error
      })
      if (worker === 3) continue
      void receipt.settled.then(({ outcome }) => {
        if (outcome !== 'acked' || !counting) return
        settled[kind]++
        latencies[kind].push(performance.now() - from)
      })
    }
  }
  const tasks = Array.from({ length: 4 }, (_, worker) => task(worker))
  for (let turn = 0; turn < Number(values.turns); turn++) {
    for (const next of KINDS) {
      await stall(next === 'stalled')
      kind = next
      await sleep(CHANGE_MS)
      counting = true
      const from = performance.now()
      await sleep(Number(values['turn-ms']))
      counting = false
      ms[next] += performance.now() - from
    }
  }
  // The last word is a close beside a worker that does not read.
  await stall(true)
  await sleep(CHANGE_MS)
  ended = true
  await Promise.all(tasks.slice(0, 3))
  const fourth = tasks[3]?.catch(() => undefined)
  const heldBefore = client.stats().framesAlive
  await client.close()
  await fourth
  const kinds = KINDS.map((one) => {
    const sorted = latencies[one].sort((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
    return {
      kind: one,
      settled: settled[one],
      rate: (settled[one] * 1000) / ms[one],
      p50: at(0.5),
      p99: at(0.99),
    }
  })
  process.send?.({ result: { kinds, heldBefore, framesAlive: client.stats().framesAlive } })
}

process.on('disconnect', () => process.exit(0))
void (values.phase === 'soak' ? soak() : turns())
