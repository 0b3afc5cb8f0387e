import { type WorkerAddress, workerUniqueId } from '../../protocol/ids'
import { type DiskInfo, DiskStatus, type HeartbeatFromWorker, WorkerState } from '../../protocol/messages'

interface WorkerEntry {
  readonly address: WorkerAddress
  lastHeartbeatMs: number
  /** It said that it is going to stop: no new slots. */
  shutting: boolean
  /** None of its disks can take data. */
  full: boolean
}

/** States of a worker that takes slots. */
const WORKING: ReadonlySet<number> = new Set([WorkerState.NORMAL, WorkerState.IDLE])

/** The workers that have registered with the master and been heard of since. */
export class Workers {
  readonly #workers = new Map<string, WorkerEntry>()

  get size(): number {
    return this.#workers.size
  }

  register(address: WorkerAddress, disks: readonly DiskInfo[], nowMs: number): void {
    const entry = { address, lastHeartbeatMs: nowMs, shutting: false, full: isFull(disks) }
    this.#workers.set(workerUniqueId(address), entry)
  }

  /** @returns false when the worker is unknown and has to register again. */
  heartbeat(heartbeat: HeartbeatFromWorker, nowMs: number): boolean {
    const entry = this.#workers.get(workerUniqueId(heartbeat))
    if (entry === undefined) return false
    entry.lastHeartbeatMs = nowMs
    entry.full = isFull(heartbeat.disks)
    const { workerStatus } = heartbeat
    if (workerStatus !== undefined && !WORKING.has(workerStatus.state)) entry.shutting = true
    return true
  }

  has(address: WorkerAddress): boolean {
    return this.#workers.has(workerUniqueId(address))
  }

  remove(address: WorkerAddress): void {
    this.#workers.delete(workerUniqueId(address))
  }

  /** Removes the workers that were last heard of before `sinceMs`. */
  expire(sinceMs: number): void {
    for (const [id, entry] of this.#workers) if (entry.lastHeartbeatMs < sinceMs) this.#workers.delete(id)
  }

  markShutting(address: WorkerAddress): void {
    const entry = this.#workers.get(workerUniqueId(address))
    if (entry !== undefined) entry.shutting = true
  }

  shutting(): WorkerAddress[] {
    return [...this.#workers.values()].filter((entry) => entry.shutting).map((entry) => entry.address)
  }

  /** Those that get no slots because their disks are full. */
  full(): WorkerAddress[] {
    return [...this.#workers.values()].filter((entry) => entry.full).map((entry) => entry.address)
  }

  /** Those that can get slots, in the order they registered. */
  available(excluded: readonly WorkerAddress[] = []): WorkerAddress[] {
    const without = new Set(excluded.map(workerUniqueId))
    return [...this.#workers]
      .filter(([id, entry]) => !entry.shutting && !entry.full && !without.has(id))
      .map(([, entry]) => entry.address)
  }
}

/** A worker that tells of no disk is believed to have one. */
function isFull(disks: readonly DiskInfo[]): boolean {
  return disks.length > 0 && disks.every((disk) => disk.status !== DiskStatus.HEALTHY)
}
