import { type Socket } from 'node:net'
import { type CelebornError, ClosedError } from '../errors'
import { AnswerRouter, callOnError, type RouterHost } from './answer-router'
import { reportThrown } from './callbacks'
import { ChunkFetch, ChunkTable } from './chunk-fetch'
import { ClientReceiver } from './client-receiver'
import { connectSocket, openSocket, type SocketEvents } from './client-socket'
import * as failures from './failures'
import { MessageWriter, type WriterHost } from './message-writer'
import { type ConnectionOptions } from './options'
import { type ChunkRequest, monotonicMs, type Outbound, type PendingRequest } from './outbound'
import { RequestTable } from './request-table'
import { SendEntry } from './send-entry'

export type ConnectionState = 'idle' | 'connecting' | 'open' | 'closing' | 'closed'

export interface ConnectionStats {
  readonly hostPort: string
  readonly state: ConnectionState
  /** Requests and chunk fetches without an answer. */
  readonly pending: number
  /** Messages that wait to be written, and bytes that the system has not taken yet. */
  readonly queuedMessages: number
  readonly unsentBytes: number
  readonly gatherWrites: number
  readonly bytesWritten: number
  readonly bytesRead: number
}

/** What happened on all connections of one owner. */
export interface ConnectionCounters {
  connectFailures: number
  connectionsLost: number
  /** Answers to no pending request: late, duplicate or unknown. They are ignored. */
  strayAnswers: number
  timedOut: number
}

export interface ConnectionOwner {
  readonly counters: ConnectionCounters
  /** Something on a connection has this time-out. */
  watch(timeoutMs: number): void
  /** The connection is no good any more; called before any callback of its requests. */
  retire(connection: Connection): void
  /** Its socket is closed and every callback has run. */
  gone(connection: Connection): void
}

/** A socket must never be given an empty buffer. */
const SPARE_BUFFER = Buffer.allocUnsafeSlow(16)

/**
 * One connection to one peer. Made by a ConnectionPool; connects at its first message, and is closed for good when
 * it fails.
 *
 * Callbacks of messages never run inside the call that sent them, and every method may be called inside any of them.
 */
export class Connection implements WriterHost, RouterHost, SocketEvents {
  readonly hostPort: string
  readonly #host: string
  readonly #port: number
  readonly #options: ConnectionOptions
  readonly #owner: ConnectionOwner
  readonly #requests = new RequestTable()
  readonly #chunks = new ChunkTable((fetch) => this.#requests.remove(fetch))
  readonly #router = new AnswerRouter(this, this.#requests, this.#chunks)
  readonly #writer: MessageWriter
  #receiver: ClientReceiver | null = null
  #socket: Socket | null = null
  #state: ConnectionState = 'idle'
  #connectStartMs = 0
  /** An idle socket does not keep the process alive. */
  #holdsProcess = true
  #error: CelebornError | null = null
  /** Messages sent after the end; they fail at the end of the turn. */
  #refused: SendEntry[] = []

