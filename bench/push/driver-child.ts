// The driver's side of the benchmark's application, in a process of its own: the LifecycleManager.
import { LifecycleClient } from '../../src/client/lifecycle-client'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { LifecycleManager } from '../../src/lifecycle'
import { ConnectionPool, RpcClient } from '../../src/network'
import { partitionUniqueId, shuffleKey } from '../../src/protocol/ids'
import { serve } from '../lib/child'
import { type DriverRequest, type Peer, type PushLocation, SHUFFLE_SHAPE } from './messages'
import { SinkLifecycle } from './sink-lifecycle'

let driver: Driver | undefined

class Driver {
  private constructor(
    private readonly appId: string,
    private readonly manager: LifecycleManager | SinkLifecycle,
    private readonly pool: ConnectionPool,
    private readonly client: LifecycleClient,
    readonly address: { readonly host: string; readonly port: number },
  ) {}

  static async start(appId: string, peer: Peer): Promise<Driver> {
    const conf = new CelebornConf(
      peer.kind === 'cluster' ? { 'celeborn.master.endpoints': peer.masterEndpoint } : {},
    )
    const manager = peer.kind === 'cluster' ? new LifecycleManager({ appId, conf }) : new SinkLifecycle(peer)
    const started = await manager.start()
    const address = manager instanceof LifecycleManager ? { host: manager.host, port: manager.port } : started
    if (address === undefined)
      throw new CelebornError('CELEBORN_INTERNAL', 'the LifecycleManager has no address')
    const pool = new ConnectionPool(conf, { module: 'rpc_app' })
    const client = new LifecycleClient(appId, new RpcClient(pool, { form: 'V1' }), address, conf)
    return new Driver(appId, manager, pool, client, address)
  }

  /** Where the measured partition is written; the worker has reserved it. */
  async register(shuffleId: number): Promise<PushLocation> {
    const { numMappers, numPartitions } = SHUFFLE_SHAPE
    const locations = await this.client.registerShuffle(shuffleId, numMappers, numPartitions)
    const location = locations.find(({ id }) => id === 0)
    if (location === undefined)
      throw new CelebornError('CELEBORN_REGISTER_FAILED', 'a shuffle without a location')
    return {
      host: location.host,
      port: location.pushPort,
      shuffleKey: shuffleKey(this.appId, shuffleId),
      uniqueId: partitionUniqueId(location.id, location.epoch),
    }
  }

  async unregister(shuffleId: number): Promise<void> {
    if (this.manager instanceof LifecycleManager) await this.manager.unregisterShuffle(shuffleId)
  }

  async stop(): Promise<void> {
    await this.pool.close()
    await this.manager.stop()
  }
}

function started(): Driver {
  if (driver === undefined) throw new CelebornError('CELEBORN_INTERNAL', 'the driver is not started')
  return driver
}

serve(
  async (question) => {
    const request = question as DriverRequest
    switch (request.kind) {
      case 'start':
        driver = await Driver.start(request.appId, request.peer)
        return driver.address
      case 'register':
        return started().register(request.shuffleId)
      case 'unregister':
        return started().unregister(request.shuffleId)
    }
  },
  async () => driver?.stop(),
)
