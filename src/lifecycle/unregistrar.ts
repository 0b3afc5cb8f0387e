/** Gives shuffles up: locally at once or after a while, then at the master, which has the workers delete their files. */
import { RpcError } from '../errors'
import {
  ControlMessageType,
  decodeBatchUnregisterShufflesResponse,
  decodeUnregisterShuffleResponse,
  encodeBatchUnregisterShuffles,
  encodeUnregisterShuffle,
} from '../protocol/messages'
import type { PartitionLocation } from '../protocol/locations'
import { StatusCode, statusName } from '../protocol/status'
import type { ChangeLocationManager } from './change-location'
import { emitEvent } from './events'
import { type MasterAskOptions, type MasterClient, nextMasterRequestId } from './master-client'
import type { LifecycleSettings } from './settings'
import type { Shuffle } from './shuffle'
import type { ShuffleRegistry } from './shuffle-registry'
import type { SlotReserver } from './slot-reserver'
import type { StageKeeper } from './stage'

export class Unregistrar {
  /** Shuffles that wait for their time: id -> when they may go. */
  private readonly deferred = new Map<number, number>()
  /** Forgotten here, but the master has not confirmed it yet. */
  private readonly unconfirmed = new Set<number>()
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly appId: string,
    private readonly registry: ShuffleRegistry,
    private readonly master: MasterClient,
    private readonly changes: ChangeLocationManager,
    private readonly stages: StageKeeper,
    private readonly reserver: SlotReserver,
    private readonly settings: LifecycleSettings,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true })
  }

  /**
   * Drops the shuffle and tells the master. If the master does not confirm, it is told again every check interval.
   * @throws what the master's client throws, or RpcError when the master refuses
   */
  async unregister(shuffleId: number): Promise<void> {
    this.deferred.delete(shuffleId)
    const shuffle = this.registry.get(shuffleId)
    if (shuffle !== undefined) this.drop(shuffle)
    if (!this.unconfirmed.has(shuffleId)) return
    try {
      await this.tellMaster([shuffleId])
    } catch (error) {
      this.schedule()
      throw error
    }
  }

  /** Drops the shuffle after `celeborn.client.shuffle.expired.checkInterval`; readers may finish until then. */
  unregisterLater(shuffleId: number): void {
    const shuffle = this.registry.get(shuffleId)
    if (shuffle === undefined) return
    if (shuffle.stageResult === undefined) this.stages.endStage(shuffle)
    this.deferred.set(shuffleId, performance.now() + this.settings.expiredCheckIntervalMs)
    this.schedule()
  }

  private drop(shuffle: Shuffle): void {
    const { shuffleId, phase, table } = shuffle
    const ended = shuffle.stageResult
    const hadData = ended === undefined ? phase !== 'unregistered' : ended.kind !== 'no-data'
    const open = table === undefined ? [] : [...table.entries()].map((entry) => entry.primary)
    shuffle.abort('it was unregistered')
    this.changes.cancel(shuffle, StatusCode.SHUFFLE_UNREGISTERED)
    this.registry.bury(shuffle, hadData)
    if (hadData) this.unconfirmed.add(shuffleId)
    // What is still written goes at once; committed files go when the workers hear of it from the master.
    if (open.length > 0) void this.destroy(shuffle, open)
  }

  /** Not before commits under way are answered: a worker would fail them, and be blamed for it. */
  private async destroy(shuffle: Shuffle, open: readonly PartitionLocation[]): Promise<void> {
    await Promise.allSettled(shuffle.commitsInFlight)
    await this.reserver.destroy(shuffle.shuffleId, open).catch(() => undefined)
  }

  private schedule(): void {
    if (this.signal.aborted) return
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      void this.tick()
    }, this.settings.expiredCheckIntervalMs)
  }

  private async tick(): Promise<void> {
    const now = performance.now()
    for (const [shuffleId, due] of this.deferred) {
      if (due > now) continue
      this.deferred.delete(shuffleId)
      const shuffle = this.registry.get(shuffleId)
      if (shuffle !== undefined) this.drop(shuffle)
    }
    const ids = [...this.unconfirmed]
    try {
      if (ids.length > 0 && this.settings.batchRemoveExpired) await this.tellMaster(ids)
      else for (const id of ids) await this.tellMaster([id], { maxRetries: 0 })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      emitEvent({ kind: 'unregister-failed', appId: this.appId, message })
    }
    if (this.deferred.size > 0 || this.unconfirmed.size > 0) this.schedule()
  }

  private async tellMaster(shuffleIds: readonly number[], o: MasterAskOptions = {}): Promise<void> {
    const { appId } = this
    const requestId = nextMasterRequestId()
    const only = shuffleIds.length === 1 && !this.settings.batchRemoveExpired ? shuffleIds[0] : undefined
    let status: number
    if (only !== undefined) {
      const payload = encodeUnregisterShuffle({ appId, shuffleId: only, requestId })
      const { UNREGISTER_SHUFFLE, UNREGISTER_SHUFFLE_RESPONSE } = ControlMessageType
      const reply = await this.master.ask(UNREGISTER_SHUFFLE, payload, UNREGISTER_SHUFFLE_RESPONSE, o)
      status = decodeUnregisterShuffleResponse(reply).status
    } else {
      const payload = encodeBatchUnregisterShuffles({ appId, shuffleIds, requestId })
      const { BATCH_UNREGISTER_SHUFFLES, BATCH_UNREGISTER_SHUFFLES_RESPONSE } = ControlMessageType
      const reply = await this.master.ask(
        BATCH_UNREGISTER_SHUFFLES,
        payload,
        BATCH_UNREGISTER_SHUFFLES_RESPONSE,
        o,
      )
      status = decodeBatchUnregisterShufflesResponse(reply).status
    }
    if (status !== StatusCode.SUCCESS) {
      throw new RpcError(
        `the master did not unregister shuffle ${shuffleIds.join(', ')}: ${statusName(status)}`,
        {
          applicationId: appId,
          status,
        },
      )
    }
    for (const id of shuffleIds) this.unconfirmed.delete(id)
  }
}
