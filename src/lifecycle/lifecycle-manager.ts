/** The driver's side of an application, put together. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AbortedError, CelebornError, ClosedError, ConfigError } from '../errors'
import * as keys from '../conf/keys'
import { ConnectionPool, RpcClient, RpcServer } from '../network'
import {
  ControlMessageType,
  encodeApplicationLost,
  encodeRegisterApplicationInfo,
} from '../protocol/messages'
import { Endpoint } from '../protocol/rpc-envelope'
import { StatusCode, statusName } from '../protocol/status'
import { ChangeLocationManager } from './change-location'
import { Committer } from './committer'
import { LifecycleEndpoint } from './endpoint'
import { emitEvent } from './events'
import { Heartbeater } from './heartbeater'
import { MasterClient, nextMasterRequestId } from './master-client'
import { Registrar } from './registrar'
import { type LifecycleSettings, readSettings } from './settings'
import { ShuffleIds } from './shuffle-ids'
import { ShuffleRegistry } from './shuffle-registry'
import { SlotReserver } from './slot-reserver'
import { StageKeeper } from './stage'
import type { LifecycleManagerOptions, LifecycleStats } from './types'
import { Unregistrar } from './unregistrar'
import { WorkerClient } from './worker-client'
import { type WorkerLists, WorkerTracker } from './worker-tracker'

const DEFAULT_HOST = '127.0.0.1'
/** At start a master that cannot be reached is an error to tell soon, not to wait for. */
const START_RETRIES = 3
/** At stop the master is told, but nobody waits long for it. */
const FAREWELL_TIMEOUT_MS = 5_000

/** How long at most stop waits for its last answers to be written, and how often it looks. */
const LAST_WORDS_MS = 2_000
const LAST_WORDS_STEP_MS = 2

type State = 'new' | 'starting' | 'started' | 'stopping' | 'stopped'

/**
 * The driver's side of a Celeborn application: registers its shuffles with the master, has workers reserve and commit
 * their files, gives writers new locations and readers the committed ones. Serves ShuffleClients, ours and Java's, at
 * {@link host}:{@link port}.
 *
 * One per application. It keeps the process alive until {@link stop}.
 */
export class LifecycleManager {
  /** The one that was given, with a random suffix where `celeborn.client.application.uuidSuffix.enabled` asks for it. */
  readonly appId: string
  private readonly settings: LifecycleSettings
  private readonly server: RpcServer
  private readonly pool: ConnectionPool
  private readonly abort = new AbortController()
  private readonly registry = new ShuffleRegistry()
  private readonly tracker: WorkerTracker
  private readonly ids: ShuffleIds
  private parts: Parts | undefined
  private state: State = 'new'
  private address: { readonly host: string; readonly port: number }
  private stopping: Promise<void> | undefined

  /** @throws ConfigError when an option or a key of `conf` is wrong */
  constructor(private readonly options: LifecycleManagerOptions) {
    if (
      options.appId === '' ||
      /[/\0]/.test(options.appId) ||
      options.appId === '.' ||
      options.appId === '..'
    ) {
      throw new ConfigError(
        `appId ${JSON.stringify(options.appId)}: must be a non-empty text without "/", workers name a directory by it`,
      )
    }
    if (options.host === '0.0.0.0' || options.host === '::') {
      throw new ConfigError(`host ${options.host}: must be an address that clients can connect to`)
    }
    const { conf } = options
    this.settings = readSettings(conf)
    this.appId = this.settings.uuidSuffix
      ? `${options.appId}-${randomUUID().replaceAll('-', '')}`
      : options.appId
    this.address = { host: options.host ?? DEFAULT_HOST, port: options.port ?? this.settings.managerPort }
    this.server = new RpcServer({
      ...this.address,
      name: 'LifecycleManager',
      maxMessageBytes: conf.get(keys.NODE_MAX_MESSAGE_BYTES),
    })
    this.pool = new ConnectionPool(conf, { module: 'rpc_service' })
    this.tracker = new WorkerTracker({
      expireMs: this.settings.excludedExpireMs,
      excludeReplica: this.settings.excludeReplica,
    })
    this.ids = new ShuffleIds(
      (id) => this.registry.get(id) !== undefined || this.registry.grave(id) !== undefined,
    )
  }

  /** Where clients find this manager; the port is known once {@link start} has resolved. */
  get host(): string {
    return this.address.host
  }

  get port(): number {
    return this.address.port
  }

