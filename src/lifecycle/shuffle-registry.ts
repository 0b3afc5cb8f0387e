/** The shuffles of the application, by id. */
import { RpcError } from '../errors'
import { MAX_MAPPERS, MAX_SHUFFLES, MAX_TOTAL_MAPPERS } from './limits'
import { Shuffle } from './shuffle'

/** Ids of unregistered shuffles that are remembered, oldest forgotten first. */
const MAX_GRAVES = 100_000

export class ShuffleRegistry {
  private readonly live = new Map<number, Shuffle>()
  /** Map tasks that each live shuffle was made for, and their sum. */
  private readonly mappersOf = new Map<Shuffle, number>()
  private mappers = 0
  /** Unregistered ids -> whether they had data, so that a late reader is not told "empty". */
  private readonly graves = new Map<number, boolean>()

  get(shuffleId: number): Shuffle | undefined {
    return this.live.get(shuffleId)
  }

  all(): IterableIterator<Shuffle> {
    return this.live.values()
  }

  /** Ids of the shuffles that the master knows. */
  registeredIds(): number[] {
    const ids: number[] = []
    for (const { shuffleId, phase, stageResult } of this.live.values()) {
      const known =
        stageResult === undefined
          ? phase === 'registered' || phase === 'committing'
          : stageResult.kind !== 'no-data'
      if (known) ids.push(shuffleId)
    }
    return ids
  }

  /** Whether the shuffle was unregistered, and whether it had data. */
  grave(shuffleId: number): { readonly hadData: boolean } | undefined {
    const hadData = this.graves.get(shuffleId)
    return hadData === undefined ? undefined : { hadData }
  }

  /**
   * The shuffle of this id for a message that names `numMappers` map tasks; a new one if there is none.
   * @throws RpcError when the id is no id, was unregistered (ids are never used twice), or the limits are reached
   */
  obtain(shuffleId: number, numMappers: number): Shuffle {
    const known = this.live.get(shuffleId)
    if (known !== undefined) return known
    if (shuffleId < 0) throw rejection(shuffleId, 'a shuffle id is not negative')
    if (this.graves.has(shuffleId))
      throw rejection(shuffleId, 'it was unregistered, and ids are never used twice')
    if (this.live.size >= MAX_SHUFFLES) {
      throw rejection(shuffleId, `the application has ${MAX_SHUFFLES} shuffles already; unregister some`)
    }
    const mappers = Math.min(Math.max(numMappers, 0), MAX_MAPPERS)
    if (this.mappers + mappers > MAX_TOTAL_MAPPERS) {
      const text = `the application's shuffles would have more than ${MAX_TOTAL_MAPPERS} map tasks; unregister some`
      throw rejection(shuffleId, text)
    }
    const shuffle = new Shuffle(shuffleId)
    this.live.set(shuffleId, shuffle)
    this.mappersOf.set(shuffle, mappers)
    this.mappers += mappers
    return shuffle
  }

  /** Forgets a shuffle of which nothing is known but that somebody tried to register it. */
  discardIfIdle(shuffle: Shuffle): void {
    const idle = shuffle.phase === 'unregistered' && (shuffle.attempts?.endedCount ?? 0) === 0
    if (idle && this.live.get(shuffle.shuffleId) === shuffle) this.remove(shuffle)
  }

  /** Unregisters the id. */
  bury(shuffle: Shuffle, hadData: boolean): void {
    this.remove(shuffle)
    this.graves.set(shuffle.shuffleId, hadData)
    if (this.graves.size > MAX_GRAVES) {
      for (const oldest of this.graves.keys()) {
        this.graves.delete(oldest)
        break
      }
    }
  }

  private remove(shuffle: Shuffle): void {
    this.live.delete(shuffle.shuffleId)
    this.mappers -= this.mappersOf.get(shuffle) ?? 0
    this.mappersOf.delete(shuffle)
  }
}

function rejection(shuffleId: number, text: string): RpcError {
  return new RpcError(`shuffle ${shuffleId}: ${text}`, { shuffleId })
}
