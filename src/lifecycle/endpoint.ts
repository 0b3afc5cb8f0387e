/** What clients may ask the driver's side for: one method per message, all checks of what they send. */
import { CelebornError, ProtocolError, RpcError } from '../errors'
import { type RpcHandler, RpcFailureText, type RpcMessage } from '../network'
import {
  ControlMessageType,
  controlMessageName,
  decodeGetReducerFileGroup,
  decodeGetShuffleId,
  decodeGetStageEnd,
  decodeMapperEnd,
  decodeReadReducerPartitionEnd,
  decodeRegisterShuffle,
  decodeReportShuffleFetchFailure,
  decodeRevive,
  encodeChangeLocationResponse,
  encodeGetReducerFileGroupResponse,
  encodeGetShuffleIdResponse,
  encodeGetStageEndResponse,
  encodeMapperEndResponse,
  encodeReadReducerPartitionEndResponse,
  encodeRegisterShuffleResponse,
  encodeReportShuffleFetchFailureResponse,
} from '../protocol/messages'
import { StatusCode } from '../protocol/status'
import type { ChangeLocationManager } from './change-location'
import { emitEvent } from './events'
import type { Registrar } from './registrar'
import type { Shuffle, StageResult } from './shuffle'
import type { ShuffleIds } from './shuffle-ids'
import type { ShuffleRegistry } from './shuffle-registry'
import type { StageKeeper } from './stage'
import type { FetchFailureReport } from './types'

const Type = ControlMessageType

export interface EndpointParts {
  readonly appId: string
  readonly registry: ShuffleRegistry
  readonly registrar: Registrar
  readonly changes: ChangeLocationManager
  readonly stages: StageKeeper
  readonly shuffleIds: ShuffleIds
  readonly onFetchFailure: ((failure: FetchFailureReport) => boolean) | undefined
}

export class LifecycleEndpoint {
  private closedReason: string | undefined
  /** Answers for readers, encoded once per shuffle: every reader of every partition asks for the same. */
  private readonly fileGroupReplies = new WeakMap<Shuffle, Uint8Array>()

  constructor(private readonly parts: EndpointParts) {}

  /** From now on every request is refused with this reason. */
  close(reason: string): void {
    this.closedReason = reason
  }

  /** Serves `LifecycleManagerEndpoint`. What is no valid message throws ProtocolError, which costs the connection. */
  readonly handle: RpcHandler = async (type, payload) => {
    if (this.closedReason !== undefined) return new RpcFailureText(this.closedReason)
    try {
      return await this.dispatch(type, payload)
    } catch (error) {
      if (error instanceof CelebornError && !(error instanceof ProtocolError))
        return new RpcFailureText(error.message)
      throw error
    }
  }

  private async dispatch(type: number, payload: Uint8Array): Promise<RpcMessage> {
    switch (type) {
      case Type.REGISTER_SHUFFLE:
        return { type: Type.REGISTER_SHUFFLE_RESPONSE, payload: await this.registerShuffle(payload) }
      case Type.CHANGE_LOCATION:
        return { type: Type.CHANGE_LOCATION_RESPONSE, payload: await this.changeLocation(payload) }
      case Type.MAPPER_END:
        return { type: Type.MAPPER_END_RESPONSE, payload: this.mapperEnd(payload) }
      case Type.GET_REDUCER_FILE_GROUP:
        return { type: Type.GET_REDUCER_FILE_GROUP_RESPONSE, payload: await this.reducerFileGroup(payload) }
      case Type.GET_STAGE_END:
        return { type: Type.GET_STAGE_END_RESPONSE, payload: this.stageEnd(payload) }
      case Type.GET_SHUFFLE_ID:
        return { type: Type.GET_SHUFFLE_ID_RESPONSE, payload: this.shuffleId(payload) }
      case Type.REPORT_SHUFFLE_FETCH_FAILURE:
        return { type: Type.REPORT_SHUFFLE_FETCH_FAILURE_RESPONSE, payload: this.fetchFailure(payload) }
      case Type.READ_REDUCER_PARTITION_END:
        return { type: Type.READ_REDUCER_PARTITION_END_RESPONSE, payload: this.partitionRead(payload) }
      default:
        throw new RpcError(`a LifecycleManager of celeborn-node does not serve ${controlMessageName(type)}`)
    }
  }

  private async registerShuffle(payload: Uint8Array): Promise<Uint8Array> {
    const { shuffleId, numMappers, numPartitions } = decodeRegisterShuffle(payload)
    const { registry, registrar } = this.parts
    const shuffle = registry.obtain(shuffleId, numMappers)
    try {
      return encodeRegisterShuffleResponse(await registrar.register(shuffle, numMappers, numPartitions))
    } finally {
      registry.discardIfIdle(shuffle)
    }
  }

  private async changeLocation(payload: Uint8Array): Promise<Uint8Array> {
    const revive = decodeRevive(payload)
    const shuffle = this.parts.registry.get(revive.shuffleId)
    return encodeChangeLocationResponse(await this.parts.changes.change(shuffle, revive))
  }

