import { createServer, type Server, type Socket } from 'node:net'
import { formatHostPort } from '../conf'
import { CelebornError, ClosedError, ProtocolError } from '../errors'
import { type DecodedMessage } from '../protocol/framing'
import { type Body } from './body'
import { describe, reportThrown } from './callbacks'
import { MAX_GATHER_BYTES } from './options'
import { monotonicMs } from './outbound'
import { ReceiveBudget } from './receive-budget'
import { ServerConnection, type ServerConnectionHost, type ServerConnectionLimits } from './server-connection'

const MIB = 1024 * 1024
const SWEEP_MS = 1000

export interface MessageServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 0, a free one. */
  readonly port?: number | undefined
  /** For error texts and warnings. */
  readonly name: string
  /** Largest body accepted; default 256 MiB. */
  readonly maxMessageBytes?: number | undefined
  /**
   * Received and unreleased bytes at which a connection stops reading; default 32 MiB. A single larger message is
   * still received.
   */
  readonly maxReceivedBytesPerConnection?: number | undefined
  /** The same for all connections together; default 256 MiB. */
  readonly maxReceivedBytes?: number | undefined
  /** Unsent bytes of replies at which a connection stops reading; default 32 MiB. */
  readonly maxUnsentBytes?: number | undefined
  /**
   * A connection whose peer takes no byte of a reply for this long is closed, and so is one that holds up the others
   * with a half sent message while memory is short. Default 240 s.
   */
  readonly stallMs?: number | undefined
  /**
   * One message. `body.release()` must be called once its bytes are dealt with. What it throws closes the
   * connection. Heartbeats do not come here: they are echoed.
   */
  onMessage(conn: ServerConnection, message: DecodedMessage, body: Body): void
  onConnection?(conn: ServerConnection): void
  /** Its socket is closed, and the `writeEnded` of everything sent on it has run. */
  onConnectionClosed?(conn: ServerConnection): void
}

export interface MessageServerStats {
  readonly connections: number
  readonly accepted: number
  readonly messages: number
  readonly bytesReceived: number
  /** Received bytes that no handler has released yet, now and at most. */
  readonly unreleasedBytes: number
  readonly peakUnreleasedBytes: number
  readonly unsentBytes: number
  /** Connections closed because of bytes that are no valid message, and because they were stuck. */
  readonly protocolErrors: number
  readonly stalled: number
}

/** A listening port that speaks framed messages. */
export class MessageServer implements ServerConnectionHost {
  readonly limits: ServerConnectionLimits
  readonly budget: ReceiveBudget
  readonly #options: MessageServerOptions
  readonly #stallMs: number
  readonly #connections = new Set<ServerConnection>()
  #server: Server | null = null
  #closing: Promise<void> | null = null
  #onEmpty: (() => void) | null = null
  #sweeper: NodeJS.Timeout | null = null
  #address: { host: string; port: number }
  #accepted = 0
  #messages = 0
  #bytesReceived = 0
  #protocolErrors = 0
  #stalled = 0
  /** The last reason for closing a connection. */
  #lastProtocolError: Error | null = null

  constructor(options: MessageServerOptions) {
    this.#options = options
    this.#stallMs = options.stallMs ?? 240_000
    this.#address = { host: options.host ?? '127.0.0.1', port: options.port ?? 0 }
    this.limits = {
      maxMessageBytes: options.maxMessageBytes ?? 256 * MIB,
      maxReceivedBytesPerConnection: options.maxReceivedBytesPerConnection ?? 32 * MIB,
      maxUnsentBytes: options.maxUnsentBytes ?? 32 * MIB,
      maxGatherBytes: MAX_GATHER_BYTES,
      writeStallMs: this.#stallMs,
    }
    this.budget = new ReceiveBudget(options.maxReceivedBytes ?? 256 * MIB)
  }

  get host(): string {
    return this.#address.host
  }