  /**
   * Listens, and tells the master that the application lives.
   * @throws ConnectionError, TimeoutError, ProtocolError or RpcError when no master can be reached at
   *   `celeborn.master.endpoints`: the message names the endpoint and what to check. Nothing is left running then.
   */
  async start(): Promise<void> {
    if (this.state !== 'new')
      throw new ClosedError(`LifecycleManager of ${this.appId} cannot be started: it is ${this.state}`)
    this.state = 'starting'
    try {
      this.address = await this.server.listen()
      const parts = this.assemble()
      this.parts = parts
      this.server.endpoint(Endpoint.LIFECYCLE_MANAGER, parts.endpoint.handle)
      const { masterMaxRetries } = this.settings
      await parts.heartbeater.beat({
        maxRetries: Math.min(START_RETRIES, masterMaxRetries),
        electionRetries: masterMaxRetries,
      })
      if (this.state !== 'starting') throw new ClosedError(`LifecycleManager of ${this.appId} was stopped`)
      parts.heartbeater.start()
      this.state = 'started'
      void this.introduce(parts.master)
    } catch (error) {
      await this.shutDown(false)
      throw error
    }
  }

  /**
   * Gives a shuffle up: whoever waits for it is told, the master is told, the workers delete its files. Its id cannot be
   * used again.
   * @param o.deferred keep it for `celeborn.client.shuffle.expired.checkInterval`, so that readers can finish; resolves
   *   at once
   * @throws RpcError, ConnectionError or TimeoutError when the master did not confirm; it is told again later
   */
  async unregisterShuffle(shuffleId: number, o: { readonly deferred?: boolean } = {}): Promise<void> {
    const { unregistrar } = this.running()
    if (o.deferred === true) unregistrar.unregisterLater(shuffleId)
    else await unregistrar.unregister(shuffleId)
  }

  /** The same for all shuffles that GET_SHUFFLE_ID gave to an application's shuffle. */
  async unregisterAppShuffle(appShuffleId: number, o: { readonly deferred?: boolean } = {}): Promise<void> {
    const ids = this.ids.remove(appShuffleId)
    await Promise.all(ids.map((id) => this.unregisterShuffle(id, o)))
  }

  /**
   * Tells whether a re-run of the map tasks of an application's shuffle writes the same rows to the same partitions; true
   * unless told otherwise. It decides whether GET_SHUFFLE_ID lets a re-run go on with the files of an earlier run.
   */
  setDeterminate(appShuffleId: number, determinate: boolean): void {
    this.ids.setDeterminate(appShuffleId, determinate)
  }

  /** Answers all who wait, tells the master that the application is gone, closes every socket and timer. Idempotent. */
  stop(): Promise<void> {
    this.stopping ??= this.shutDown(this.state === 'started')
    return this.stopping
  }

  stats(): LifecycleStats {
    const workers = new Set<string>()
    const shuffles = [...this.registry.all()].map((shuffle) => {
      for (const id of shuffle.workers.keys()) workers.add(id)
      return shuffle.stats()
    })
    const excluded = this.tracker
      .excludedWorkers()
      .map(({ worker, status }) => [worker.id, statusName(status)])
    const totals = this.parts?.committer.totals
    return {
      shuffles,
      workers: [...workers],
      excludedWorkers: Object.fromEntries(excluded) as Record<string, string>,
      shuttingWorkers: this.tracker.shuttingWorkers().map((w) => w.id),
      bytesWritten: totals?.bytes ?? 0,
      filesWritten: totals?.files ?? 0,
      heartbeats: this.parts?.heartbeater.stats() ?? { sent: 0, failed: 0, lastError: undefined },
      changeLocationRequests: this.parts?.changes.requests ?? 0,
      changeLocationRounds: this.parts?.changes.rounds ?? 0,
      masterEndpoint: this.parts?.master.endpoint ?? this.settings.masterEndpoints[0] ?? '',
    }
  }

  private running(): Parts {
    if (this.parts === undefined || this.state !== 'started') {
      throw new ClosedError(`LifecycleManager of ${this.appId} is not running`)
    }
    return this.parts
  }

  private assemble(): Parts {
    const { appId, settings, tracker, registry } = this
    const { signal } = this.abort
    const { host, port } = this.address
    const rpc = new RpcClient(this.pool, { form: settings.rpcForm, senderHost: host, senderPort: port })
    const master = new MasterClient(rpc, {
      endpoints: settings.masterEndpoints,
      maxRetries: settings.masterMaxRetries,
      askTimeoutMs: settings.masterAskTimeoutMs,
      signal,
    })
    const workers = new WorkerClient(rpc, appId, settings, signal)
    const reserver = new SlotReserver(appId, workers, tracker, settings, signal)
    const registrar = new Registrar(appId, host, master, reserver, tracker, settings)
    const committer = new Committer(appId, workers, tracker, settings, signal)
    const changes = new ChangeLocationManager(
      appId,
      registrar,
      reserver,
      committer,
      tracker,
      settings,
      signal,
    )
    const stages = new StageKeeper(committer, changes)
    const unregistrar = new Unregistrar(appId, registry, master, changes, stages, reserver, settings, signal)
    const heartbeater = new Heartbeater(master, tracker, {
      appId,
      intervalMs: settings.heartbeatIntervalMs,
      totals: () => ({ ...committer.totals, shuffles: registrar.registered }),
      knownShuffles: settings.reviseLostShuffles ? () => registry.registeredIds() : undefined,
      onLists: (lists) => this.onWorkerLists(committer, lists),
      onQuotaExceeded: (reason) => this.onQuotaExceeded(changes, reason),
    })
    const { onFetchFailure, onBarrierStageFailure } = this.options
    const endpoint = new LifecycleEndpoint({
      appId,
      registry,
      registrar,
      changes,
      stages,
      shuffleIds: this.ids,
      stageRerun: settings.stageRerun,
      onFetchFailure,
      onBarrierStageFailure,
      unregisterLater: (shuffleId) => unregistrar.unregisterLater(shuffleId),
    })
    return { master, committer, changes, heartbeater, unregistrar, endpoint }
  }

