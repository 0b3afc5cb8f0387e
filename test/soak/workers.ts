/** The soak's other process: four workers that check what they receive, a LifecycleManager, and faults at random. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { StatusCode } from '../../src/protocol/status'
import { FaultProxy, type ConnectionFault } from '../fault/fault-proxy'
import { locationAt, type Place, ScriptedLifecycle } from '../fault/scripted-lifecycle'
import { type ReceivedPush, ScriptedWorker } from '../fault/scripted-worker'
import { Content, random } from './content'

const { values } = parseArgs({
  options: {
    pushes: { type: 'string', default: '0' },
    bytes: { type: 'string', default: '16384' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: false },
  },
})
const WORKERS = 4
const FAULT_EVERY_MS = 100
/** The client has closed when it says so; that takes a moment to arrive here, on a busy machine a long one. */
const CLOSED_WITHIN_MS = 15_000
const pushes = Number(values.pushes)
const next = random(Number(values.seed) + 1)
const content = new Content(Number(values.seed), Number(values.bytes))
/** By number of the batch: the id under which it arrived; readers skip what comes twice by that id. */
const arrived = new Int32Array(pushes)
const counts = { batches: 0, corrupt: 0, twice: 0, otherId: 0 }
const faults: Record<string, number> = {}

function count(fault: string): void {
  faults[fault] = (faults[fault] ?? 0) + 1
}

/** Notes batches that a worker has accepted. */
function accept(push: ReceivedPush): void {
  for (const { batchId, payload } of push.batches) {
    counts.batches++
    const number = content.read(payload)
    if (number < 0) counts.corrupt++
    else if (number < pushes) {
      const before = arrived[number]
      if (before === 0) arrived[number] = batchId
      else if (before === batchId) counts.twice++
      else counts.otherId++
    }
  }
}

function answer(push: ReceivedPush): void {
  const dice = values.faults ? next() : 1
  if (dice < 0.0005) {
    count('hard split')
    if (push.merged) push.failure('PUSH_DATA_WRITE_FAIL_PRIMARY: the disk is full')
    else push.status(StatusCode.HARD_SPLIT)
    return
  }
  if (dice < 0.001) {
    count('refusal')
    push.failure('PUSH_DATA_WRITE_FAIL_PRIMARY: the disk is full')
    return
  }
  accept(push)
  if (dice < 0.0015) {
    count('soft split')
    if (push.merged) push.ack()
    else push.status(StatusCode.SOFT_SPLIT)
  } else if (dice < 0.002) count('no answer')
  else if (dice < 0.003) {
    count('answered twice')
    push.ack()
    push.ack()
  } else push.ack()
}

/** What happens to connections, by chance. */
function afflict(proxy: FaultProxy): void {
  const after = Math.floor(next() * 200_000)
  const kinds: readonly [string, () => void][] = [
    ['reset', () => proxy.resetAll()],
    ['cut towards the worker', () => proxy.afflict({ up: { after, action: 'reset' } })],
    ['cut towards the client', () => proxy.afflict({ down: { after: after % 500, action: 'reset' } })],
    ['closed in a message', () => proxy.afflict({ up: { after, action: 'fin' } })],
    ['stalled, then reset', () => later(proxy, { up: { after, action: 'stall' } })],
    ['answers lost, then reset', () => later(proxy, { down: { action: 'swallow' } })],
  ]
  const kind = kinds[Math.floor(next() * kinds.length)]
  if (kind === undefined) return
  count(kind[0])
  kind[1]()
}

function later(proxy: FaultProxy, fault: ConnectionFault): void {
  proxy.afflict(fault)
  setTimeout(() => proxy.resetAll(), 300)
}

/** Connections that the client, which is still alive and has closed, has not let go of. */
async function leftOpen(proxies: readonly FaultProxy[]): Promise<number> {
  const closed = Promise.all(proxies.map((proxy) => proxy.empty()))
  await Promise.race([closed, sleep(CLOSED_WITHIN_MS)])
  return proxies.reduce((sum, proxy) => sum + proxy.open, 0)
}

async function main(): Promise<void> {
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => ScriptedWorker.start()))
  let places: readonly Place[] = workers
  let proxies: readonly FaultProxy[] = []
  let afflicting: NodeJS.Timeout | undefined
  for (const worker of workers) {
    worker.keepsPushes = false
    worker.onPush = answer
  }
  if (values.faults) {
    proxies = await Promise.all(workers.map((worker) => FaultProxy.start(worker)))
    places = proxies
    afflicting = setInterval(() => {
      const proxy = proxies[Math.floor(next() * proxies.length)]
      if (proxy !== undefined) afflict(proxy)
      for (const worker of workers) worker.forget()
      for (const one of proxies) one.forget()
    }, FAULT_EVERY_MS)
  }
  const placeOf = (number: number): Place => {
    const place = places[number % places.length]
    if (place === undefined) throw new Error('no worker')
    return place
  }
  const lifecycle = new ScriptedLifecycle(placeOf)
  lifecycle.onRevive = ({ partitionId, epoch }) => ({
    partitionId,
    status: StatusCode.SUCCESS,
    location: locationAt(placeOf(partitionId + (values.faults ? epoch + 1 : 0)), partitionId, epoch + 1),
    oldAvailable: true,
  })
  const address = await lifecycle.start()
  process.on('message', (message: { stall?: boolean; result?: boolean }) => {
    if (message.stall === true) workers[WORKERS - 1]?.stall()
    if (message.stall === false) workers[WORKERS - 1]?.unstall()
    lifecycle.revives.length = 0
    lifecycle.mapperEnds.length = 0
    if (message.result !== true) {
      process.send?.({ done: true })
      return
    }
    clearInterval(afflicting)
    const missing = arrived.reduce((sum, batchId) => sum + (batchId === 0 ? 1 : 0), 0)
    void leftOpen(proxies).then((open) => process.send?.({ result: { ...counts, missing, open, faults } }))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ address })
}

void main()
