import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { setPoison } from '../../src/memory/detach'
import { type OpenWorld } from './world'

const WORKERS = 3

/** Everything that waits for more waits only a moment. */
const QUICK = {
  'celeborn.client.shuffle.partitionSplit.threshold': '20k',
  'celeborn.client.shuffle.batchHandleChangePartition.interval': '2ms',
  'celeborn.client.shuffle.batchHandleCommitPartition.interval': '10ms',
  'celeborn.client.shuffle.batchHandleReleasePartition.interval': '10ms',
}

/**
 * A real master and real workers, whose partitions split after a few batches, softly in every other program; what is
 * pushed is read back.
 */
export async function embeddedWorld(): Promise<OpenWorld> {
  setPoison(true)
  const cluster = await EmbeddedCluster.start({ workers: WORKERS })
  const managers: { readonly appId: string; readonly manager: LifecycleManager }[] = []
  for (const mode of ['SOFT', 'HARD']) {
    const appId = `model-${mode}`
    const conf = new CelebornConf({
      ...QUICK,
      'celeborn.master.endpoints': cluster.masterEndpoint,
      'celeborn.client.shuffle.partitionSplit.mode': mode,
    })
    const manager = new LifecycleManager({ appId, conf })
    await manager.start()
    managers.push({ appId, manager })
  }
  let shuffles = 0
  return {
    workers: [],
    lifecycle: null,
    entries: { 'celeborn.rpc.askTimeout': '10s' },
    nextShuffle() {
      const shuffleId = shuffles++
      const { appId, manager } = managers[shuffleId % managers.length] as (typeof managers)[number]
      return { appId, shuffleId, address: { host: manager.host, port: manager.port } }
    },
    async forget({ appId, shuffleId }) {
      await managers.find((one) => one.appId === appId)?.manager.unregisterShuffle(shuffleId)
    },
    async close() {
      for (const { manager } of managers) await manager.stop()
      await cluster.stop()
      setPoison(false)
    },
  }
}
