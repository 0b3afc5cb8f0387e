import { type CelebornError } from '../errors'
import { hostPort } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import { type WorkerBudget } from './admission'
import { type PushBatch } from './batch'

/** A partition's location with what every push to it needs, worked out once. */
export class PlacedPartition {
  /** UTF-8 of `<partitionId>-<epoch>`. */
  readonly uniqueId: Uint8Array
  readonly hostPort: string
  /** Primary and replica: batches with the same pair can share a merged push. */
  readonly pair: string

  constructor(
    readonly location: PartitionLocation,
    /** UTF-8 of `<appId>-<shuffleId>`. */
    readonly shuffleKey: Uint8Array,
    readonly worker: WorkerBudget,
  ) {
    this.uniqueId = Buffer.from(`${location.id}-${location.epoch}`)
    this.hostPort = pushAddress(location)
    this.pair = `${this.hostPort}/${location.peer === undefined ? '' : pushAddress(location.peer)}`
  }
}

/** Where pushes of a location go: per-worker limits count by this text. */
export function pushAddress(location: PartitionLocation): string {
  return hostPort(location.host, location.pushPort)
}

/** A batch that waits for a new location, and why. */
export interface RetryWaiter {
  readonly batch: PushBatch
  /** Epoch of the location that failed or split. */
  readonly epoch: number
}

/** A push that waits, before its admission, for the partition to have a location at all. */
export interface LocationSeeker {
  readonly mapId: number
  resolve(): void
  reject(error: CelebornError): void
}

/** One partition of one shuffle, as this client knows it. */
export class PartitionState {
  /** Null until the shuffle is registered, or when its stage has ended without a location. */
  place: PlacedPartition | null = null
  /** Epoch whose replacement is being asked for; null when none is. */
  revivingEpoch: number | null = null
  /** Batches that can only go on with a newer location. */
  waiters: RetryWaiter[] = []
  seekers: LocationSeeker[] = []

  constructor(readonly partitionId: number) {}

  /** -1 while there is no location. */
  get epoch(): number {
    return this.place === null ? -1 : this.place.location.epoch
  }
}