  /** The port listened at; the one asked for before that. */
  get port(): number {
    return this.#address.port
  }

  get lastProtocolError(): Error | null {
    return this.#lastProtocolError
  }

  /** @throws CelebornError CELEBORN_IO if the address cannot be listened at */
  async listen(): Promise<{ host: string; port: number }> {
    if (this.#closing !== null) throw new ClosedError(`${this.#options.name} is closed`)
    if (this.#server !== null) return this.#address
    const server = createServer((socket) => this.#accept(socket))
    this.#server = server
    const { host, port } = this.#address
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const hint =
          error.code === 'EADDRINUSE' ? ' (another process listens there: choose another port)' : ''
        const where = formatHostPort({ host, port })
        this.#server = null
        reject(
          new CelebornError(
            'CELEBORN_IO',
            `${this.#options.name} cannot listen at ${where}: ${describe(error)}${hint}`,
            { hostPort: where },
            error,
          ),
        )
      })
      server.listen({ host, port }, resolve)
    })
    server.removeAllListeners('error')
    // Accepting can fail later, for want of file descriptors; the server goes on.
    server.on('error', (error) => reportThrown(`accept of ${this.#options.name}`, error))
    const address = server.address()
    if (address !== null && typeof address === 'object') this.#address = { host, port: address.port }
    return this.#address
  }

  /** Stops listening, closes every connection, resolves when all are closed. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  stats(): MessageServerStats {
    let unsentBytes = 0
    for (const connection of this.#connections) unsentBytes += connection.unsentBytes
    return {
      connections: this.#connections.size,
      accepted: this.#accepted,
      messages: this.#messages,
      bytesReceived: this.#bytesReceived,
      unreleasedBytes: this.budget.used,
      peakUnreleasedBytes: this.budget.peak,
      unsentBytes,
      protocolErrors: this.#protocolErrors,
      stalled: this.#stalled,
    }
  }

  async #close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const connection of [...this.#connections]) connection.close()
    await closed
    // The server is closed a little before the last of its sockets.
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve))
    if (this.#sweeper !== null) clearInterval(this.#sweeper)
    this.#sweeper = null
  }

  #accept(socket: Socket): void {
    if (this.#closing !== null) {
      socket.destroy()
      return
    }
    const connection = new ServerConnection(socket, this)
    this.#connections.add(connection)
    this.#accepted++
    if (this.#sweeper === null) {
      this.#sweeper = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, Math.max(10, this.#stallMs / 10)))
      this.#sweeper.unref()
    }
    this.#options.onConnection?.(connection)
  }

  #sweep(): void {
    const nowMs = monotonicMs()
    for (const connection of [...this.#connections]) {
      if (!connection.stalled(nowMs)) continue
      this.#stalled++
      connection.close()
    }
    if (this.budget.closeStalled(nowMs, this.#stallMs)) this.#stalled++
    if (this.#connections.size > 0 || this.#sweeper === null) return
    clearInterval(this.#sweeper)
    this.#sweeper = null
  }

  /** @internal */
  message(conn: ServerConnection, message: DecodedMessage, body: Body): void {
    this.#messages++
    this.#options.onMessage(conn, message, body)
  }

  /** @internal */
  received(bytes: number): void {
    this.#bytesReceived += bytes
  }

  /** @internal */
  protocolError(conn: ServerConnection, error: Error): void {
    this.#protocolErrors++
    this.#lastProtocolError = new ProtocolError(
      `${this.#options.name}: ${conn.hostPort} sent bytes that are no valid message: ${error.message}`,
      { hostPort: conn.hostPort },
      error,
    )
  }

  /** @internal */
  gone(conn: ServerConnection): void {
    this.#connections.delete(conn)
    try {
      this.#options.onConnectionClosed?.(conn)
    } catch (thrown) {
      reportThrown('onConnectionClosed', thrown)
    }
    if (this.#connections.size === 0) this.#onEmpty?.()
  }
}
