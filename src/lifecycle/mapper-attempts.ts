/**
 * Which attempt of each map task won. The first attempt that reports its end wins; readers take only that attempt's
 * batches, so a second answer for the same map task would double or lose data.
 */

/** `won`: this report decided. `again`: the winner reported once more. `lost`: another attempt had won before. */
export type FinishResult = 'won' | 'again' | 'lost'

/** Value of a map task whose winner is not known yet, as CommitFiles carries it. */
export const UNFINISHED = -1

export class MapperAttempts {
  private readonly attempts: Int32Array
  private running: number

  /** @param numMappers at least 1; the caller has checked it against the limit. */
  constructor(numMappers: number) {
    this.attempts = new Int32Array(numMappers).fill(UNFINISHED)
    this.running = numMappers
  }

  get numMappers(): number {
    return this.attempts.length
  }

  get endedCount(): number {
    return this.attempts.length - this.running
  }

  get allEnded(): boolean {
    return this.running === 0
  }

  /** Reports the end of an attempt. `mapId` must be in range, `attemptId` not negative. */
  finish(mapId: number, attemptId: number): FinishResult {
    const winner = this.attempts[mapId]
    if (winner === undefined || attemptId < 0)
      throw new RangeError(`mapId ${mapId} or attemptId ${attemptId} out of range`)
    if (winner === attemptId) return 'again'
    if (winner !== UNFINISHED) return 'lost'
    this.attempts[mapId] = attemptId
    this.running--
    return 'won'
  }

  isEnded(mapId: number): boolean {
    const winner = this.attempts[mapId]
    return winner !== undefined && winner !== UNFINISHED
  }

  /** Index = map id, value = winning attempt, or -1. A copy. */
  toArray(): number[] {
    return Array.from(this.attempts)
  }
}
