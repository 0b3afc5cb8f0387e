import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { AbortedError, CelebornError, ClosedError, ConfigError, ProtocolError, RpcError } from '../errors'
import { pause, untilAborted } from '../errors/abort'
import { type RpcClient } from '../network'
import { hostPort } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import * as messages from '../protocol/messages'
import { ControlMessageType } from '../protocol/messages'
import { StatusCode, statusName } from '../protocol/status'
import {
  type EndedAttempt,
  type PushLifecycle,
  type ReviveAnswer,
  type ReviveRequest,
} from '../push/lifecycle'
import { type FileGroups, type ReadLifecycle } from '../read/lifecycle'
import { advised, firstLost, isNoManager, lostText, registerError, registerHint } from './lifecycle-errors'

const ENDPOINT = 'LifecycleManagerEndpoint'

/** Where a LifecycleManager listens: our own in this or another process, or a Spark driver's. */
export interface LifecycleManagerAddress {
  readonly host: string
  readonly port: number
}

/** Asks a LifecycleManager over the wire, with Celeborn's retries. Replies are taken in either RPC form. */
export class LifecycleClient implements PushLifecycle, ReadLifecycle {
  private readonly hostPort: string
  private readonly closing = new AbortController()
  private checking: Promise<void> | undefined
  /** Whether a LifecycleManager has ever answered here. */
  private known = false

  constructor(
    private readonly appId: string,
    private readonly rpc: RpcClient,
    private readonly address: LifecycleManagerAddress,
    private readonly conf: CelebornConf,
  ) {
    this.hostPort = hostPort(address.host, address.port)
  }

  /**
   * The id to write an application's shuffle to, or to read it from: of the newest run of its map stage. Without stage
   * re-runs (`celeborn.client.spark.stageRerun.enabled`) it is the application's own.
   * @throws CelebornError CELEBORN_FETCH_FAILED when a reader asks and no run is complete; what asking throws
   */
  async shuffleId(request: messages.GetShuffleId): Promise<number> {
    if (!this.conf.get(keys.CLIENT_SPARK_STAGE_RERUN_ENABLED)) return request.appShuffleId
    const payload = messages.encodeGetShuffleId(request)
    const { GET_SHUFFLE_ID, GET_SHUFFLE_ID_RESPONSE } = ControlMessageType
    const reply = await this.retry(this.rpcRetries, this.rpcRetryWaitMs, undefined, () =>
      this.ask(GET_SHUFFLE_ID, payload, GET_SHUFFLE_ID_RESPONSE),
    )
    const { shuffleId, success } = messages.decodeGetShuffleIdResponse(reply)
    // Celeborn 0.5 tells no success.
    if (success || shuffleId >= 0) return shuffleId
    throw new CelebornError(
      'CELEBORN_FETCH_FAILED',
      `application shuffle ${request.appShuffleId} has no complete run to read: its map stage must run again`,
      { hostPort: this.hostPort, applicationId: this.appId },
    )
  }

  /** Tells the driver that a run cannot be read. Resolves to whether its map stage runs again. */
  async reportShuffleFetchFailure(report: messages.ReportShuffleFetchFailure): Promise<boolean> {
    if (!this.conf.get(keys.CLIENT_SPARK_STAGE_RERUN_ENABLED)) return false
    const payload = messages.encodeReportShuffleFetchFailure(report)
    const { REPORT_SHUFFLE_FETCH_FAILURE, REPORT_SHUFFLE_FETCH_FAILURE_RESPONSE } = ControlMessageType
    const reply = await this.ask(REPORT_SHUFFLE_FETCH_FAILURE, payload, REPORT_SHUFFLE_FETCH_FAILURE_RESPONSE)
    return messages.decodeReportShuffleFetchFailureResponse(reply).success
  }

  /** Tells the driver that a task of a barrier stage failed. Resolves to whether all its tasks run again. */
  async reportBarrierStageFailure(report: messages.ReportBarrierStageAttemptFailure): Promise<boolean> {
    if (!this.conf.get(keys.CLIENT_SPARK_STAGE_RERUN_ENABLED)) return false
    const payload = messages.encodeReportBarrierStageAttemptFailure(report)
    const { REPORT_BARRIER_STAGE_ATTEMPT_FAILURE, REPORT_BARRIER_STAGE_ATTEMPT_FAILURE_RESPONSE: answer } =
      ControlMessageType
    const reply = await this.ask(REPORT_BARRIER_STAGE_ATTEMPT_FAILURE, payload, answer)
    return messages.decodeReportBarrierStageAttemptFailureResponse(reply).success
  }

  /** Ends the pauses between tries; what is being asked ends with its connection. */
  close(): void {
    this.closing.abort(new ClosedError('the ShuffleClient is closed'))
  }

