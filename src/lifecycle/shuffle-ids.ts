/**
 * Shuffle ids of an application whose scheduler re-runs map stages (GET_SHUFFLE_ID): each run of a stage that must not
 * mix with an earlier one gets an id of its own, and readers get the newest run that is complete.
 */
import { RpcError } from '../errors'

/** Answer where there is no shuffle: the application's shuffle has no data. */
export const UNKNOWN_SHUFFLE_ID = -1

/** Runs of a stage that are remembered for one application shuffle. */
const MAX_RUNS = 10_000
const MAX_APP_SHUFFLES = 65_536

interface Run {
  readonly shuffleId: number
  /** False once a reader failed to fetch from it. */
  valid: boolean
}

export interface ShuffleIdAnswer {
  readonly shuffleId: number
  readonly success: boolean
}

/** What the scheduler made of a failure: it runs the stage again, it does not care, or it failed itself. */
export type FailureVerdict = 'accepted' | 'ignored' | 'threw'

const NONE: readonly number[] = []

export class ShuffleIds {
  private readonly runs = new Map<number, Map<string, Run>>()
  private readonly indeterminate = new Set<number>()
  private next = 0

  /** @param inUse whether an id is taken by a shuffle that was registered under an id of the caller's own. */
  constructor(private readonly inUse: (shuffleId: number) => boolean) {}

  /** Whether a re-run of the map tasks gives the same rows in the same partitions. True unless told otherwise. */
  setDeterminate(appShuffleId: number, determinate: boolean): void {
    if (determinate) this.indeterminate.delete(appShuffleId)
    else this.indeterminate.add(appShuffleId)
  }

  /**
   * The id to write to: that of this run, else of a valid earlier run of a determinate stage, else a new one.
   * `superseded` are the ids of earlier runs that nobody will read any more.
   */
  forWriter(
    appShuffleId: number,
    identifier: string,
    isBarrierStage: boolean,
  ): ShuffleIdAnswer & { readonly superseded: readonly number[] } {
    let runs = this.runs.get(appShuffleId)
    if (runs === undefined) {
      if (this.runs.size >= MAX_APP_SHUFFLES)
        throw new RpcError(`more than ${MAX_APP_SHUFFLES} application shuffles`)
      runs = new Map()
      this.runs.set(appShuffleId, runs)
    }
    const known = runs.get(identifier)
    if (known !== undefined) return { shuffleId: known.shuffleId, success: true, superseded: NONE }
    if (runs.size >= MAX_RUNS)
      throw new RpcError(`more than ${MAX_RUNS} runs of application shuffle ${appShuffleId}`)
    const valid = [...runs.values()].filter((run) => run.valid)
    const latest = valid.at(-1)
    if (latest !== undefined && !isBarrierStage && !this.indeterminate.has(appShuffleId)) {
      return { shuffleId: latest.shuffleId, success: true, superseded: NONE }
    }
    // All tasks of a barrier stage run again: what earlier runs wrote is of no use.
    const superseded = isBarrierStage ? valid : []
    for (const earlier of superseded) earlier.valid = false
    const run: Run = { shuffleId: this.allocate(), valid: true }
    runs.set(identifier, run)
    return { shuffleId: run.shuffleId, success: true, superseded: superseded.map((r) => r.shuffleId) }
  }

  /** The id to read from: the newest valid run whose map tasks have all ended. */
  forReader(appShuffleId: number, isComplete: (shuffleId: number) => boolean): ShuffleIdAnswer {
    const runs = this.runs.get(appShuffleId)
    if (runs === undefined) return { shuffleId: UNKNOWN_SHUFFLE_ID, success: true }
    const newestFirst = [...runs.values()].reverse()
    const run = newestFirst.find(({ valid, shuffleId }) => valid && isComplete(shuffleId))
    return run === undefined
      ? { shuffleId: UNKNOWN_SHUFFLE_ID, success: false }
      : { shuffleId: run.shuffleId, success: true }
  }

  /**
   * A reader could not fetch from this run. True if this is news: the run is invalid from now on, unless the scheduler
   * ignores the report. `success` is what the reader is answered.
   */
  reportFailure(
    appShuffleId: number,
    shuffleId: number,
    tell: () => FailureVerdict,
  ): { success: boolean; news: boolean } {
    const run = [...this.runsOf(appShuffleId).values()].find((r) => r.shuffleId === shuffleId)
    if (run === undefined) {
      throw new RpcError(`shuffle ${shuffleId} is no run of application shuffle ${appShuffleId}`, {
        shuffleId,
      })
    }
    if (!run.valid) return { success: true, news: false }
    const verdict = tell()
    if (verdict === 'ignored') return { success: false, news: false }
    run.valid = false
    return { success: verdict === 'accepted', news: true }
  }

  /**
   * Makes a run invalid, and answers its shuffle; undefined if it is invalid already.
   * @throws RpcError when there is none of this identifier
   */
  invalidate(appShuffleId: number, identifier: string): number | undefined {
    const run = this.runsOf(appShuffleId).get(identifier)
    if (run === undefined)
      throw new RpcError(`application shuffle ${appShuffleId} has no run ${JSON.stringify(identifier)}`)
    if (!run.valid) return undefined
    run.valid = false
    return run.shuffleId
  }

  private runsOf(appShuffleId: number): Map<string, Run> {
    const runs = this.runs.get(appShuffleId)
    if (runs === undefined) throw new RpcError(`application shuffle ${appShuffleId} is not known`)
    return runs
  }

  /** Forgets an application shuffle; answers the ids of all its runs. */
  remove(appShuffleId: number): number[] {
    const runs = this.runs.get(appShuffleId)
    this.runs.delete(appShuffleId)
    this.indeterminate.delete(appShuffleId)
    return runs === undefined ? [] : [...runs.values()].map((run) => run.shuffleId)
  }

  private allocate(): number {
    while (this.inUse(this.next)) this.next++
    return this.next++
  }
}
