import { once } from 'node:events'
import { connect } from 'node:net'
import { CelebornConf, parseHostPort } from '../../src/conf'
import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../src/embedded'
import { ConnectionPool, type GatherWriter, nextRequestId, RpcClient, type StreamId } from '../../src/network'
import { writeBatchHeader } from '../../src/protocol/batch'
import {
  pushDataHeaderLength,
  pushMergedDataHeaderLength,
  writePushDataHeader,
  RPC_REQUEST_HEADER_BYTES,
  writePushMergedDataHeader,
  writeRpcRequestHeader,
} from '../../src/protocol/framing'
import { parseWorkerUniqueId, shuffleKey, type WorkerAddress } from '../../src/protocol/ids'
import { type PartitionLocation, type WorkerResource } from '../../src/protocol/locations'
import {
  ALL_MAPS,
  type CommitFiles,
  type CommitFilesResponse,
  ControlMessageType,
  decodeCommitFilesResponse,
  decodeRequestSlotsResponse,
  decodeReserveSlotsResponse,
  decodeStreamHandler,
  encodeBufferStreamEnd,
  encodeCommitFiles,
  encodeOpenStream,
  encodeRequestSlots,
  encodeReserveSlots,
  DEFAULT_USER,
  type RequestSlotsResponse,
  type ReserveSlots,
  type ReserveSlotsResponse,
  type StreamHandler,
} from '../../src/protocol/messages'
import { Endpoint } from '../../src/protocol/rpc-envelope'

export const APP = 'test-app'

/** A worker's answer to a push: the body, or the text of an RPC_FAILURE. */
export type PushResult = { readonly body: number[] } | { readonly failure: string }

/** One batch as a client writes it. */
export function batch(mapId: number, batchId: number, payload: Uint8Array | string, attemptId = 0): Buffer {
  const bytes = Buffer.from(payload)
  const result = Buffer.alloc(16 + bytes.length)
  writeBatchHeader(result, 0, mapId, attemptId, batchId, bytes.length)
  bytes.copy(result, 16)
  return result
}

/** An RPC_REQUEST as its bytes, for sockets that a test drives itself. */
export function request(body: Uint8Array, requestId = 1): Buffer {
  const head = Buffer.alloc(RPC_REQUEST_HEADER_BYTES)
  writeRpcRequestHeader(head, 0, requestId, body.length)
  return Buffer.concat([head, body])
}

/** Speaks raw protocol messages to a cluster. */
export class TestClient {
  readonly pool = new ConnectionPool(new CelebornConf(), { module: 'data' })
  readonly rpc: RpcClient
  readonly master: { host: string; port: number }

  constructor(masterEndpoint: string, form: 'V1' | 'V2' = 'V1') {
    this.rpc = new RpcClient(this.pool, { form })
    this.master = parseHostPort(masterEndpoint)
  }

  async close(): Promise<void> {
    await this.pool.close()
  }

  async askMaster(type: number, payload: Uint8Array): Promise<Uint8Array> {
    const { host, port } = this.master
    return (await this.rpc.ask(host, port, Endpoint.MASTER, type, payload)).payload
  }

  async askWorker(worker: WorkerAddress, type: number, payload: Uint8Array): Promise<Uint8Array> {
    return (await this.rpc.ask(worker.host, worker.rpcPort, Endpoint.WORKER, type, payload)).payload
  }

  async requestSlots(
    partitions: number,
    o: {
      shuffleId?: number
      appId?: string
      replicate?: boolean
      packed?: boolean
      excluded?: WorkerAddress[]
    } = {},
  ): Promise<RequestSlotsResponse> {
    const answer = await this.askMaster(
      ControlMessageType.REQUEST_SLOTS,
      encodeRequestSlots({
        applicationId: o.appId ?? APP,
        shuffleId: o.shuffleId ?? 0,
        partitionIds: Array.from({ length: partitions }, (_, i) => i),
        hostname: 'here',
        shouldReplicate: o.replicate ?? false,
        requestId: 'r#1',
        userIdentifier: DEFAULT_USER,
        shouldRackAware: false,
        maxWorkers: 10_000,
        availableStorageTypes: 2,
        excludedWorkers: (o.excluded ?? []).map((worker) => ({ ...worker, ...NO_WORKER_DETAILS })),
        packed: o.packed ?? true,
        tagsExpr: '',
      }),
    )
    return decodeRequestSlotsResponse(answer)
  }

