/** What clients may ask the driver's side for: one method per message, all checks of what they send. */
import { CelebornError, ProtocolError, RpcError } from '../errors'
import { type RpcHandler, RpcFailureText, type RpcMessage } from '../network'
import {
  ControlMessageType,
  controlMessageName,
  decodeApplicationMetaRequest,
  decodeGetReducerFileGroup,
  decodeGetShuffleId,
  decodeGetStageEnd,
  decodeMapperEnd,
  decodeReadReducerPartitionEnd,
  decodeRegisterShuffle,
  decodeReportBarrierStageAttemptFailure,
  decodeReportShuffleFetchFailure,
  decodeRevive,
  encodeApplicationMeta,
  encodeChangeLocationResponse,
  encodeGetReducerFileGroupResponse,
  encodeGetShuffleIdResponse,
  encodeGetStageEndResponse,
  encodeMapperEndResponse,
  encodeReadReducerPartitionEndResponse,
  encodeRegisterShuffleResponse,
  encodeReportBarrierStageAttemptFailureResponse,
  encodeReportShuffleFetchFailureResponse,
} from '../protocol/messages'
import { StatusCode } from '../protocol/status'
import type { ChangeLocationManager } from './change-location'
import { describeLost } from './commit-ledger'
import { emitEvent } from './events'
import type { Registrar } from './registrar'
import type { Shuffle, StageResult } from './shuffle'
import type { FailureVerdict, ShuffleIds } from './shuffle-ids'
import type { ShuffleRegistry } from './shuffle-registry'
import type { StageKeeper } from './stage'
import type { BarrierStageFailureReport, FetchFailureReport } from './types'

const Type = ControlMessageType

export interface EndpointParts {
  readonly appId: string
  readonly registry: ShuffleRegistry
  readonly registrar: Registrar
  readonly changes: ChangeLocationManager
  readonly stages: StageKeeper
  readonly shuffleIds: ShuffleIds
  /** Whether map stages are run again: what GET_SHUFFLE_ID and reports of failures are for. */
  readonly stageRerun: boolean
  readonly onFetchFailure: ((failure: FetchFailureReport) => boolean) | undefined
  readonly onBarrierStageFailure: ((failure: BarrierStageFailureReport) => boolean) | undefined
  /** Gives shuffles of runs up that nobody will read. */
  readonly unregisterLater: (shuffleId: number) => void
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
      case Type.REPORT_BARRIER_STAGE_ATTEMPT_FAILURE: {
        const type = Type.REPORT_BARRIER_STAGE_ATTEMPT_FAILURE_RESPONSE
        return { type, payload: this.barrierStageFailure(payload) }
      }
      case Type.APPLICATION_META_REQUEST:
        return { type: Type.APPLICATION_META, payload: this.applicationMeta(payload) }
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
        return statusOnly(StatusCode.SHUFFLE_DATA_LOST, describeLost(result.lost))
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
    const { registry, shuffleIds, unregisterLater } = this.parts
    this.requireStageRerun()
    if (!isShuffleWriter) {
      const isComplete = (id: number): boolean => registry.get(id)?.attempts?.allEnded === true
      return encodeGetShuffleIdResponse(shuffleIds.forReader(appShuffleId, isComplete))
    }
    const answer = shuffleIds.forWriter(appShuffleId, appShuffleIdentifier, isBarrierStage)
    for (const shuffleId of answer.superseded) unregisterLater(shuffleId)
    return encodeGetShuffleIdResponse(answer)
  }

  private fetchFailure(payload: Uint8Array): Uint8Array {
    const { appShuffleId, shuffleId, taskId } = decodeReportShuffleFetchFailure(payload)
    const { appId, onFetchFailure, shuffleIds } = this.parts
    this.requireStageRerun()
    const { success, news } = shuffleIds.reportFailure(appShuffleId, shuffleId, () =>
      this.tellScheduler(shuffleId, () => onFetchFailure?.({ appShuffleId, shuffleId, taskId })),
    )
    const message = `of application shuffle ${appShuffleId}`
    if (news) emitEvent({ kind: 'fetch-failure', appId, shuffleId, message })
    return encodeReportShuffleFetchFailureResponse({ success })
  }

  /** A task of a barrier stage failed: all of them run again, and what this attempt wrote is of no use. */
  private barrierStageFailure(payload: Uint8Array): Uint8Array {
    const { appShuffleId, appShuffleIdentifier } = decodeReportBarrierStageAttemptFailure(payload)
    const { appId, onBarrierStageFailure, shuffleIds, unregisterLater } = this.parts
    this.requireStageRerun()
    const shuffleId = shuffleIds.invalidate(appShuffleId, appShuffleIdentifier)
    if (shuffleId === undefined) return encodeReportBarrierStageAttemptFailureResponse({ success: true })
    const verdict = this.tellScheduler(shuffleId, () =>
      onBarrierStageFailure?.({ appShuffleId, appShuffleIdentifier, shuffleId }),
    )
    unregisterLater(shuffleId)
    const message = `barrier stage ${appShuffleIdentifier} of application shuffle ${appShuffleId}`
    emitEvent({ kind: 'stage-failure', appId, shuffleId, message })
    return encodeReportBarrierStageAttemptFailureResponse({ success: verdict === 'accepted' })
  }

  /** A scheduler that throws has not taken the report, but the data is no better for it. */
  private tellScheduler(shuffleId: number, tell: () => boolean | undefined): FailureVerdict {
    try {
      return tell() === false ? 'ignored' : 'accepted'
    } catch (error) {
      const { appId } = this.parts
      const message = `the scheduler's callback threw: ${error instanceof Error ? error.message : String(error)}`
      emitEvent({ kind: 'callback-failed', appId, shuffleId, message })
      return 'threw'
    }
  }

  private requireStageRerun(): void {
    if (this.parts.stageRerun) return
    throw new RpcError(
      'stages are not run again here: give celeborn.client.spark.stageRerun.enabled the same value in the driver and in its executors',
    )
  }

  /** Lets a client find out whether this is its application's manager. There is no secret: nothing is authenticated. */
  private applicationMeta(payload: Uint8Array): Uint8Array {
    decodeApplicationMetaRequest(payload)
    return encodeApplicationMeta({ appId: this.parts.appId, secret: '' })
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

function statusOnly(status: number, errorMsg = ''): Uint8Array {
  return encodeGetReducerFileGroupResponse({ status, fileGroups: new Map(), attempts: [], errorMsg })
}
