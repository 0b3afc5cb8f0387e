import { CelebornError, type ErrorContext } from '../errors'
import { type BatchHeader } from '../protocol/batch'
import { ALL_MAPS } from '../protocol/messages'

/**
 * Decides which batches of a partition count: those of the winning attempt of each map task that is read, each once,
 * over all locations and however often a location is read.
 */
export class BatchFilter {
  private readonly seen = new Map<number, Set<number>>()
  private duplicateCount = 0
  private otherAttemptCount = 0

  /**
   * @param attempts index: map id; value: the attempt that counts
   * @param startMapIndex first map task that is wanted
   * @param endMapIndex behind the last one
   */
  constructor(
    private readonly attempts: readonly number[],
    private readonly startMapIndex = 0,
    private readonly endMapIndex = ALL_MAPS,
  ) {}

  /** Batches skipped because they were delivered before. */
  get duplicates(): number {
    return this.duplicateCount
  }

  /** Batches skipped because another attempt of their map task won. */
  get otherAttempts(): number {
    return this.otherAttemptCount
  }

  /** Whether the batch counts and is not delivered yet. @throws CelebornError for a map task that there is not */
  wants(header: BatchHeader, context: ErrorContext): boolean {
    const winner = this.attempts[header.mapId]
    if (winner === undefined) {
      throw new CelebornError(
        'CELEBORN_CORRUPT_DATA',
        `a batch of map task ${header.mapId} is among the data, but the shuffle has ${this.attempts.length} map tasks`,
        { ...context, mapId: header.mapId, attemptId: header.attemptId, batchId: header.batchId },
      )
    }
    // A worker that serves a range serves nothing else; one that does, or names a whole file, makes no row too many.
    if (header.mapId < this.startMapIndex || header.mapId >= this.endMapIndex) return false
    if (header.attemptId !== winner) {
      this.otherAttemptCount++
      return false
    }
    if (this.seen.get(header.mapId)?.has(header.batchId) === true) {
      this.duplicateCount++
      return false
    }
    return true
  }

  /** The batch was decoded and is handed on: from now on it is a duplicate. */
  delivered(header: BatchHeader): void {
    let ofMap = this.seen.get(header.mapId)
    if (ofMap === undefined) {
      ofMap = new Set()
      this.seen.set(header.mapId, ofMap)
    }
    ofMap.add(header.batchId)
  }
}
