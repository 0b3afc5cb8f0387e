import { type CelebornError } from '../errors'
import { type ChunkRequest, type Outbound, type PendingRequest } from './outbound'

export interface ConnectionStats {
  readonly hostPort: string
  readonly state: 'idle' | 'connecting' | 'open' | 'closed'
  /** Requests and chunk fetches without an answer. */
  readonly pending: number
  /** Messages not yet handed to the system, and their bytes. */
  readonly queuedMessages: number
  readonly queuedBytes: number
  readonly gatherWrites: number
  readonly bytesWritten: number
  readonly bytesRead: number
  /** Answers to no pending request: late, duplicate or unknown. They are ignored. */
  readonly strayAnswers: number
  readonly timedOut: number
}

/** One connection to one peer. Made by {@link ConnectionPool}; connects at its first message. */
export declare class Connection {
  readonly hostPort: string
  readonly closed: boolean
  /** Sends a message that wants an answer. Never throws; every failure goes to the request's `onError`. */
  send(request: PendingRequest): void
  /** Sends a message that wants no answer. Its `writeEnded` always comes. */
  sendMessage(message: Outbound): void
  /** Fetches a whole chunk into the caller's memory. */
  fetchChunk(request: ChunkRequest): void
  /** Forgets a request: none of its answer callbacks run any more (`writeEnded` still does). False if it is not pending. */
  cancel(request: PendingRequest): boolean
  /** Forgets a chunk request; `targetReleased` still comes if `allocate` was called. False if it is not pending. */
  cancelChunk(request: ChunkRequest): boolean
  /** Closes at once; what is pending gets `onError(reason)`, by default a ClosedError. */
  close(reason?: CelebornError): void
  readonly stats: ConnectionStats
}
