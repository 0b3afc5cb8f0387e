/** A master and workers that speak the wire and keep no data, with hooks to make them misbehave. */
import { type RpcHandler, RpcFailureText, type RpcMessage, RpcServer } from '../../src/network'
import { type WorkerAddress } from '../../src/protocol/ids'
import { EMPTY_STORAGE, type PartitionLocation, type WorkerResource } from '../../src/protocol/locations'
import * as m from '../../src/protocol/messages'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { StatusCode } from '../../src/protocol/status'
import { workerOf, type WorkerRef } from '../../src/lifecycle/worker-ref'
import { addressOf, DISK } from './fixtures'

const Type = m.ControlMessageType

/** Overrides what a fake answers; undefined = the usual answer. */
type Hook<T, R> = (request: T) => Promise<R | RpcFailureText | undefined> | R | RpcFailureText | undefined

export class FakeWorker {
  private readonly server: RpcServer
  private address: WorkerAddress | undefined
  readonly reserves: m.ReserveSlots[] = []
  readonly commits: m.CommitFiles[] = []
  readonly destroys: m.DestroyWorkerSlots[] = []
  /** `<id>-<epoch>` of primaries and of replicas that are reserved now. */
  readonly primaries = new Set<string>()
  readonly replicas = new Set<string>()
  /** Unique ids that commit as empty. */
  readonly empty = new Set<string>()
  onReserve: Hook<m.ReserveSlots, m.ReserveSlotsResponse> = () => undefined
  onCommit: Hook<m.CommitFiles, m.CommitFilesResponse> = () => undefined

  constructor(private readonly number: number) {
    this.server = new RpcServer({ name: 'Worker', host: '127.0.0.1', port: 0 })
    this.server.endpoint(Endpoint.WORKER, this.handle)
  }

  get ref(): WorkerRef {
    if (this.address === undefined) throw new Error('not listening')
    return workerOf(this.address)
  }

  async listen(): Promise<void> {
    const { host, port } = await this.server.listen()
    const n = this.number
    this.address = {
      host,
      rpcPort: port,
      pushPort: 20_000 + n,
      fetchPort: 21_000 + n,
      replicatePort: 22_000 + n,
    }
  }

  close(): Promise<void> {
    return this.server.close()
  }

  private readonly handle: RpcHandler = async (type, payload): Promise<RpcMessage | RpcFailureText> => {
    switch (type) {
      case Type.RESERVE_SLOTS: {
        const request = m.decodeReserveSlots(payload)
        this.reserves.push(request)
        const answer = await this.onReserve(request)
        if (answer instanceof RpcFailureText) return answer
        if (answer === undefined) {
          for (const l of request.primaryLocations) this.primaries.add(idOf(l))
          for (const l of request.replicaLocations) this.replicas.add(idOf(l))
        }
        const response = answer ?? { status: StatusCode.SUCCESS, reason: '' }
        return { type: Type.RESERVE_SLOTS_RESPONSE, payload: m.encodeReserveSlotsResponse(response) }
      }
      case Type.COMMIT_FILES: {
        const request = m.decodeCommitFiles(payload)
        this.commits.push(request)
        const answer = await this.onCommit(request)
        if (answer instanceof RpcFailureText) return answer
        return {
          type: Type.COMMIT_FILES_RESPONSE,
          payload: m.encodeCommitFilesResponse(answer ?? this.commit(request)),
        }
      }
      case Type.DESTROY: {
        const request = m.decodeDestroyWorkerSlots(payload)
        this.destroys.push(request)
        for (const id of request.primaryIds) this.primaries.delete(id)
        for (const id of request.replicaIds) this.replicas.delete(id)
        const response = { status: StatusCode.SUCCESS, failedPrimaries: [], failedReplicas: [] }
        return { type: Type.DESTROY_RESPONSE, payload: m.encodeDestroyWorkerSlotsResponse(response) }
      }
      default:
        return new RpcFailureText(`fake worker: ${type}`)
    }
  }