  async registerShuffle(
    shuffleId: number,
    numMappers: number,
    numPartitions: number,
  ): Promise<PartitionLocation[]> {
    const payload = messages.encodeRegisterShuffle({ shuffleId, numMappers, numPartitions })
    const retries = this.conf.get(keys.CLIENT_REGISTER_SHUFFLE_MAX_RETRIES)
    const waitMs = this.conf.get(keys.CLIENT_REGISTER_SHUFFLE_RETRY_WAIT)
    const timeoutMs = this.conf.get(keys.CLIENT_RPC_REGISTER_SHUFFLE_ASK_TIMEOUT)
    const locations = this.retry(retries, waitMs, undefined, async () => {
      const answer = messages.decodeRegisterShuffleResponse(
        await this.ask(
          ControlMessageType.REGISTER_SHUFFLE,
          payload,
          ControlMessageType.REGISTER_SHUFFLE_RESPONSE,
          timeoutMs,
        ),
      )
      if (answer.status === StatusCode.SUCCESS) return [...answer.locations]
      throw new CelebornError(
        'CELEBORN_REGISTER_FAILED',
        `shuffle ${shuffleId} could not be registered: ${statusName(answer.status)}${registerHint(answer)}`,
        {
          shuffleId,
          status: answer.status,
          hostPort: this.hostPort,
          peerMessage: answer.errorMsg || undefined,
        },
      )
    })
    return locations.catch((error: unknown) => {
      throw registerError(error, shuffleId, this.hostPort)
    })
  }

  async revive(
    shuffleId: number,
    mapIds: readonly number[],
    requests: readonly ReviveRequest[],
  ): Promise<ReviveAnswer> {
    const payload = messages.encodeRevive({
      shuffleId,
      mapIds,
      partitions: requests.map(({ partitionId, epoch, location, cause }) => ({
        partitionId,
        epoch,
        cause,
        location: location ?? undefined,
      })),
    })
    const answer = messages.decodeChangeLocationResponse(
      await this.ask(
        ControlMessageType.CHANGE_LOCATION,
        payload,
        ControlMessageType.CHANGE_LOCATION_RESPONSE,
        this.conf.get(keys.CLIENT_RPC_REQUEST_PARTITION_ASK_TIMEOUT),
      ),
    )
    return {
      endedMapIds: answer.endedMapIds,
      partitions: answer.partitions.map(({ partitionId, status, location }) => ({
        partitionId,
        status,
        location: location ?? null,
      })),
    }
  }

  async mapperEnd(attempt: EndedAttempt, signal: AbortSignal): Promise<void> {
    const { shuffleId, mapId, attemptId, numMappers, numPartitions } = attempt
    const payload = messages.encodeMapperEnd({
      shuffleId,
      mapId,
      attemptId,
      numMappers,
      numPartitions,
      partitionId: -1,
      pushFailedBatches: new Map(),
      crc32PerPartition: attempt.sums?.crc32PerPartition ?? [],
      bytesWrittenPerPartition: attempt.sums?.bytesPerPartition ?? [],
    })
    await this.retry(this.rpcRetries, this.rpcRetryWaitMs, signal, async () => {
      const answer = messages.decodeMapperEndResponse(
        await this.ask(
          ControlMessageType.MAPPER_END,
          payload,
          ControlMessageType.MAPPER_END_RESPONSE,
          undefined,
          // A report that waits to be sent is not sent any more once the attempt is aborted.
          signal,
        ),
      )
      if (answer.status === StatusCode.SUCCESS) return
      throw new CelebornError(
        'CELEBORN_COMMIT_FAILED',
        `the end of attempt ${attemptId} of map task ${mapId} of shuffle ${shuffleId} was not accepted: ` +
          statusName(answer.status),
        { shuffleId, mapId, attemptId, status: answer.status, hostPort: this.hostPort },
      )
    })
  }

  async reducerFileGroups(shuffleId: number, signal?: AbortSignal): Promise<FileGroups> {
    const payload = messages.encodeGetReducerFileGroup({ shuffleId, isSegmentGranularityVisible: false })
    const timeoutMs = this.conf.get(keys.CLIENT_RPC_GET_REDUCER_FILE_GROUP_ASK_TIMEOUT)
    return this.retry(this.rpcRetries, this.rpcRetryWaitMs, signal, async () => {
      const answer = messages.decodeGetReducerFileGroupResponse(
        await this.ask(
          ControlMessageType.GET_REDUCER_FILE_GROUP,
          payload,
          ControlMessageType.GET_REDUCER_FILE_GROUP_RESPONSE,
          timeoutMs,
          signal,
        ),
      )
      switch (answer.status) {
        case StatusCode.SUCCESS:
          return { locations: answer.fileGroups, attempts: answer.attempts }
        case StatusCode.SHUFFLE_UNREGISTERED:
          // Nobody wrote to it: an empty shuffle.
          return { locations: new Map<number, readonly PartitionLocation[]>(), attempts: [] }
        case StatusCode.SHUFFLE_DATA_LOST:
          throw new CelebornError('CELEBORN_DATA_LOST', lostText(shuffleId, answer.errorMsg), {
            shuffleId,
            status: answer.status,
            hostPort: this.hostPort,
            ...firstLost(answer.errorMsg),
          })
        default:
          throw new CelebornError(
            'CELEBORN_FETCH_FAILED',
            `where the data of shuffle ${shuffleId} is could not be had: ${statusName(answer.status)}`,
            { shuffleId, status: answer.status, hostPort: this.hostPort },
          )
      }
    })
  }

