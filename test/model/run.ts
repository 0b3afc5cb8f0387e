import { ShuffleClient } from '../../src/client'
import { type Codec, createCodec } from '../../src/compress'
import { CelebornConf } from '../../src/conf'
import { FramePool } from '../../src/memory'
import { type LifecycleManagerAddress } from '../../src/client'
import { type MapperEnd } from '../../src/protocol/messages'
import { type Place } from '../fault/scripted-lifecycle'
import { type Scenario } from './commands'
import { MAX_CONTENT_BYTES } from './content'
import { type FaultyLifecycle, type LifecycleContext } from './faulty-lifecycle'
import { type FaultyWorker, type WorkerContext } from './faulty-worker'
import { Ledger, type LedgerContext } from './ledger'
import { ModelAttempt, type ModelFrame, type ModelPush } from './model'

/** A program that broke an invariant, or hung. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** What happened last, in milliseconds since the program's start. */
  events: readonly string[] = []
}

const ASK_TIMEOUT_MS = 400

/** Where programs run: what is started once and used by one program after the other. */
export interface World {
  /** Empty in a world of real workers. */
  readonly workers: readonly FaultyWorker[]
  /** Null in a world with a real LifecycleManager. */
  readonly lifecycle: FaultyLifecycle | null
  /** Configuration that the world needs of every client. */
  readonly entries: Readonly<Record<string, string | number | boolean>>
  /** A shuffle of the next program's own. */
  nextShuffle(): Job
  /** The program is over. */
  forget(job: Job): Promise<void>
}

/** Where a program's shuffle is registered. */
export interface Job {
  readonly appId: string
  readonly address: LifecycleManagerAddress
  readonly shuffleId: number
}

/** Longer than anything that a program waits for. */
export const patience = { hangMs: 20_000 }

/** One program's client, and the model of it. */
export class Run implements LedgerContext, WorkerContext, LifecycleContext {
  readonly job: Job
  readonly shuffleId: number
  readonly shuffleKey: string
  readonly codec: Codec
  readonly ledger: Ledger
  readonly client: ShuffleClient
  readonly pool: FramePool
  readonly attempts: readonly ModelAttempt[]
  readonly places: readonly Place[]
  readonly unplaced: boolean
  readonly pushTimeoutMs: number
  readonly pushes: ModelPush[] = []
  readonly frames: ModelFrame[] = []
  readonly signals = new Map<number, AbortController>()
  readonly faults = new Map<string, number>()
  /** What has to be right, as soon as all callbacks of a turn have run. */
  readonly claims: { readonly what: string; readonly right: () => boolean }[] = []
  /** acquireAsync calls that wait. */
  acquiring = 0
  /** Frames whose last reference was dropped. */
  forgotten = 0
  throwingCallbacks = 0
  closing = false
  closed: Promise<void> | null = null
  shuffleForgotten = false
  /** The program is being brought to its end. */
  finishing = false
  stepsDone = 0
  /** Turns of the event loop that have passed for certain since the start. */
  turn = 0
  stepsSkipped = 0
  /** What is being done, for the report of a hang. */
  doing = 'starting'
  private nextContent = 1
  private readonly violations: string[] = []
  private readonly due = new Set<{ timer: NodeJS.Timeout; action: () => void }>()
  private waiters: (() => void)[] = []
  private heal: () => void = () => undefined
  private readonly healing = new Promise<void>((resolve) => {
    this.heal = resolve
  })

  constructor(
    readonly world: World,
    readonly scenario: Scenario,
  ) {
    this.job = world.nextShuffle()
    const { appId, address, shuffleId } = this.job
    this.shuffleId = shuffleId
    this.shuffleKey = `${appId}-${shuffleId}`
    this.codec = createCodec(scenario.codec)
    this.ledger = new Ledger(this)
    this.unplaced = scenario.unplaced
    this.pushTimeoutMs = scenario.pushTimeoutMs
    const workers = this.workers
    this.places = workers.map(({ server: { host, port } }) => ({ host, port }))
    const conf = new CelebornConf({ ...entriesOf(scenario), ...world.entries })
    const { foreignPool, copied, poolBytes } = scenario
    const pool = foreignPool ? new FramePool({ name: 'model', maxBytes: poolBytes, copied }) : undefined
    this.client = new ShuffleClient({ appId, conf, lifecycleManager: address, ...(pool && { pool }) })
    this.pool = this.client.pool
    this.attempts = attemptsOf(scenario, this.shuffleId)
    for (const worker of workers) worker.attach(this)
    world.lifecycle?.attach(this, scenario.registrations)
  }

