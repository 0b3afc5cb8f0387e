import { inspect } from 'node:util'
import { CelebornError } from '../errors'
import { type Admission, type Charge } from './admission'
import { type PushAttempt } from './attempt'
import { type MergedRequest } from './merged-request'
import { type PartitionState } from './partition'
import { type Payload } from './payload'
import { type PushRequest } from './request'
import { type PushShuffle } from './shuffle'
import { type PushReceipt, type PushSettlement, type ReleaseReason } from './types'

const NO_HEADER = new Uint8Array(0)

/**
 * One admitted batch and the memory it owns.
 *
 * References: one for the batch itself until it is settled, one for each request that a connection holds (until the
 * socket no longer reads the memory), one for each retry that waits for a location. When the last one goes, the
 * memory is freed and its charge given back, exactly once. A settled batch may live on for a write that is
 * under way; a batch whose writes have ended lives on until its answer.
 */
export class PushBatch implements PushReceipt {
  /** Sent between batch header and payload: the codec's block header, if any. */
  blockHeader: Uint8Array = NO_HEADER
  /** Failures that may still be retried. */
  remainingRetries: number
  /** What went wrong so far, oldest first, one line each. */
  history: string[] | null = null
  /** The latest request, until it is answered. */
  request: PushRequest | MergedRequest | null = null
  /** The partition for whose next location the batch waits. */
  waitingAt: PartitionState | null = null

  #references = 1
  #payload: Payload | null = null
  #settlement: PushSettlement | null = null
  #resolveSettled: ((settlement: PushSettlement) => void) | null = null
  #settledPromise: Promise<PushSettlement> | null = null

  constructor(
    readonly shuffle: PushShuffle,
    readonly partition: PartitionState,
    readonly attempt: PushAttempt,
    readonly batchId: number,
    /** Payload bytes as the caller gave them. */
    readonly bytes: number,
    readonly charge: Charge,
    private readonly admission: Admission,
    maxRetries: number,
    /** Sent together with other small batches. */
    readonly merged: boolean,
  ) {
    this.remainingRetries = maxRetries
  }

  get partitionId(): number {
    return this.partition.partitionId
  }

  get settlement(): PushSettlement | null {
    return this.#settlement
  }

  /** What goes out, from where it lies. */
  get payload(): Uint8Array {
    const payload = this.#payload
    if (payload === null) throw this.broken('was read after its memory was freed')
    return payload.bytes
  }

  /** Gives the batch its memory for the time of its encoding; the charge stays what admission took. */
  holdPayload(payload: Payload): void {
    this.#payload = payload
  }

  /** Gives the batch its memory, or exchanges it for what an encoder made of it; the charge follows. */
  setPayload(payload: Payload): void {
    this.#payload = payload
    this.admission.resize(this.charge, payload.allocated)
  }

  get settled(): Promise<PushSettlement> {
    this.#settledPromise ??= new Promise((resolve) => {
      if (this.#settlement === null) this.#resolveSettled = resolve
      else resolve(this.#settlement)
    })
    return this.#settledPromise
  }

  /** Takes a reference for a request or a retry. */
  retain(): void {
    if (this.#references === 0) throw this.broken('was retained after its memory was freed')
    this.#references++
  }

  /** Gives a reference back. */
  unref(): void {
    if (this.#references === 0) throw this.broken('was released more often than retained')
    if (--this.#references > 0) return
    const payload = this.#payload
    this.#payload = null
    try {
      payload?.free(this.releaseReason())
    } finally {
      this.admission.refund(this.charge)
      this.attempt.batchReleased()
    }
  }

  /** The batch has ended, one way or another. Only the first call counts: late answers come to nothing. */
  settle(settlement: PushSettlement): boolean {
    if (this.#settlement !== null) return false
    this.#settlement = settlement
    this.admission.settle(this.charge)
    this.attempt.batchSettled(this)
    this.#resolveSettled?.(settlement)
    this.unref()
    return true
  }

  /** A receipt shown by `console.log` is what its caller sees of it, not the whole machinery. */
  [inspect.custom](): object {
    return { batchId: this.batchId, bytes: this.bytes, settled: this.#settlement ?? 'not yet' }
  }

  note(line: string): void {
    this.history ??= []
    this.history.push(line)
  }

  private releaseReason(): ReleaseReason {
    const settlement = this.#settlement
    if (settlement === null) throw this.broken('was freed before it was settled')
    return settlement.outcome
  }

  private broken(what: string): CelebornError {
    const { shuffleId, mapId, attemptId } = this.attempt
    return new CelebornError('CELEBORN_INTERNAL', `batch ${this.batchId} ${what}`, {
      shuffleId,
      mapId,
      attemptId,
      partitionId: this.partitionId,
      batchId: this.batchId,
    })
  }
}
