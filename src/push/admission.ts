import { CelebornError } from '../errors'
import { abortedBy, listenForAbort } from '../errors/abort'

/** Limits on what is in flight. All of them hold at once. */
export interface AdmissionLimits {
  /** Bytes charged to one client, over all its map attempts. */
  readonly maxBytes: number
  /** Bytes charged to one worker (`host:port`). */
  readonly maxBytesPerWorker: number
  /** Unsettled batches of one map attempt. */
  readonly maxRequests: number
  /** Unsettled batches of one map attempt at one worker. */
  readonly maxRequestsPerWorker: number
  /** How long a push may wait for room, in ms. */
  readonly timeoutMs: number
}

/** What one worker has in flight from this client, over all map attempts. */
export class WorkerBudget {
  bytes = 0
  requests = 0
  constructor(readonly hostPort: string) {}
}

/** Unsettled batches of one map attempt. */
export class AttemptBudget {
  requests = 0
  readonly lanes = new Map<WorkerBudget, Lane>()

  lane(worker: WorkerBudget): Lane {
    let lane = this.lanes.get(worker)
    if (lane === undefined) {
      lane = new Lane(this, worker)
      this.lanes.set(worker, lane)
    }
    return lane
  }
}

/** One map attempt's pushes to one worker: the unit that is first come, first served. */
export class Lane {
  requests = 0
  readonly waiters: Ticket[] = []
  /** State of the push strategy; see src/push/strategy.ts. */
  window: SlowStartWindow | null = null
  constructor(
    readonly attempt: AttemptBudget,
    readonly worker: WorkerBudget,
  ) {}
}

/** How many requests a lane may have in flight while a strategy feels its way. */
export interface SlowStartWindow {
  readonly limit: number
}

/**
 * Room taken by one batch: bytes until its memory is free, a request until it is settled. Batches that are merged
 * take bytes each, and one request together.
 */
export class Charge {
  bytes: number
  /** Where a request is counted; null for none, and once it is settled. */
  lane: Lane | null
  /** The worker whose bytes are charged; stays set until the memory is free. */
  worker: WorkerBudget

  constructor(lane: Lane, bytes: number, requests: 0 | 1) {
    this.lane = requests === 0 ? null : lane
    this.worker = lane.worker
    this.bytes = bytes
  }
}

/** A push that waits for room. */
class Ticket {
  readonly sequence: number
  readonly deadline: number
  readonly since: number
  onAbort: (() => void) | null = null
  admitted = false
  constructor(
    sequence: number,
    readonly lane: Lane,
    readonly bytes: number,
    readonly requests: 0 | 1,
    now: number,
    timeoutMs: number,
    readonly signal: AbortSignal | undefined,
    readonly resolve: (charge: Charge) => void,
    readonly reject: (error: unknown) => void,
  ) {
    this.sequence = sequence
    this.since = now
    this.deadline = now + timeoutMs
  }
}

/**
 * Sequence of a request for bytes that are charged already (a merged push): it goes before everybody who waits for
 * bytes, because only its end gives those bytes back.
 */
const AHEAD_OF_ALL = -1

type Blocker = 'none' | 'attempt' | 'worker' | 'total'

/**
 * Decides when a push may go ahead. Event-driven: whatever makes room admits the next waiters at once.
 *
 * Order: first come, first served within a lane (one attempt, one worker). Between lanes the oldest head goes
 * first. A head that is held back by its own attempt's or worker's limit lets other lanes pass, so a stalled
 * worker slows nobody else; a head that is held back by the client's total does not, so a large frame is not
 * starved by small ones.
 */
export class Admission {
  private bytes = 0
  private peak = 0
  private waitingCount = 0
  private sequence = 0
  /** Lanes that have waiters. */
  private readonly lanes = new Set<Lane>()
  private readonly workers = new Map<string, WorkerBudget>()
  private timer: NodeJS.Timeout | null = null
  private pumping = false
  private pumpAgain = false
  private timeouts = 0
  private waits = 0