  async partitionRead(read: messages.ReadReducerPartitionEnd, signal?: AbortSignal): Promise<string | null> {
    const payload = messages.encodeReadReducerPartitionEnd(read)
    const { READ_REDUCER_PARTITION_END, READ_REDUCER_PARTITION_END_RESPONSE } = ControlMessageType
    const answer = await this.retry(this.rpcRetries, this.rpcRetryWaitMs, signal, () =>
      this.ask(READ_REDUCER_PARTITION_END, payload, READ_REDUCER_PARTITION_END_RESPONSE, undefined, signal),
    )
    const { status, errorMsg } = messages.decodeReadReducerPartitionEndResponse(answer)
    if (status === StatusCode.SUCCESS) return null
    return errorMsg === '' ? statusName(status) : errorMsg
  }

  private get rpcRetries(): number {
    return this.conf.get(keys.CLIENT_RPC_MAX_RETRIES)
  }

  private get rpcRetryWaitMs(): number {
    return this.conf.get(keys.CLIENT_RPC_RETRY_WAIT)
  }

  private async ask(
    type: number,
    payload: Uint8Array,
    answerType: number,
    timeoutMs: number = this.conf.get(keys.RPC_ASK_TIMEOUT),
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const options = signal === undefined ? { timeoutMs } : { timeoutMs, signal }
    const { host, port } = this.address
    try {
      await untilAborted(this.checkApplication(), signal)
      const answer = await this.rpc.ask(host, port, ENDPOINT, type, payload, options)
      if (answer.type === answerType) {
        this.known = true
        return answer.payload
      }
      throw new ProtocolError(
        `the LifecycleManager at ${this.hostPort} answered message ${type} with message ${answer.type} instead of ` +
          `${answerType}`,
        { hostPort: this.hostPort },
      )
    } catch (error) {
      throw advised(error, { hostPort: this.hostPort, type, known: this.known })
    }
  }

  /**
   * Asks once which application the LifecycleManager is of: pushes for another one would fail much later, at workers
   * that know nothing of it. Celeborn's own managers tell only when they authenticate; then nothing is known.
   */
  private checkApplication(): Promise<void> {
    if (this.checking !== undefined) return this.checking
    const checking = this.askApplication().catch((error: unknown) => {
      if (error instanceof ConfigError) throw error
      // The request itself tells what is wrong with the address; a manager that could not answer is asked again.
      if (!(error instanceof RpcError)) this.checking = undefined
    })
    // Whoever asked may have been aborted meanwhile, and look no more.
    checking.catch(() => undefined)
    this.checking = checking
    return checking
  }

  private async askApplication(): Promise<void> {
    const { host, port } = this.address
    const { APPLICATION_META_REQUEST, APPLICATION_META } = ControlMessageType
    const payload = messages.encodeApplicationMetaRequest({ appId: this.appId })
    const timeoutMs = this.conf.get(keys.RPC_LOOKUP_TIMEOUT)
    const answer = await this.rpc.ask(host, port, ENDPOINT, APPLICATION_META_REQUEST, payload, { timeoutMs })
    if (answer.type !== APPLICATION_META) return
    const { appId } = messages.decodeApplicationMeta(answer.payload)
    if (appId === this.appId) return
    throw new ConfigError(
      `the LifecycleManager at ${this.hostPort} is of application ${JSON.stringify(appId)}, this ShuffleClient is of ` +
        `${JSON.stringify(this.appId)}: give it the appId and the address of one and the same LifecycleManager`,
    )
  }

  private async retry<T>(
    retries: number,
    waitMs: number,
    signal: AbortSignal | undefined,
    once: () => Promise<T>,
  ): Promise<T> {
    for (let left = retries; ; left--) {
      try {
        return await once()
      } catch (error) {
        if (left <= 0 || error instanceof AbortedError) throw error
        if (error instanceof CelebornError && (FINAL.has(error.code) || isNoManager(error, this.known)))
          throw error
      }
      await pause(waitMs, signal, this.closing.signal)
    }
  }
}

/** What asking again does not change. */
const FINAL: ReadonlySet<string> = new Set(['CELEBORN_CLOSED', 'CELEBORN_CONFIG', 'CELEBORN_DATA_LOST'])
