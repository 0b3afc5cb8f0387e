/** Tells the master that the application lives, and takes over its view of the workers. */
import { AbortedError, CelebornError, ClosedError } from '../errors'
import {
  ControlMessageType,
  decodeHeartbeatFromApplicationResponse,
  encodeHeartbeatFromApplication,
} from '../protocol/messages'
import { emitEvent } from './events'
import { type MasterAskOptions, type MasterClient, nextMasterRequestId } from './master-client'
import type { HeartbeatStats } from './types'
import { workerOf } from './worker-ref'
import type { WorkerLists, WorkerTracker } from './worker-tracker'

export interface HeartbeaterOptions {
  readonly appId: string
  readonly intervalMs: number
  /** Bytes and files committed so far; a heartbeat carries what came since the last one that arrived. */
  readonly totals: () => { readonly bytes: number; readonly files: number }
  readonly shuffleCount: () => number
  readonly onLists: (lists: WorkerLists) => void
}

export class Heartbeater {
  private timer: NodeJS.Timeout | undefined
  private stopped = false
  private sent = 0
  private failed = 0
  private lastError: string | undefined
  private reported = { bytes: 0, files: 0 }

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
    const { appId, totals, shuffleCount } = this.options
    const now = totals()
    const payload = encodeHeartbeatFromApplication({
      appId,
      totalWritten: now.bytes - this.reported.bytes,
      fileCount: now.files - this.reported.files,
      requestId: nextMasterRequestId(),
      needCheckedWorkerList: this.tracker.needChecked(),
      shouldResponse: true,
      shuffleCount: shuffleCount(),
    })
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
    } catch (error) {
      this.failed++
      this.lastError = error instanceof Error ? error.message : String(error)
      throw error
    }
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
