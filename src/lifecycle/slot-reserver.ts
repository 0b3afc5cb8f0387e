/**
 * Reserves locations on workers. Where a worker refuses or does not answer, its locations and their other copies go to
 * other workers, several times if need be.
 */
import { AbortedError, CelebornError, ClosedError } from '../errors'
import { partitionUniqueId } from '../protocol/ids'
import type { PartitionLocation } from '../protocol/locations'
import { StatusCode, statusName } from '../protocol/status'
import { emitEvent } from './events'
import type { LifecycleSettings } from './settings'
import { enoughWorkers, placeLocations } from './slot-allocation'
import { delay } from './timers'
import type { WorkerClient } from './worker-client'
import { readableAddress, type WorkerRef, workerOf } from './worker-ref'
import type { WorkerTracker } from './worker-tracker'

export interface ReserveResult {
  /** Primaries (with replicas as peers) that are reserved. */
  readonly reserved: readonly PartitionLocation[]
  /** Those for which no worker could be found; the rest of them is destroyed. */
  readonly failed: readonly PartitionLocation[]
  /** One line per failure, oldest first. */
  readonly reasons: readonly string[]
}

interface WorkerSlots {
  readonly worker: WorkerRef
  readonly primaries: PartitionLocation[]
  readonly replicas: PartitionLocation[]
}

export interface ReserveOptions {
  /** Workers to try instead, looked at anew before each retry. */
  readonly candidates: () => Iterable<WorkerRef>
  /** Whether a retry takes a new epoch: not at registration, where nobody has seen the first one. */
  readonly newEpochOnRetry: boolean
}

export class SlotReserver {
  constructor(
    private readonly appId: string,
    private readonly workers: WorkerClient,
    private readonly tracker: WorkerTracker,
    private readonly settings: LifecycleSettings,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws AbortedError or ClosedError when the manager stops. */
  async reserve(
    shuffleId: number,
    wanted: readonly PartitionLocation[],
    options: ReserveOptions,
  ): Promise<ReserveResult> {
    const reserved: PartitionLocation[] = []
    const reasons: string[] = []
    let pending = wanted
    for (let tries = 1; ; tries++) {
      const refusals = await this.reserveOnce(shuffleId, pending)
      const failed: PartitionLocation[] = []
      for (const primary of pending) {
        if (isRefused(primary, refusals)) failed.push(primary)
        else reserved.push(primary)
      }
      if (failed.length === 0) return { reserved, failed, reasons }
      for (const refusal of refusals.values()) {
        reasons.push(refusal.reason)
        emitEvent({ kind: 'reserve-failed', appId: this.appId, shuffleId, message: refusal.reason })
      }
      // Before anything is reserved anew: a retry may put the same location on a worker that still holds its copy.
      await this.destroyCopies(shuffleId, failed, refusals)
      if (tries >= this.settings.reserveTries) return { reserved, failed, reasons }
      const candidates = [...options.candidates()].filter((w) => this.tracker.isAvailable(w))
      if (!enoughWorkers(candidates.length, this.settings.replicate)) {
        reasons.push(`only ${candidates.length} other worker(s) left`)
        return { reserved, failed, reasons }
      }
      // Other workers can be asked at once; after they have failed too, waiting may help.
      if (tries > 1) await delay(this.settings.reserveRetryWaitMs, this.signal)
      pending = this.placeAgain(failed, candidates, options.newEpochOnRetry)
    }
  }

  /** Gives reserved locations back; failures do not matter, the workers delete them with the shuffle. */
  async destroy(shuffleId: number, primaries: readonly PartitionLocation[]): Promise<void> {
    await this.destroyCopies(shuffleId, primaries, new Map())
  }

  private async reserveOnce(
    shuffleId: number,
    primaries: readonly PartitionLocation[],
  ): Promise<Map<string, { reason: string }>> {
    const refusals = new Map<string, { reason: string }>()
    const reserveOn = async (slots: WorkerSlots): Promise<void> => {
      const { worker } = slots
      let status: number
      let words: string
      try {
        const response = await this.workers.reserve(worker, shuffleId, slots.primaries, slots.replicas)
        if (response.status === StatusCode.SUCCESS) {
          this.tracker.readmit(worker)
          return
        }
        status = response.status
        words = `${statusName(response.status)} ${response.reason}`.trim()
      } catch (error) {
        if (
          !(error instanceof CelebornError) ||
          error instanceof AbortedError ||
          error instanceof ClosedError
        ) {
          throw error
        }
        status = StatusCode.WORKER_UNRESPONSIVE
        words = error.message
      }
      this.tracker.recordFailure(worker, status)
      refusals.set(worker.id, { reason: `worker ${readableAddress(worker)} did not reserve: ${words}` })
    }
    await Promise.all(groupByWorker(primaries).map(reserveOn))
    return refusals
  }

  private placeAgain(
    failed: readonly PartitionLocation[],
    candidates: readonly WorkerRef[],
    newEpoch: boolean,
  ): PartitionLocation[] {
    const requests = failed.map((location) => ({
      partitionId: location.id,
      epoch: newEpoch ? location.epoch + 1 : location.epoch,
      storage: { ...location.storage, mountPoint: '' },
    }))
    return placeLocations(requests, candidates, this.settings)
  }

  private async destroyCopies(
    shuffleId: number,
    primaries: readonly PartitionLocation[],
    except: ReadonlyMap<string, unknown>,
  ): Promise<void> {
    const destroyOn = async ({ worker, primaries: p, replicas: r }: WorkerSlots): Promise<void> => {
      if (except.has(worker.id)) return
      await this.workers.destroy(worker, shuffleId, p.map(idOf), r.map(idOf)).catch(() => undefined)
    }
    await Promise.all(groupByWorker(primaries).map(destroyOn))
  }
}

function isRefused(primary: PartitionLocation, refusals: ReadonlyMap<string, unknown>): boolean {
  if (refusals.size === 0) return false
  if (refusals.has(workerOf(primary).id)) return true
  return primary.peer !== undefined && refusals.has(workerOf(primary.peer).id)
}

function groupByWorker(primaries: readonly PartitionLocation[]): WorkerSlots[] {
  const groups = new Map<string, WorkerSlots>()
  const slotsOf = (location: PartitionLocation): WorkerSlots => {
    const worker = workerOf(location)
    let slots = groups.get(worker.id)
    if (slots === undefined) {
      slots = { worker, primaries: [], replicas: [] }
      groups.set(worker.id, slots)
    }
    return slots
  }
  for (const primary of primaries) {
    slotsOf(primary).primaries.push(primary)
    // A replica names its primary as peer: that is how a worker tells who writes to it.
    if (primary.peer !== undefined) {
      const { peer, ...alone } = primary
      slotsOf(peer).replicas.push({ ...peer, peer: alone })
    }
  }
  return [...groups.values()]
}

function idOf(location: PartitionLocation): string {
  return partitionUniqueId(location.id, location.epoch)
}
