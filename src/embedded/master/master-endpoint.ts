import { type RpcHandler, RpcFailureText, type RpcMessage } from '../../network'
import { parseShuffleKey, type WorkerAddress, workerUniqueId } from '../../protocol/ids'
import {
  ControlMessageType,
  controlMessageName,
  decodeApplicationLost,
  decodeBatchUnregisterShuffles,
  decodeHeartbeatFromApplication,
  decodeHeartbeatFromWorker,
  decodeRegisterApplicationInfo,
  decodeRegisterWorker,
  decodeReportWorkerUnavailable,
  decodeRequestSlots,
  decodeReviseLostShuffles,
  decodeUnregisterShuffle,
  decodeWorkerLost,
  encodeApplicationLostResponse,
  encodeBatchUnregisterShufflesResponse,
  encodeCheckQuotaResponse,
  encodeCheckWorkersAvailableResponse,
  encodeHeartbeatFromApplicationResponse,
  encodeHeartbeatFromWorkerResponse,
  encodeRegisterWorkerResponse,
  encodeReleaseSlotsResponse,
  encodeRequestSlotsResponse,
  encodeReviseLostShufflesResponse,
  encodeUnregisterShuffleResponse,
  encodeWorkerLostResponse,
  type RequestSlots,
  type RequestSlotsResponse,
  WorkerEventType,
} from '../../protocol/messages'
import { StatusCode } from '../../protocol/status'
import type { Applications } from './applications'
import { allocateSlots } from './slots'
import type { Workers } from './workers'

/** More than any shuffle has; the answer to a request grows with it, so it must not be a peer's free choice. */
const MAX_PARTITIONS = 1_000_000

/** Bits of `availableStorageTypes` that a local file satisfies: memory and local disk. */
const LOCAL_STORAGE = 0b11

/** Answer to what wants none, which is a message too. */
const ACCEPTED: RpcMessage = { type: ControlMessageType.ONE_WAY_MESSAGE_RESPONSE, payload: new Uint8Array(0) }

const AVAILABLE = { available: true, reason: '' }

/** What LifecycleManagers and workers ask of the master. */
export function masterEndpoint(applications: Applications, workers: Workers): RpcHandler {
  const slots = new SlotRequests(applications, workers)
  return (type, payload) => {
    const nowMs = performance.now()
    switch (type) {
      case ControlMessageType.REGISTER_WORKER: {
        const worker = decodeRegisterWorker(payload)
        workers.register(addressOf(worker), worker.disks, nowMs)
        return {
          type: ControlMessageType.REGISTER_WORKER_RESPONSE,
          payload: encodeRegisterWorkerResponse({ success: true, message: '' }),
        }
      }
      case ControlMessageType.HEARTBEAT_FROM_WORKER: {
        const heartbeat = decodeHeartbeatFromWorker(payload)
        return {
          type: ControlMessageType.HEARTBEAT_FROM_WORKER_RESPONSE,
          payload: encodeHeartbeatFromWorkerResponse({
            expiredShuffleKeys: expired(applications, heartbeat.activeShuffleKeys),
            registered: workers.heartbeat(heartbeat, nowMs),
            workerEventType: WorkerEventType.NONE,
          }),
        }
      }
      case ControlMessageType.WORKER_LOST:
        workers.remove(decodeWorkerLost(payload))
        return {
          type: ControlMessageType.WORKER_LOST_RESPONSE,
          payload: encodeWorkerLostResponse({ success: true }),
        }
      case ControlMessageType.REPORT_WORKER_FAILURE:
      case ControlMessageType.REPORT_WORKER_DECOMMISSION:
        for (const worker of decodeReportWorkerUnavailable(payload).workers) workers.markShutting(worker)
        return ACCEPTED
      case ControlMessageType.REQUEST_SLOTS: {
        const request = decodeRequestSlots(payload)
        return {
          type: ControlMessageType.REQUEST_SLOTS_RESPONSE,
          payload: encodeRequestSlotsResponse(slots.answer(request, nowMs), request.packed),
        }
      }
      case ControlMessageType.RELEASE_SLOTS:
        return {
          type: ControlMessageType.RELEASE_SLOTS_RESPONSE,
          payload: encodeReleaseSlotsResponse({ status: StatusCode.SUCCESS }),
        }
      case ControlMessageType.HEARTBEAT_FROM_APPLICATION: {
        const heartbeat = decodeHeartbeatFromApplication(payload)
        applications.heartbeat(heartbeat.appId, nowMs)
        if (!heartbeat.shouldResponse) return ACCEPTED
        return {
          type: ControlMessageType.HEARTBEAT_FROM_APPLICATION_RESPONSE,
          payload: encodeHeartbeatFromApplicationResponse({
            status: StatusCode.SUCCESS,
            excludedWorkers: workers.full(),
            unknownWorkers: heartbeat.needCheckedWorkerList.filter((worker) => !workers.has(worker)),
            shuttingWorkers: workers.shutting(),
            registeredShuffles: applications.shuffles(heartbeat.appId),
            checkQuotaResponse: AVAILABLE,
          }),
        }
      }
      case ControlMessageType.REGISTER_APPLICATION_INFO:
        applications.heartbeat(decodeRegisterApplicationInfo(payload).appId, nowMs)
        return ACCEPTED
      case ControlMessageType.UNREGISTER_SHUFFLE: {
        const { appId, shuffleId } = decodeUnregisterShuffle(payload)
        applications.unregisterShuffle(appId, shuffleId)
        return {
          type: ControlMessageType.UNREGISTER_SHUFFLE_RESPONSE,
          payload: encodeUnregisterShuffleResponse({ status: StatusCode.SUCCESS }),
        }
      }
      case ControlMessageType.BATCH_UNREGISTER_SHUFFLES: {
        const { appId, shuffleIds } = decodeBatchUnregisterShuffles(payload)
        for (const shuffleId of shuffleIds) applications.unregisterShuffle(appId, shuffleId)
        return {
          type: ControlMessageType.BATCH_UNREGISTER_SHUFFLES_RESPONSE,
          payload: encodeBatchUnregisterShufflesResponse({ status: StatusCode.SUCCESS, shuffleIds }),
        }
      }
      case ControlMessageType.APPLICATION_LOST:
        applications.remove(decodeApplicationLost(payload).appId)
        return {
          type: ControlMessageType.APPLICATION_LOST_RESPONSE,
          payload: encodeApplicationLostResponse({ status: StatusCode.SUCCESS }),
        }
      case ControlMessageType.REVISE_LOST_SHUFFLES: {
        const { appId, lostShuffles } = decodeReviseLostShuffles(payload)
        for (const shuffleId of lostShuffles) applications.registerShuffle(appId, shuffleId, nowMs)
        return {
          type: ControlMessageType.REVISE_LOST_SHUFFLES_RESPONSE,
          payload: encodeReviseLostShufflesResponse({ success: true, message: '' }),
        }
      }
      case ControlMessageType.CHECK_QUOTA:
        return {
          type: ControlMessageType.CHECK_QUOTA_RESPONSE,
          payload: encodeCheckQuotaResponse(AVAILABLE),
        }
      case ControlMessageType.CHECK_WORKERS_AVAILABLE:
        return {
          type: ControlMessageType.CHECK_WORKERS_AVAILABLE_RESPONSE,
          payload: encodeCheckWorkersAvailableResponse({ available: workers.available().length > 0 }),
        }
      default:
        return new RpcFailureText(`the embedded master has no answer to ${controlMessageName(type)}`)
    }
  }
}