  private mapperEnd(payload: Uint8Array): Uint8Array {
    const end = decodeMapperEnd(payload)
    const { registry, stages } = this.parts
    // A map task without data never registers its shuffle: its end may be the first that is heard of it. One that ends
    // after its shuffle was unregistered is a straggler that nobody waits for.
    if (registry.grave(end.shuffleId) === undefined) {
      const shuffle = registry.obtain(end.shuffleId, end.numMappers)
      try {
        stages.mapperEnd(shuffle, end)
      } finally {
        registry.discardIfIdle(shuffle)
      }
    }
    return encodeMapperEndResponse({ status: StatusCode.SUCCESS })
  }

  /** Waits for the stage's end. */
  private async reducerFileGroup(payload: Uint8Array): Promise<Uint8Array> {
    const { shuffleId } = decodeGetReducerFileGroup(payload)
    const { registry } = this.parts
    const shuffle = registry.get(shuffleId)
    if (shuffle === undefined) {
      if (registry.grave(shuffleId)?.hadData === true) {
        throw new RpcError(`shuffle ${shuffleId}: it was unregistered, its data is deleted`, { shuffleId })
      }
      return statusOnly(StatusCode.SHUFFLE_UNREGISTERED)
    }
    let result = shuffle.stageResult
    if (result === undefined) {
      shuffle.waitingReaders++
      try {
        result = await shuffle.stageEnd()
      } finally {
        shuffle.waitingReaders--
      }
    }
    return this.fileGroupReply(shuffle, result)
  }

  private fileGroupReply(shuffle: Shuffle, result: StageResult): Uint8Array {
    switch (result.kind) {
      case 'no-data':
        return statusOnly(StatusCode.SHUFFLE_UNREGISTERED)
      case 'data-lost':
        return statusOnly(StatusCode.SHUFFLE_DATA_LOST)
      case 'aborted':
        throw shuffle.rejection(result.reason)
      case 'committed': {
        let reply = this.fileGroupReplies.get(shuffle)
        if (reply === undefined) {
          reply = encodeGetReducerFileGroupResponse({
            status: StatusCode.SUCCESS,
            fileGroups: result.fileGroups,
            attempts: shuffle.attempts?.toArray() ?? [],
            pushFailedBatches: shuffle.failedBatches,
          })
          this.fileGroupReplies.set(shuffle, reply)
        }
        return reply
      }
    }
  }

  private stageEnd(payload: Uint8Array): Uint8Array {
    const { shuffleId } = decodeGetStageEnd(payload)
    const result = this.parts.registry.get(shuffleId)?.stageResult
    return encodeGetStageEndResponse({ stageEnd: result !== undefined && result.kind !== 'aborted' })
  }

  private shuffleId(payload: Uint8Array): Uint8Array {
    const { appShuffleId, appShuffleIdentifier, isShuffleWriter, isBarrierStage } =
      decodeGetShuffleId(payload)
    const { registry, shuffleIds } = this.parts
    const isComplete = (id: number): boolean => registry.get(id)?.attempts?.allEnded === true
    return encodeGetShuffleIdResponse(
      isShuffleWriter
        ? shuffleIds.forWriter(appShuffleId, appShuffleIdentifier, isBarrierStage)
        : shuffleIds.forReader(appShuffleId, isComplete),
    )
  }

  private fetchFailure(payload: Uint8Array): Uint8Array {
    const { appShuffleId, shuffleId } = decodeReportShuffleFetchFailure(payload)
    const { appId, onFetchFailure, shuffleIds } = this.parts
    const { success, news } = shuffleIds.reportFailure(appShuffleId, shuffleId, () => {
      return onFetchFailure?.({ appShuffleId, shuffleId }) ?? true
    })
    if (news)
      emitEvent({
        kind: 'fetch-failure',
        appId,
        shuffleId,
        message: `of application shuffle ${appShuffleId}`,
      })
    return encodeReportShuffleFetchFailureResponse({ success })
  }

  private partitionRead(payload: Uint8Array): Uint8Array {
    const end = decodeReadReducerPartitionEnd(payload)
    const shuffle = this.parts.registry.get(end.shuffleId)
    const failed = (errorMsg: string): Uint8Array =>
      encodeReadReducerPartitionEndResponse({
        status: StatusCode.READ_REDUCER_PARTITION_END_FAILED,
        errorMsg,
      })
    if (shuffle?.integrity === undefined) {
      return failed(
        `shuffle ${end.shuffleId}: the driver keeps no checksums: set celeborn.client.shuffle.integrityCheck.enabled there too`,
      )
    }
    if (end.partitionId < 0 || end.partitionId >= shuffle.numPartitions) {
      return failed(`shuffle ${end.shuffleId}: partition ${end.partitionId} does not exist`)
    }
    const seen = { crc32: end.crc32, bytes: end.bytesWritten }
    const check = shuffle.integrity.check(end.partitionId, end.startMapIndex, end.endMapIndex, seen)
    if (!check.ok) return failed(`shuffle ${end.shuffleId}: ${check.reason}`)
    return encodeReadReducerPartitionEndResponse({ status: StatusCode.SUCCESS, errorMsg: '' })
  }
}

function statusOnly(status: number): Uint8Array {
  return encodeGetReducerFileGroupResponse({ status, fileGroups: new Map(), attempts: [] })
}