  /** As a worker commits: what is not reserved fails, what is empty vanishes. */
  commit(request: m.CommitFiles): m.CommitFilesResponse {
    const split = (ids: readonly string[], reserved: ReadonlySet<string>) => ({
      committed: ids.filter((id) => reserved.has(id) && !this.empty.has(id)),
      failed: ids.filter((id) => !reserved.has(id)),
    })
    const primary = split(request.primaryIds, this.primaries)
    const replica = split(request.replicaIds, this.replicas)
    const storage = { ...EMPTY_STORAGE, type: 1, finalResult: true, fileSize: 100 }
    const infos = (ids: readonly string[]) => new Map(ids.map((id) => [id, storage]))
    return {
      status:
        primary.failed.length + replica.failed.length === 0 ? StatusCode.SUCCESS : StatusCode.PARTIAL_SUCCESS,
      committedPrimaryIds: primary.committed,
      committedReplicaIds: replica.committed,
      failedPrimaryIds: primary.failed,
      failedReplicaIds: replica.failed,
      committedPrimaryStorageInfos: infos(primary.committed),
      committedReplicaStorageInfos: infos(replica.committed),
      totalWritten: 100 * primary.committed.length,
      fileCount: primary.committed.length,
      mapIdBitmap: new Map(),
    }
  }
}

export class FakeMaster {
  private readonly server: RpcServer
  readonly slotRequests: m.RequestSlots[] = []
  readonly heartbeats: m.HeartbeatFromApplication[] = []
  readonly unregistered: number[] = []
  readonly lost: string[] = []
  readonly quotaChecks: m.CheckQuota[] = []
  readonly applications: m.RegisterApplicationInfo[] = []
  /** What CHECK_QUOTA is answered with; undefined = a failure. */
  quota: m.CheckQuotaResponse | undefined = { available: true, reason: '' }
  /** What heartbeats say of the quota; undefined = nothing, as masters before 0.6. */
  heartbeatQuota: m.CheckQuotaResponse | undefined = { available: true, reason: '' }
  onApplicationInfo: Hook<m.RegisterApplicationInfo, never> = () => undefined
  /** Shuffles that heartbeats are answered with. */
  registered: number[] = []
  readonly revised: number[][] = []
  onSlots: Hook<m.RequestSlots, m.RequestSlotsResponse> = () => undefined
  onUnregister: Hook<number, { status: number }> = () => undefined
  lists: { excluded: WorkerRef[]; unknown: WorkerRef[]; shutting: WorkerRef[] } = {
    excluded: [],
    unknown: [],
    shutting: [],
  }
  private waiting: { count: number; resolve: () => void }[] = []

  constructor(readonly workers: readonly FakeWorker[]) {
    this.server = new RpcServer({ name: 'Master', host: '127.0.0.1', port: 0 })
    this.server.endpoint(Endpoint.MASTER, this.handle)
  }

  get endpoint(): string {
    return `${this.server.host}:${this.server.port}`
  }

  async listen(): Promise<void> {
    await this.server.listen()
  }

  close(): Promise<void> {
    return this.server.close()
  }

  /** Resolves when this many heartbeats have come in all. */
  heartbeat(count: number): Promise<void> {
    if (this.heartbeats.length >= count) return Promise.resolve()
    return new Promise((resolve) => this.waiting.push({ count, resolve }))
  }

