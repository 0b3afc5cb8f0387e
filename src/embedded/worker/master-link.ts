import { setTimeout as sleep } from 'node:timers/promises'
import type { HostPort } from '../../conf'
import { ClosedError } from '../../errors'
import { ConnectionPool, RpcClient } from '../../network'
import { type WorkerAddress } from '../../protocol/ids'
import {
  ControlMessageType,
  decodeHeartbeatFromWorkerResponse,
  decodeRegisterWorkerResponse,
  type DiskInfo,
  encodeHeartbeatFromWorker,
  encodeRegisterWorker,
  encodeReportWorkerUnavailable,
  encodeWorkerLost,
  WorkerState,
} from '../../protocol/messages'
import { Endpoint } from '../../protocol/rpc-envelope'
import { randomUUID } from 'node:crypto'
import { DEFAULT_RACK } from '../master/slots'
import type { EmbeddedSettings } from '../settings'
import type { LeavingKind, WorkerCondition } from './leaving'

/** Pauses between tries to register: short at first, as the master is usually there. */
const FIRST_RETRY_MS = 20
const MAX_RETRY_MS = 2_000

/** A master that is away must not keep a worker from leaving. */
const ANNOUNCE_TIMEOUT_MS = 5_000

const STATE: Readonly<Record<WorkerCondition, number>> = {
  normal: WorkerState.NORMAL,
  graceful: WorkerState.IN_GRACEFUL,
  decommission: WorkerState.IN_DECOMMISSION,
}

/** What the worker that a {@link MasterLink} belongs to tells it. */
export interface MasterLinkHost {
  readonly address: WorkerAddress
  condition(): WorkerCondition
  disks(): Promise<DiskInfo[]>
  activeShuffleKeys(): string[]
  /** The master does not know these: their data may go. */
  expire(shuffleKeys: readonly string[]): void
}

/** A worker's side of its conversation with the master: register, then a heartbeat from time to time. */
export class MasterLink {
  readonly #master: HostPort
  readonly #host: MasterLinkHost
  readonly #intervalMs: number
  readonly #pool: ConnectionPool
  readonly #rpc: RpcClient
  readonly #closing = new AbortController()
  readonly #beating = new AbortController()
  #registered = false
  #heartbeats: Promise<void> | undefined
  #requests = 0
  readonly #uuid = randomUUID()

  constructor(settings: EmbeddedSettings, master: HostPort, host: MasterLinkHost) {
    this.#master = master
    this.#host = host
    this.#intervalMs = settings.heartbeatInterval
    this.#pool = new ConnectionPool(settings.conf, { module: 'rpc_service' })
    this.#rpc = new RpcClient(this.#pool, {
      form: 'V1',
      senderHost: host.address.host,
      senderPort: host.address.rpcPort,
    })
  }

  /** Whether the master has known this worker at least once. */
  get registered(): boolean {
    return this.#registered
  }

  /**
   * Registers, trying again until the master answers, and starts the heartbeats.
   *
   * @throws ClosedError when the link is closed meanwhile.
   */
  async start(): Promise<void> {
    try {
      await this.#register()
    } catch (error) {
      throw this.#closing.signal.aborted ? new ClosedError('the worker is stopped') : error
    }
    this.#heartbeats = this.#beat()
  }

  /** Tells the master that the worker takes nothing new. A master that cannot be told learns it by the next heartbeat. */
  async announce(kind: LeavingKind): Promise<void> {
    const worker = { ...this.#host.address, disks: [], userResourceConsumption: new Map(), internalPort: 0 }
    const workers = [{ ...worker, networkLocation: DEFAULT_RACK, nextInterruptionNotice: 0 }]
    const payload = encodeReportWorkerUnavailable({ workers, requestId: this.#requestId() })
    const { REPORT_WORKER_FAILURE, REPORT_WORKER_DECOMMISSION } = ControlMessageType
    await this.#tell(kind === 'graceful' ? REPORT_WORKER_FAILURE : REPORT_WORKER_DECOMMISSION, payload)
  }

  /** Ends the heartbeats and tells the master that the worker is gone. */
  async farewell(): Promise<void> {
    this.#beating.abort()
    await this.#heartbeats
    const payload = encodeWorkerLost({ ...this.#host.address, requestId: this.#requestId() })
    await this.#tell(ControlMessageType.WORKER_LOST, payload)
  }

  /** Ends the conversation without a word. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#beating.abort()
    await this.#pool.close()
    await this.#heartbeats
  }

  async #register(): Promise<void> {
    const { host, rpcPort, pushPort, fetchPort, replicatePort } = this.#host.address
    for (let pause = FIRST_RETRY_MS; ; pause = Math.min(pause * 2, MAX_RETRY_MS)) {
      this.#closing.signal.throwIfAborted()
      try {
        const payload = encodeRegisterWorker({
          host,
          rpcPort,
          pushPort,
          fetchPort,
          replicatePort,
          disks: await this.#host.disks(),
          userResourceConsumption: new Map(),
          requestId: this.#requestId(),
          internalPort: 0,
          networkLocation: DEFAULT_RACK,
        })
        const answer = await this.#ask(ControlMessageType.REGISTER_WORKER, payload)
        if (decodeRegisterWorkerResponse(answer).success) break
      } catch (error) {
        if (this.#closing.signal.aborted) throw error
      }
      await sleep(pause, undefined, { ref: false, signal: this.#closing.signal })
    }
    this.#registered = true
  }

  async #beat(): Promise<void> {
    const { signal } = this.#beating
    while (!signal.aborted) {
      try {
        await sleep(this.#intervalMs, undefined, { ref: false, signal })
        await this.#heartbeat()
      } catch {
        // The master is away or this worker ends; the next round tells.
      }
    }
  }

  async #heartbeat(): Promise<void> {
    const { host, rpcPort, pushPort, fetchPort, replicatePort } = this.#host.address
    const payload = encodeHeartbeatFromWorker({
      host,
      rpcPort,
      pushPort,
      fetchPort,
      replicatePort,
      disks: await this.#host.disks(),
      activeShuffleKeys: this.#host.activeShuffleKeys(),
      requestId: this.#requestId(),
      userResourceConsumption: new Map(),
      estimatedAppDiskUsage: new Map(),
      highWorkload: false,
      workerStatus: { state: STATE[this.#host.condition()], stateStartTime: 0 },
    })
    const answer = await this.#ask(ControlMessageType.HEARTBEAT_FROM_WORKER, payload)
    const { registered, expiredShuffleKeys } = decodeHeartbeatFromWorkerResponse(answer)
    this.#host.expire(expiredShuffleKeys)
    // A master that has forgotten this worker is told again; clients are served meanwhile.
    if (!registered) await this.#register()
  }

  async #ask(type: number, payload: Uint8Array, timeoutMs?: number): Promise<Uint8Array> {
    const { host, port } = this.#master
    const { signal } = this.#closing
    return (await this.#rpc.ask(host, port, Endpoint.MASTER, type, payload, { signal, timeoutMs })).payload
  }

  async #tell(type: number, payload: Uint8Array): Promise<void> {
    try {
      await this.#ask(type, payload, ANNOUNCE_TIMEOUT_MS)
    } catch {
      // It finds out: by the heartbeats, or by their absence.
    }
  }

  #requestId(): string {
    return `${this.#uuid}#${this.#requests++}`
  }
}
