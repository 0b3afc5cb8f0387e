import { join } from 'node:path'
import { ClusterProcess } from '../../src/cli/cluster/cluster-process'
import { CelebornError } from '../../src/errors'
import { type NativePrograms } from '../lib/compiler'
import { LineProgram, NodeProcess } from '../lib/processes'
import { type DriverRequest, type Peer, type PushLocation } from './messages'
import { type ClusterOption, type RealCluster } from './options'

interface Stoppable {
  stop(): Promise<void>
  readonly failure: Promise<never>
}

/** Where pushes go; the sink is a compiled program. */
export type Target = RealCluster | { readonly kind: 'sink'; readonly program: string }

export async function compiledTarget(option: ClusterOption, programs: NativePrograms): Promise<Target> {
  return option.kind === 'sink' ? { kind: 'sink', program: await programs.path('sink') } : option
}

/** What pushes go to, and the LifecycleManager that says where that is; all of it in processes of their own. */
export class PushTargetProcesses {
  private constructor(
    readonly appId: string,
    readonly name: string,
    private readonly driver: NodeProcess,
    private readonly peer: Stoppable | undefined,
    private readonly sink: LineProgram | undefined,
    readonly lifecycleManager: { readonly host: string; readonly port: number },
  ) {}

  static async start(option: Target, signal: AbortSignal): Promise<PushTargetProcesses> {
    const appId = `bench-${process.pid}-${Date.now()}`
    const started: Stoppable[] = []
    try {
      let peer: Peer
      let sink: LineProgram | undefined
      if (option.kind === 'sink') {
        sink = new LineProgram('the sink', option.program)
        started.push(sink)
        peer = { kind: 'sink', host: '127.0.0.1', port: Number(await sink.line()) }
      } else if (option.kind === 'embedded') {
        const cluster = await ClusterProcess.start({ workers: 1, conf: {}, signal })
        started.push(cluster)
        peer = { kind: 'cluster', masterEndpoint: cluster.masterEndpoint }
      } else {
        peer = { kind: 'cluster', masterEndpoint: option.masterEndpoint }
      }
      const driver = new NodeProcess('the LifecycleManager', join(__dirname, 'driver-child.js'))
      started.push(driver)
      const start: DriverRequest = { kind: 'start', appId, peer }
      const address = await driver.ask<{ host: string; port: number }>(start)
      const name = option.kind === 'external' ? `the cluster of ${option.masterEndpoint}` : `${option.kind}`
      return new PushTargetProcesses(
        appId,
        name,
        driver,
        started[0] === driver ? undefined : started[0],
        sink,
        address,
      )
    } catch (error) {
      await Promise.all(started.map((one) => one.stop()))
      throw error
    }
  }

  register(shuffleId: number): Promise<PushLocation> {
    const request: DriverRequest = { kind: 'register', shuffleId }
    return this.guarded(this.driver.ask<PushLocation>(request))
  }

  unregister(shuffleId: number): Promise<void> {
    const request: DriverRequest = { kind: 'unregister', shuffleId }
    return this.guarded(this.driver.ask<void>(request))
  }

  /** Fails as soon as the peer is gone: nobody waits for time-outs then. */
  guarded<T>(work: Promise<T>): Promise<T> {
    return this.peer === undefined ? work : Promise.race([work, this.peer.failure])
  }

  /** Runs a sample and checks with the sink, which can tell, that everything has arrived there. */
  async expectArrival<T extends { readonly pushedBytes: number }>(sample: () => Promise<T>): Promise<T> {
    const before = await this.arrived()
    const result = await this.guarded(sample())
    const after = await this.arrived()
    if (before === undefined || after === undefined || after - before === result.pushedBytes) return result
    throw new CelebornError(
      'CELEBORN_INTERNAL',
      `a sample is void: it pushed ${result.pushedBytes} bytes of payload and ${after - before} have arrived`,
    )
  }

  /** The driver first: it tells the master that the application is gone. */
  async stop(): Promise<void> {
    await this.driver.stop()
    await this.peer?.stop()
  }

  private async arrived(): Promise<number | undefined> {
    if (this.sink === undefined) return undefined
    const [, bytes] = (await this.sink.ask()).split(' ')
    return Number(bytes)
  }
}
