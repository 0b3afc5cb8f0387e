import { onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { type PushTarget } from '../../src/push/types'
import { ScriptedLifecycle } from '../fault/scripted-lifecycle'
import { ScriptedWorker } from '../fault/scripted-worker'

export interface Setup {
  readonly client: ShuffleClient
  readonly worker: ScriptedWorker
  readonly workers: readonly ScriptedWorker[]
  readonly lifecycle: ScriptedLifecycle
}

/** A real client against scripted workers and a scripted LifecycleManager, all on loopback; ends with the test. */
export async function setUp(
  entries: Record<string, string | number | boolean> = {},
  workerCount = 1,
): Promise<Setup> {
  const workers = await Promise.all(Array.from({ length: workerCount }, () => ScriptedWorker.start()))
  const [worker] = workers
  if (worker === undefined) throw new Error('a test needs a worker')
  const lifecycle = new ScriptedLifecycle((id) => workers[id % workers.length] as ScriptedWorker)
  const address = await lifecycle.start()
  const client = new ShuffleClient({
    appId: 'test-app',
    lifecycleManager: address,
    conf: new CelebornConf({
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.revive.interval': '10ms',
      'celeborn.client.rpc.retryWait': '10ms',
      ...entries,
    }),
  })
  onTestFinished(async () => {
    await client.close()
    await lifecycle.close()
    await Promise.all(workers.map((one) => one.close()))
  })
  return { client, worker, workers, lifecycle }
}

export function target(partitionId = 0, over: Partial<PushTarget> = {}): PushTarget {
  return { shuffleId: 1, mapId: 0, attemptId: 0, partitionId, numMappers: 2, numPartitions: 8, ...over }
}

/** Counts calls and says when the first came. */
export function releaseProbe(): {
  readonly reasons: string[]
  readonly onRelease: (reason: string) => void
  readonly released: Promise<string>
} {
  const reasons: string[] = []
  let resolve: (reason: string) => void = () => undefined
  const released = new Promise<string>((done) => {
    resolve = done
  })
  return {
    reasons,
    onRelease: (reason) => {
      reasons.push(reason)
      resolve(reason)
    },
    released,
  }
}

/** Lets sockets and timers run for a few turns of the event loop. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}
