import { type CelebornConf, formatHostPort, type TransportModule } from '../conf'
import { Connection, type ConnectionCounters, type ConnectionOwner, type ConnectionStats } from './connection'
import { closedByUs } from './failures'
import { poolOptions, type PoolOptions } from './options'
import { Sweeper, type SweepResult } from './sweeper'

export interface PoolStats {
  readonly connections: readonly ConnectionStats[]
  readonly pending: number
  readonly connectFailures: number
  /** Established connections that died. */
  readonly connectionsLost: number
  /** Answers to no pending request: late, duplicate or unknown. */
  readonly strayAnswers: number
  readonly timedOut: number
}

export interface ConnectionPoolOptions extends Partial<PoolOptions> {
  /** Whose `celeborn.<module>.io.*` keys apply: `data` for push and fetch, `rpc_app`, `rpc_service`. */
  readonly module: TransportModule
}

interface Peer {
  readonly host: string
  readonly port: number
  readonly hostPort: string
  readonly slots: (Connection | null)[]
}

/** Connections by peer, `celeborn.<module>.io.numConnectionsPerPeer` each. */
export class ConnectionPool implements ConnectionOwner {
  readonly counters: ConnectionCounters = {
    connectFailures: 0,
    connectionsLost: 0,
    strayAnswers: 0,
    timedOut: 0,
  }
  readonly #options: PoolOptions
  // By host, then port: finding a connection makes no string.
  readonly #peers = new Map<string, Map<number, Peer>>()
  /** All that are not fully closed yet, also those that have left the pool. */
  readonly #alive = new Set<Connection>()
  readonly #sweeper = new Sweeper((nowMs) => this.#sweep(nowMs))
  #closed = false
  readonly #onEmpty: (() => void)[] = []

  constructor(conf: CelebornConf, o: ConnectionPoolOptions) {
    const { module, ...overrides } = o
    this.#options = poolOptions(conf, module, overrides)
  }

  /**
   * A connection to the peer, which connects at its first message. Ask again for each message: one that failed has
   * left the pool. After `close` the connection is a closed one, whose requests fail with a ClosedError.
   *
   * @param index chooses among the connections of one peer (pushes: the partition id)
   */
  connection(host: string, port: number, index = 0): Connection {
    const peer = this.#peer(host, port)
    const slot = Math.abs(Math.trunc(index)) % peer.slots.length
    const known = peer.slots[slot]
    if (known !== null && known !== undefined) return known
    const made = new Connection(unbracketed(host), port, peer.hostPort, this.#options, this)
    if (this.#closed) {
      made.close(closedByUs(peer.hostPort))
      return made
    }
    peer.slots[slot] = made
    this.#alive.add(made)
    return made
  }

  /** Fails what is pending with a ClosedError and resolves once every socket is closed. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true
    for (const connection of [...this.#alive]) connection.close()
    if (this.#alive.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve))
    this.#sweeper.stop()
  }

  stats(): PoolStats {
    const connections = [...this.#alive].map((connection) => connection.stats)
    return {
      connections,
      pending: connections.reduce((sum, { pending }) => sum + pending, 0),
      ...this.counters,
    }
  }

  /** @internal */
  watch(timeoutMs: number): void {
    this.#sweeper.watch(timeoutMs)
  }

  /** @internal */
  retire(connection: Connection): void {
    for (const [host, ports] of this.#peers) {
      for (const [port, peer] of ports) {
        const slot = peer.slots.indexOf(connection)
        if (slot < 0) continue
        peer.slots[slot] = null
        if (peer.slots.every((other) => other === null)) ports.delete(port)
        if (ports.size === 0) this.#peers.delete(host)
        return
      }
    }
  }

  /** @internal */
  gone(connection: Connection): void {
    this.#alive.delete(connection)
    if (this.#alive.size > 0) return
    for (const resolve of this.#onEmpty.splice(0)) resolve()
  }

  #peer(host: string, port: number): Peer {
    let ports = this.#peers.get(host)
    const known = ports?.get(port)
    if (known !== undefined) return known
    const slots = new Array<Connection | null>(this.#options.connectionsPerPeer).fill(null)
    const peer = { host, port, hostPort: formatHostPort({ host: unbracketed(host), port }), slots }
    if (this.#closed) return peer
    if (ports === undefined) this.#peers.set(host, (ports = new Map()))
    ports.set(port, peer)
    return peer
  }

  #sweep(nowMs: number): SweepResult {
    let waiting = false
    for (const connection of [...this.#alive]) {
      if (connection.sweep(nowMs)) waiting = true
    }
    if (this.#alive.size === 0) return 'empty'
    return waiting ? 'waiting' : 'quiet'
  }
}

/** IPv6 addresses are accepted with and without the brackets of their text form. */
function unbracketed(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}
