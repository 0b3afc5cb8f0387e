import { type RpcHandler, RpcFailureText } from '../../network'
import {
  ControlMessageType,
  controlMessageName,
  decodeCommitFiles,
  decodeDestroyWorkerSlots,
  decodeReserveSlots,
  type DestroyWorkerSlots,
  type DestroyWorkerSlotsResponse,
  encodeCommitFilesResponse,
  encodeDestroyWorkerSlotsResponse,
  encodeReserveSlotsResponse,
} from '../../protocol/messages'
import { StatusCode } from '../../protocol/status'
import type { Commits } from './commits'
import type { Reservations } from './reservations'
import type { ShuffleState } from './shuffle-state'
import type { Shuffles } from './shuffles'

export interface WorkerEndpointParts {
  readonly reservations: Reservations
  readonly commits: Commits
  readonly shuffles: Shuffles
}

/** What a LifecycleManager asks of a worker. */
export function workerEndpoint({ reservations, commits, shuffles }: WorkerEndpointParts): RpcHandler {
  return async (type, payload) => {
    switch (type) {
      case ControlMessageType.RESERVE_SLOTS: {
        const answer = await reservations.reserve(decodeReserveSlots(payload))
        return {
          type: ControlMessageType.RESERVE_SLOTS_RESPONSE,
          payload: encodeReserveSlotsResponse(answer),
        }
      }
      case ControlMessageType.COMMIT_FILES: {
        const answer = await commits.commit(decodeCommitFiles(payload))
        return { type: ControlMessageType.COMMIT_FILES_RESPONSE, payload: encodeCommitFilesResponse(answer) }
      }
      case ControlMessageType.DESTROY: {
        const answer = await destroy(shuffles, decodeDestroyWorkerSlots(payload))
        return {
          type: ControlMessageType.DESTROY_RESPONSE,
          payload: encodeDestroyWorkerSlotsResponse(answer),
        }
      }
      default:
        return new RpcFailureText(`the embedded worker has no answer to ${controlMessageName(type)}`)
    }
  }
}

/** Gives up reserved locations with what was written to them. */
async function destroy(shuffles: Shuffles, request: DestroyWorkerSlots): Promise<DestroyWorkerSlotsResponse> {
  const { primaryIds, replicaIds } = request
  const failed = (status: number): DestroyWorkerSlotsResponse => ({
    status,
    failedPrimaries: primaryIds,
    failedReplicas: replicaIds,
  })
  if (request.mockFailure) return failed(StatusCode.DESTROY_SLOTS_MOCK_FAILURE)
  const state = shuffles.get(request.shuffleKey)
  if (state === undefined) return failed(StatusCode.SHUFFLE_UNREGISTERED)
  await Promise.all([...destroyMode(state, 0, primaryIds), ...destroyMode(state, 1, replicaIds)])
  shuffles.changed()
  return { status: StatusCode.SUCCESS, failedPrimaries: [], failedReplicas: [] }
}

function destroyMode(state: ShuffleState, mode: 0 | 1, ids: readonly string[]): Promise<void>[] {
  const table = state.open[mode]
  return ids.flatMap((id) => {
    const partition = table.get(id)
    if (partition === undefined) return []
    table.delete(id)
    return [partition.writer.destroy()]
  })
}
