import { StatusCode } from '../protocol/status'
import { hostPort } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import { pushAddress } from './partition'

const PRIMARY_CAUSES: ReadonlySet<number> = new Set([
  StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY,
  StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY,
  StatusCode.PUSH_DATA_TIMEOUT_PRIMARY,
])
const REPLICA_CAUSES: ReadonlySet<number> = new Set([
  StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA,
  StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_REPLICA,
  StatusCode.PUSH_DATA_TIMEOUT_REPLICA,
])

/**
 * Workers that this client could not reach (`celeborn.client.push.excludeWorkerOnFailure.enabled`). Pushes to them
 * fail at once, so that the LifecycleManager is asked for another place. A worker comes back when the
 * LifecycleManager offers it again, or after the expiry.
 */
export class ExcludedWorkers {
  private readonly until = new Map<string, number>()

  constructor(
    private readonly enabled: boolean,
    private readonly expireMs: number,
  ) {}

  /** Notes a failure: the primary of the location, or its peer, according to the cause. */
  failed(location: PartitionLocation, cause: number): void {
    if (!this.enabled) return
    if (PRIMARY_CAUSES.has(cause)) this.exclude(pushAddress(location))
    else if (REPLICA_CAUSES.has(cause) && location.peer !== undefined)
      this.exclude(pushAddress(location.peer))
  }

  /** The LifecycleManager has named this location after all that it knows: its workers are good again. */
  offered(location: PartitionLocation): void {
    if (this.until.size === 0) return
    this.until.delete(pushAddress(location))
    if (location.peer !== undefined) this.until.delete(hostPort(location.peer.host, location.peer.pushPort))
  }

  /** The cause with which a push to this location fails at once, or null. */
  causeFor(location: PartitionLocation): number | null {
    if (this.until.size === 0) return null
    if (this.has(pushAddress(location))) return StatusCode.PUSH_DATA_PRIMARY_WORKER_EXCLUDED
    if (location.peer !== undefined && this.has(pushAddress(location.peer))) {
      return StatusCode.PUSH_DATA_REPLICA_WORKER_EXCLUDED
    }
    return null
  }

  /** Excluded now, for metrics. */
  get names(): string[] {
    return [...this.until.keys()].filter((name) => this.has(name))
  }

  private exclude(name: string): void {
    this.until.set(name, performance.now() + this.expireMs)
  }

  private has(name: string): boolean {
    const until = this.until.get(name)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.until.delete(name)
    return false
  }
}
