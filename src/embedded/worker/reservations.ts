import { join } from 'node:path'
import { NODE_EMBEDDED_DISK_RESERVE } from '../../conf'
import { ProtocolError } from '../../errors'
import { partitionFileName, partitionUniqueId, shuffleKey } from '../../protocol/ids'
import { type PartitionLocation } from '../../protocol/locations'
import { PartitionType, type ReserveSlots, type ReserveSlotsResponse } from '../../protocol/messages'
import { StatusCode } from '../../protocol/status'
import type { EmbeddedSettings } from '../settings'
import type { FileHandles } from '../storage/file-handles'
import type { DiskSpace } from '../storage/disk-space'
import { PartitionWriter } from '../storage/partition-writer'
import type { ShuffleState } from './shuffle-state'
import type { Shuffles } from './shuffles'

/** Bits of `availableStorageTypes` that a local file satisfies: memory and local disk. */
const LOCAL_STORAGE = 0b11

const LEAVING: ReserveSlotsResponse = {
  status: StatusCode.WORKER_SHUTDOWN,
  reason: 'the worker is shutting down',
}

/** What the worker that {@link Reservations} belong to tells them. */
export interface ReservationHost {
  /** The worker takes nothing new. */
  leaving(): boolean
  readonly disk: DiskSpace
}

/** Answers RESERVE_SLOTS: opens the locations that this worker shall take data for. */
export class Reservations {
  readonly #settings: EmbeddedSettings
  readonly #shuffles: Shuffles
  readonly #handles: FileHandles
  readonly #host: ReservationHost

  constructor(settings: EmbeddedSettings, shuffles: Shuffles, handles: FileHandles, host: ReservationHost) {
    this.#settings = settings
    this.#shuffles = shuffles
    this.#handles = handles
    this.#host = host
  }

  /** All or nothing; a location that is already reserved keeps its writer. */
  async reserve(request: ReserveSlots): Promise<ReserveSlotsResponse> {
    const refusal = this.#refusal(request)
    if (refusal !== undefined) return refused(refusal)
    if (this.#host.leaving()) return LEAVING
    const { disk } = this.#host
    let state: ShuffleState
    try {
      const { usable } = await disk.refresh()
      if (disk.full) {
        const { key } = NODE_EMBEDDED_DISK_RESERVE
        const reason = `the disk has ${usable} bytes left, and ${key} = ${disk.reserve} of them are not to be used`
        return { status: StatusCode.NO_AVAILABLE_WORKING_DIR, reason }
      }
      state = await this.#shuffles.open(shuffleKey(request.applicationId, request.shuffleId), {
        splitThreshold: request.splitThreshold,
        splitMode: request.splitMode,
        rangeReadFilter: request.rangeReadFilter,
        pushDataTimeout: request.pushDataTimeout > 0 ? request.pushDataTimeout : this.#settings.pushTimeout,
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return isSystemError(error) ? { status: StatusCode.NO_AVAILABLE_WORKING_DIR, reason } : refused(reason)
    }
    if (this.#host.leaving()) return LEAVING
    for (const location of request.primaryLocations) this.#open(state, location, 0)
    for (const location of request.replicaLocations) this.#open(state, location, 1)
    return { status: StatusCode.SUCCESS, reason: '' }
  }

  #refusal(request: ReserveSlots): string | undefined {
    if (request.partitionType !== PartitionType.REDUCE) {
      return `the embedded cluster has no map partitions (partition type ${request.partitionType})`
    }
    if (request.availableStorageTypes !== 0 && (request.availableStorageTypes & LOCAL_STORAGE) === 0) {
      return `the embedded cluster has local disk only (storage types ${request.availableStorageTypes})`
    }
    if (request.shuffleId < 0) return `shuffle id ${request.shuffleId}`
    const odd = [...request.primaryLocations, ...request.replicaLocations].find(
      (location) => location.id < 0 || location.epoch < 0,
    )
    return odd === undefined ? undefined : `partition ${odd.id} epoch ${odd.epoch}`
  }

  #open(state: ShuffleState, location: PartitionLocation, mode: 0 | 1): void {
    const uniqueId = partitionUniqueId(location.id, location.epoch)
    const fileName = partitionFileName(location.id, location.epoch, mode)
    // A repeated request must neither replace a writer nor touch a file that is committed.
    if (state.open[mode].has(uniqueId) || state.files.has(fileName)) return
    const writer = new PartitionWriter({
      path: join(state.directory, fileName),
      fileName,
      chunkSize: this.#settings.chunkSize,
      handles: this.#handles,
      trackMapIds: state.options.rangeReadFilter,
    })
    state.open[mode].set(uniqueId, { location, writer })
  }
}

function refused(reason: string): ReserveSlotsResponse {
  return { status: StatusCode.RESERVE_SLOTS_FAILED, reason }
}

function isSystemError(error: unknown): boolean {
  return !(error instanceof ProtocolError) && error instanceof Error && 'syscall' in error
}