  constructor(
    host: string,
    port: number,
    hostPort: string,
    options: ConnectionOptions,
    owner: ConnectionOwner,
  ) {
    this.#host = host
    this.#port = port
    this.hostPort = hostPort
    this.#options = options
    this.#owner = owner
    this.#writer = new MessageWriter(this, {
      maxGatherBytes: options.maxGatherBytes,
      arenaBytes: options.arenaBytes,
      writeStallMs: options.idleTimeoutMs,
    })
  }

  /** It takes no more messages. */
  get closed(): boolean {
    return this.#state === 'closing' || this.#state === 'closed'
  }

  get state(): ConnectionState {
    return this.#state
  }

  get stats(): ConnectionStats {
    return {
      hostPort: this.hostPort,
      state: this.#state,
      pending: this.pending,
      queuedMessages: this.#writer.queuedMessages,
      unsentBytes: this.#writer.unsentBytes,
      gatherWrites: this.#writer.gatherWrites,
      bytesWritten: this.#writer.bytesWritten,
      bytesRead: this.#receiver?.bytesRead ?? 0,
    }
  }

  /** Requests and chunk fetches without an answer. */
  get pending(): number {
    return this.#requests.size
  }

  /** Sends a message that wants an answer. Never throws; every failure goes to the request's `onError`. */
  send(request: PendingRequest): void {
    const entry = SendEntry.take(request, request)
    if (this.closed || !this.#requests.add(request.requestId, entry)) {
      this.#refuse(entry)
      return
    }
    if (request.timeoutMs > 0) {
      if (request.timeoutClock === 'send') entry.clockMs = monotonicMs()
      this.#owner.watch(request.timeoutMs)
    }
    this.#enqueue(entry)
  }

  /** Sends a message that wants no answer. Its `writeEnded` always comes. */
  sendMessage(message: Outbound): void {
    const entry = SendEntry.take(message, null)
    if (this.closed) this.#refuse(entry)
    else this.#enqueue(entry)
  }

  /** Fetches a whole chunk into the caller's memory. Never throws. */
  fetchChunk(request: ChunkRequest): void {
    const fetch = new ChunkFetch(request, this.#chunks)
    if (this.closed || !this.#chunks.add(fetch)) {
      this.#refuse(SendEntry.take(fetch, fetch))
      return
    }
    if (request.timeoutMs > 0) this.#owner.watch(request.timeoutMs)
    this.send(fetch)
  }

  /**
   * Forgets a request: none of its answer callbacks run any more, `writeEnded` still does; inside this call if the
   * request is still in the queue, else when its write has ended. False if it is not pending.
   */
  cancel(request: PendingRequest): boolean {
    const entry = this.#requests.find(request)
    if (entry === null) return false
    this.#writer.drop(entry)
    this.#requests.take(request.requestId)
    return true
  }

  /** Forgets a chunk request; `targetReleased` still comes if `allocate` was called. False if it is not pending. */
  cancelChunk(request: ChunkRequest): boolean {
    const fetch = this.#chunks.findRequest(request)
    if (fetch === undefined) return false
    fetch.cancel()
    return true
  }

  /** Closes at once; what is pending gets `onError(reason)`, by default a ClosedError. */
  close(reason?: CelebornError): void {
    if (this.closed) return
    // Last words that nobody answers (the end of a stream) still get out if the system takes them at once.
    if (this.#state === 'open' && this.#requests.size === 0) this.#writer.flush()
    this.#end(reason ?? failures.closedByUs(this.hostPort))
  }

  /** @internal Looks for time-outs. False if nothing is waiting for one. */
  sweep(nowMs: number): boolean {
    if (this.#state === 'connecting' && nowMs - this.#connectStartMs >= this.#options.connectTimeoutMs) {
      this.#fail(failures.connectTimeout(this.hostPort, this.#options.connectTimeoutMs))
    } else if (this.#writer.stalled(nowMs)) {
      this.#owner.counters.timedOut++
      this.#fail(failures.writeStalled(this.hostPort, this.#writer.stallLimitMs))
    }
    if (this.closed) return true
    this.#sweepChunks(nowMs)
    for (const request of this.#requests.takeExpired(nowMs)) {
      this.#owner.counters.timedOut++
      callOnError(request, failures.noAnswer(this.hostPort, request.timeoutMs))
      if (this.#receiver?.stalled(nowMs, request.timeoutMs) === true)
        this.#fail(failures.receiveStalled(this.hostPort, request.timeoutMs, 'a message'))
    }
    return this.#sweepIdle(nowMs)
  }

  #sweepChunks(nowMs: number): void {
    for (const fetch of this.#chunks.expired(nowMs)) {
      this.#owner.counters.timedOut++
      const { timeoutMs } = fetch.request
      // Behind half a message nothing else can arrive, whoever wanted it.
      if (fetch.receiving || this.#receiver?.stalled(nowMs, timeoutMs) === true) {
        this.#fail(failures.receiveStalled(this.hostPort, timeoutMs))
      } else fetch.onError(failures.noAnswer(this.hostPort, timeoutMs))
    }
    this.#sweepAbandoned(nowMs)
  }

  /** The memory of a cancelled chunk is the socket's until its rest has come: not for ever. */
  #sweepAbandoned(nowMs: number): void {
    const timeoutMs = this.#receiver?.abandoned?.request.timeoutMs ?? 0
    if (!(timeoutMs > 0) || this.#receiver?.stalled(nowMs, timeoutMs) !== true) return
    this.#owner.counters.timedOut++
    this.#fail(failures.receiveStalled(this.hostPort, timeoutMs))
  }

  #sweepIdle(nowMs: number): boolean {
    if (this.#requests.size > 0 || !this.#writer.idle || this.#state !== 'open') return true
    const { closeIdle, idleTimeoutMs } = this.#options
    const lastMs = Math.max(this.#receiver?.lastReadMs ?? 0, this.#writer.progressMs)
    if (closeIdle && idleTimeoutMs > 0 && nowMs - lastMs >= idleTimeoutMs) {
      this.#end(new ClosedError(`connection to ${this.hostPort} was idle for ${idleTimeoutMs} ms`))
    } else if (this.#holdsProcess) {
      this.#holdsProcess = false
      this.#socket?.unref()
    }
    return false
  }

  #enqueue(entry: SendEntry): void {
    this.#writer.enqueue(entry)
    if (this.#state === 'idle') this.#connect()
    if (this.#holdsProcess) return
    this.#holdsProcess = true
    this.#socket?.ref()
  }

  #connect(): void {
    this.#state = 'connecting'
    this.#connectStartMs = monotonicMs()
    this.#owner.watch(this.#options.connectTimeoutMs)
    this.#receiver = new ClientReceiver(
      this.#router,
      this.#options.maxBodyBytes,
      this.#options.readBufferBytes,
    )
    this.#socket = openSocket(this)
    try {
      connectSocket(this.#socket, this.#host, this.#port, this.#options)
    } catch (thrown) {
      this.#fail(failures.connectFailure(this.hostPort, thrown))
    }
  }

  #fail(error: CelebornError): void {
    if (this.closed) return
    if (this.#state === 'open') this.#owner.counters.connectionsLost++
    else this.#owner.counters.connectFailures++
    this.#end(error)
  }

  /** Out of the pool first; the callbacks run once the socket is closed and reads no memory any more. */
  #end(error: CelebornError): void {
    this.#error = error
    this.#state = 'closing'
    this.#owner.retire(this)
    this.#receiver?.stop()
    if (this.#socket === null) setImmediate(() => this.settle())
    else this.#socket.destroy()
  }

  /** @internal The socket is closed. Every message ends: first its memory, then the wait for its answer. */
  settle(): void {
    if (this.#state === 'closed') return
    const error = (this.#error ??= failures.connectionLost(this.hostPort, null))
    if (this.#state !== 'closing') this.#owner.retire(this)
    this.#state = 'closed'
    this.#receiver?.closed()
    this.#writer.abandon()
    for (const request of this.#requests.takeAll()) callOnError(request, error)
    this.#owner.gone(this)
  }

  #refuse(entry: SendEntry): void {
    this.#refused.push(entry)
    if (this.#refused.length === 1) setImmediate(() => this.#failRefused())
  }

  #failRefused(): void {
    for (const entry of this.#refused.splice(0)) {
      const { request } = entry
      entry.request = null
      entry.end()
      if (request === null) continue
      callOnError(request, this.#error ?? failures.duplicate(this.hostPort, request.requestId))
    }
  }

  // What the writer tells.

  /** @internal */
  encodeFailed(request: PendingRequest | null, thrown: unknown): void {
    if (request === null) reportThrown('encode', thrown)
    else if (this.#requests.remove(request)) {
      callOnError(request, failures.encodeFailure(this.hostPort, thrown))
    }
  }

  /** @internal */
  writeFailed(error: Error): void {
    this.#fail(failures.connectionLost(this.hostPort, error))
  }

  /** @internal */
  writerProgressed(): void {}

  // What the receiver tells.

  /** @internal */
  strayAnswer(): void {
    this.#owner.counters.strayAnswers++
  }

  // What the socket tells.

  /** @internal */
  nextBuffer(): Uint8Array {
    return this.#receiver?.nextBuffer() ?? SPARE_BUFFER
  }

  /** @internal */
  received(count: number): void {
    if (this.closed) return
    try {
      this.#receiver?.received(count)
    } catch (thrown) {
      this.#fail(failures.badBytes(this.hostPort, thrown))
    }
  }

  /** @internal */
  connected(): void {
    if (this.#state !== 'connecting' || this.#socket === null) return
    this.#state = 'open'
    this.#writer.open(this.#socket)
  }

  /** @internal */
  ended(): void {
    this.#fail(failures.connectionLost(this.hostPort, null))
  }

  /** @internal */
  failed(error: Error): void {
    if (this.#state === 'open') this.#fail(failures.connectionLost(this.hostPort, error))
    else this.#fail(failures.connectFailure(this.hostPort, error))
  }
}
