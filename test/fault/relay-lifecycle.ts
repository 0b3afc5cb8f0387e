import { CelebornConf } from '../../src/conf'
import { ConnectionPool, RpcClient, RpcServer, type RpcMessage } from '../../src/network'
import { type PartitionLocation } from '../../src/protocol/locations'
import * as messages from '../../src/protocol/messages'
import { ControlMessageType } from '../../src/protocol/messages'
import { FaultProxy } from './fault-proxy'

const ENDPOINT = 'LifecycleManagerEndpoint'

/**
 * Stands between a client and a real LifecycleManager and changes one thing: pushes go through a {@link FaultProxy} for
 * each worker. Reads, and workers among themselves, go straight.
 */
export class RelayLifecycle {
  /** In the order in which workers were first named. */
  readonly proxies: FaultProxy[] = []
  readonly revives: messages.Revive[] = []
  mapperEnds = 0
  /** Sees each proxy before anybody can connect to it. */
  onProxy: (proxy: FaultProxy) => void = () => undefined
  /** Runs before a revive is passed on; what it throws is the answer. */
  onRevive: (revive: messages.Revive) => void | Promise<void> = () => undefined
  private readonly byWorker = new Map<string, Promise<FaultProxy>>()
  private readonly server = new RpcServer({ name: 'relay of the LifecycleManager' })
  private readonly pool = new ConnectionPool(new CelebornConf(), { module: 'rpc_app' })
  private readonly rpc = new RpcClient(this.pool)

  constructor(private readonly real: { readonly host: string; readonly port: number }) {
    this.server.endpoint(ENDPOINT, (type, payload) => this.relay(type, payload))
  }

  start(): Promise<{ host: string; port: number }> {
    return this.server.listen()
  }

  /** Nobody answers any more; the proxies stay. */
  async disappear(): Promise<void> {
    await this.server.close()
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.pool.close()
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
  }

  private async relay(type: number, payload: Uint8Array): Promise<RpcMessage> {
    switch (type) {
      case ControlMessageType.REGISTER_SHUFFLE: {
        const answer = await this.ask(type, payload)
        const { locations, ...rest } = messages.decodeRegisterShuffleResponse(answer.payload)
        return {
          type: answer.type,
          payload: messages.encodeRegisterShuffleResponse({
            ...rest,
            locations: await Promise.all(locations.map((one) => this.proxied(one))),
          }),
        }
      }
      case ControlMessageType.CHANGE_LOCATION: {
        const revive = messages.decodeRevive(payload)
        this.revives.push(revive)
        await this.onRevive(revive)
        const partitions = revive.partitions.map((one) => ({
          ...one,
          location: one.location === undefined ? undefined : this.behind(one.location),
        }))
        const answer = await this.ask(type, messages.encodeRevive({ ...revive, partitions }))
        const { endedMapIds, partitions: changed } = messages.decodeChangeLocationResponse(answer.payload)
        return {
          type: answer.type,
          payload: messages.encodeChangeLocationResponse({
            endedMapIds,
            partitions: await Promise.all(
              changed.map(async (one) => ({
                ...one,
                location: one.location === undefined ? undefined : await this.proxied(one.location),
              })),
            ),
          }),
        }
      }
      case ControlMessageType.MAPPER_END:
        this.mapperEnds++
    }
    return this.ask(type, payload)
  }

  private ask(type: number, payload: Uint8Array): Promise<RpcMessage> {
    // The payload is the server's, and valid until this has answered.
    return this.rpc.ask(this.real.host, this.real.port, ENDPOINT, type, payload)
  }

  private async proxied(location: PartitionLocation): Promise<PartitionLocation> {
    const { port } = await this.proxyOf(location)
    if (location.peer === undefined) return { ...location, pushPort: port }
    return { ...location, pushPort: port, peer: await this.proxied(location.peer) }
  }

  private behind(location: PartitionLocation): PartitionLocation {
    const proxy = this.proxies.find(({ port }) => port === location.pushPort)
    const pushPort = proxy?.upstream.port ?? location.pushPort
    if (location.peer === undefined) return { ...location, pushPort }
    return { ...location, pushPort, peer: this.behind(location.peer) }
  }

  private proxyOf({ host, pushPort: port }: PartitionLocation): Promise<FaultProxy> {
    const key = `${host}:${port}`
    let proxy = this.byWorker.get(key)
    if (proxy === undefined) {
      proxy = FaultProxy.start({ host, port }).then((started) => {
        this.proxies.push(started)
        this.onProxy(started)
        return started
      })
      this.byWorker.set(key, proxy)
    }
    return proxy
  }
}