  async reserve(
    worker: WorkerAddress,
    resource: Pick<WorkerResource, 'primaries' | 'replicas'>,
    o: Partial<ReserveSlots> = {},
  ): Promise<ReserveSlotsResponse> {
    const payload = encodeReserveSlots({
      applicationId: APP,
      shuffleId: 0,
      primaryLocations: resource.primaries,
      replicaLocations: resource.replicas,
      splitThreshold: 1 << 30,
      splitMode: 0,
      partitionType: 0,
      rangeReadFilter: false,
      userIdentifier: DEFAULT_USER,
      pushDataTimeout: 10_000,
      partitionSplitEnabled: true,
      availableStorageTypes: 2,
      isSegmentGranularityVisible: false,
      ...o,
    })
    return decodeReserveSlotsResponse(await this.askWorker(worker, ControlMessageType.RESERVE_SLOTS, payload))
  }

  /** Slots for `partitions` partitions, reserved everywhere; the primaries by partition id. */
  async register(
    partitions: number,
    o: { replicate?: boolean; excluded?: WorkerAddress[] } & Partial<ReserveSlots> = {},
  ): Promise<PartitionLocation[]> {
    const { replicate = false, excluded = [], ...reserve } = o
    const slots = await this.requestSlots(partitions, {
      replicate,
      excluded,
      shuffleId: o.shuffleId ?? 0,
      appId: o.applicationId ?? APP,
    })
    const locations: PartitionLocation[] = []
    for (const [id, resource] of slots.workerResource) {
      const answer = await this.reserve(parseWorkerUniqueId(id), resource, reserve)
      if (answer.status !== 0) throw new Error(`reserve: ${answer.status} ${answer.reason}`)
      for (const location of resource.primaries) locations[location.id] = location
    }
    return locations
  }

