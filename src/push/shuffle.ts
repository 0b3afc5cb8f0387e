import { CelebornError, ConfigError } from '../errors'
import { partitionUniqueId, shuffleKey } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import { type Admission } from './admission'
import { PushAttempt } from './attempt'
import { type PushLifecycle } from './lifecycle'
import { PartitionState, PlacedPartition, pushAddress } from './partition'
import { type MapAttempt } from './types'

/** What this client knows of one shuffle: where its partitions are, and its attempts here. */
export class PushShuffle {
  readonly key: Uint8Array
  readonly partitions = new Map<number, PartitionState>()
  /** By `<mapId>-<attemptId>`. */
  readonly attempts = new Map<string, PushAttempt>()
  /** The stage is over: nothing more can be written. */
  stageEnded = false
  registered = false
  private registration: Promise<void> | null = null

  constructor(
    appId: string,
    readonly shuffleId: number,
    readonly numMappers: number,
    readonly numPartitions: number,
    private readonly admission: Admission,
    private readonly integrityCheck = false,
  ) {
    this.key = Buffer.from(shuffleKey(appId, shuffleId))
  }

  /** The attempt's push state, made at its first use. */
  attempt(of: MapAttempt): PushAttempt {
    if (of.numMappers !== this.numMappers || of.numPartitions !== this.numPartitions) {
      throw new ConfigError(
        `shuffle ${this.shuffleId} has ${this.numMappers} map tasks and ${this.numPartitions} partitions, ` +
          `not ${of.numMappers} and ${of.numPartitions}: every call must give the same numbers`,
      )
    }
    const name = `${of.mapId}-${of.attemptId}`
    let attempt = this.attempts.get(name)
    if (attempt === undefined) {
      if (!(Number.isInteger(of.mapId) && of.mapId >= 0 && of.mapId < this.numMappers)) {
        throw new ConfigError(
          `mapId ${of.mapId} is not within 0..${this.numMappers - 1} of shuffle ${this.shuffleId}`,
        )
      }
      if (!(Number.isInteger(of.attemptId) && of.attemptId >= 0 && of.attemptId <= 0x7fff_ffff)) {
        throw new ConfigError(`attemptId ${of.attemptId} is not an integer of at least 0`)
      }
      attempt = new PushAttempt(of, this.integrityCheck)
      if (this.stageEnded) attempt.end('stage-ended')
      this.attempts.set(name, attempt)
    }
    return attempt
  }

  partition(partitionId: number): PartitionState {
    let partition = this.partitions.get(partitionId)
    if (partition === undefined) {
      partition = new PartitionState(partitionId)
      this.partitions.set(partitionId, partition)
    }
    return partition
  }

  /** Registers once per client; callers share the request, and a failed one is asked again by the next caller. */
  register(lifecycle: PushLifecycle): Promise<void> {
    this.registration ??= this.registerNow(lifecycle).catch((error: unknown) => {
      this.registration = null
      throw error
    })
    return this.registration
  }

  /** Takes a location unless a newer one of its partition is known already. */
  place(location: PartitionLocation): void {
    const partition = this.partition(location.id)
    if (partition.place !== null && location.epoch < partition.epoch) return
    partition.place = new PlacedPartition(location, this.key, this.admission.worker(pushAddress(location)))
  }

  endStage(): void {
    this.stageEnded = true
    for (const attempt of this.attempts.values()) attempt.end('stage-ended')
  }

  private async registerNow(lifecycle: PushLifecycle): Promise<void> {
    const { shuffleId, numMappers, numPartitions } = this
    const locations = await lifecycle.registerShuffle(shuffleId, numMappers, numPartitions)
    for (const location of locations) {
      if (location.id < 0 || location.id >= numPartitions) {
        throw new CelebornError(
          'CELEBORN_REGISTER_FAILED',
          `shuffle ${shuffleId} was registered with location ${partitionUniqueId(location.id, location.epoch)}, ` +
            `but it has only ${numPartitions} partitions`,
          { shuffleId, partitionId: location.id },
        )
      }
      this.place(location)
    }
    this.registered = true
  }
}
