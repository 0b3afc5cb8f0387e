import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { type NativeFrame } from '../../src/memory'
import { nativeStats } from '../../src/memory/detach'
import { type MapAttempt, type PushReceipt, type PushTarget } from '../../src/push/types'
import { ScriptedLifecycle } from '../fault/scripted-lifecycle'
import { ScriptedWorker } from '../fault/scripted-worker'

export type Entries = Record<string, string | number | boolean>
export type Codec = 'NONE' | 'LZ4'

export const ATTEMPT: MapAttempt = { shuffleId: 1, mapId: 0, attemptId: 0, numMappers: 2, numPartitions: 8 }

export function target(partitionId: number, over: Partial<PushTarget> = {}): PushTarget {
  return { ...ATTEMPT, partitionId, ...over }
}

/** A client against scripted workers, all in this process. */
export interface World {
  readonly client: ShuffleClient
  readonly worker: ScriptedWorker
  readonly workers: readonly ScriptedWorker[]
  readonly lifecycle: ScriptedLifecycle
}

export async function inWorld(entries: Entries, body: (world: World) => Promise<void>): Promise<void> {
  const workers = [await ScriptedWorker.start(), await ScriptedWorker.start()]
  const [worker] = workers
  if (worker === undefined) throw new Error('no worker')
  const lifecycle = new ScriptedLifecycle((id) => workers[id % workers.length] ?? worker)
  const client = new ShuffleClient({
    appId: 'app',
    lifecycleManager: await lifecycle.start(),
    conf: new CelebornConf({
      'celeborn.client.push.revive.interval': '5ms',
      'celeborn.client.rpc.retryWait': '5ms',
      'celeborn.node.maxInFlightBytes': '256m',
      ...entries,
    }),
  })
  try {
    await body({ client, worker, workers, lifecycle })
  } finally {
    await client.close()
    await lifecycle.close()
    await Promise.all(workers.map((one) => one.close()))
  }
}

export async function until(what: string, condition: () => boolean, ms = 60_000): Promise<void> {
  const end = performance.now() + ms
  while (!condition()) {
    if (performance.now() > end) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

export function equal(what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`)
}

/** Runs a scenario, then waits until all memory is where it was. */
export async function balanced(body: () => Promise<void>): Promise<void> {
  const before = nativeStats()
  await body()
  await until('all frames are back', () => {
    global.gc?.()
    return nativeStats().framesAlive === before.framesAlive
  })
  const { bytesAlive } = nativeStats()
  equal('bytes alive', bytesAlive, before.bytesAlive)
}

/** Content that names its batch: any other byte in it is another batch's, or freed memory. */
export function fill(bytes: Uint8Array, mark: number): void {
  bytes.fill(mark)
}

/** Whether a worker received one whole batch of one mark. Only for codec NONE. */
export function checkPayload(payload: Uint8Array): void {
  const mark = payload[0] ?? 0
  if (mark === 0 || mark >= 0x80) throw new Error(`foreign bytes were sent: ${mark}`)
  for (const byte of payload) if (byte !== mark) throw new Error(`a batch of ${mark} holds ${byte}`)
}

const SIZES = [1, 100, 4096, 16_384, 65_536, 70_001, 262_144, 1_048_576]

export interface Pushed {
  readonly receipt: PushReceipt
  readonly released: Promise<unknown>
}

/** Pushes by all ways in turn: frame, buffer, copy, and the three of a merged push. */
export async function pushMany(
  client: ShuffleClient,
  count: number,
  over: Partial<PushTarget> = {},
): Promise<Pushed[]> {
  const pushed: Pushed[] = []
  for (let i = 0; i < count; i++) {
    const to = target(i % ATTEMPT.numPartitions, over)
    const mark = 1 + (i % 0x7e)
    const size = SIZES[(i * 5) % SIZES.length] ?? 1
    const encoding = i % 4 === 3 ? 'stored' : 'compress'
    let released: Promise<unknown> = Promise.resolve()
    let receipt: PushReceipt
    const way = i % 6
    if (way === 0 || way === 3) {
      const one = frame(client, size, mark)
      receipt =
        way === 0
          ? await client.pushFrame(to, one, { encoding })
          : await client.mergeFrame(to, one, { encoding })
    } else if (way === 1 || way === 4) {
      // The memory of a frame that its owner lends as a plain buffer and frees when it comes back.
      const one = frame(client, size, mark)
      const { promise, resolve } = settledLater()
      released = promise
      const options = {
        encoding,
        onRelease: () => {
          one.release()
          resolve()
        },
      } as const
      receipt =
        way === 1
          ? await client.pushBuffer(to, one.bytes, options)
          : await client.mergeBuffer(to, one.bytes, options)
    } else {
      const one = frame(client, size, mark)
      receipt =
        way === 2
          ? await client.pushData(to, one.bytes, { encoding })
          : await client.mergeData(to, one.bytes, { encoding })
      one.release()
    }
    pushed.push({ receipt, released })
  }
  return pushed
}

export function frame(client: ShuffleClient, size: number, mark: number): NativeFrame {
  const one = client.pool.acquire(size)
  fill(one.bytes, mark)
  return one
}

export function settledLater(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Outcomes of pushes that have all ended and given their memory back, counted. */
export async function outcomes(pushed: readonly Pushed[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { receipt, released } of pushed) {
    const { outcome } = await receipt.settled
    counts[outcome] = (counts[outcome] ?? 0) + 1
    await released
  }
  return counts
}
