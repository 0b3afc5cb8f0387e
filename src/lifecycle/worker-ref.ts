/** A worker as the driver's side knows it: where it listens, and its unique id as a map key. */
import { parseWorkerUniqueId, type WorkerAddress, workerUniqueId } from '../protocol/ids'

export interface WorkerRef extends WorkerAddress {
  /** `host:rpcPort:pushPort:fetchPort:replicatePort`. */
  readonly id: string
  /** Its rack, where the master told it. */
  readonly rack?: string | undefined
}

/** The worker that has this address: a location's, or one of a master's list. */
export function workerOf(address: WorkerAddress): WorkerRef {
  const { host, rpcPort, pushPort, fetchPort, replicatePort } = address
  return { id: workerUniqueId(address), host, rpcPort, pushPort, fetchPort, replicatePort }
}

/** @throws ProtocolError when the id is not a worker's unique id. */
export function workerFromId(id: string, rack?: string): WorkerRef {
  return { ...parseWorkerUniqueId(id), id, rack }
}

/** `host:rpcPort`, for messages to people. */
export function readableAddress(w: WorkerRef): string {
  return `${w.host}:${w.rpcPort}`
}
