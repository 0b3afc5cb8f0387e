/**
 * Which workers get no new locations, and why. Sources: failures that this driver saw itself, reports of writers (a
 * revive's cause), and the master's answer to each heartbeat.
 */
import { StatusCode } from '../protocol/status'
import type { WorkerRef } from './worker-ref'

interface Exclusion {
  readonly worker: WorkerRef
  readonly status: number
  readonly since: number
}

/** The lists of one heartbeat response. */
export interface WorkerLists {
  readonly excluded: readonly WorkerRef[]
  readonly unknown: readonly WorkerRef[]
  readonly shutting: readonly WorkerRef[]
}

// What the driver saw itself outlives a heartbeat whose master has not noticed yet.
const STICKY: ReadonlySet<number> = new Set([
  StatusCode.WORKER_UNRESPONSIVE,
  StatusCode.COMMIT_FILE_EXCEPTION,
  StatusCode.NO_AVAILABLE_WORKING_DIR,
  StatusCode.RESERVE_SLOTS_FAILED,
  StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY,
  StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA,
  StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY,
  StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_REPLICA,
  StatusCode.PUSH_DATA_TIMEOUT_PRIMARY,
  StatusCode.PUSH_DATA_TIMEOUT_REPLICA,
])

// Later news of these kinds replace an older reason; the time of the first stays.
const OVERRIDING: ReadonlySet<number> = new Set([
  StatusCode.NO_AVAILABLE_WORKING_DIR,
  StatusCode.RESERVE_SLOTS_FAILED,
  StatusCode.WORKER_UNKNOWN,
])

const BLAMES_PRIMARY: ReadonlySet<number> = new Set([
  StatusCode.PUSH_DATA_WRITE_FAIL_PRIMARY,
  StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY,
  StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY,
  StatusCode.PUSH_DATA_TIMEOUT_PRIMARY,
])

const BLAMES_REPLICA: ReadonlySet<number> = new Set([
  StatusCode.PUSH_DATA_WRITE_FAIL_REPLICA,
  StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA,
  StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_REPLICA,
  StatusCode.PUSH_DATA_TIMEOUT_REPLICA,
])

export interface WorkerTrackerOptions {
  /** How long what the driver saw itself holds at least, in ms. */
  readonly expireMs: number
  /** Whether a failure of the replica excludes its worker. */
  readonly excludeReplica: boolean
  readonly now?: () => number
}

export class WorkerTracker {
  private readonly exclusions = new Map<string, Exclusion>()
  private readonly shuttingDown = new Map<string, WorkerRef>()
  private readonly now: () => number

  constructor(private readonly options: WorkerTrackerOptions) {
    this.now = options.now ?? (() => performance.now())
  }

  isAvailable(worker: WorkerRef): boolean {
    return !this.exclusions.has(worker.id) && !this.shuttingDown.has(worker.id)
  }

  /** Records a failure that this driver met. WORKER_SHUTDOWN marks the worker as shutting down instead. */
  recordFailure(worker: WorkerRef, status: number): void {
    if (status === StatusCode.WORKER_SHUTDOWN) {
      this.shuttingDown.set(worker.id, worker)
      return
    }
    const known = this.exclusions.get(worker.id)
    if (known === undefined) this.exclusions.set(worker.id, { worker, status, since: this.now() })
    else if (OVERRIDING.has(status)) this.exclusions.set(worker.id, { ...known, status })
  }

  /** A writer's push failed with this cause: excludes the worker that the cause blames, if it blames one. */
  recordPushFailure(cause: number, primary: WorkerRef, replica: WorkerRef | undefined): void {
    if (BLAMES_PRIMARY.has(cause)) this.recordFailure(primary, cause)
    else if (BLAMES_REPLICA.has(cause) && replica !== undefined && this.options.excludeReplica) {
      this.recordFailure(replica, cause)
    }
  }

  /** The master offered the worker anew and it was reached. */
  readmit(worker: WorkerRef): void {
    this.exclusions.delete(worker.id)
  }

  /** Takes over the master's view. Answers the workers that have begun to shut down or are unknown, for early commits. */
  applyHeartbeat(lists: WorkerLists): void {
    const excluded = byId(lists.excluded)
    const unknown = byId(lists.unknown)
    const shutting = byId(lists.shutting)
    const now = this.now()
    for (const [id, exclusion] of this.exclusions) {
      if (STICKY.has(exclusion.status) && now - exclusion.since < this.options.expireMs) continue
      if (!excluded.has(id) && !unknown.has(id) && !shutting.has(id)) this.exclusions.delete(id)
    }
    for (const [id, worker] of excluded) {
      if (!this.exclusions.has(id)) {
        this.exclusions.set(id, { worker, status: StatusCode.WORKER_EXCLUDED, since: now })
      }
    }
    for (const [id, worker] of unknown) {
      if (this.exclusions.get(id)?.status !== StatusCode.WORKER_UNKNOWN) {
        this.exclusions.set(id, { worker, status: StatusCode.WORKER_UNKNOWN, since: now })
      }
    }
    this.shuttingDown.clear()
    for (const [id, worker] of shutting) this.shuttingDown.set(id, worker)
  }

  /** Workers whose state the master is asked about in a heartbeat. */
  needChecked(): WorkerRef[] {
    const workers = new Map(this.shuttingDown)
    for (const [id, { worker }] of this.exclusions) workers.set(id, worker)
    return [...workers.values()]
  }

  /** Workers that the master shall offer nothing on: it may not know of all of them. */
  unavailable(): WorkerRef[] {
    return this.needChecked()
  }

  excludedWorkers(): { worker: WorkerRef; status: number }[] {
    return [...this.exclusions.values()].map(({ worker, status }) => ({ worker, status }))
  }

  shuttingWorkers(): WorkerRef[] {
    return [...this.shuttingDown.values()]
  }
}

function byId(workers: readonly WorkerRef[]): Map<string, WorkerRef> {
  return new Map(workers.map((worker) => [worker.id, worker]))
}
