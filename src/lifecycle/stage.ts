/** Ends of map tasks, and what follows from the last one: the end of the stage. */
import type { MapperEnd, PushFailedBatches } from '../protocol/messages'
import { StatusCode } from '../protocol/status'
import type { ChangeLocationManager } from './change-location'
import type { Committer } from './committer'
import type { Shuffle } from './shuffle'

export class StageKeeper {
  constructor(
    private readonly committer: Committer,
    private readonly changes: ChangeLocationManager,
  ) {}

  /**
   * Enters the end of a map task's attempt. The first attempt wins; a loser's end is no error, its data is skipped.
   * @throws RpcError when the message contradicts what is known of the shuffle
   */
  mapperEnd(shuffle: Shuffle, end: MapperEnd): void {
    const attempts = shuffle.attemptsFor(end.numMappers)
    if (end.mapId < 0 || end.mapId >= attempts.numMappers) {
      throw shuffle.rejection(`mapId ${end.mapId} is not between 0 and ${attempts.numMappers - 1}`)
    }
    if (end.attemptId < 0)
      throw shuffle.rejection(`attemptId ${end.attemptId} of map task ${end.mapId} is negative`)
    // Given up while its map tasks were running: a task must not take its data for committed.
    if (shuffle.stageResult?.kind === 'aborted') throw shuffle.rejection(shuffle.stageResult.reason)
    // Readers have the winners already: a late attempt changes nothing.
    if (shuffle.stageResult !== undefined) return
    if (attempts.isEnded(end.mapId)) return
    const { integrity } = shuffle
    if (integrity?.add(end.crc32PerPartition, end.bytesWrittenPerPartition) === false) {
      const lengths = `${end.crc32PerPartition.length} and ${end.bytesWrittenPerPartition.length}`
      throw shuffle.rejection(
        `checksums and bytes per partition have ${lengths} entries, not ${shuffle.numPartitions}`,
      )
    }
    attempts.finish(end.mapId, end.attemptId)
    mergeFailedBatches(shuffle, end.pushFailedBatches)
    if (attempts.allEnded) this.endStage(shuffle)
  }

  /** Ends the stage whatever its map tasks do. Its result comes through the shuffle. */
  endStage(shuffle: Shuffle): void {
    switch (shuffle.phase) {
      case 'unregistered':
        shuffle.endWithoutData()
        return
      case 'registering': {
        // A late attempt of a map task that has ended without data is just registering.
        const retry = (): void => this.endStage(shuffle)
        shuffle.registration().then(retry, retry)
        return
      }
      case 'registered':
        this.committer.endStage(shuffle).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error)
          shuffle.abort(`its stage could not be ended: ${reason}`)
        })
        this.changes.cancel(shuffle, StatusCode.STAGE_ENDED)
        return
      case 'committing':
      case 'ended':
      case 'data-lost':
      case 'aborted':
    }
  }
}

function mergeFailedBatches(shuffle: Shuffle, failed: PushFailedBatches): void {
  for (const [location, byAttempt] of failed) {
    let merged = shuffle.failedBatches.get(location)
    if (merged === undefined) {
      merged = new Map()
      shuffle.failedBatches.set(location, merged)
    }
    for (const [attempt, batchIds] of byAttempt)
      merged.set(attempt, [...(merged.get(attempt) ?? []), ...batchIds])
  }
}
