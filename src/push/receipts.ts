import { type DropReason, type PushReceipt, type PushSettlement } from './types'

/** Receipt of an empty push: there is nothing to deliver, so nothing was sent. */
export class EmptyReceipt implements PushReceipt {
  readonly batchId = 0
  readonly bytes = 0
  get settled(): Promise<PushSettlement> {
    return Promise.resolve({ outcome: 'acked', batchId: 0 })
  }
}

/** Receipt of a push to an attempt that had ended: dropped before anything was sent. */
export class DroppedReceipt implements PushReceipt {
  constructor(
    readonly batchId: number,
    readonly bytes: number,
    private readonly reason: DropReason,
  ) {}

  get settled(): Promise<PushSettlement> {
    return Promise.resolve({ outcome: 'dropped', batchId: this.batchId, reason: this.reason })
  }
}
