import { type WorkerAddress } from '../../src/protocol/ids'
import { EMPTY_STORAGE, type PartitionLocation, StorageType } from '../../src/protocol/locations'
import { workerOf, type WorkerRef } from '../../src/lifecycle/worker-ref'

export const DISK = { ...EMPTY_STORAGE, type: StorageType.HDD, availableStorageTypes: 2 }

/** A worker that nobody listens as. */
export function fakeWorker(n: number): WorkerRef {
  return workerOf({
    host: '127.0.0.1',
    rpcPort: 1000 + n,
    pushPort: 2000 + n,
    fetchPort: 3000 + n,
    replicatePort: 4000 + n,
  })
}

export function location(
  id: number,
  epoch: number,
  primary: WorkerRef,
  replica?: WorkerRef,
): PartitionLocation {
  const base: PartitionLocation = { ...addressOf(primary), id, epoch, mode: 0, storage: DISK }
  if (replica === undefined) return base
  return { ...base, peer: { ...addressOf(replica), id, epoch, mode: 1, storage: DISK } }
}

export function addressOf({ host, rpcPort, pushPort, fetchPort, replicatePort }: WorkerRef): WorkerAddress {
  return { host, rpcPort, pushPort, fetchPort, replicatePort }
}
