import { setPoison } from '../../src/memory/detach'
import { FaultyLifecycle } from './faulty-lifecycle'
import { FaultyWorker } from './faulty-worker'
import { type World } from './run'

export interface OpenWorld extends World {
  close(): Promise<void>
}

const MOST_WORKERS = 4

/** Scripted workers and a scripted LifecycleManager; each program has a client of its own, and uses them anew. */
export async function scriptedWorld(): Promise<OpenWorld> {
  setPoison(true)
  const workers: FaultyWorker[] = []
  for (let i = 0; i < MOST_WORKERS; i++) workers.push(await FaultyWorker.start(i))
  const lifecycle = await FaultyLifecycle.start()
  let shuffles = 0
  return {
    workers,
    lifecycle,
    entries: {},
    nextShuffle: () => ({ appId: 'model-app', address: lifecycle.address, shuffleId: shuffles++ }),
    forget: () => Promise.resolve(),
    async close() {
      await lifecycle.server.close()
      await Promise.all(workers.map(({ server }) => server.close()))
      setPoison(false)
    },
  }
}
