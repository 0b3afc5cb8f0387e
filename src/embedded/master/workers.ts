import { type WorkerAddress, workerUniqueId } from '../../protocol/ids'

interface WorkerEntry {
  readonly address: WorkerAddress
  lastHeartbeatMs: number
  /** It said that it is going to stop: no new slots. */
  shutting: boolean
}

/** The workers that have registered with the master and been heard of since. */
export class Workers {
  readonly #workers = new Map<string, WorkerEntry>()

  get size(): number {
    return this.#workers.size
  }

  register(address: WorkerAddress, nowMs: number): void {
    this.#workers.set(workerUniqueId(address), { address, lastHeartbeatMs: nowMs, shutting: false })
  }

  /** @returns false when the worker is unknown and has to register again. */
  heartbeat(address: WorkerAddress, nowMs: number): boolean {
    const entry = this.#workers.get(workerUniqueId(address))
    if (entry === undefined) return false
    entry.lastHeartbeatMs = nowMs
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

  /** Those that can get slots, in the order they registered. */
  available(excluded: readonly WorkerAddress[] = []): WorkerAddress[] {
    const without = new Set(excluded.map(workerUniqueId))
    return [...this.#workers]
      .filter(([id, entry]) => !entry.shutting && !without.has(id))
      .map(([, entry]) => entry.address)
  }
}
