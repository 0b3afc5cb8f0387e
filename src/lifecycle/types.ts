/** Public types of the driver's side. */
import type { CelebornConf } from '../conf'

/** How a {@link LifecycleManager} is made. */
export interface LifecycleManagerOptions {
  /** The application's id: any non-empty text that can name a directory on a worker. Unique per running application. */
  readonly appId: string
  readonly conf: CelebornConf
  /** Address to listen on, and the address that clients are told; `127.0.0.1` by default. */
  readonly host?: string | undefined
  /** Port to listen on; `celeborn.client.shuffle.manager.port` by default, 0 = one that is free. */
  readonly port?: number | undefined
  /**
   * Called once for each shuffle whose data a reader could not fetch (REPORT_SHUFFLE_FETCH_FAILURE). A scheduler
   * re-runs the map stage; its writers then get a new shuffle id from GET_SHUFFLE_ID. Return false to ignore the report.
   */
  readonly onFetchFailure?: ((failure: FetchFailureReport) => boolean) | undefined
  /**
   * Called once for each attempt of a barrier stage of which a task failed (REPORT_BARRIER_STAGE_ATTEMPT_FAILURE). What
   * the attempt wrote is given up; a scheduler runs all of its tasks again. Return false if it will not.
   */
  readonly onBarrierStageFailure?: ((failure: BarrierStageFailureReport) => boolean) | undefined
  /** What Celeborn 0.6 and later show of the application: names and values of any kind. */
  readonly applicationInfo?: Readonly<Record<string, string>> | undefined
}

/** What a reader reported. */
export interface FetchFailureReport {
  readonly appShuffleId: number
  readonly shuffleId: number
  /** The reader's task; 0 from Celeborn 0.5, which does not tell. */
  readonly taskId: number
}

/** What a task of a barrier stage reported. */
export interface BarrierStageFailureReport {
  readonly appShuffleId: number
  readonly appShuffleIdentifier: string
  /** The id that the attempt wrote to. */
  readonly shuffleId: number
}

/** What one shuffle is doing. */
export type ShufflePhase =
  | 'unregistered' // only mapper ends have come so far, no data
  | 'registering'
  | 'registered'
  | 'committing'
  | 'ended'
  | 'data-lost'
  | 'aborted' // unregistered or stopped before its stage ended

export interface ShuffleStats {
  readonly shuffleId: number
  readonly phase: ShufflePhase
  readonly numMappers: number
  readonly numPartitions: number
  readonly endedMappers: number
  /** Locations ever made, all epochs. */
  readonly locations: number
  /** Highest epoch of any partition: how often the most unlucky one was split or revived. */
  readonly maxEpoch: number
  readonly workers: number
  readonly waitingReaders: number
  /** Why it was given up, or which data is lost, where, and why; undefined while all is well. */
  readonly failure: string | undefined
}

export interface HeartbeatStats {
  readonly sent: number
  readonly failed: number
  readonly lastError: string | undefined
}

/** A snapshot of what the driver's side knows and has done. All counters only grow. */
export interface LifecycleStats {
  readonly shuffles: readonly ShuffleStats[]
  /** Workers that hold locations of a live shuffle, by unique id. */
  readonly workers: readonly string[]
  /** Workers that get no new locations: unique id -> why (a status code's name). */
  readonly excludedWorkers: Readonly<Record<string, string>>
  readonly shuttingWorkers: readonly string[]
  /** Bytes of committed files, as the workers told. Celeborn's workers count files of 8 MiB and more only. */
  readonly bytesWritten: number
  readonly filesWritten: number
  readonly heartbeats: HeartbeatStats
  /** Revive requests answered, and the rounds of reservations made for them. */
  readonly changeLocationRequests: number
  readonly changeLocationRounds: number
  readonly masterEndpoint: string
}
