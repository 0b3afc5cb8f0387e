import { formatHostPort } from '../conf'
import { AbortedError, type CelebornError, ProtocolError } from '../errors'
import { listenForAbort } from '../errors/abort'
import { RPC_REQUEST_HEADER_BYTES, writeRpcRequestHeader } from '../protocol/framing'
import { Endpoint, encodeRpcEnvelope } from '../protocol/rpc-envelope'
import {
  type ContentForm,
  decodeBare,
  decodeContent,
  encodeBare,
  encodeCheckExistence,
  encodeContent,
  type RpcContent,
} from '../protocol/transport-message'
import { type GatherWriter } from './gather'
import { type PendingRequest } from './outbound'
import { type ConnectionPool } from './pool'
import { OneWayMessage, RpcRequestMessage } from './replies'
import { nextRequestId } from './request-id'
import { MasterNotLeaderError, rpcFailure } from './rpc-failure'

const DEFAULT_TIMEOUT_MS = 60_000

export interface RpcClientOptions {
  /** How requests are written; replies are taken in either form. Default V1. */
  readonly form?: ContentForm | undefined
  /** Address given as the sender's; absent for processes that do not listen. */
  readonly senderHost?: string | undefined
  readonly senderPort?: number | undefined
}

export interface AskOptions {
  /** Milliseconds from the call, connecting included; default 60 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RpcMessage {
  /** Control message type, see ControlMessageType. */
  readonly type: number
  /** The protobuf bytes; the receiver's own. */
  readonly payload: Uint8Array
}

/** Asks RPC endpoints (envelope) and ports that take bare messages (fetch). One try each: retries are the caller's. */
export class RpcClient {
  readonly #pool: ConnectionPool
  readonly #form: ContentForm
  readonly #sender: { readonly host: string; readonly port: number } | undefined

  constructor(pool: ConnectionPool, options: RpcClientOptions = {}) {
    this.#pool = pool
    this.#form = options.form ?? 'V1'
    this.#sender =
      options.senderHost === undefined || options.senderPort === undefined
        ? undefined
        : { host: options.senderHost, port: options.senderPort }
  }