  get workers(): readonly FaultyWorker[] {
    return this.world.workers.slice(0, this.scenario.workers)
  }

  newContent(): number {
    return this.nextContent++
  }

  // ---- what goes on ----

  /** What happened, for the report of a failure. */
  readonly events: string[] = []
  private readonly startMs = performance.now()

  note(event: string): void {
    if (this.events.length < 2000)
      this.events.push(`${(performance.now() - this.startMs).toFixed(1)} ${event}`)
  }

  violate(text: string): void {
    if (this.violations.length < 8) this.violations.push(text)
    this.changed()
  }

  /** Throws what was found wrong so far. */
  throwViolations(): void {
    if (this.violations.length === 0) return
    throw new Violation(`after ${this.doing}: ${[...new Set(this.violations)].join('; also: ')}`)
  }

  fault(kind: string): void {
    this.note(`fault: ${kind}`)
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1)
  }

  changed(): void {
    for (const attempt of this.attempts) if (attempt.endCalled && attempt.quiet) attempt.wasQuiet = true
    for (const wake of this.waiters.splice(0)) wake()
  }

  /** Waits for a condition, event by event. A hang is a violation that tells what is in flight. */
  async until(what: string, condition: () => boolean): Promise<void> {
    const deadline = performance.now() + patience.hangMs
    while (!condition()) {
      this.throwViolations()
      if (performance.now() > deadline) {
        throw new Violation(
          `hangs in ${this.doing}: ${what} has not come after ${patience.hangMs} ms\n${this.describe()}`,
        )
      }
      await this.nextChange()
      this.turn++
    }
    this.throwViolations()
  }

  /** Not every change has an event (the end of a socket write has none), so it looks again after a moment, too. */
  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 2)
      this.waiters.push(() => {
        clearTimeout(timer)
        setImmediate(resolve)
      })
    })
  }

  later(ms: number, action: () => void): void {
    const entry = {
      action,
      timer: setTimeout(() => {
        this.due.delete(entry)
        action()
      }, ms),
    }
    this.due.add(entry)
  }

  healed(): Promise<void> {
    return this.healing
  }

  /** No faults from here on: what was delayed happens now. */
  healAll(): void {
    this.heal()
    for (const { timer, action } of [...this.due]) {
      clearTimeout(timer)
      action()
    }
    this.due.clear()
    for (const worker of this.world.workers) worker.heal()
    this.world.lifecycle?.heal()
  }

  detach(): void {
    for (const worker of this.world.workers) worker.detach()
    this.world.lifecycle?.detach()
  }

  // ---- what the servers ask and tell ----

  workerOf(uniqueId: string): number | undefined {
    return this.world.lifecycle?.workerOf(uniqueId)
  }

  namedAgain(uniqueId: string): boolean {
    return this.world.lifecycle?.namedAgain(uniqueId) ?? false
  }

  mapEnded(pushes: readonly ModelPush[]): void {
    for (const { attempt } of pushes) attempt.mayDrop.add('map-ended')
  }

  mapsEnded(mapIds: readonly number[]): void {
    for (const attempt of this.attempts) {
      if (mapIds.includes(attempt.target.mapId)) attempt.mayDrop.add('map-ended')
    }
  }

  stageEnded(): void {
    for (const attempt of this.attempts) attempt.mayDrop.add('stage-ended')
  }

  reportArrived({ mapId, attemptId }: MapperEnd): void {
    const attempt = this.attempts.find(
      ({ target }) => target.mapId === mapId && target.attemptId === attemptId,
    )
    if (attempt === undefined) {
      this.violate(`a report of attempt ${mapId}/${attemptId}, which there is not`)
      return
    }
    const { name } = attempt
    if (!attempt.endCalled) this.violate(`${name} was reported although mapperEnd was not called`)
    if (attempt.reportForbidden) this.violate(`${name} was reported although it was aborted before`)
    if ([...attempt.pushes].some(({ settlement }) => settlement?.outcome === 'failed')) {
      this.violate(`${name} was reported although a batch has failed`)
    }
    // Of an attempt whose data is not needed, nothing needs to be waited for.
    if (attempt.mayDrop.has('map-ended') || attempt.mayDrop.has('stage-ended')) return
    if (attempt.unsettled.length > 0 && !attempt.aborted && !this.closing) {
      this.violate(`${name} was reported with ${attempt.unsettled.length} batches in flight`)
    }
    if (attempt.waiting.length > 0 && !attempt.aborted && !this.closing) {
      this.violate(`${name} was reported while ${attempt.waiting.length} pushes wait`)
    }
  }

  reportAccepted({ mapId, attemptId }: MapperEnd): void {
    for (const attempt of this.attempts) {
      if (attempt.target.mapId === mapId && attempt.target.attemptId === attemptId) attempt.reported = true
    }
  }

  // ---- a hang, in words ----

  describe(): string {
    const { perWorker, connections, bytesInFlight, waiting, framesAlive, leases } = this.client.stats()
    const lines = [
      `  in flight: ${bytesInFlight} bytes, ${JSON.stringify(perWorker)}; ${waiting} wait; ` +
        `${framesAlive} frames, ${leases.leasesAlive} leases, ${this.acquiring} acquisitions wait`,
      ...connections.connections.map((connection) => `  connection ${JSON.stringify(connection)}`),
    ]
    for (const push of this.pushes) {
      if (push.state === 'calling') lines.push(`  waits: ${push.name}`)
      else if (push.state === 'admitted' && push.settlement === null) lines.push(`  unsettled: ${push.name}`)
    }
    for (const attempt of this.attempts) {
      if (attempt.waits.size > 0)
        lines.push(`  ${attempt.name}: ${[...attempt.waits].join(', ')} has not resolved`)
    }
    return lines.join('\n')
  }
}

