import { type LookupFunction } from 'node:net'
import {
  CLIENT_CLOSE_IDLE_CONNECTIONS,
  type CelebornConf,
  MODULE_IO_CONNECT_TIMEOUT,
  MODULE_IO_CONNECTION_TIMEOUT,
  MODULE_IO_NUM_CONNECTIONS_PER_PEER,
  MODULE_SSL_ENABLED,
  NODE_MAX_MESSAGE_BYTES,
  type TransportModule,
} from '../conf'
import { ConfigError } from '../errors'

/** Fields of a message: ids, names, an error text. The longest honest ones are Java stack traces. */
export const MAX_FIELDS_BYTES = 8 * 1024 * 1024

/**
 * Bytes of one gather write. Measured with 64 KiB to 4 MiB messages to a sink on loopback: 512 KiB and less cost more
 * calls, 4 MiB were no better, and each completion is the sign of progress of a slow socket.
 */
export const MAX_GATHER_BYTES = 2 * 1024 * 1024

export interface ConnectionOptions {
  readonly connectTimeoutMs: number
  /** Idle connections are closed after this long; also the stall limit of writes without a time-out. 0: never. */
  readonly idleTimeoutMs: number
  readonly closeIdle: boolean
  readonly maxBodyBytes: number
  readonly maxGatherBytes: number
  /** Header arena of one connection. */
  readonly arenaBytes: number
  /** Buffer that acknowledgements and heads are read into. */
  readonly readBufferBytes: number
  /** Name resolution other than the system's. */
  readonly lookup?: LookupFunction
}

export interface PoolOptions extends ConnectionOptions {
  readonly connectionsPerPeer: number
}

export function poolOptions(
  conf: CelebornConf,
  module: TransportModule,
  overrides: Partial<PoolOptions> = {},
): PoolOptions {
  if (conf.get(MODULE_SSL_ENABLED(module))) {
    // Plain text where TLS was asked for would be worse than no connection.
    throw new ConfigError(
      `celeborn.ssl.${module}.enabled (or celeborn.ssl.enabled) = true: TLS is not supported yet; set it to false`,
    )
  }
  return {
    connectTimeoutMs: conf.get(MODULE_IO_CONNECT_TIMEOUT(module)),
    idleTimeoutMs: conf.get(MODULE_IO_CONNECTION_TIMEOUT(module)),
    closeIdle: conf.get(CLIENT_CLOSE_IDLE_CONNECTIONS),
    maxBodyBytes: conf.get(NODE_MAX_MESSAGE_BYTES),
    maxGatherBytes: MAX_GATHER_BYTES,
    arenaBytes: 64 * 1024,
    readBufferBytes: 64 * 1024,
    connectionsPerPeer: conf.get(MODULE_IO_NUM_CONNECTIONS_PER_PEER(module)),
    ...overrides,
  }
}
