import { type CodecName } from '../compress'
import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { type AdmissionLimits } from './admission'
import { type ReviverOptions } from './revive'
import { type SlowStartOptions } from './strategy'

/** What the push path takes from the configuration, read once. */
export interface PusherConf {
  readonly limits: AdmissionLimits
  readonly revive: ReviverOptions
  readonly codec: CodecName
  readonly zstdLevel: number
  readonly maxRetries: number
  /** From the moment a push's bytes are handed to the system. Replication doubles it. */
  readonly pushTimeoutMs: number
  readonly maxFrameBytes: number
  /** A merged push goes out when it holds more than this. */
  readonly mergeBytes: number
  /** Null: the constant limit. */
  readonly slowStart: SlowStartOptions | null
  readonly excludeWorkers: boolean
  readonly excludeMs: number
  /** Sums of what was written are reported at an attempt's end. */
  readonly integrityCheck: boolean
}

export function pusherConf(conf: CelebornConf): PusherConf {
  const replicated = conf.get(keys.CLIENT_PUSH_REPLICATE_ENABLED)
  const maxRequestsPerWorker = conf.get(keys.CLIENT_PUSH_MAX_REQS_IN_FLIGHT_PER_WORKER)
  return {
    limits: {
      maxBytes: conf.get(keys.NODE_MAX_IN_FLIGHT_BYTES),
      maxBytesPerWorker: conf.get(keys.NODE_MAX_IN_FLIGHT_BYTES_PER_WORKER),
      maxRequests: conf.get(keys.CLIENT_PUSH_MAX_REQS_IN_FLIGHT_TOTAL),
      maxRequestsPerWorker,
      timeoutMs: conf.get(keys.CLIENT_PUSH_LIMIT_IN_FLIGHT_TIMEOUT),
    },
    revive: {
      intervalMs: conf.get(keys.CLIENT_PUSH_REVIVE_INTERVAL),
      batchSize: conf.get(keys.CLIENT_PUSH_REVIVE_BATCH_SIZE),
    },
    codec: conf.get(keys.CLIENT_SHUFFLE_COMPRESSION_CODEC),
    zstdLevel: conf.get(keys.CLIENT_SHUFFLE_COMPRESSION_ZSTD_LEVEL),
    maxRetries: conf.get(keys.CLIENT_PUSH_REVIVE_MAX_RETRIES),
    pushTimeoutMs: conf.get(keys.CLIENT_PUSH_TIMEOUT) * (replicated ? 2 : 1),
    maxFrameBytes: conf.get(keys.NODE_MAX_FRAME_BYTES),
    mergeBytes: conf.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE),
    slowStart:
      conf.get(keys.CLIENT_PUSH_LIMIT_STRATEGY) === 'SIMPLE'
        ? null
        : {
            maxRequestsPerWorker,
            initialSleepMs: conf.get(keys.CLIENT_PUSH_SLOW_START_INITIAL_SLEEP_TIME),
            maxSleepMs: conf.get(keys.CLIENT_PUSH_SLOW_START_MAX_SLEEP_TIME),
          },
    excludeWorkers: conf.get(keys.CLIENT_PUSH_EXCLUDE_WORKER_ON_FAILURE_ENABLED),
    excludeMs: conf.get(keys.CLIENT_EXCLUDED_WORKER_EXPIRE_TIMEOUT),
    integrityCheck: conf.get(keys.CLIENT_SHUFFLE_INTEGRITY_CHECK_ENABLED),
  }
}
