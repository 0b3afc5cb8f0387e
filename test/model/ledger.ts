import { type Codec } from '../../src/compress'
import { type Batch } from '../../src/protocol/batch'
import { content, isPoisoned, MAX_CONTENT_BYTES } from './content'
import { type ModelAttempt, type ModelPush } from './model'

/** What the ledger is told of the program that runs. */
export interface LedgerContext {
  readonly shuffleKey: string
  readonly codec: Codec
  readonly attempts: readonly ModelAttempt[]
  /** The worker that a location was given out for, by `<partition>-<epoch>`; undefined if it never was. */
  workerOf(uniqueId: string): number | undefined
  /** The LifecycleManager has named this location again for a push that had failed there. */
  namedAgain(uniqueId: string): boolean
  violate(text: string): void
}

/**
 * What the workers received and wrote, held against what was pushed: byte for byte, at the moment it arrives.
 */
export class Ledger {
  /** Batches that some worker has written. */
  readonly written = new Set<ModelPush>()
  /** Batches that some worker has promised to have written. */
  readonly promised = new Set<ModelPush>()
  /** Partitions with a promise that was made before the batch was read, by request. */
  readonly early = new Map<string, readonly number[]>()
  private readonly tries = new Map<ModelPush, Set<string>>()

  constructor(private readonly context: LedgerContext) {}

  /** Every byte that a worker reads, also of pushes that never arrive whole. */
  data(worker: number, bytes: Uint8Array): void {
    if (isPoisoned(bytes)) this.context.violate(`worker ${worker} received freed memory: a run of 0xEE`)
  }

  /** A whole push has arrived. @returns its batches, as the program pushed them */
  received(
    worker: number,
    shuffleKey: string,
    uniqueIds: readonly string[],
    batches: readonly Batch[],
  ): ModelPush[] {
    const { context } = this
    if (shuffleKey !== context.shuffleKey) {
      context.violate(`worker ${worker} received a push of shuffle ${shuffleKey}`)
      return []
    }
    if (uniqueIds.length !== batches.length) {
      context.violate(`worker ${worker}: ${batches.length} batches for ${uniqueIds.length} partitions`)
      return []
    }
    const pushes: ModelPush[] = []
    batches.forEach((batch, i) => {
      const push = this.batch(worker, uniqueIds[i] ?? '', batch)
      if (push !== null) pushes.push(push)
    })
    if (new Set(pushes.map(({ attempt }) => attempt)).size > 1) {
      context.violate(`worker ${worker}: one request with batches of several attempts`)
    }
    return pushes
  }

  /** A push that was promised early has arrived, or the promise will not be kept. */
  lostPartitions(): Set<number> {
    return new Set([...this.early.values()].flat())
  }

  private batch(worker: number, uniqueId: string, batch: Batch): ModelPush | null {
    const { context } = this
    const { mapId, attemptId, batchId, payload } = batch
    const what = `worker ${worker}: batch ${mapId}/${attemptId}/${batchId} for ${uniqueId}`
    const attempt = context.attempts.find(
      ({ target }) => target.mapId === mapId && target.attemptId === attemptId,
    )
    const push = attempt?.byBatchId.get(batchId)
    if (push === undefined) {
      context.violate(`${what}: nobody pushed it (${payload.length} bytes)`)
      return null
    }
    if (context.workerOf(uniqueId) !== worker) {
      context.violate(`${what}: that location is at worker ${String(context.workerOf(uniqueId))}`)
    }
    if (Number(uniqueId.split('-')[0]) !== push.partitionId) {
      context.violate(`${what}: it was pushed to partition ${push.partitionId}`)
    }
    const tries = this.tries.get(push)
    if (tries === undefined) this.tries.set(push, new Set([uniqueId]))
    else if (tries.has(uniqueId) && !context.namedAgain(uniqueId)) {
      context.violate(`${what}: sent twice to the same location`)
    } else tries.add(uniqueId)
    this.compare(what, push, payload)
    return push
  }

  private compare(what: string, push: ModelPush, payload: Uint8Array): void {
    const { written } = push
    const expected = content(written.contentId, written.length)
    let bytes: Uint8Array
    try {
      bytes = this.context.codec.decode(payload, MAX_CONTENT_BYTES)
    } catch (error) {
      this.context.violate(`${what} of ${push.name} cannot be decoded: ${String(error)}`)
      return
    }
    if (Buffer.compare(expected, bytes) === 0) return
    const at = bytes.findIndex((byte, i) => byte !== expected[i])
    this.context.violate(
      `${what} of ${push.name}: other bytes than were pushed, from byte ${at} on ` +
        `(${bytes.length} bytes, ${expected.length} pushed)${isPoisoned(bytes) ? ': freed memory' : ''}`,
    )
  }
}