  private onWorkerLists(committer: Committer, lists: WorkerLists): void {
    this.tracker.applyHeartbeat(lists)
    if (lists.shutting.length === 0) return
    for (const shuffle of this.registry.all()) committer.commitOn(shuffle, lists.shutting)
  }

  /** Gives up what is being written: whoever writes or waits gets the reason. What has been committed stays readable. */
  private onQuotaExceeded(changes: ChangeLocationManager, words: string): void {
    if (!this.settings.quotaInterrupt) return
    const key = keys.QUOTA_INTERRUPT_SHUFFLE_ENABLED.key
    const reason = `interrupted, as ${key} says: the quota is used up: ${words || 'the master gives no reason'}`
    for (const shuffle of this.registry.all()) {
      if (shuffle.stageResult !== undefined) continue
      const { shuffleId } = shuffle
      shuffle.abort(reason)
      changes.cancel(shuffle, StatusCode.SHUFFLE_UNREGISTERED)
      emitEvent({ kind: 'quota-exceeded', appId: this.appId, shuffleId, message: reason })
    }
  }

  /** Tells masters of 0.6 and later who the application is. Those before do not know the message; nothing depends on it. */
  private async introduce(master: MasterClient): Promise<void> {
    const { appId, settings, options } = this
    const payload = encodeRegisterApplicationInfo({
      appId,
      userIdentifier: settings.user,
      extraInfo: new Map(Object.entries(options.applicationInfo ?? {})),
      requestId: nextMasterRequestId(),
    })
    const { REGISTER_APPLICATION_INFO, ONE_WAY_MESSAGE_RESPONSE } = ControlMessageType
    try {
      await master.ask(REGISTER_APPLICATION_INFO, payload, ONE_WAY_MESSAGE_RESPONSE, { maxRetries: 0 })
    } catch (error) {
      if (error instanceof AbortedError || error instanceof ClosedError) return
      const message = error instanceof Error ? error.message : String(error)
      emitEvent({ kind: 'application-info-refused', appId, message })
    }
  }

  private async shutDown(tellMaster: boolean): Promise<void> {
    this.state = 'stopping'
    const reason = `LifecycleManager of ${this.appId} is stopping`
    const { parts } = this
    parts?.heartbeater.stop()
    parts?.endpoint.close(reason)
    for (const shuffle of this.registry.all()) {
      shuffle.abort(reason)
      parts?.changes.cancel(shuffle, StatusCode.SHUFFLE_UNREGISTERED)
    }
    this.abort.abort()
    await this.lastWords()
    if (tellMaster && this.settings.unregisterAtStop && parts !== undefined) await this.farewell(parts.master)
    await this.server.close()
    await this.pool.close()
    this.state = 'stopped'
  }

  /** Lets the answers to those who waited leave: closing the server cuts off what is not written. */
  private async lastWords(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const deadline = performance.now() + LAST_WORDS_MS
    while (this.server.stats().unsentBytes > 0 && performance.now() < deadline)
      await sleep(LAST_WORDS_STEP_MS)
  }

  private async farewell(master: MasterClient): Promise<void> {
    const payload = encodeApplicationLost({ appId: this.appId, requestId: nextMasterRequestId() })
    const { APPLICATION_LOST, APPLICATION_LOST_RESPONSE } = ControlMessageType
    try {
      await master.ask(APPLICATION_LOST, payload, APPLICATION_LOST_RESPONSE, {
        maxRetries: 0,
        timeoutMs: Math.min(FAREWELL_TIMEOUT_MS, this.settings.masterAskTimeoutMs),
        signal: AbortSignal.timeout(2 * FAREWELL_TIMEOUT_MS),
      })
    } catch (error) {
      // The master finds out by itself when the heartbeats stay away.
      if (!(error instanceof CelebornError)) throw error
    }
  }
}

interface Parts {
  readonly master: MasterClient
  readonly committer: Committer
  readonly changes: ChangeLocationManager
  readonly heartbeater: Heartbeater
  readonly unregistrar: Unregistrar
  readonly endpoint: LifecycleEndpoint
}
