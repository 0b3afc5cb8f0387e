import { type ConnectionPool } from './pool'

export interface RpcClientOptions {
  /** How requests are written; replies are taken in either form. Default V1. */
  readonly form?: 'V1' | 'V2'
  /** Address given as the sender's; absent for processes that do not listen. */
  readonly senderHost?: string
  readonly senderPort?: number
}

export interface AskOptions {
  /** Milliseconds from the call; default 60 s (`celeborn.rpc.askTimeout`). */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface RpcMessage {
  /** Control message type, protocol.md 3.1. */
  readonly type: number
  /** The protobuf bytes; the receiver's own copy. */
  readonly payload: Uint8Array
}

/** Asks RPC endpoints (envelope) and fetch ports (bare messages). */
export declare class RpcClient {
  constructor(pool: ConnectionPool, options?: RpcClientOptions)
  /**
   * Asks an endpoint.
   * @throws RpcError the peer answered with a failure: `context.peerMessage` has all its words
   * @throws TimeoutError, ConnectionError, ProtocolError, AbortedError
   */
  ask(
    host: string,
    port: number,
    endpoint: string,
    type: number,
    payload: Uint8Array,
    o?: AskOptions,
  ): Promise<RpcMessage>
  /** Asks whether an endpoint exists at the address. */
  checkEndpoint(host: string, port: number, endpoint: string, o?: AskOptions): Promise<boolean>
  /** One-way message to an endpoint; failures to send are silent. */
  send(host: string, port: number, endpoint: string, type: number, payload: Uint8Array): void
  /** Asks a port that takes messages without an envelope. */
  askBare(host: string, port: number, type: number, payload: Uint8Array, o?: AskOptions): Promise<RpcMessage>
  /** A bare request that nobody answers (BUFFER_STREAM_END); failures to send are silent. */
  sendBare(host: string, port: number, type: number, payload: Uint8Array): void
}