  push(
    location: PartitionLocation,
    body: Uint8Array,
    o: { key?: string; mode?: 0 | 1; port?: number; uniqueId?: string; timeoutMs?: number } = {},
  ): Promise<PushResult> {
    const key = Buffer.from(o.key ?? shuffleKey(APP, 0))
    const uniqueId = Buffer.from(o.uniqueId ?? `${location.id}-${location.epoch}`)
    const head = pushDataHeaderLength(key.length, uniqueId.length)
    return this.#push(location.host, o.port ?? location.pushPort, head, body, o.timeoutMs, (buffer, at, id) =>
      writePushDataHeader(buffer, at, id, o.mode ?? 0, key, uniqueId, body.length),
    )
  }

  pushMerged(
    location: PartitionLocation,
    uniqueIds: readonly string[],
    batches: readonly Uint8Array[],
    o: { key?: string; offsets?: number[]; mode?: 0 | 1; port?: number } = {},
  ): Promise<PushResult> {
    const key = Buffer.from(o.key ?? shuffleKey(APP, 0))
    const ids = uniqueIds.map((id) => Buffer.from(id))
    const body = Buffer.concat(batches)
    let start = 0
    const offsets =
      o.offsets ??
      batches.map((bytes) => {
        start += bytes.length
        return start - bytes.length
      })
    const head = pushMergedDataHeaderLength(key.length, ids)
    return this.#push(location.host, o.port ?? location.pushPort, head, body, undefined, (buffer, at, id) =>
      writePushMergedDataHeader(buffer, at, id, o.mode ?? 0, key, ids, offsets, body.length),
    )
  }

  #push(
    host: string,
    port: number,
    head: number,
    body: Uint8Array,
    timeoutMs = 20_000,
    writeHead: (buffer: Buffer, at: number, requestId: number) => void,
  ): Promise<PushResult> {
    const requestId = nextRequestId()
    return new Promise((resolve, reject) => {
      this.pool.connection(host, port).send({
        requestId,
        timeoutMs,
        byteLength: head + body.length,
        encode(w: GatherWriter) {
          const at = w.reserve(head)
          writeHead(w.buffer, at, requestId)
          w.append(body)
        },
        writeStarted() {},
        writeEnded() {},
        onResponse: (answer) => resolve({ body: [...answer] }),
        onRpcFailure: (failure) => resolve({ failure }),
        onError: reject,
      })
    })
  }

  async commit(worker: WorkerAddress, o: Partial<CommitFiles> = {}): Promise<CommitFilesResponse> {
    const payload = encodeCommitFiles({
      applicationId: APP,
      shuffleId: 0,
      primaryIds: [],
      replicaIds: [],
      mapAttempts: [0],
      epoch: 1,
      mockFailure: false,
      ...o,
    })
    return decodeCommitFilesResponse(await this.askWorker(worker, ControlMessageType.COMMIT_FILES, payload))
  }

  async openStream(
    location: PartitionLocation,
    o: { key?: string; fileName?: string; start?: number; end?: number; local?: boolean } = {},
  ): Promise<StreamHandler> {
    const payload = encodeOpenStream({
      shuffleKey: o.key ?? shuffleKey(APP, 0),
      fileName: o.fileName ?? `${location.id}-${location.epoch}-${location.mode}`,
      startIndex: o.start ?? 0,
      endIndex: o.end ?? ALL_MAPS,
      initialCredit: 0,
      readLocalShuffle: o.local ?? false,
    })
    const answer = await this.rpc.askBare(
      location.host,
      location.fetchPort,
      ControlMessageType.OPEN_STREAM,
      payload,
    )
    return decodeStreamHandler(answer.payload)
  }

  /** @throws Error with the worker's words when it has no such chunk. */
  fetchChunk(location: PartitionLocation, streamId: StreamId, chunkIndex: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let target = Buffer.alloc(0)
      this.pool.connection(location.host, location.fetchPort).fetchChunk({
        streamId,
        chunkIndex,
        timeoutMs: 20_000,
        allocate: (size) => (target = Buffer.alloc(size)),
        onChunk: (size) => resolve(target.subarray(0, size)),
        onFailure: (message) => reject(new Error(message)),
        onError: reject,
        targetReleased() {},
      })
    })
  }

  endStream(location: PartitionLocation, streamId: StreamId): void {
    const payload = encodeBufferStreamEnd({ streamType: 0, streamId })
    this.rpc.sendBare(location.host, location.fetchPort, ControlMessageType.BUFFER_STREAM_END, payload)
  }

  /** The chunks of a stream over the whole file, or over a map range. */
  async read(
    location: PartitionLocation,
    o: { key?: string; start?: number; end?: number } = {},
  ): Promise<Buffer[]> {
    const { streamId, numChunks } = await this.openStream(location, o)
    const chunks: Buffer[] = []
    for (let i = 0; i < numChunks; i++) chunks.push(await this.fetchChunk(location, streamId, i))
    this.endStream(location, streamId)
    return chunks
  }
}

const NO_WORKER_DETAILS = {
  disks: [],
  userResourceConsumption: new Map(),
  internalPort: 0,
  networkLocation: '',
  nextInterruptionNotice: 0,
}

/** A started cluster and a client of it. */
export class TestCluster {
  readonly cluster: EmbeddedCluster
  readonly client: TestClient

  private constructor(cluster: EmbeddedCluster) {
    this.cluster = cluster
    this.client = new TestClient(cluster.masterEndpoint)
  }

  static async start(
    o: EmbeddedClusterOptions & { entries?: Record<string, string> } = {},
  ): Promise<TestCluster> {
    const { entries = {}, ...options } = o
    const conf = new CelebornConf({ 'celeborn.node.embedded.heartbeatInterval': '20ms', ...entries })
    return new TestCluster(await EmbeddedCluster.start({ conf, ...options }))
  }

  /** Addresses of the workers that are alive. */
  get workers(): WorkerAddress[] {
    return this.cluster
      .stats()
      .workers.flatMap((worker) => (worker === undefined ? [] : [parseWorkerUniqueId(worker.uniqueId)]))
  }

  async stop(): Promise<void> {
    await this.client.close()
    await this.cluster.stop()
  }
}

/** Resolves once `condition` holds: for what happens on the other side of a socket, where no event tells. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Sends raw bytes and resolves with what came back once the peer has closed the connection. */
export async function sendRaw(host: string, port: number, bytes: Uint8Array): Promise<Buffer> {
  const socket = connect(port, host)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(received)
}
