import { type PendingRequest } from './outbound'
import { CLOCK_STOPPED, type SendEntry } from './send-entry'

/** The requests of one connection that wait for an answer. Whoever takes one out calls its callback. */
export class RequestTable {
  readonly #entries = new Map<number, SendEntry>()

  get size(): number {
    return this.#entries.size
  }

  /** False if the id is already waiting, which is a mistake of the caller. */
  add(requestId: number, entry: SendEntry): boolean {
    if (this.#entries.has(requestId)) return false
    this.#entries.set(requestId, entry)
    return true
  }

  /** Whether an answer to this id is expected. What was never handed to the system cannot have been answered. */
  expects(requestId: number): boolean {
    const entry = this.#entries.get(requestId)
    return entry !== undefined && entry.stage !== 'queued'
  }

  /** Takes the request out; the caller settles it. */
  take(requestId: number): PendingRequest | null {
    const entry = this.#entries.get(requestId)
    if (entry === undefined) return null
    this.#entries.delete(requestId)
    return release(entry)
  }

  /** The entry of this very request, if it is waiting. */
  find(request: PendingRequest): SendEntry | null {
    const entry = this.#entries.get(request.requestId)
    return entry?.request === request ? entry : null
  }

  /** As {@link take}, but only if it is this very request. */
  remove(request: PendingRequest): boolean {
    if (this.find(request) === null) return false
    this.take(request.requestId)
    return true
  }

  /** Takes out and returns what has waited for longer than its time-out. */
  takeExpired(nowMs: number): PendingRequest[] {
    let expired: PendingRequest[] | null = null
    for (const [requestId, entry] of this.#entries) {
      const { request } = entry
      if (request === null || entry.clockMs === CLOCK_STOPPED || !(request.timeoutMs > 0)) continue
      // While it is being written the stall limit of the socket watches it.
      if (entry.stage === 'writing' && request.timeoutClock !== 'send') continue
      if (nowMs - entry.clockMs < request.timeoutMs) continue
      this.#entries.delete(requestId)
      release(entry)
      expired ??= []
      expired.push(request)
    }
    return expired ?? NONE
  }

  /** Takes out everything. */
  takeAll(): PendingRequest[] {
    const all: PendingRequest[] = []
    for (const entry of this.#entries.values()) {
      const request = release(entry)
      if (request !== null) all.push(request)
    }
    this.#entries.clear()
    return all
  }
}

const NONE: PendingRequest[] = []

function release(entry: SendEntry): PendingRequest | null {
  const { request } = entry
  entry.request = null
  entry.recycleIfDone()
  return request
}
