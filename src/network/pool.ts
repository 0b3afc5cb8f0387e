import { type CelebornConf } from '../conf'
import { type Connection, type ConnectionStats } from './connection'

export interface PoolStats {
  readonly connections: readonly ConnectionStats[]
  readonly pending: number
  /** Connections that could not be made, and established ones that died. */
  readonly connectFailures: number
  readonly connectionsLost: number
  readonly strayAnswers: number
  readonly timedOut: number
}

/** Connections by peer, `celeborn.<module>.io.numConnectionsPerPeer` each. */
export declare class ConnectionPool {
  /** @param o.module whose `celeborn.<module>.io.*` keys apply: `data` for push and fetch, `rpc_app`, `rpc_service`. */
  constructor(conf: CelebornConf, o: { readonly module: string })
  /**
   * A connection to the peer, which connects at its first message. Ask again for each message: one that failed has
   * left the pool. After `close` the connection is a closed one.
   * @param index chooses among the connections of one peer (pushes: the partition id)
   */
  connection(host: string, port: number, index?: number): Connection
  /** Fails what is pending and resolves once every socket is closed. */
  close(): Promise<void>
  stats(): PoolStats
}