function attemptsOf(scenario: Scenario, shuffleId: number): ModelAttempt[] {
  const attempts: ModelAttempt[] = []
  const { maps: numMappers, partitions: numPartitions } = scenario
  for (let attemptId = 0; attemptId < scenario.attempts; attemptId++) {
    for (let mapId = 0; mapId < numMappers; mapId++) {
      const target = { shuffleId, mapId, attemptId, numMappers, numPartitions }
      attempts.push(new ModelAttempt(attempts.length, target))
    }
  }
  return attempts
}

function entriesOf(scenario: Scenario): Record<string, string | number | boolean> {
  return {
    'celeborn.client.shuffle.compression.codec': scenario.codec,
    'celeborn.node.maxFrameBytes': MAX_CONTENT_BYTES,
    'celeborn.node.maxInFlightBytes': scenario.maxBytes,
    'celeborn.node.maxInFlightBytesPerWorker': scenario.maxBytesPerWorker,
    'celeborn.client.push.maxReqsInFlight.total': scenario.maxRequests,
    'celeborn.client.push.maxReqsInFlight.perWorker': scenario.maxRequestsPerWorker,
    'celeborn.client.push.limit.inFlight.timeout': `${scenario.admissionTimeoutMs}ms`,
    'celeborn.client.push.timeout': `${scenario.pushTimeoutMs}ms`,
    'celeborn.client.push.revive.maxRetries': scenario.maxRetries,
    'celeborn.client.push.revive.interval': '2ms',
    'celeborn.client.push.buffer.max.size': scenario.mergeBytes,
    'celeborn.client.push.limit.strategy': scenario.slowStart ? 'SLOWSTART' : 'SIMPLE',
    'celeborn.client.push.slowStart.initialSleepTime': '70ms',
    'celeborn.client.push.slowStart.maxSleepTime': '150ms',
    'celeborn.client.push.excludeWorkerOnFailure.enabled': scenario.exclude,
    'celeborn.client.excludedWorker.expireTimeout': '40ms',
    'celeborn.data.io.numConnectionsPerPeer': scenario.connectionsPerPeer,
    'celeborn.node.rpc.form': scenario.rpcForm,
    'celeborn.rpc.askTimeout': `${ASK_TIMEOUT_MS}ms`,
    'celeborn.client.rpc.maxRetries': 2,
    'celeborn.client.rpc.retryWait': '5ms',
    'celeborn.client.registerShuffle.maxRetries': 1,
    'celeborn.client.registerShuffle.retryWait': '5ms',
  }
}
