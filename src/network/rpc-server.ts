import { ProtocolError } from '../errors'
import { type DecodedMessage, MessageType, messageTypeName, type WireId } from '../protocol/framing'
import { decodeRpcEnvelope, type RpcEnvelope } from '../protocol/rpc-envelope'
import { type ContentForm, decodeContent, encodeBoolean, encodeContent } from '../protocol/transport-message'
import { type Body } from './body'
import { describe } from './callbacks'
import { MessageServer, type MessageServerOptions, type MessageServerStats } from './message-server'
import { type RpcMessage } from './rpc-client'
import { type ServerConnection } from './server-connection'

/** A handler's answer that the request failed: goes out as RPC_FAILURE with this text. */
export class RpcFailureText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export interface RpcContext {
  /** The request's form; the reply has the same. */
  readonly form: ContentForm
  /** The address that the sender says it listens at, or else the socket's. */
  readonly sender: { readonly host: string; readonly port: number }
  /** A one-way message: the answer goes nowhere. */
  readonly oneWay: boolean
}

/** What it throws goes out as RPC_FAILURE, with the error's message. `payload` is valid until it has answered. */
export type RpcHandler = (
  type: number,
  payload: Uint8Array,
  ctx: RpcContext,
) => Promise<RpcMessage | RpcFailureText> | RpcMessage | RpcFailureText

export type RpcServerOptions = Omit<MessageServerOptions, 'onMessage' | 'onConnection' | 'onConnectionClosed'>

/** Serves RPC endpoints: dispatch by name, answers of the endpoint verifier, replies in the request's form. */
export class RpcServer {
  readonly #server: MessageServer
  readonly #endpoints = new Map<string, RpcHandler>()
  #badRequests = 0

  constructor(options: RpcServerOptions) {
    this.#server = new MessageServer({
      ...options,
      onMessage: (conn, message, body) => this.#onMessage(conn, message, body),
    })
  }

  get host(): string {
    return this.#server.host
  }

  get port(): number {
    return this.#server.port
  }

  /** Adds an endpoint, or replaces the one of that name. */
  endpoint(name: string, handler: RpcHandler): void {
    this.#endpoints.set(name, handler)
  }

  /** @throws CelebornError CELEBORN_IO if the address cannot be listened at */
  listen(): Promise<{ host: string; port: number }> {
    return this.#server.listen()
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  /** `badRequests`: whole messages whose content was no RPC; they are refused and the connection goes on. */
  stats(): MessageServerStats & { readonly badRequests: number } {
    return { ...this.#server.stats(), badRequests: this.#badRequests }
  }

  #onMessage(conn: ServerConnection, message: DecodedMessage, body: Body): void {
    if (message.type === MessageType.RPC_REQUEST) {
      this.#serve(conn, message.requestId, body)
    } else if (message.type === MessageType.ONE_WAY_MESSAGE) {
      this.#serve(conn, null, body)
    } else {
      body.release()
      throw new ProtocolError(`${messageTypeName(message.type)} on a port for RPCs`)
    }
  }

  #serve(conn: ServerConnection, requestId: WireId | null, body: Body): void {
    let answer: Promise<void>
    try {
      answer = this.#dispatch(conn, requestId, decodeRpcEnvelope(body.concat()))
    } catch (thrown) {
      answer = Promise.reject(thrown)
    }
    void answer
      .catch((thrown: unknown) => {
        if (thrown instanceof ProtocolError) this.#badRequests++
        if (requestId !== null) conn.replyFailure(requestId, describe(thrown))
      })
      .finally(() => body.release())
  }

  async #dispatch(conn: ServerConnection, requestId: WireId | null, envelope: RpcEnvelope): Promise<void> {
    const content = decodeContent(envelope.content)
    if (content.kind === 'check-existence') {
      if (requestId !== null) conn.reply(requestId, [encodeBoolean(this.#endpoints.has(content.name))])
      return
    }
    if (content.kind !== 'message') throw new ProtocolError(`an RPC whose content is a ${content.kind}`)
    const handler = this.#endpoints.get(envelope.endpoint)
    if (handler === undefined) throw new ProtocolError(`there is no endpoint ${envelope.endpoint} here`)
    const answer = await handler(content.type, content.payload, {
      form: content.form,
      sender: envelope.sender ?? { host: conn.remoteHost, port: conn.remotePort },
      oneWay: requestId === null,
    })
    if (requestId === null) return
    if (answer instanceof RpcFailureText) conn.replyFailure(requestId, answer.text)
    else conn.reply(requestId, [encodeContent(content.form, answer.type, answer.payload)])
  }
}