  /** @param onWaiting called whenever a push has to wait: whoever holds unsent memory back sends it now */
  constructor(
    readonly limits: AdmissionLimits,
    private readonly onWaiting: () => void = () => undefined,
  ) {}

  /** Whether somebody waits for room. */
  get contended(): boolean {
    return this.waitingCount > 0
  }

  /** The budget of a worker, by `host:port` text. */
  worker(hostPort: string): WorkerBudget {
    let worker = this.workers.get(hostPort)
    if (worker === undefined) {
      worker = new WorkerBudget(hostPort)
      this.workers.set(hostPort, worker)
    }
    return worker
  }

  /** Takes room at once, or returns null: then {@link wait}. Never overtakes somebody who waits. */
  tryAdmit(lane: Lane, bytes: number, requests: 0 | 1 = 1): Charge | null {
    if (bytes === 0 ? lane.waiters[0]?.bytes === 0 : this.waitingCount > 0) return null
    if (this.blocker(lane, bytes, requests) !== 'none') return null
    return this.take(lane, bytes, requests)
  }

  /**
   * Waits for room. Rejects with CELEBORN_ADMISSION_TIMEOUT after the limit's time, or CELEBORN_ABORTED when
   * the signal fires; a rejected wait has taken nothing.
   */
  wait(lane: Lane, bytes: number, signal: AbortSignal | undefined, requests: 0 | 1 = 1): Promise<Charge> {
    if (signal?.aborted === true) return Promise.reject(abortedBy(signal))
    return new Promise<Charge>((resolve, reject) => {
      const ticket = new Ticket(
        bytes === 0 ? AHEAD_OF_ALL : this.sequence++,
        lane,
        bytes,
        requests,
        performance.now(),
        this.limits.timeoutMs,
        signal,
        resolve,
        reject,
      )
      if (signal !== undefined) {
        ticket.onAbort = () => {
          this.remove(ticket)
          this.end(ticket)
          reject(abortedBy(signal))
          this.pump()
        }
        listenForAbort(signal, ticket.onAbort)
      }
      if (bytes > 0) lane.waiters.push(ticket)
      else {
        const behind = lane.waiters.findIndex((waiter) => waiter.bytes > 0)
        lane.waiters.splice(behind < 0 ? lane.waiters.length : behind, 0, ticket)
      }
      this.lanes.add(lane)
      this.waitingCount++
      this.arm()
      this.pump()
      if (!ticket.admitted) this.waits++
      if (this.waitingCount > 0) this.onWaiting()
    })
  }

  /** A limit has become wider: a window grew. */
  reconsider(): void {
    this.pump()
  }

  /** Rejects all waiters of an attempt, in order. */
  rejectWaiters(attempt: AttemptBudget, error: unknown): void {
    for (const lane of attempt.lanes.values()) {
      for (const ticket of lane.waiters.splice(0)) {
        this.waitingCount--
        this.end(ticket)
        ticket.reject(error)
      }
      this.lanes.delete(lane)
    }
    this.pump()
  }

  /** The batch now holds `bytes` of memory (encoding replaced it, or its tail went back). */
  resize(charge: Charge, bytes: number): void {
    const delta = bytes - charge.bytes
    charge.bytes = bytes
    charge.worker.bytes += delta
    this.bytes += delta
    if (delta > 0) this.notePeak()
    else if (delta < 0) this.pump()
  }

  /** A retry goes to another worker. Taken there before it is given back here, and never subject to waiting. */
  move(charge: Charge, lane: Lane): void {
    const old = charge.lane
    if (old !== null && old !== lane) {
      lane.requests++
      lane.worker.requests++
      old.requests--
      old.worker.requests--
      charge.lane = lane
    }
    if (charge.worker !== lane.worker) {
      lane.worker.bytes += charge.bytes
      charge.worker.bytes -= charge.bytes
      charge.worker = lane.worker
    }
    this.pump()
  }

