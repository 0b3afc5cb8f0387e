import { type WorkerAddress } from '../../protocol/ids'
import {
  EMPTY_STORAGE,
  type PartitionLocation,
  StorageType,
  type WorkerResource,
} from '../../protocol/locations'

export const DEFAULT_RACK = '/default-rack'

interface OpenResource extends WorkerResource {
  readonly primaries: PartitionLocation[]
  readonly replicas: PartitionLocation[]
}

/**
 * Spreads partitions over workers round robin, a replica on the worker after its primary's.
 *
 * @param workers at least one, at least two with `replicate`; all different.
 * @param first index of the worker that gets the first partition.
 * @returns the workers that got something, in the order of their first location.
 */
export function allocateSlots(
  partitionIds: readonly number[],
  workers: readonly WorkerAddress[],
  replicate: boolean,
  first: number,
  availableStorageTypes: number,
): Map<WorkerAddress, WorkerResource> {
  const resources = new Map<WorkerAddress, OpenResource>()
  const resourceOf = (worker: WorkerAddress): OpenResource => {
    let own = resources.get(worker)
    if (own === undefined) {
      own = { primaries: [], replicas: [], networkLocation: DEFAULT_RACK }
      resources.set(worker, own)
    }
    return own
  }
  const workerAt = (index: number): WorkerAddress => {
    const worker = workers[index % workers.length]
    if (worker === undefined) throw new RangeError('slots for no worker')
    return worker
  }
  partitionIds.forEach((id, i) => {
    const primaryWorker = workerAt(first + i)
    const primary = location(id, 0, primaryWorker, availableStorageTypes)
    if (replicate) {
      const replicaWorker = workerAt(first + i + 1)
      const replica = location(id, 1, replicaWorker, availableStorageTypes)
      resourceOf(primaryWorker).primaries.push({ ...primary, peer: replica })
      resourceOf(replicaWorker).replicas.push({ ...replica, peer: primary })
    } else {
      resourceOf(primaryWorker).primaries.push(primary)
    }
  })
  return resources
}

function location(
  id: number,
  mode: 0 | 1,
  worker: WorkerAddress,
  availableStorageTypes: number,
): PartitionLocation {
  const { host, rpcPort, pushPort, fetchPort, replicatePort } = worker
  const storage = { ...EMPTY_STORAGE, type: StorageType.HDD, availableStorageTypes }
  return { id, epoch: 0, mode, host, rpcPort, pushPort, fetchPort, replicatePort, storage }
}
