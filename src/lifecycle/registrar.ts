/** Registers shuffles: asks the master for slots, reserves them on the workers, answers all callers. */
import { AbortedError, CelebornError, ClosedError, ProtocolError, RpcError } from '../errors'
import type { PartitionLocation } from '../protocol/locations'
import {
  ControlMessageType,
  decodeCheckQuotaResponse,
  decodeRequestSlotsResponse,
  encodeCheckQuota,
  encodeRequestSlots,
  type RequestSlotsResponse,
} from '../protocol/messages'
import { StatusCode, statusName } from '../protocol/status'
import { emitEvent } from './events'
import { IntegrityCheck } from './integrity'
import { LocationTable } from './location-table'
import { type MasterClient, nextMasterRequestId } from './master-client'
import type { LifecycleSettings } from './settings'
import type { RegisterOutcome, Shuffle } from './shuffle'
import type { SlotReserver } from './slot-reserver'
import { workerFromId, type WorkerRef } from './worker-ref'
import type { WorkerTracker } from './worker-tracker'

const NO_LOCATIONS: readonly PartitionLocation[] = []

export class Registrar {
  private registeredCount = 0

  constructor(
    private readonly appId: string,
    private readonly host: string,
    private readonly master: MasterClient,
    private readonly reserver: SlotReserver,
    private readonly tracker: WorkerTracker,
    private readonly settings: LifecycleSettings,
  ) {}

  /** Shuffles registered so far. */
  get registered(): number {
    return this.registeredCount
  }

  /**
   * The first caller registers the shuffle, others wait for it. A registered shuffle answers its latest locations; one
   * that has ended answers SUCCESS without any, so that a late writer asks for a new one and learns of the end.
   * @throws RpcError when the message contradicts what is known, or with the reason when registration failed
   */
  register(shuffle: Shuffle, numMappers: number, numPartitions: number): Promise<RegisterOutcome> {
    if (numMappers === 0)
      return Promise.resolve({ status: StatusCode.NUM_MAPPER_ZERO, locations: NO_LOCATIONS })
    shuffle.attemptsFor(numMappers)
    shuffle.checkPartitions(numPartitions)
    switch (shuffle.phase) {
      case 'registering':
        return shuffle.registration()
      case 'registered':
        return Promise.resolve({
          status: StatusCode.SUCCESS,
          locations: shuffle.table?.latestPrimaries() ?? NO_LOCATIONS,
        })
      case 'committing':
      case 'ended':
      case 'data-lost':
        return Promise.resolve({ status: StatusCode.SUCCESS, locations: NO_LOCATIONS })
      case 'aborted':
        return Promise.reject(shuffle.rejection(abortReason(shuffle)))
      case 'unregistered': {
        shuffle.beginRegistration(numPartitions)
        const registration = shuffle.registration()
        void this.run(shuffle, numPartitions)
        return registration
      }
    }
  }

  /** Asks the master for slots; once more if it has none. For revives too, which only want to know workers. */
  async requestSlots(shuffleId: number, partitionIds: readonly number[]): Promise<RequestSlotsResponse> {
    const ask = async (): Promise<RequestSlotsResponse> => {
      const s = this.settings
      const payload = encodeRequestSlots({
        applicationId: this.appId,
        shuffleId,
        partitionIds,
        hostname: this.host,
        shouldReplicate: s.replicate,
        requestId: nextMasterRequestId(),
        userIdentifier: s.user,
        shouldRackAware: s.rackAware,
        maxWorkers: s.maxWorkers,
        availableStorageTypes: s.availableStorageTypes,
        excludedWorkers: this.tracker.unavailable(),
        packed: true,
        tagsExpr: s.tagsExpr,
      })
      const { REQUEST_SLOTS, REQUEST_SLOTS_RESPONSE } = ControlMessageType
      return decodeRequestSlotsResponse(await this.master.ask(REQUEST_SLOTS, payload, REQUEST_SLOTS_RESPONSE))
    }
    const first = await ask()
    return first.status === StatusCode.SUCCESS ? first : ask()
  }

  /**
   * A master that does not answer the question is not asked again: the request for slots tells what is wrong with it.
   * @throws RpcError when the user's quota is used up
   */
  private async checkQuota(): Promise<void> {
    const { quotaEnabled, user } = this.settings
    if (!quotaEnabled) return
    const { CHECK_QUOTA, CHECK_QUOTA_RESPONSE } = ControlMessageType
    const payload = encodeCheckQuota({ userIdentifier: user })
    let reply: Uint8Array
    try {
      reply = await this.master.ask(CHECK_QUOTA, payload, CHECK_QUOTA_RESPONSE, { maxRetries: 0 })
    } catch (error) {
      if (error instanceof AbortedError || error instanceof ClosedError) throw error
      return
    }
    const { available, reason } = decodeCheckQuotaResponse(reply)
    if (available) return
    const of = `${user.tenantId}/${user.name}`
    throw new RpcError(
      `the master says that the quota of ${of} is used up: ${reason || 'it gives no reason'}`,
    )
  }