  /** The batch is settled: its request no longer counts. Its bytes still do. */
  settle(charge: Charge): void {
    const lane = charge.lane
    if (lane === null) return
    charge.lane = null
    lane.requests--
    lane.attempt.requests--
    lane.worker.requests--
    this.pump()
  }

  /** The batch's memory is free: everything it was charged is given back. */
  refund(charge: Charge): void {
    this.settle(charge)
    if (charge.bytes === 0) return
    charge.worker.bytes -= charge.bytes
    this.bytes -= charge.bytes
    charge.bytes = 0
    this.pump()
  }

  stats(): AdmissionStats {
    const perWorker: Record<string, { bytes: number; requests: number }> = {}
    for (const worker of this.workers.values()) {
      perWorker[worker.hostPort] = { bytes: worker.bytes, requests: worker.requests }
    }
    return {
      bytesInFlight: this.bytes,
      peakBytesInFlight: this.peak,
      waiting: this.waitingCount,
      waits: this.waits,
      timeouts: this.timeouts,
      perWorker,
    }
  }

  private take(lane: Lane, bytes: number, requests: 0 | 1): Charge {
    lane.requests += requests
    lane.attempt.requests += requests
    lane.worker.requests += requests
    lane.worker.bytes += bytes
    this.bytes += bytes
    this.notePeak()
    return new Charge(lane, bytes, requests)
  }

  private notePeak(): void {
    if (this.bytes > this.peak) this.peak = this.bytes
  }

  private blocker(lane: Lane, bytes: number, requests: 0 | 1): Blocker {
    const { maxBytes, maxBytesPerWorker, maxRequests } = this.limits
    if (requests > 0 && (lane.requests >= this.laneLimit(lane) || lane.attempt.requests >= maxRequests)) {
      return 'attempt'
    }
    if (bytes === 0) return 'none'
    // Whoever is larger than a limit goes alone under it, otherwise it would wait for ever.
    const worker = lane.worker
    if (worker.bytes > 0 && worker.bytes + bytes > maxBytesPerWorker) return 'worker'
    if (this.bytes > 0 && this.bytes + bytes > maxBytes) return 'total'
    return 'none'
  }

  private laneLimit(lane: Lane): number {
    return lane.window?.limit ?? this.limits.maxRequestsPerWorker
  }

  private pump(): void {
    if (this.pumping) {
      this.pumpAgain = true
      return
    }
    this.pumping = true
    try {
      do {
        this.pumpAgain = false
        if (this.waitingCount > 0) this.admitHeads()
      } while (this.pumpAgain)
    } finally {
      this.pumping = false
    }
  }

  private admitHeads(): void {
    for (;;) {
      let best: Lane | null = null
      let oldestOverall: Ticket | null = null
      const blockedWorkers = new Map<WorkerBudget, number>()
      // A head blocked by its worker's bytes holds back younger heads of that worker, whatever their size.
      for (const lane of this.lanes) {
        const head = lane.waiters[0]
        if (head === undefined) continue
        const why = this.blocker(lane, head.bytes, head.requests)
        if (why === 'worker') {
          const seen = blockedWorkers.get(lane.worker)
          if (seen === undefined || head.sequence < seen) blockedWorkers.set(lane.worker, head.sequence)
        } else if (why === 'total' && (oldestOverall === null || head.sequence < oldestOverall.sequence)) {
          oldestOverall = head
        }
      }
      let bestSequence = oldestOverall === null ? Number.POSITIVE_INFINITY : oldestOverall.sequence
      for (const lane of this.lanes) {
        const head = lane.waiters[0]
        if (head === undefined || head.sequence >= bestSequence) continue
        const blocked = blockedWorkers.get(lane.worker)
        if (blocked !== undefined && blocked < head.sequence) continue
        if (this.blocker(lane, head.bytes, head.requests) !== 'none') continue
        best = lane
        bestSequence = head.sequence
      }
      if (best === null) return
      const ticket = best.waiters.shift()
      if (ticket === undefined) return
      this.waitingCount--
      if (best.waiters.length === 0) this.lanes.delete(best)
      this.end(ticket)
      ticket.admitted = true
      ticket.resolve(this.take(best, ticket.bytes, ticket.requests))
    }
  }

