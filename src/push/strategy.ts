import { type Admission, type Lane, type SlowStartWindow } from './admission'

/** How fast a lane (one map attempt, one worker) may push. */
export interface PushStrategy {
  /** Milliseconds to wait before the next push of the lane. */
  delayMs(lane: Lane): number
  written(lane: Lane): void
  /** Written, but the worker or its replica wants a slower client. */
  congested(lane: Lane): void
}

/** `SIMPLE`: the constant limit of requests per worker. */
export const SIMPLE: PushStrategy = {
  delayMs: () => 0,
  written: () => undefined,
  congested: () => undefined,
}

export interface SlowStartOptions {
  readonly maxRequestsPerWorker: number
  readonly initialSleepMs: number
  readonly maxSleepMs: number
}

/** Celeborn's numbers: the pause shrinks by this much for each request that the window allows. */
const SLEEP_STEP_MS = 60
/** And grows by this much for each congestion in a row at the smallest window. */
const CONGESTION_STEP_MS = 1000

class Window implements SlowStartWindow {
  limit = 1
  threshold: number
  /** Successes since the window last grew, once it is at the threshold. */
  successes = 0
  congestionsInARow = 0
  constructor(threshold: number) {
    this.threshold = threshold
  }
}

/**
 * `SLOWSTART`: a window of requests per lane that begins at one, grows by one with each success up to a threshold and
 * by one per full window beyond it, and is halved by congestion. While it is small, pushes pause.
 */
export class SlowStart implements PushStrategy {
  constructor(
    private readonly options: SlowStartOptions,
    private readonly admission: () => Admission,
  ) {}

  delayMs(lane: Lane): number {
    const window = this.window(lane)
    const { maxRequestsPerWorker, initialSleepMs, maxSleepMs } = this.options
    if (window.limit >= maxRequestsPerWorker) return 0
    const base = initialSleepMs - SLEEP_STEP_MS * window.limit
    if (window.limit > 1) return Math.max(base, 0)
    return Math.min(Math.max(base, 0) + CONGESTION_STEP_MS * window.congestionsInARow, maxSleepMs)
  }

  written(lane: Lane): void {
    const window = this.window(lane)
    window.congestionsInARow = 0
    if (window.limit >= this.options.maxRequestsPerWorker) return
    if (window.limit < window.threshold) window.limit++
    else if (++window.successes >= window.limit) {
      window.successes = 0
      window.limit++
    }
    this.admission().reconsider()
  }

  congested(lane: Lane): void {
    const window = this.window(lane)
    window.congestionsInARow = window.limit === 1 ? window.congestionsInARow + 1 : 0
    window.limit = Math.max(1, window.limit >> 1)
    window.threshold = window.limit
    window.successes = 0
  }

  private window(lane: Lane): Window {
    if (lane.window instanceof Window) return lane.window
    const window = new Window(this.options.maxRequestsPerWorker)
    lane.window = window
    return window
  }
}