  /** Settles the shuffle's registration; never rejects. */
  private async run(shuffle: Shuffle, numPartitions: number): Promise<void> {
    try {
      await this.registerNew(shuffle, numPartitions)
    } catch (error) {
      const text = error instanceof CelebornError ? error.message : String(error)
      this.tell(shuffle, text)
      shuffle.registrationFailed(registerFailure(shuffle, text))
    }
  }

  private async registerNew(shuffle: Shuffle, numPartitions: number): Promise<void> {
    const { shuffleId } = shuffle
    await this.checkQuota()
    const ids = Array.from({ length: numPartitions }, (_, id) => id)
    const slots = await this.requestSlots(shuffleId, ids)
    if (slots.status !== StatusCode.SUCCESS) {
      this.tell(shuffle, `the master has no slots: ${statusName(slots.status)}`)
      const errorMsg = `the master at ${this.master.endpoint} offers no slots`
      shuffle.registrationFailed({ status: slots.status, locations: NO_LOCATIONS, errorMsg })
      return
    }
    const offered = offeredWorkers(slots)
    const wanted = offeredPrimaries(slots, numPartitions, this.settings.replicate)
    // The master vouches for them; whoever does not answer a reservation is excluded again.
    for (const worker of offered) this.tracker.readmit(worker)
    const result = await this.reserver.reserve(shuffleId, wanted, {
      candidates: () => offered,
      newEpochOnRetry: false,
    })
    if (result.failed.length > 0) {
      const errorMsg = inFew(result.reasons)
      this.tell(shuffle, errorMsg)
      const status = StatusCode.RESERVE_SLOTS_FAILED
      shuffle.registrationFailed({ status, locations: NO_LOCATIONS, errorMsg })
      await this.reserver.destroy(shuffleId, result.reserved)
      return
    }
    if (this.settings.integrityCheck) {
      shuffle.integrity = new IntegrityCheck(numPartitions, shuffle.attempts?.numMappers ?? 0)
    }
    const table = new LocationTable(numPartitions)
    for (const worker of offered) table.addWorker(worker)
    for (const primary of result.reserved) table.add(primary)
    if (shuffle.registered(table, StatusCode.SUCCESS)) {
      this.registeredCount++
      const message = `${numPartitions} partitions on ${table.workers.size} workers`
      emitEvent({ kind: 'shuffle-registered', appId: this.appId, shuffleId, message })
    } else {
      await this.reserver.destroy(shuffleId, result.reserved)
    }
  }

  private tell(shuffle: Shuffle, message: string): void {
    emitEvent({ kind: 'register-failed', appId: this.appId, shuffleId: shuffle.shuffleId, message })
  }
}

/** The last reasons say what is wrong now. */
const TOLD_REASONS = 5

function inFew(reasons: readonly string[]): string {
  const last = reasons.slice(-TOLD_REASONS).join('; ')
  const before = reasons.length - TOLD_REASONS
  return before > 0 ? `${last} (after ${before} others)` : last
}

function abortReason({ stageResult }: Shuffle): string {
  return stageResult?.kind === 'aborted' ? stageResult.reason : 'it was given up'
}

function registerFailure(shuffle: Shuffle, text: string): RpcError {
  return shuffle.rejection(`cannot be registered: ${text}`)
}

/** All workers of the master's answer, those without a location too. */
export function offeredWorkers(slots: RequestSlotsResponse): WorkerRef[] {
  return Array.from(slots.workerResource, ([id, { networkLocation }]) => workerFromId(id, networkLocation))
}

/** One primary for each partition asked for, with its replica. A master that answers anything else is refused. */
function offeredPrimaries(
  slots: RequestSlotsResponse,
  numPartitions: number,
  replicate: boolean,
): PartitionLocation[] {
  const primaries = new Array<PartitionLocation | undefined>(numPartitions).fill(undefined)
  for (const resource of slots.workerResource.values()) {
    for (const primary of resource.primaries) {
      if (primary.id < 0 || primary.id >= numPartitions || primaries[primary.id] !== undefined) {
        throw new ProtocolError(
          `the master's slots name partition ${primary.id}, which was not asked for or is there twice`,
        )
      }
      if (replicate && primary.peer === undefined) {
        throw new ProtocolError(`the master's slots have no replica for partition ${primary.id}`)
      }
      primaries[primary.id] = primary
    }
  }
  return primaries.map((primary, id) => {
    if (primary === undefined) throw new ProtocolError(`the master's slots lack partition ${id}`)
    return primary
  })
}
