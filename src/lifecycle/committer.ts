/**
 * Makes workers commit: at stage end everything, before it what was split for good or lies on workers that shut down.
 */
import { AbortedError, CelebornError, ClosedError } from '../errors'
import type { CommitFilesResponse } from '../protocol/messages'
import { StatusCode, statusName } from '../protocol/status'
import { type CommitBatch, type CommitOutcome, describeLost } from './commit-ledger'
import { emitEvent } from './events'
import type { LocationEntry } from './location-table'
import type { LifecycleSettings } from './settings'
import type { Shuffle } from './shuffle'
import { delay } from './timers'
import type { WorkerClient } from './worker-client'
import { readableAddress, type WorkerRef } from './worker-ref'
import type { WorkerTracker } from './worker-tracker'

const STOPPED = 'the LifecycleManager was stopped'

export class Committer {
  /** Counts commit requests of the whole application: with the shuffle's key what makes one idempotent. */
  private epoch = 0
  private readonly early = new Map<Shuffle, Set<LocationEntry>>()
  private timer: NodeJS.Timeout | undefined
  private written = 0
  private files = 0

  constructor(
    private readonly appId: string,
    private readonly workers: WorkerClient,
    private readonly tracker: WorkerTracker,
    private readonly settings: LifecycleSettings,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true })
  }

  /** Bytes and files of all commits so far, as the workers told. */
  get totals(): { readonly bytes: number; readonly files: number } {
    return { bytes: this.written, files: this.files }
  }

  /** Nothing more will be written to these locations: commits them with the next batch. */
  commitEarly(shuffle: Shuffle, entries: Iterable<LocationEntry>): void {
    if (!this.settings.batchCommit || shuffle.phase !== 'registered' || this.signal.aborted) return
    let queue = this.early.get(shuffle)
    for (const entry of entries) {
      if (!shuffle.ledger.isOpen(entry)) continue
      if (queue === undefined) {
        queue = new Set()
        this.early.set(shuffle, queue)
      }
      queue.add(entry)
    }
    if (this.early.size > 0)
      this.timer ??= setTimeout(() => this.flushEarly(), this.settings.batchCommitIntervalMs)
  }

  /** Commits early what lies on workers that shut down. */
  commitOn(shuffle: Shuffle, shutting: readonly WorkerRef[]): void {
    const { table } = shuffle
    if (table === undefined || !shutting.some((w) => table.workers.has(w.id))) return
    const ids = new Set(shutting.map((w) => w.id))
    const entries: LocationEntry[] = []
    for (const entry of table.entries()) {
      const replica = entry.replicaWorker
      if (ids.has(entry.primaryWorker.id) || (replica !== undefined && ids.has(replica.id)))
        entries.push(entry)
    }
    this.commitEarly(shuffle, entries)
  }

  /** All map tasks have ended: commits what is left and ends the stage. Nothing if that is under way already. */
  async endStage(shuffle: Shuffle): Promise<void> {
    const { table } = shuffle
    if (table === undefined || !shuffle.beginCommit()) return
    this.early.delete(shuffle)
    const { ledger } = shuffle
    this.track(shuffle, this.commitAll(shuffle, ledger.take(table.entries())))
    await Promise.all(shuffle.commitsInFlight)
    if (shuffle.phase !== 'committing') return
    const result = shuffle.endCommitted()
    const { shuffleId } = shuffle
    if (result.kind === 'data-lost') {
      emitEvent({ kind: 'data-lost', appId: this.appId, shuffleId, message: describeLost(result.lost) })
    } else {
      emitEvent({ kind: 'stage-ended', appId: this.appId, shuffleId, message: 'committed' })
    }
  }

  private flushEarly(): void {
    this.timer = undefined
    const queued = [...this.early]
    this.early.clear()
    for (const [shuffle, entries] of queued) {
      if (shuffle.phase !== 'registered') continue
      const batches = shuffle.ledger.take(entries)
      if (batches.length === 0) continue
      this.track(shuffle, this.commitAll(shuffle, batches))
    }
  }

  private track(shuffle: Shuffle, commits: Promise<void>): void {
    shuffle.commitsInFlight.add(commits)
    const done = (): boolean => shuffle.commitsInFlight.delete(commits)
    commits.then(done, done)
  }

  /** What cannot be committed is entered as failed. */
  private async commitAll(shuffle: Shuffle, batches: readonly CommitBatch[]): Promise<void> {
    const { ledger } = shuffle
    await Promise.all(
      batches.map(async (batch) => {
        const answer = await this.commitOne(shuffle, batch)
        if (typeof answer === 'string') ledger.fail(batch, answer)
        else ledger.record(batch, this.outcomeOf(answer))
      }),
    )
  }

  private outcomeOf(response: CommitFilesResponse): CommitOutcome {
    const { status } = response
    this.written += response.totalWritten
    this.files += response.fileCount
    return {
      ...response,
      unlistedAreEmpty: status === StatusCode.SUCCESS || status === StatusCode.PARTIAL_SUCCESS,
      primaryStorage: response.committedPrimaryStorageInfos,
      replicaStorage: response.committedReplicaStorageInfos,
      mapIdBitmaps: response.mapIdBitmap,
      words: `it answered ${statusName(status)}`,
    }
  }

  /** The worker's answer, or why there is none after all tries. */
  private async commitOne(shuffle: Shuffle, batch: CommitBatch): Promise<CommitFilesResponse | string> {
    const { worker } = batch
    const { shuffleId } = shuffle
    const epoch = ++this.epoch
    const attempts = shuffle.attempts?.toArray() ?? []
    for (let tries = 1; ; tries++) {
      try {
        const response = await this.workers.commit(batch, shuffleId, attempts, epoch)
        const failed =
          response.status !== StatusCode.SUCCESS && response.status !== StatusCode.WORKER_EXCLUDED
        // What was given up meanwhile may be gone from the worker already, which is not its fault.
        if (failed && shuffle.phase !== 'aborted') {
          this.tracker.recordFailure(worker, response.status)
          this.tell(shuffleId, worker, statusName(response.status))
        }
        return response
      } catch (error) {
        if (error instanceof AbortedError || error instanceof ClosedError) return STOPPED
        const words = error instanceof CelebornError ? error.message : String(error)
        this.tell(shuffleId, worker, `try ${tries} of ${this.settings.commitTries}: ${words}`)
        if (tries >= this.settings.commitTries) {
          this.tracker.recordFailure(worker, StatusCode.WORKER_UNRESPONSIVE)
          return `no answer in ${tries} tries: ${words}`
        }
      }
      try {
        await delay(this.settings.commitRetryWaitMs, this.signal)
      } catch {
        return STOPPED
      }
    }
  }

  private tell(shuffleId: number, worker: WorkerRef, words: string): void {
    const message = `worker ${readableAddress(worker)}: ${words}`
    emitEvent({ kind: 'commit-failed', appId: this.appId, shuffleId, message })
  }
}
