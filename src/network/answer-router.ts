import { type CelebornError } from '../errors'
import { decodeFields, MessageType, type WireId } from '../protocol/framing'
import { reportThrown } from './callbacks'
import { type ChunkFetch, type ChunkTable } from './chunk-fetch'
import { type ReceiverHost } from './client-receiver'
import { allocationFailure } from './failures'
import { type Outbound, type PendingRequest } from './outbound'
import { HeartbeatMessage, RpcFailureMessage } from './replies'
import { type RequestTable } from './request-table'

/** Replies to what the peer sends unasked that may wait to be written; a peer that reads none gets no more. */
const MAX_WAITING_REPLIES = 64

/** The connection whose answers are routed. */
export interface RouterHost {
  readonly hostPort: string
  readonly closed: boolean
  sendMessage(message: Outbound): void
  strayAnswer(): void
}

/** Brings what arrives on a client connection to the requests that wait for it. */
export class AnswerRouter implements ReceiverHost {
  readonly #host: RouterHost
  readonly #requests: RequestTable
  readonly #chunks: ChunkTable
  #waitingReplies = 0

  constructor(host: RouterHost, requests: RequestTable, chunks: ChunkTable) {
    this.#host = host
    this.#requests = requests
    this.#chunks = chunks
  }

  get closed(): boolean {
    return this.#host.closed
  }

  expectsAnswer(requestId: number): boolean {
    return this.#requests.expects(requestId)
  }

  answered(requestId: number, body: Uint8Array): void {
    // It may have timed out while its answer arrived.
    const request = this.#requests.take(requestId)
    if (request === null) {
      this.strayAnswer()
      return
    }
    try {
      request.onResponse(body)
    } catch (thrown) {
      reportThrown('onResponse', thrown)
    }
  }

  rpcFailed(requestId: WireId, error: string): void {
    const expected = typeof requestId === 'number' && this.#requests.expects(requestId)
    const request = expected ? this.#requests.take(requestId) : null
    if (request === null) {
      this.strayAnswer()
      return
    }
    try {
      request.onRpcFailure(error)
    } catch (thrown) {
      reportThrown('onRpcFailure', thrown)
    }
  }

  findChunk(fields: Uint8Array): ChunkFetch | undefined {
    const message = decodeFields(MessageType.CHUNK_FETCH_SUCCESS, fields)
    return message.type === MessageType.CHUNK_FETCH_SUCCESS ? this.#chunks.find(message.slice) : undefined
  }

  chunkFailed(fields: Uint8Array): void {
    const message = decodeFields(MessageType.CHUNK_FETCH_FAILURE, fields)
    if (message.type !== MessageType.CHUNK_FETCH_FAILURE) return
    const fetch = this.#chunks.find(message.slice)
    if (fetch === undefined) this.strayAnswer()
    else fetch.fail(message.error)
  }

  allocationFailed(fetch: ChunkFetch, thrown: unknown): void {
    fetch.onError(allocationFailure(this.#host.hostPort, thrown))
  }

  heartbeat(): void {
    this.#reply((done) => new HeartbeatMessage(done))
  }

  refuse(requestId: WireId): void {
    this.#reply((done) => new RpcFailureMessage(requestId, 'this client serves no requests', done))
  }

  strayAnswer(): void {
    this.#host.strayAnswer()
  }

  #reply(make: (done: () => void) => Outbound): void {
    if (this.#waitingReplies >= MAX_WAITING_REPLIES) return
    this.#waitingReplies++
    this.#host.sendMessage(make(() => void this.#waitingReplies--))
  }
}

/** Reports a failure to a request. */
export function callOnError(request: PendingRequest, error: CelebornError): void {
  try {
    request.onError(error)
  } catch (thrown) {
    reportThrown('onError', thrown)
  }
}