  /**
   * Asks an endpoint.
   *
   * @throws RpcError the peer answered with a failure: `context.peerMessage` has all its words
   * @throws MasterNotLeaderError a standby master answered; the error names the leader
   * @throws TimeoutError ConnectionError ProtocolError AbortedError ClosedError
   */
  async ask(
    host: string,
    port: number,
    endpoint: string,
    type: number,
    payload: Uint8Array,
    o: AskOptions = {},
  ): Promise<RpcMessage> {
    const content = encodeContent(this.#form, type, payload)
    const reply = await this.#askContent(host, port, endpoint, content, o)
    if (reply.kind === 'message') return { type: reply.type, payload: reply.payload }
    throw unexpectedReply(host, port, endpoint, reply.kind)
  }

  /** Asks whether a process hosts an endpoint. Throws as {@link ask} does. */
  async checkEndpoint(host: string, port: number, endpoint: string, o: AskOptions = {}): Promise<boolean> {
    const reply = await this.#askContent(host, port, Endpoint.VERIFIER, encodeCheckExistence(endpoint), o)
    if (reply.kind === 'boolean') return reply.value
    throw unexpectedReply(host, port, Endpoint.VERIFIER, reply.kind)
  }

  /** One-way message to an endpoint; a failure to send it is silent. */
  send(host: string, port: number, endpoint: string, type: number, payload: Uint8Array): void {
    const content = encodeContent(this.#form, type, payload)
    this.#pool
      .connection(host, port)
      .sendMessage(new OneWayMessage([this.#envelope(host, port, endpoint, content)]))
  }

  /** Asks a port that takes messages without an envelope. Throws as {@link ask} does. */
  async askBare(
    host: string,
    port: number,
    type: number,
    payload: Uint8Array,
    o: AskOptions = {},
  ): Promise<RpcMessage> {
    return decodeBare(await this.#call(host, port, `request ${type}`, encodeBare(type, payload), o))
  }

  /** A bare request that nobody answers (BUFFER_STREAM_END); a failure to send it is silent. */
  sendBare(host: string, port: number, type: number, payload: Uint8Array): void {
    const message = new RpcRequestMessage(nextRequestId(), [encodeBare(type, payload)])
    this.#pool.connection(host, port).sendMessage(message)
  }

  async #askContent(
    host: string,
    port: number,
    endpoint: string,
    content: Uint8Array,
    o: AskOptions,
  ): Promise<RpcContent> {
    const body = this.#envelope(host, port, endpoint, content)
    const reply = decodeContent(await this.#call(host, port, endpoint, body, o))
    if (reply.kind !== 'failure') return reply
    const hostPort = formatHostPort({ host, port })
    const peerMessage = `${reply.className}: ${reply.message}`
    if (reply.className.endsWith('.MasterNotLeaderException')) {
      throw new MasterNotLeaderError(hostPort, peerMessage, reply.leader)
    }
    throw rpcFailure(hostPort, endpoint, peerMessage)
  }

  #envelope(host: string, port: number, endpoint: string, content: Uint8Array): Uint8Array {
    return encodeRpcEnvelope({ sender: this.#sender, receiver: { host, port }, endpoint, content })
  }

  #call(host: string, port: number, what: string, body: Uint8Array, o: AskOptions): Promise<Uint8Array> {
    return new Promise<Uint8Array>((resolve, reject) => {
      const { signal } = o
      if (signal?.aborted === true) {
        reject(aborted(host, port, what, signal))
        return
      }
      const connection = this.#pool.connection(host, port)
      const onAbort = (): void => {
        if (signal !== undefined && connection.cancel(call)) reject(aborted(host, port, what, signal))
      }
      const end = (): void => signal?.removeEventListener('abort', onAbort)
      const call = new RpcCall(body, o.timeoutMs ?? DEFAULT_TIMEOUT_MS, {
        answered(answer) {
          end()
          resolve(answer)
        },
        failed(message) {
          end()
          reject(rpcFailure(connection.hostPort, what, message))
        },
        lost(error) {
          end()
          reject(error)
        },
      })
      if (signal !== undefined) listenForAbort(signal, onAbort)
      connection.send(call)
    })
  }
}

interface CallEnd {
  answered(body: Uint8Array): void
  failed(message: string): void
  lost(error: CelebornError): void
}

/** One RPC_REQUEST; its answer is copied out of the socket's buffer. */
class RpcCall implements PendingRequest {
  readonly requestId = nextRequestId()
  readonly timeoutClock = 'send'
  readonly byteLength: number
  readonly timeoutMs: number
  readonly #body: Uint8Array
  readonly #end: CallEnd

  constructor(body: Uint8Array, timeoutMs: number, end: CallEnd) {
    this.#body = body
    this.timeoutMs = timeoutMs
    this.#end = end
    this.byteLength = RPC_REQUEST_HEADER_BYTES + body.length
  }

  encode(w: GatherWriter): void {
    const at = w.reserve(RPC_REQUEST_HEADER_BYTES)
    writeRpcRequestHeader(w.buffer, at, this.requestId, this.#body.length)
    w.append(this.#body)
  }

  writeStarted(): void {}
  writeEnded(): void {}

  onResponse(body: Uint8Array): void {
    this.#end.answered(new Uint8Array(body))
  }

  onRpcFailure(message: string): void {
    this.#end.failed(message)
  }

  onError(error: CelebornError): void {
    this.#end.lost(error)
  }
}

function aborted(host: string, port: number, what: string, signal: AbortSignal): AbortedError {
  const hostPort = formatHostPort({ host, port })
  return new AbortedError(`${what} at ${hostPort} was aborted`, { hostPort }, signal.reason)
}

function unexpectedReply(host: string, port: number, endpoint: string, kind: string): ProtocolError {
  const hostPort = formatHostPort({ host, port })
  return new ProtocolError(`${endpoint} at ${hostPort} gave an answer of another kind: ${kind}`, { hostPort })
}
