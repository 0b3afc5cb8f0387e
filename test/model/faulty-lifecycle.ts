import { EMPTY_STORAGE, type PartitionLocation } from '../../src/protocol/locations'
import {
  type ChangeLocationPartitionInfo,
  type ChangeLocationResponse,
  type MapperEnd,
  type RegisterShuffle,
  type Revive,
} from '../../src/protocol/messages'
import { StatusCode, statusName } from '../../src/protocol/status'
import { locationAt, type Place, ScriptedLifecycle } from '../fault/scripted-lifecycle'
import { type ReportKind, type ReviveAnswer } from './commands'

/**
 * Asking twice for one thing happens within moments. Much later it is a client that has given the first answer up, whose
 * clock began when it sent the question, not when a busy process read it.
 */
const ASKED_TWICE_MS = 50

/** What a faulty LifecycleManager needs of the program that runs. */
export interface LifecycleContext {
  readonly shuffleId: number
  /** Push ports of the workers, by number. */
  readonly places: readonly Place[]
  readonly unplaced: boolean
  fault(kind: string): void
  note(event: string): void
  changed(): void
  later(ms: number, action: () => void): void
  /** Never resolves before the program is healed. */
  healed(): Promise<void>
  /** The report of an attempt's end has arrived. */
  reportArrived(request: MapperEnd): void
  reportAccepted(request: MapperEnd): void
  /** Clients are told that these map tasks have ended. */
  mapsEnded(mapIds: readonly number[]): void
  stageEnded(): void
  violate(text: string): void
}

interface Latest {
  epoch: number
  /** -1: a place where nothing listens. */
  worker: number
}

/** Nothing listens there: a connection is refused. */
const DEAD: Place = { host: '127.0.0.1', port: 1 }

/** A LifecycleManager that answers by a script; without one it is a good one. */
export class FaultyLifecycle {
  private revives: ReviveAnswer[] = []
  private reports: ReportKind[] = []
  private registrations: ReportKind[] = []
  private context: LifecycleContext | null = null
  private latest = new Map<number, Latest>()
  private given = new Map<string, number>()
  private again = new Set<string>()
  /** Map tasks with an attempt that has won; -1: one of another client. */
  /** Partitions whose revive is not answered, and since when. */
  private readonly open = new Map<number, number>()
  private winners = new Map<number, number>()

  private constructor(
    readonly server: ScriptedLifecycle,
    readonly address: { host: string; port: number },
  ) {
    server.onRegister = (request) => this.onRegister(request)
    server.locations = (request) => this.locations(request)
    server.onChangeLocation = (revive) => this.onRevive(revive)
    server.onMapperEnd = (request) => this.onMapperEnd(request)
  }

  static async start(): Promise<FaultyLifecycle> {
    const server = new ScriptedLifecycle(() => DEAD)
    return new FaultyLifecycle(server, await server.start())
  }

  attach(context: LifecycleContext, registrations: readonly ReportKind[]): void {
    this.context = context
    this.latest = new Map()
    this.given = new Map()
    this.again = new Set()
    this.winners = new Map()
    this.open.clear()
    this.registrations = [...registrations]
  }

  detach(): void {
    this.heal()
    this.context = null
    this.server.revives.length = 0
    this.server.mapperEnds.length = 0
  }

  heal(): void {
    this.revives = []
    this.reports = []
    this.registrations = []
  }

  planRevives(answers: readonly ReviveAnswer[]): void {
    this.revives.push(...answers)
  }

  planReports(answers: readonly ReportKind[]): void {
    this.reports.push(...answers)
  }

  /** An attempt of another client has won this map task. */
  endElsewhere(mapId: number): void {
    if (!this.winners.has(mapId)) this.winners.set(mapId, -1)
  }

  winner(mapId: number): number | undefined {
    return this.winners.get(mapId)
  }

  workerOf(uniqueId: string): number | undefined {
    return this.given.get(uniqueId)
  }

  namedAgain(uniqueId: string): boolean {
    return this.again.has(uniqueId)
  }

  private async onRegister(request: RegisterShuffle): Promise<number> {
    const context = this.of(request.shuffleId)
    return this.report(context, this.registrations.shift(), 'register')
  }

  private locations({ numPartitions }: RegisterShuffle): PartitionLocation[] {
    const context = this.context
    if (context === null) return []
    const locations: PartitionLocation[] = []
    for (let id = 0; id < numPartitions; id++) {
      if (context.unplaced && id % 2 === 1) continue
      const worker = id % context.places.length
      // A registration may be asked for again; locations are the same then.
      if (!this.latest.has(id)) this.give(id, 0, worker)
      locations.push(this.location(id))
    }
    return locations
  }

  private async onRevive(revive: Revive): Promise<ChangeLocationResponse> {
    const context = this.of(revive.shuffleId)
    this.checkRevive(context, revive)
    try {
      return await this.answerRevive(context, revive)
    } finally {
      for (const { partitionId } of revive.partitions) this.open.delete(partitionId)
    }
  }

