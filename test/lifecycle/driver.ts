/** A LifecycleManager over fakes, and a client that talks to it over the wire. */
import { expect } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { LifecycleManager, type LifecycleManagerOptions } from '../../src/lifecycle'
import { ConnectionPool, RpcClient } from '../../src/network'
import * as m from '../../src/protocol/messages'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { FakeMaster, FakeWorker } from './fake-cluster'

const Type = m.ControlMessageType

/** Waits short enough for tests. */
export const QUICK = {
  'celeborn.client.reserveSlots.retryWait': '10ms',
  'celeborn.client.requestCommitFiles.retryWait': '10ms',
  'celeborn.client.shuffle.batchHandleChangePartition.interval': '20ms',
  'celeborn.client.shuffle.batchHandleCommitPartition.interval': '20ms',
}

/** Waits, on a busy machine too, until what `read` gives is as expected. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: 25_000, interval: 5 })
}

/** What a ShuffleClient asks the driver's side, message by message. */
export class DriverClient {
  private readonly pool = new ConnectionPool(new CelebornConf(), { module: 'rpc_app' })
  private readonly rpc: RpcClient

  constructor(
    private readonly host: string,
    private readonly port: number,
    form: 'V1' | 'V2' = 'V1',
  ) {
    this.rpc = new RpcClient(this.pool, { form })
  }

  async ask(type: number, payload: Uint8Array, expected: number, timeoutMs = 20_000): Promise<Uint8Array> {
    const reply = await this.rpc.ask(this.host, this.port, Endpoint.LIFECYCLE_MANAGER, type, payload, {
      timeoutMs,
    })
    if (reply.type !== expected) throw new Error(`answered with ${reply.type}`)
    return reply.payload
  }

  async register(shuffleId: number, numMappers: number, numPartitions: number) {
    const payload = m.encodeRegisterShuffle({ shuffleId, numMappers, numPartitions })
    return m.decodeRegisterShuffleResponse(
      await this.ask(Type.REGISTER_SHUFFLE, payload, Type.REGISTER_SHUFFLE_RESPONSE),
    )
  }

  async revive(
    shuffleId: number,
    partitions: { partitionId: number; epoch: number; cause: number }[],
    mapIds = [0],
  ) {
    const payload = m.encodeRevive({ shuffleId, mapIds, partitions })
    return m.decodeChangeLocationResponse(
      await this.ask(Type.CHANGE_LOCATION, payload, Type.CHANGE_LOCATION_RESPONSE),
    )
  }

  async mapperEnd(
    shuffleId: number,
    mapId: number,
    attemptId: number,
    numMappers: number,
    more: Partial<m.MapperEnd> = {},
  ) {
    const payload = m.encodeMapperEnd({ shuffleId, mapId, attemptId, numMappers, ...more })
    return m.decodeMapperEndResponse(await this.ask(Type.MAPPER_END, payload, Type.MAPPER_END_RESPONSE))
  }

  async fileGroup(shuffleId: number) {
    const payload = m.encodeGetReducerFileGroup({ shuffleId })
    return m.decodeGetReducerFileGroupResponse(
      await this.ask(Type.GET_REDUCER_FILE_GROUP, payload, Type.GET_REDUCER_FILE_GROUP_RESPONSE),
    )
  }

  async stageEnd(shuffleId: number): Promise<boolean> {
    const payload = m.encodeGetStageEnd({ shuffleId })
    return m.decodeGetStageEndResponse(
      await this.ask(Type.GET_STAGE_END, payload, Type.GET_STAGE_END_RESPONSE),
    ).stageEnd
  }

  async partitionRead(end: m.ReadReducerPartitionEnd) {
    const payload = m.encodeReadReducerPartitionEnd(end)
    const expected = Type.READ_REDUCER_PARTITION_END_RESPONSE
    return m.decodeReadReducerPartitionEndResponse(
      await this.ask(Type.READ_REDUCER_PARTITION_END, payload, expected),
    )
  }

  async shuffleId(request: m.GetShuffleId) {
    const payload = m.encodeGetShuffleId(request)
    return m.decodeGetShuffleIdResponse(
      await this.ask(Type.GET_SHUFFLE_ID, payload, Type.GET_SHUFFLE_ID_RESPONSE),
    )
  }

  async barrierStageFailure(report: m.ReportBarrierStageAttemptFailure) {
    const payload = m.encodeReportBarrierStageAttemptFailure(report)
    const expected = Type.REPORT_BARRIER_STAGE_ATTEMPT_FAILURE_RESPONSE
    return m.decodeReportBarrierStageAttemptFailureResponse(
      await this.ask(Type.REPORT_BARRIER_STAGE_ATTEMPT_FAILURE, payload, expected),
    )
  }

  async fetchFailure(report: m.ReportShuffleFetchFailure) {
    const payload = m.encodeReportShuffleFetchFailure(report)
    const expected = Type.REPORT_SHUFFLE_FETCH_FAILURE_RESPONSE
    return m.decodeReportShuffleFetchFailureResponse(
      await this.ask(Type.REPORT_SHUFFLE_FETCH_FAILURE, payload, expected),
    )
  }

  checkEndpoint(name: string): Promise<boolean> {
    return this.rpc.checkEndpoint(this.host, this.port, name)
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}

export interface Driver {
  readonly master: FakeMaster
  readonly workers: readonly FakeWorker[]
  readonly manager: LifecycleManager
  readonly client: DriverClient
  /** A worker of the fakes by its index. */
  worker(index: number): FakeWorker
}

export interface DriverOptions {
  readonly workers?: number
  readonly conf?: Readonly<Record<string, string | number | boolean>>
  readonly form?: 'V1' | 'V2'
  readonly manager?: Partial<LifecycleManagerOptions>
  /** Sets the fake master up before the manager meets it. */
  readonly prepare?: (master: FakeMaster) => void
}

export class DriverFixture {
  private readonly cleanups: (() => Promise<void>)[] = []

  async start(o: DriverOptions = {}): Promise<Driver> {
    const workers = Array.from({ length: o.workers ?? 2 }, (_, n) => new FakeWorker(n))
    for (const worker of workers) {
      await worker.listen()
      this.cleanups.push(() => worker.close())
    }
    const master = new FakeMaster(workers)
    o.prepare?.(master)
    await master.listen()
    this.cleanups.push(() => master.close())
    const conf = new CelebornConf({ ...QUICK, 'celeborn.master.endpoints': master.endpoint, ...o.conf })
    const manager = new LifecycleManager({ appId: 'app-1', conf, ...o.manager })
    await manager.start()
    this.cleanups.push(() => manager.stop())
    const client = new DriverClient(manager.host, manager.port, o.form)
    this.cleanups.push(() => client.close())
    const worker = (index: number): FakeWorker => {
      const found = workers[index]
      if (found === undefined) throw new Error(`no worker ${index}`)
      return found
    }
    return { master, workers, manager, client, worker }
  }

  onCleanup(cleanup: () => Promise<void>): void {
    this.cleanups.push(cleanup)
  }

  async cleanup(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup()
  }
}
