/** Asks workers: reserve, commit, destroy. One try each; who calls decides about retries. */
import { ProtocolError } from '../errors'
import type { RpcClient } from '../network'
import { shuffleKey } from '../protocol/ids'
import type { PartitionLocation } from '../protocol/locations'
import {
  type CommitFilesResponse,
  ControlMessageType,
  controlMessageName,
  decodeCommitFilesResponse,
  decodeReserveSlotsResponse,
  encodeCommitFiles,
  encodeDestroyWorkerSlots,
  encodeReserveSlots,
  PartitionType,
  type ReserveSlotsResponse,
} from '../protocol/messages'
import { Endpoint } from '../protocol/rpc-envelope'
import type { CommitBatch } from './commit-ledger'
import type { LifecycleSettings } from './settings'
import { readableAddress, type WorkerRef } from './worker-ref'

export class WorkerClient {
  constructor(
    private readonly rpc: Pick<RpcClient, 'ask'>,
    private readonly appId: string,
    private readonly settings: LifecycleSettings,
    private readonly signal: AbortSignal,
  ) {}

  reserve(
    worker: WorkerRef,
    shuffleId: number,
    primaries: readonly PartitionLocation[],
    replicas: readonly PartitionLocation[],
  ): Promise<ReserveSlotsResponse> {
    const s = this.settings
    const payload = encodeReserveSlots({
      applicationId: this.appId,
      shuffleId,
      primaryLocations: primaries,
      replicaLocations: replicas,
      splitThreshold: s.splitThreshold,
      splitMode: s.splitMode,
      partitionType: PartitionType.REDUCE,
      rangeReadFilter: s.rangeReadFilter,
      userIdentifier: s.user,
      pushDataTimeout: s.pushDataTimeoutMs,
      partitionSplitEnabled: true,
      availableStorageTypes: s.availableStorageTypes,
      isSegmentGranularityVisible: false,
    })
    const { RESERVE_SLOTS, RESERVE_SLOTS_RESPONSE } = ControlMessageType
    return this.ask(worker, RESERVE_SLOTS, payload, RESERVE_SLOTS_RESPONSE, s.reserveAskTimeoutMs).then(
      decodeReserveSlotsResponse,
    )
  }

  /** @param epoch what makes a repeated request the same one for the worker. */
  commit(
    batch: CommitBatch,
    shuffleId: number,
    mapAttempts: readonly number[],
    epoch: number,
  ): Promise<CommitFilesResponse> {
    const payload = encodeCommitFiles({
      applicationId: this.appId,
      shuffleId,
      primaryIds: batch.primaryIds,
      replicaIds: batch.replicaIds,
      mapAttempts,
      epoch,
      mockFailure: false,
    })
    const { COMMIT_FILES, COMMIT_FILES_RESPONSE } = ControlMessageType
    const timeoutMs = this.settings.commitAskTimeoutMs
    return this.ask(batch.worker, COMMIT_FILES, payload, COMMIT_FILES_RESPONSE, timeoutMs).then(
      decodeCommitFilesResponse,
    )
  }

  /** Deletes locations on a worker. The answer's status does not matter: what is left goes when the shuffle does. */
  async destroy(
    worker: WorkerRef,
    shuffleId: number,
    primaryIds: readonly string[],
    replicaIds: readonly string[],
  ): Promise<void> {
    const payload = encodeDestroyWorkerSlots({
      shuffleKey: shuffleKey(this.appId, shuffleId),
      primaryIds,
      replicaIds,
      mockFailure: false,
    })
    const { DESTROY, DESTROY_RESPONSE } = ControlMessageType
    await this.ask(worker, DESTROY, payload, DESTROY_RESPONSE, this.settings.askTimeoutMs)
  }

  private async ask(
    worker: WorkerRef,
    type: ControlMessageType,
    payload: Uint8Array,
    expected: ControlMessageType,
    timeoutMs: number,
  ): Promise<Uint8Array> {
    const { host, rpcPort } = worker
    const options = { timeoutMs, signal: this.signal }
    const reply = await this.rpc.ask(host, rpcPort, Endpoint.WORKER, type, payload, options)
    if (reply.type !== expected) {
      throw new ProtocolError(
        `worker ${readableAddress(worker)} answered ${controlMessageName(type)} with ${controlMessageName(reply.type)}`,
        { hostPort: readableAddress(worker) },
      )
    }
    return reply.payload
  }
}
