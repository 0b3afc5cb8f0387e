import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { AbortedError, CelebornError, ClosedError, ProtocolError } from '../errors'
import { pause } from '../errors/abort'
import { type RpcClient } from '../network'
import { hostPort } from '../protocol/ids'
import { type PartitionLocation } from '../protocol/locations'
import * as messages from '../protocol/messages'
import { ControlMessageType } from '../protocol/messages'
import { StatusCode, statusName } from '../protocol/status'
import { type PushLifecycle, type ReviveAnswer, type ReviveRequest } from '../push/lifecycle'
import { type MapAttempt } from '../push/types'
import { type FileGroups, type ReadLifecycle } from '../read/lifecycle'

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

  constructor(
    private readonly rpc: RpcClient,
    private readonly address: LifecycleManagerAddress,
    private readonly conf: CelebornConf,
  ) {
    this.hostPort = hostPort(address.host, address.port)
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
        `shuffle ${shuffleId} could not be registered: ${statusName(answer.status)}${registerHint(answer.status)}`,
        { shuffleId, status: answer.status, hostPort: this.hostPort },
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

  async mapperEnd(attempt: MapAttempt, signal: AbortSignal): Promise<void> {
    const { shuffleId, mapId, attemptId, numMappers, numPartitions } = attempt
    const payload = messages.encodeMapperEnd({
      shuffleId,
      mapId,
      attemptId,
      numMappers,
      numPartitions,
      partitionId: -1,
      pushFailedBatches: new Map(),
      crc32PerPartition: [],
      bytesWrittenPerPartition: [],
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
          throw new CelebornError(
            'CELEBORN_DATA_LOST',
            `data of shuffle ${shuffleId} is lost: a worker that held committed data did not commit it, or is gone`,
            { shuffleId, status: answer.status, hostPort: this.hostPort },
          )
        default:
          throw new CelebornError(
            'CELEBORN_FETCH_FAILED',
            `where the data of shuffle ${shuffleId} is could not be had: ${statusName(answer.status)}`,
            { shuffleId, status: answer.status, hostPort: this.hostPort },
          )
      }
    })
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
    const answer = await this.rpc.ask(host, port, ENDPOINT, type, payload, options)
    if (answer.type === answerType) return answer.payload
    throw new ProtocolError(
      `the LifecycleManager at ${this.hostPort} answered message ${type} with message ${answer.type} instead of ` +
        `${answerType}`,
      { hostPort: this.hostPort },
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
        if (error instanceof CelebornError && FINAL.has(error.code)) throw error
      }
      await pause(waitMs, signal, this.closing.signal)
    }
  }
}

/** What asking again does not change. */
const FINAL: ReadonlySet<string> = new Set(['CELEBORN_CLOSED', 'CELEBORN_DATA_LOST'])

/** Whatever keeps a shuffle from being registered has one code; why the LifecycleManager did not answer is its cause. */
function registerError(error: unknown, shuffleId: number, hostPort: string): CelebornError {
  if (error instanceof CelebornError) {
    const { code } = error
    if (code === 'CELEBORN_REGISTER_FAILED' || code === 'CELEBORN_CLOSED') return error
  }
  const text = error instanceof Error ? error.message : String(error)
  return new CelebornError(
    'CELEBORN_REGISTER_FAILED',
    `shuffle ${shuffleId} could not be registered: ${text}`,
    { shuffleId, hostPort },
    error,
  )
}

function registerHint(status: number): string {
  switch (status) {
    case StatusCode.SLOT_NOT_AVAILABLE:
    case StatusCode.WORKER_EXCLUDED:
      return ': the master has no worker to offer (with replication two are needed). Are workers registered with it?'
    case StatusCode.RESERVE_SLOTS_FAILED:
      return ': the workers did not reserve the partitions. Are they reachable, and have they room on their disks?'
    default:
      return ''
  }
}