  private remove(ticket: Ticket): void {
    const index = ticket.lane.waiters.indexOf(ticket)
    if (index < 0) return
    ticket.lane.waiters.splice(index, 1)
    this.waitingCount--
    if (ticket.lane.waiters.length === 0) this.lanes.delete(ticket.lane)
  }

  private end(ticket: Ticket): void {
    if (ticket.onAbort !== null) ticket.signal?.removeEventListener('abort', ticket.onAbort)
    ticket.onAbort = null
    // It runs out by itself: under load waits come and go with every push, and a timer for each would cost.
    if (this.waitingCount === 0) this.timer?.unref()
  }

  private arm(): void {
    if (this.waitingCount === 0) return
    if (this.timer !== null) {
      this.timer.ref()
      return
    }
    const step = Math.max(10, Math.min(1000, this.limits.timeoutMs / 10))
    this.timer = setTimeout(() => {
      this.timer = null
      this.expire(performance.now())
      this.arm()
    }, step)
  }

  private expire(now: number): void {
    for (const lane of [...this.lanes]) {
      for (const ticket of lane.waiters.filter((waiter) => waiter.deadline <= now)) {
        const error = this.timeoutError(ticket, now)
        this.remove(ticket)
        this.end(ticket)
        this.timeouts++
        ticket.reject(error)
      }
    }
    this.pump()
  }

  private timeoutError(ticket: Ticket, now: number): CelebornError {
    const { lane, bytes } = ticket
    const limit = this.limitText(lane, bytes, ticket.requests)
    const inFlight = [...this.workers.values()]
      .filter((worker) => worker.bytes > 0 || worker.requests > 0)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 8)
      .map((worker) => `${worker.hostPort} ${worker.bytes} bytes in ${worker.requests} pushes`)
      .join(', ')
    return new CelebornError(
      'CELEBORN_ADMISSION_TIMEOUT',
      `a push of ${bytes} bytes to ${lane.worker.hostPort} waited ${Math.round(now - ticket.since)} ms for room: ${limit}; ` +
        `in flight: ${inFlight === '' ? 'nothing' : inFlight}. ` +
        'Is that worker stalled? Otherwise raise the limit or celeborn.client.push.limit.inFlight.timeout',
      { hostPort: lane.worker.hostPort },
    )
  }

  private limitText(lane: Lane, bytes: number, requests: 0 | 1): string {
    const limits = this.limits
    switch (this.blocker(lane, bytes, requests)) {
      case 'attempt':
        return lane.requests >= this.laneLimit(lane)
          ? `celeborn.client.push.maxReqsInFlight.perWorker = ${this.laneLimit(lane)} is reached`
          : `celeborn.client.push.maxReqsInFlight.total = ${limits.maxRequests} is reached`
      case 'worker':
        return `the worker's limit of ${limits.maxBytesPerWorker} bytes (celeborn.node.maxInFlightBytesPerWorker) is reached`
      case 'total':
        return `the client's limit of ${limits.maxBytes} bytes (celeborn.node.maxInFlightBytes) is reached`
      case 'none':
        return 'older pushes are waiting for the same room'
    }
  }
}

/** Gauges and counters of {@link Admission}. */
export interface AdmissionStats {
  readonly bytesInFlight: number
  readonly peakBytesInFlight: number
  readonly waiting: number
  /** Pushes that did not find room at once, ever. */
  readonly waits: number
  readonly timeouts: number
  readonly perWorker: Readonly<Record<string, { readonly bytes: number; readonly requests: number }>>
}