function addressOf({ host, rpcPort, pushPort, fetchPort, replicatePort }: WorkerAddress): WorkerAddress {
  return { host, rpcPort, pushPort, fetchPort, replicatePort }
}

/** Of the shuffles that a worker has files of, those that nobody needs any more. */
function expired(applications: Applications, activeShuffleKeys: readonly string[]): string[] {
  return activeShuffleKeys.filter((shuffleKey) => {
    const { appId, shuffleId } = parseShuffleKey(shuffleKey)
    return !applications.hasShuffle(appId, shuffleId)
  })
}

/** Hands out slots; successive shuffles begin at successive workers. */
class SlotRequests {
  readonly #applications: Applications
  readonly #workers: Workers
  #first = 0

  constructor(applications: Applications, workers: Workers) {
    this.#applications = applications
    this.#workers = workers
  }

  answer(request: RequestSlots, nowMs: number): RequestSlotsResponse {
    const { partitionIds, shouldReplicate, availableStorageTypes } = request
    const refusal = (status: number): RequestSlotsResponse => ({ status, workerResource: new Map() })
    if (partitionIds.length > MAX_PARTITIONS) return refusal(StatusCode.REQUEST_FAILED)
    if (availableStorageTypes !== 0 && (availableStorageTypes & LOCAL_STORAGE) === 0) {
      return refusal(StatusCode.REQUEST_FAILED)
    }
    const available = this.#workers.available(request.excludedWorkers)
    if (available.length === 0) return refusal(StatusCode.WORKER_EXCLUDED)
    const least = shouldReplicate ? 2 : 1
    if (available.length < least) return refusal(StatusCode.SLOT_NOT_AVAILABLE)
    const first = this.#first
    this.#first = (first + 1) % 0x7fff_ffff
    const wanted = request.maxWorkers > 0 ? Math.max(least, request.maxWorkers) : available.length
    const chosen = rotate(available, first).slice(0, wanted)
    const resources = allocateSlots(partitionIds, chosen, shouldReplicate, 0, availableStorageTypes)
    this.#applications.registerShuffle(request.applicationId, request.shuffleId, nowMs)
    return {
      status: StatusCode.SUCCESS,
      workerResource: new Map([...resources].map(([worker, own]) => [workerUniqueId(worker), own])),
    }
  }
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const start = by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
