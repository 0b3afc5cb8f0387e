import { type Outbound } from './outbound'

/** One accepted connection. */
export declare class ServerConnection {
  /** `host:port` of the peer. */
  readonly hostPort: string
  readonly closed: boolean
  /** Bytes of replies that the system has not taken yet. */
  readonly unsentBytes: number
  /** Free for the handler's own state. */
  attachment: unknown
  /** Sends a message. On a closed connection only `writeEnded` follows. */
  send(message: Outbound): void
  /** RPC_RESPONSE. `parts` are sent from where they lie; `onWritten` runs once they are no longer read. */
  reply(requestId: number | bigint, parts?: readonly Uint8Array[], onWritten?: () => void): void
  /** RPC_FAILURE. */
  replyFailure(requestId: number | bigint, error: string): void
  /** Resolves when less than half of the unsent limit is waiting, or the connection is closed. */
  drained(): Promise<void>
  /** Stops reading until `resume`; calls nest. */
  pause(): void
  resume(): void
  /** Destroys the socket at once. */
  close(): void
}
