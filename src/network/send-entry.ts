import { callWriteEnded } from './callbacks'
import { type Outbound, type PendingRequest } from './outbound'

const FREE_LIST_MAX = 1024
const free: SendEntry[] = []

/** Time-out clock that has not started. */
export const CLOCK_STOPPED = -1

/**
 * A message on its way through one connection: in the queue, in the batch that is being written, and, if it wants
 * an answer, in the table of pending requests. Entries are recycled, so a push allocates nothing here.
 */
export class SendEntry {
  outbound: Outbound | null = null
  /** The request, until it is answered, failed or cancelled; null from the start for a message without answer. */
  request: PendingRequest | null = null
  wantsAnswer = false
  stage: 'queued' | 'writing' | 'ended' = 'queued'
  /** When the time-out's clock started. */
  clockMs = CLOCK_STOPPED
  /** Length that the queue was charged with. */
  queuedBytes = 0
  /** Position in its batch behind its last byte. */
  endByte = 0

  /** Takes an entry for a message; `request` is the same object if it wants an answer. */
  static take(outbound: Outbound, request: PendingRequest | null): SendEntry {
    const entry = free.pop() ?? new SendEntry()
    entry.outbound = outbound
    entry.request = request
    entry.wantsAnswer = request !== null
    entry.stage = 'queued'
    entry.clockMs = CLOCK_STOPPED
    entry.queuedBytes = outbound.byteLength
    entry.endByte = 0
    return entry
  }

  /** The socket does not read the message's memory, or no longer. */
  end(): void {
    if (this.outbound === null || this.stage === 'ended') return
    this.stage = 'ended'
    callWriteEnded(this.outbound)
    this.recycleIfDone()
  }

  /** Nobody waits for the answer any more and nothing was sent: not worth sending. */
  get abandoned(): boolean {
    return this.wantsAnswer && this.request === null
  }

  /** Gives the entry back once neither the writer nor the table of requests has it. */
  recycleIfDone(): void {
    if (this.stage !== 'ended' || this.request !== null || this.outbound === null) return
    this.outbound = null
    if (free.length < FREE_LIST_MAX) free.push(this)
  }
}