  private async answerRevive(context: LifecycleContext, revive: Revive): Promise<ChangeLocationResponse> {
    const plan = this.revives.shift()
    context.note(
      `revive of ${revive.partitions.map((one) => `${one.partitionId}-${one.epoch} (${statusName(one.cause)})`).join(', ')}; ` +
        `answer: ${plan?.kind ?? 'next'}`,
    )
    if (plan !== undefined && plan.kind !== 'next') context.fault(`revive: ${plan.kind}`)
    switch (plan?.kind) {
      case 'slow':
        await new Promise<void>((resolve) => context.later(plan.arg, resolve))
        break
      case 'error':
        throw new Error('java.lang.IllegalStateException: the script says so')
      case 'silent':
        await context.healed()
        throw new Error('too late')
      case 'stage-ended':
        context.stageEnded()
        return {
          endedMapIds: [],
          partitions: [{ partitionId: -1, status: StatusCode.STAGE_ENDED, oldAvailable: false }],
        }
      default:
        break
    }
    const endedMapIds = [...this.winners.keys()]
    context.mapsEnded(endedMapIds)
    const partitions: ChangeLocationPartitionInfo[] = []
    for (const { partitionId, epoch } of revive.partitions) {
      const answer = this.revived(context, plan, partitionId, epoch)
      if (answer !== null) partitions.push(answer)
    }
    return { endedMapIds, partitions }
  }

  private checkRevive(context: LifecycleContext, revive: Revive): void {
    const seen = new Set<number>()
    for (const { partitionId, epoch, location } of revive.partitions) {
      if (seen.has(partitionId)) context.violate(`one revive asks twice for partition ${partitionId}`)
      seen.add(partitionId)
      const since = this.open.get(partitionId) ?? Number.NEGATIVE_INFINITY
      if (performance.now() - since < ASKED_TWICE_MS) {
        context.violate(`partition ${partitionId} is revived again before the first answer`)
      }
      this.open.set(partitionId, performance.now())
      if (epoch < 0) continue
      if (!this.given.has(`${partitionId}-${epoch}`)) {
        context.violate(
          `a revive of partition ${partitionId} names epoch ${epoch}, which was never given out`,
        )
      }
      if (location === undefined) context.violate(`a revive of ${partitionId}-${epoch} without its location`)
    }
  }

  private revived(
    context: LifecycleContext,
    plan: ReviveAnswer | undefined,
    partitionId: number,
    epoch: number,
  ): ChangeLocationPartitionInfo | null {
    const latest = this.latest.get(partitionId)
    const arg = plan?.arg ?? 0
    switch (plan?.kind) {
      case 'omitted':
        return null
      case 'refused': {
        const statuses = [StatusCode.REVIVE_FAILED, StatusCode.SLOT_NOT_AVAILABLE, StatusCode.WORKER_EXCLUDED]
        return { partitionId, status: statuses[arg % 3] ?? StatusCode.REVIVE_FAILED, oldAvailable: false }
      }
      case 'same':
        if (latest === undefined) break
        this.again.add(`${partitionId}-${latest.epoch}`)
        return this.named(partitionId)
      case 'older': {
        // It goes on with the newest one that it knows.
        const worker = this.given.get(`${partitionId}-${epoch - 1}`)
        if (latest === undefined || worker === undefined || latest.epoch !== epoch) break
        this.again.add(`${partitionId}-${epoch}`)
        return { ...this.named(partitionId), location: this.at(partitionId, epoch - 1, worker) }
      }
      default:
        break
    }
    // Somebody else has revived it already: the newest location is the answer.
    if (latest !== undefined && latest.epoch > epoch) return this.named(partitionId)
    const workers = context.places.length
    const old = latest?.worker ?? partitionId
    const next = (latest?.epoch ?? -1) + 1
    const worker = { dead: -1, next: old }[plan?.kind as string] ?? (Math.max(old, 0) + 1 + arg) % workers
    this.give(partitionId, next, worker)
    return this.named(partitionId)
  }

  private named(partitionId: number): ChangeLocationPartitionInfo {
    return {
      partitionId,
      status: StatusCode.SUCCESS,
      location: this.location(partitionId),
      oldAvailable: true,
    }
  }

  private async onMapperEnd(request: MapperEnd): Promise<number> {
    const context = this.of(request.shuffleId)
    context.note(`report of ${request.mapId}/${request.attemptId}`)
    context.reportArrived(request)
    const kind = this.reports.shift()
    // One that never answers may have accepted all the same.
    if (kind === undefined || kind === 'success' || kind === 'slow' || kind === 'silent') {
      if (!this.winners.has(request.mapId)) this.winners.set(request.mapId, request.attemptId)
      context.reportAccepted(request)
    }
    return this.report(context, kind, 'report')
  }

  private async report(
    context: LifecycleContext,
    kind: ReportKind | undefined,
    what: string,
  ): Promise<number> {
    if (kind !== undefined && kind !== 'success') context.fault(`${what}: ${kind}`)
    context.changed()
    switch (kind) {
      case 'refused':
        return StatusCode.REQUEST_FAILED
      case 'slow':
        await new Promise<void>((resolve) => context.later(30, resolve))
        return StatusCode.SUCCESS
      case 'error':
        throw new Error('java.lang.IllegalStateException: the script says so')
      case 'silent':
        await context.healed()
        throw new Error('too late')
      default:
        return StatusCode.SUCCESS
    }
  }

  private of(shuffleId: number): LifecycleContext {
    if (this.context?.shuffleId === shuffleId) return this.context
    throw new Error(`a request for shuffle ${shuffleId}, whose program is over`)
  }

  private give(partitionId: number, epoch: number, worker: number): void {
    this.latest.set(partitionId, { epoch, worker })
    this.given.set(`${partitionId}-${epoch}`, worker)
  }

  private location(partitionId: number): PartitionLocation {
    const { epoch, worker } = this.latest.get(partitionId) ?? { epoch: 0, worker: -1 }
    return this.at(partitionId, epoch, worker)
  }

  private at(partitionId: number, epoch: number, worker: number): PartitionLocation {
    const place = this.context?.places[worker] ?? DEAD
    return { ...locationAt(place, partitionId, epoch), storage: EMPTY_STORAGE }
  }
}