  private readonly handle: RpcHandler = async (type, payload): Promise<RpcMessage | RpcFailureText> => {
    switch (type) {
      case Type.HEARTBEAT_FROM_APPLICATION: {
        this.heartbeats.push(m.decodeHeartbeatFromApplication(payload))
        const ready = this.waiting.filter(({ count }) => this.heartbeats.length >= count)
        this.waiting = this.waiting.filter(({ count }) => this.heartbeats.length < count)
        for (const { resolve } of ready) resolve()
        const full = (w: WorkerRef): m.WorkerInfo => ({
          ...addressOf(w),
          disks: [],
          userResourceConsumption: new Map(),
          internalPort: 0,
          networkLocation: '',
          nextInterruptionNotice: 0,
        })
        return {
          type: Type.HEARTBEAT_FROM_APPLICATION_RESPONSE,
          payload: m.encodeHeartbeatFromApplicationResponse({
            status: StatusCode.SUCCESS,
            excludedWorkers: this.lists.excluded.map(full),
            unknownWorkers: this.lists.unknown.map(full),
            shuttingWorkers: this.lists.shutting.map(full),
            registeredShuffles: this.registered,
            checkQuotaResponse: this.heartbeatQuota,
          }),
        }
      }
      case Type.REQUEST_SLOTS: {
        const request = m.decodeRequestSlots(payload)
        this.slotRequests.push(request)
        const answer = await this.onSlots(request)
        if (answer instanceof RpcFailureText) return answer
        return {
          type: Type.REQUEST_SLOTS_RESPONSE,
          payload: m.encodeRequestSlotsResponse(answer ?? offer(request, this.workers), request.packed),
        }
      }
      case Type.UNREGISTER_SHUFFLE: {
        const { shuffleId } = m.decodeUnregisterShuffle(payload)
        const answer = await this.onUnregister(shuffleId)
        if (answer instanceof RpcFailureText) return answer
        if (answer === undefined) this.unregistered.push(shuffleId)
        const response = answer ?? { status: StatusCode.SUCCESS }
        return {
          type: Type.UNREGISTER_SHUFFLE_RESPONSE,
          payload: m.encodeUnregisterShuffleResponse(response),
        }
      }
      case Type.BATCH_UNREGISTER_SHUFFLES: {
        const { shuffleIds } = m.decodeBatchUnregisterShuffles(payload)
        this.unregistered.push(...shuffleIds)
        const response = { status: StatusCode.SUCCESS, shuffleIds }
        return {
          type: Type.BATCH_UNREGISTER_SHUFFLES_RESPONSE,
          payload: m.encodeBatchUnregisterShufflesResponse(response),
        }
      }
      case Type.CHECK_QUOTA: {
        this.quotaChecks.push(m.decodeCheckQuota(payload))
        if (this.quota === undefined) return new RpcFailureText('java.lang.IllegalStateException: no quotas')
        return { type: Type.CHECK_QUOTA_RESPONSE, payload: m.encodeCheckQuotaResponse(this.quota) }
      }
      case Type.REGISTER_APPLICATION_INFO: {
        const info = m.decodeRegisterApplicationInfo(payload)
        this.applications.push(info)
        const answer = await this.onApplicationInfo(info)
        return answer ?? { type: Type.ONE_WAY_MESSAGE_RESPONSE, payload: new Uint8Array(0) }
      }
      case Type.REVISE_LOST_SHUFFLES: {
        this.revised.push([...m.decodeReviseLostShuffles(payload).lostShuffles])
        const response = { success: true, message: '' }
        return {
          type: Type.REVISE_LOST_SHUFFLES_RESPONSE,
          payload: m.encodeReviseLostShufflesResponse(response),
        }
      }
      case Type.APPLICATION_LOST: {
        this.lost.push(m.decodeApplicationLost(payload).appId)
        const response = { status: StatusCode.SUCCESS }
        return { type: Type.APPLICATION_LOST_RESPONSE, payload: m.encodeApplicationLostResponse(response) }
      }
      default:
        return new RpcFailureText(`fake master: ${type}`)
    }
  }
}

/** Round robin over the workers, replicas on the next one. */
export function offer(request: m.RequestSlots, workers: readonly FakeWorker[]): m.RequestSlotsResponse {
  const resources = new Map<string, { primaries: PartitionLocation[]; replicas: PartitionLocation[] }>()
  const refs = workers.map((w) => w.ref)
  for (const ref of refs) resources.set(ref.id, { primaries: [], replicas: [] })
  for (const [index, id] of request.partitionIds.entries()) {
    const primaryOn = refs[index % refs.length]
    const replicaOn = refs[(index + 1) % refs.length]
    if (primaryOn === undefined || replicaOn === undefined) break
    const primary: PartitionLocation = { ...addressOf(primaryOn), id, epoch: 0, mode: 0, storage: DISK }
    if (!request.shouldReplicate) {
      resources.get(primaryOn.id)?.primaries.push(primary)
      continue
    }
    const replica: PartitionLocation = { ...addressOf(replicaOn), id, epoch: 0, mode: 1, storage: DISK }
    resources.get(primaryOn.id)?.primaries.push({ ...primary, peer: replica })
    resources.get(replicaOn.id)?.replicas.push({ ...replica, peer: primary })
  }
  const workerResource = new Map<string, WorkerResource>()
  for (const [id, r] of resources) workerResource.set(id, { ...r, networkLocation: '/default-rack' })
  return { status: StatusCode.SUCCESS, workerResource }
}

function idOf(location: PartitionLocation): string {
  return `${location.id}-${location.epoch}`
}
