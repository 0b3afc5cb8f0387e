/**
 * One shuffle's state. No I/O: the registrar, the committer and the change-location manager drive it.
 *
 *     unregistered ──► registering ──► registered ──► committing ──► ended | data-lost
 *          │  ▲             │ failed                                    ▲
 *          │  └─────────────┘                                           │
 *          └────────────────── all map tasks ended without data ────────┘
 *     any phase before the last two ──► aborted (unregistered or stopped before its stage ended)
 */
import { RpcError } from '../errors'
import type { PartitionLocation } from '../protocol/locations'
import { CommitLedger, describeLost, type LostLocation } from './commit-ledger'
import { type Deferred, deferred } from './deferred'
import { MAX_MAPPERS, MAX_PARTITIONS } from './limits'
import type { IntegrityCheck } from './integrity'
import type { LocationTable } from './location-table'
import { MapperAttempts } from './mapper-attempts'
import type { ShufflePhase, ShuffleStats } from './types'
import type { WorkerRef } from './worker-ref'

/** What a register call is answered with. */
export interface RegisterOutcome {
  readonly status: number
  readonly locations: readonly PartitionLocation[]
  /** Why it failed, for people. */
  readonly errorMsg?: string | undefined
}

/** How a stage ended. */
export type StageResult =
  | { readonly kind: 'committed'; readonly fileGroups: ReadonlyMap<number, readonly PartitionLocation[]> }
  | { readonly kind: 'no-data' }
  | { readonly kind: 'data-lost'; readonly lost: readonly LostLocation[] }
  | { readonly kind: 'aborted'; readonly reason: string }

export class Shuffle {
  private currentPhase: ShufflePhase = 'unregistered'
  private mappers: MapperAttempts | undefined
  private partitions = 0
  private locations: LocationTable | undefined
  private pendingRegistration: Deferred<RegisterOutcome> | undefined
  private result: StageResult | undefined
  private readonly end: Deferred<StageResult> = deferred()
  private atEnd = { locations: 0, maxEpoch: -1, workers: new Map<string, WorkerRef>() }

  ledger = new CommitLedger()
  /** What map tasks reported about their data, where that is checked. */
  integrity: IntegrityCheck | undefined
  /** Batches that winning attempts may have pushed twice: location -> attempt -> batch ids. For reads of skewed partitions. */
  readonly failedBatches = new Map<string, Map<string, readonly number[]>>()
  /** Early commits under way; stage end waits for them. */
  readonly commitsInFlight = new Set<Promise<void>>()
  /** Readers whose file-group request waits for the stage's end. */
  waitingReaders = 0

  constructor(readonly shuffleId: number) {}

  get phase(): ShufflePhase {
    return this.currentPhase
  }

  /** Map tasks' winners; undefined until a message told how many map tasks there are. */
  get attempts(): MapperAttempts | undefined {
    return this.mappers
  }

  get numPartitions(): number {
    return this.partitions
  }

  /** The locations while the shuffle takes data; undefined before and after. */
  get table(): LocationTable | undefined {
    return this.currentPhase === 'registered' || this.currentPhase === 'committing'
      ? this.locations
      : undefined
  }

  /** How the stage ended, or undefined while it has not. */
  get stageResult(): StageResult | undefined {
    return this.result
  }

  /** Workers that hold this shuffle's data. */
  get workers(): ReadonlyMap<string, WorkerRef> {
    return this.locations?.workers ?? this.atEnd.workers
  }

  /** Resolves when the stage has ended, however. Never rejects. */
  stageEnd(): Promise<StageResult> {
    return this.end.promise
  }

  /**
   * The attempts of a shuffle with this many map tasks; makes them on the first call.
   * @throws RpcError when an earlier message told another number, or when it is out of bounds.
   */
  attemptsFor(numMappers: number): MapperAttempts {
    if (this.mappers === undefined) {
      if (!Number.isInteger(numMappers) || numMappers < 1 || numMappers > MAX_MAPPERS) {
        throw this.rejection(`numMappers ${numMappers} is not between 1 and ${MAX_MAPPERS}`)
      }
      this.mappers = new MapperAttempts(numMappers)
    } else if (this.mappers.numMappers !== numMappers) {
      throw this.rejection(
        `numMappers ${numMappers} differs from ${this.mappers.numMappers}, which was told before`,
      )
    }
    return this.mappers
  }

