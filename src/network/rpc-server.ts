import { type MessageServerStats } from './message-server'
import { type RpcMessage } from './rpc-client'

/** A handler's answer that the request failed: goes out as RPC_FAILURE with this text. */
export class RpcFailureText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export interface RpcContext {
  /** The request's form; the reply has the same. */
  readonly form: 'V1' | 'V2'
  /** The address that the sender says it listens at, or the socket's. */
  readonly sender: { readonly host: string; readonly port: number }
  /** True for a one-way message: the answer goes nowhere. */
  readonly oneWay: boolean
}

export type RpcHandler = (
  type: number,
  payload: Uint8Array,
  ctx: RpcContext,
) => Promise<RpcMessage | RpcFailureText> | RpcMessage | RpcFailureText

export interface RpcServerOptions {
  readonly host?: string
  readonly port?: number
  readonly name: string
  readonly maxMessageBytes?: number
}

/** Serves RPC endpoints: dispatch by name, `endpoint-verifier`, replies in the request's form. */
export declare class RpcServer {
  constructor(options: RpcServerOptions)
  readonly host: string
  readonly port: number
  endpoint(name: string, handler: RpcHandler): void
  listen(): Promise<{ host: string; port: number }>
  close(): Promise<void>
  stats(): MessageServerStats
}
