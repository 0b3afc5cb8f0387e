/** Tells the master that the application lives, and takes over its view of the workers. */
import { AbortedError, CelebornError, ClosedError, RpcError } from '../errors'
import {
  ControlMessageType,
  decodeHeartbeatFromApplicationResponse,
  decodeReviseLostShufflesResponse,
  encodeHeartbeatFromApplication,
  encodeReviseLostShuffles,
} from '../protocol/messages'
import { emitEvent } from './events'
import { type MasterAskOptions, type MasterClient, nextMasterRequestId } from './master-client'
import type { HeartbeatStats } from './types'
import { workerOf } from './worker-ref'
import type { WorkerLists, WorkerTracker } from './worker-tracker'

/** Counters that only grow. */
export interface HeartbeatTotals {
  readonly bytes: number
  readonly files: number
  /** Shuffles that were registered. */
  readonly shuffles: number
}

export interface HeartbeaterOptions {
  readonly appId: string
  readonly intervalMs: number
  /** What was done so far; a heartbeat carries what came since the last one that arrived. */
  readonly totals: () => HeartbeatTotals
  /** Shuffles that the master must know, or undefined if it shall not be told of those that it lost. */
  readonly knownShuffles: (() => number[]) | undefined
  readonly onLists: (lists: WorkerLists) => void
  /** The master's reason why the user's quota is used up, with every heartbeat that says so. */
  readonly onQuotaExceeded: (reason: string) => void
}

export class Heartbeater {
  private timer: NodeJS.Timeout | undefined
  private stopped = false
  private sent = 0
  private failed = 0
  private lastError: string | undefined
  private reported: HeartbeatTotals = { bytes: 0, files: 0, shuffles: 0 }

  constructor(
    private readonly master: MasterClient,
    private readonly tracker: WorkerTracker,
    private readonly options: HeartbeaterOptions,
  ) {}

  stats(): HeartbeatStats {
    return { sent: this.sent, failed: this.failed, lastError: this.lastError }
  }

  /** One heartbeat. @throws what {@link MasterClient.ask} throws */
  async beat(o: MasterAskOptions = {}): Promise<void> {
    const { appId, totals, knownShuffles } = this.options
    const now = totals()
    const payload = encodeHeartbeatFromApplication({
      appId,
      totalWritten: now.bytes - this.reported.bytes,
      fileCount: now.files - this.reported.files,
      requestId: nextMasterRequestId(),
      needCheckedWorkerList: this.tracker.needChecked(),
      shouldResponse: true,
      shuffleCount: now.shuffles - this.reported.shuffles,
    })
    // Before the question: what is registered while it is under way is no loss.
    const known = knownShuffles?.() ?? []
    const { HEARTBEAT_FROM_APPLICATION, HEARTBEAT_FROM_APPLICATION_RESPONSE } = ControlMessageType
    try {
      const reply = await this.master.ask(
        HEARTBEAT_FROM_APPLICATION,
        payload,
        HEARTBEAT_FROM_APPLICATION_RESPONSE,
        o,
      )
      const response = decodeHeartbeatFromApplicationResponse(reply)
      this.sent++
      this.reported = now
      if (response.status !== 0) return
      this.options.onLists({
        excluded: response.excludedWorkers.map(workerOf),
        unknown: response.unknownWorkers.map(workerOf),
        shutting: response.shuttingWorkers.map(workerOf),
      })
      // A master before 0.6 says nothing of quotas, which means that there is no objection.
      const quota = response.checkQuotaResponse
      if (quota?.available === false) this.options.onQuotaExceeded(quota.reason)
      const registered = new Set(response.registeredShuffles)
      const lost = known.filter((id) => !registered.has(id))
      if (lost.length > 0) await this.reviseLost(lost)
    } catch (error) {
      this.failed++
      this.lastError = error instanceof Error ? error.message : String(error)
      throw error
    }
  }

  /** A master that lost its state is told of the shuffles that it should know, lest the workers delete them. */
  private async reviseLost(lostShuffles: readonly number[]): Promise<void> {
    const { appId } = this.options
    const payload = encodeReviseLostShuffles({ appId, lostShuffles, requestId: nextMasterRequestId() })
    const { REVISE_LOST_SHUFFLES, REVISE_LOST_SHUFFLES_RESPONSE } = ControlMessageType
    const reply = await this.master.ask(REVISE_LOST_SHUFFLES, payload, REVISE_LOST_SHUFFLES_RESPONSE)
    const { success, message } = decodeReviseLostShufflesResponse(reply)
    if (!success)
      throw new RpcError(`the master did not take back shuffle ${lostShuffles.join(', ')}: ${message}`)
  }

  /** Beats every interval from now on; a beat that fails is left to the next one. */
  start(): void {
    if (this.stopped || this.timer !== undefined) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.beat({ maxRetries: 1 })
        .catch((error: unknown) => {
          if (error instanceof AbortedError || error instanceof ClosedError) return
          const message = error instanceof CelebornError ? error.message : String(error)
          emitEvent({ kind: 'heartbeat-failed', appId: this.options.appId, message })
        })
        .finally(() => this.start())
    }, this.options.intervalMs)
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