  /** @throws RpcError when the shuffle is known to have another number of partitions, or it is out of bounds. */
  checkPartitions(numPartitions: number): void {
    if (!Number.isInteger(numPartitions) || numPartitions < 1 || numPartitions > MAX_PARTITIONS) {
      throw this.rejection(`numPartitions ${numPartitions} is not between 1 and ${MAX_PARTITIONS}`)
    }
    if (this.partitions !== 0 && this.partitions !== numPartitions) {
      throw this.rejection(
        `numPartitions ${numPartitions} differs from ${this.partitions}, which was told before`,
      )
    }
  }

  /** unregistered -> registering. The promise is what all callers wait for. */
  beginRegistration(numPartitions: number): void {
    this.expect('unregistered')
    this.checkPartitions(numPartitions)
    this.partitions = numPartitions
    this.pendingRegistration = deferred()
    this.currentPhase = 'registering'
  }

  /** What callers that come while registering wait for. */
  registration(): Promise<RegisterOutcome> {
    if (this.pendingRegistration === undefined) throw new Error('no registration under way')
    return this.pendingRegistration.promise
  }

  /** registering -> registered; answers all callers. Nothing if the shuffle was aborted meanwhile (false). */
  registered(table: LocationTable, status: number): boolean {
    if (this.currentPhase !== 'registering') return false
    this.locations = table
    this.currentPhase = 'registered'
    this.settleRegistration({ status, locations: table.latestPrimaries() })
    return true
  }

  /** registering -> unregistered: the callers get the status, and the next caller tries anew. */
  registrationFailed(outcome: RegisterOutcome | Error): void {
    if (this.currentPhase !== 'registering') return
    this.currentPhase = 'unregistered'
    this.partitions = 0
    this.settleRegistration(outcome)
  }

  /** registered -> committing. False if another stage end was first, or there is nothing to commit. */
  beginCommit(): boolean {
    if (this.currentPhase !== 'registered') return false
    this.currentPhase = 'committing'
    return true
  }

  /** All map tasks ended and none had data. */
  endWithoutData(): void {
    this.expect('unregistered')
    this.currentPhase = 'ended'
    this.finish({ kind: 'no-data' })
  }

  /** committing -> ended or data-lost; from here on the locations are forgotten, readers have the file groups. */
  endCommitted(): StageResult {
    this.expect('committing')
    const lost = this.ledger.lost()
    const result: StageResult =
      lost.length > 0
        ? { kind: 'data-lost', lost }
        : { kind: 'committed', fileGroups: this.ledger.fileGroups() }
    this.currentPhase = lost.length > 0 ? 'data-lost' : 'ended'
    this.finish(result)
    return result
  }

  /** The shuffle is given up before its stage ended; all who wait are answered. Nothing after the end. */
  abort(reason: string): void {
    if (this.result !== undefined) return
    this.currentPhase = 'aborted'
    this.settleRegistration(this.rejection(reason))
    this.finish({ kind: 'aborted', reason })
  }

  stats(): ShuffleStats {
    return {
      shuffleId: this.shuffleId,
      phase: this.currentPhase,
      numMappers: this.mappers?.numMappers ?? 0,
      numPartitions: this.partitions,
      endedMappers: this.mappers?.endedCount ?? 0,
      locations: this.locations?.size ?? this.atEnd.locations,
      maxEpoch: this.locations?.maxEpoch ?? this.atEnd.maxEpoch,
      workers: this.workers.size,
      waitingReaders: this.waitingReaders,
      failure: failureOf(this.result),
    }
  }

  /** An error that tells a client what is wrong with its message about this shuffle. */
  rejection(text: string): RpcError {
    return new RpcError(`shuffle ${this.shuffleId}: ${text}`, { shuffleId: this.shuffleId })
  }

  private settleRegistration(outcome: RegisterOutcome | Error): void {
    const pending = this.pendingRegistration
    this.pendingRegistration = undefined
    if (outcome instanceof Error) pending?.reject(outcome)
    else pending?.resolve(outcome)
  }

  private finish(result: StageResult): void {
    this.result = result
    if (this.locations !== undefined) {
      const { size, maxEpoch, workers } = this.locations
      this.atEnd = { locations: size, maxEpoch, workers: new Map(workers) }
      this.locations = undefined
    }
    this.ledger = new CommitLedger()
    this.end.resolve(result)
  }

  private expect(phase: ShufflePhase): void {
    if (this.currentPhase !== phase) {
      throw new Error(`shuffle ${this.shuffleId} is ${this.currentPhase}, expected ${phase}`)
    }
  }
}

function failureOf(result: StageResult | undefined): string | undefined {
  if (result?.kind === 'data-lost') return describeLost(result.lost)
  return result?.kind === 'aborted' ? result.reason : undefined
}
