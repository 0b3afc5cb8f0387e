/** Places locations on workers that are already known, for revives and for what a failed reservation left over. */
import { type PartitionLocation, type StorageInfo } from '../protocol/locations'
import { type WorkerRef } from './worker-ref'

export interface PlacementRequest {
  readonly partitionId: number
  /** The epoch of the new location. */
  readonly epoch: number
  readonly storage: StorageInfo
  /** Workers to avoid if there is a choice: where this partition has just failed. */
  readonly avoid?: ReadonlySet<string> | undefined
}

export interface PlacementOptions {
  readonly replicate: boolean
  /** Whether a replica shall be in another rack than its primary, if there is a worker there. */
  readonly rackAware: boolean
  /** A number in [0, 1); Math.random in production. */
  readonly random?: () => number
}

/** Whether this many workers can hold a location. */
export function enoughWorkers(count: number, replicate: boolean): boolean {
  return count >= (replicate ? 2 : 1)
}

/**
 * One primary (with its replica as peer, on another worker) per request. The first is put on a random worker and the
 * rest go round from there, so that a batch spreads evenly. `candidates` must be enough (see enoughWorkers).
 */
export function placeLocations(
  requests: readonly PlacementRequest[],
  candidates: readonly WorkerRef[],
  options: PlacementOptions,
): PartitionLocation[] {
  const random = options.random ?? Math.random
  let next = Math.floor(random() * candidates.length)
  return requests.map((request) => {
    const avoided = (worker: WorkerRef): boolean => request.avoid?.has(worker.id) === true
    const primaryIndex = pick(candidates, next, [avoided])
    const primaryOn = candidates[primaryIndex]
    next = (primaryIndex + 1) % candidates.length
    const primary = locationOn(primaryOn, request, 0)
    if (!options.replicate) return primary
    const sameWorker = (worker: WorkerRef): boolean => worker === primaryOn
    const sameRack = (worker: WorkerRef): boolean =>
      options.rackAware && worker.rack !== undefined && worker.rack === primaryOn?.rack
    const replicaIndex = pick(candidates, next, [sameWorker, avoided, sameRack])
    return { ...primary, peer: locationOn(candidates[replicaIndex], request, 1) }
  })
}

/**
 * First index from `start` on that no objection holds against. Where there is none the last objection is given up, then
 * the one before it, and so on: the first is the strongest.
 */
function pick(
  candidates: readonly WorkerRef[],
  start: number,
  objections: readonly ((worker: WorkerRef) => boolean)[],
): number {
  for (let count = objections.length; count > 0; count--) {
    for (let step = 0; step < candidates.length; step++) {
      const index = (start + step) % candidates.length
      const candidate = candidates[index]
      if (candidate !== undefined && !objections.slice(0, count).some((objects) => objects(candidate)))
        return index
    }
  }
  return start
}

function locationOn(
  worker: WorkerRef | undefined,
  request: PlacementRequest,
  mode: 0 | 1,
): PartitionLocation {
  if (worker === undefined) throw new RangeError('not enough workers for a location')
  const { host, rpcPort, pushPort, fetchPort, replicatePort } = worker
  return {
    id: request.partitionId,
    epoch: request.epoch,
    mode,
    host,
    rpcPort,
    pushPort,
    fetchPort,
    replicatePort,
    storage: request.storage,
  }
}
