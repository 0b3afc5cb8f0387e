import { type DecodedMessage } from '../protocol/framing'
import { type Body } from './body'
import { type ServerConnection } from './server-connection'

export interface MessageServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0, a free one. */
  readonly port?: number
  /** For error texts and warnings. */
  readonly name: string
  /** Largest body accepted; default 256 MiB. */
  readonly maxMessageBytes?: number
  /** Received and unreleased bytes at which a connection, and the whole server, stop reading. */
  readonly maxReceivedBytesPerConnection?: number
  readonly maxReceivedBytes?: number
  /** Unsent bytes of replies at which a connection stops reading. */
  readonly maxUnsentBytes?: number
  /**
   * One message. `body.release()` must be called once its bytes are dealt with. What it throws closes the
   * connection. Heartbeats do not come here: they are echoed.
   */
  onMessage(conn: ServerConnection, message: DecodedMessage, body: Body): void
  onConnection?(conn: ServerConnection): void
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
  /** Connections closed because of bytes that are no valid message. */
  readonly protocolErrors: number
}

/** A listening port that speaks framed messages. */
export declare class MessageServer {
  constructor(options: MessageServerOptions)
  readonly host: string
  readonly port: number
  listen(): Promise<{ host: string; port: number }>
  /** Stops listening, closes every connection, resolves when all are closed. Idempotent. */
  close(): Promise<void>
  stats(): MessageServerStats
}
