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
    const primaryIndex = pick(candidates, next, request.avoid, undefined)
    next = (primaryIndex + 1) % candidates.length
    const primary = locationOn(candidates[primaryIndex], request, 0)
    if (!options.replicate) return primary
    const replicaIndex = pick(candidates, next, request.avoid, primaryIndex)
    return { ...primary, peer: locationOn(candidates[replicaIndex], request, 1) }
  })
}

/** First index from `start` on that is neither `taken` nor to be avoided; if all are to be avoided, the first not taken. */
function pick(
  candidates: readonly WorkerRef[],
  start: number,
  avoid: ReadonlySet<string> | undefined,
  taken: number | undefined,
): number {
  let fallback = -1
  for (let step = 0; step < candidates.length; step++) {
    const index = (start + step) % candidates.length
    if (index === taken) continue
    const candidate = candidates[index]
    if (avoid === undefined || avoid.size === 0 || candidate === undefined || !avoid.has(candidate.id))
      return index
    if (fallback === -1) fallback = index
  }
  return fallback
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
