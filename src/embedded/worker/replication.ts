import type { CelebornConf } from '../../conf'
import type { CelebornError } from '../../errors'
import { ConnectionPool, type GatherWriter, nextRequestId, type PendingRequest } from '../../network'
import {
  PushMode,
  pushDataHeaderLength,
  type PushDataMessage,
  pushMergedDataHeaderLength,
  type PushMergedDataMessage,
  writePushDataHeader,
  writePushMergedDataHeader,
} from '../../protocol/framing'
import { partitionUniqueId } from '../../protocol/ids'
import { type PartitionLocation } from '../../protocol/locations'
import { causeOfFailure } from '../../protocol/push-response'
import { StatusCode, statusName } from '../../protocol/status'
import type { PushElement } from './push-body'

/** The replica's answer: its body, or the text of the failure that the client is to see. */
export type ReplicaAnswer =
  | { readonly body: Uint8Array; readonly failure?: undefined }
  | { readonly body?: undefined; readonly failure: string }

/** Forwards pushes from the primary worker to the replica's replicate port. */
export class Replication {
  readonly #pool: ConnectionPool

  constructor(conf: CelebornConf) {
    this.#pool = new ConnectionPool(conf, { module: 'replicate' })
  }

  /** @param done called once the body is no longer read. */
  pushData(
    message: PushDataMessage,
    peer: PartitionLocation,
    element: PushElement,
    timeoutMs: number,
    done: () => void,
  ): Promise<ReplicaAnswer> {
    const key = Buffer.from(message.shuffleKey)
    const uniqueId = Buffer.from(message.partitionUniqueId)
    const head = pushDataHeaderLength(key.length, uniqueId.length)
    return this.#send(
      peer,
      element.pieces,
      head,
      element.length,
      timeoutMs,
      done,
      (buffer, at, requestId) => {
        writePushDataHeader(buffer, at, requestId, PushMode.REPLICA, key, uniqueId, element.length)
      },
    )
  }

  /** Forwards a part of a merged push, as a merged push. */
  pushMerged(
    message: PushMergedDataMessage,
    peer: PartitionLocation,
    part: readonly { readonly location: PartitionLocation; readonly element: PushElement }[],
    timeoutMs: number,
    done: () => void,
  ): Promise<ReplicaAnswer> {
    const key = Buffer.from(message.shuffleKey)
    const ids = part.map(({ location }) => Buffer.from(partitionUniqueId(location.id, location.epoch)))
    let length = 0
    const offsets = part.map(({ element }) => {
      const start = length
      length += element.length
      return start
    })
    const pieces = part.flatMap(({ element }) => element.pieces)
    const head = pushMergedDataHeaderLength(key.length, ids)
    return this.#send(peer, pieces, head, length, timeoutMs, done, (buffer, at, requestId) => {
      writePushMergedDataHeader(buffer, at, requestId, PushMode.REPLICA, key, ids, offsets, length)
    })
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #send(
    peer: PartitionLocation,
    pieces: readonly Uint8Array[],
    headLength: number,
    bodyLength: number,
    timeoutMs: number,
    done: () => void,
    writeHead: (buffer: Buffer, at: number, requestId: number) => void,
  ): Promise<ReplicaAnswer> {
    return new Promise((resolve) => {
      const requestId = nextRequestId()
      const request: PendingRequest = {
        requestId,
        timeoutMs,
        byteLength: headLength + bodyLength,
        encode(w: GatherWriter): void {
          const at = w.reserve(headLength)
          writeHead(w.buffer, at, requestId)
          for (const piece of pieces) w.append(piece)
        },
        writeStarted(): void {},
        writeEnded: done,
        onResponse: (body) => resolve({ body: Uint8Array.from(body) }),
        onRpcFailure: (text) => resolve({ failure: failureOfReplica(text) }),
        onError: (error) => resolve({ failure: failureOnTheWay(error) }),
      }
      this.#pool.connection(peer.host, peer.replicatePort, peer.id).send(request)
    })
  }
}

/** The replica's own words, if they begin with a status that clients know. */
function failureOfReplica(text: string): string {
  return causeOfFailure(text) === StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
    ? `${statusName(StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_REPLICA)}: ${text}`
    : text
}

function failureOnTheWay(error: CelebornError): string {
  const status =
    error.code === 'CELEBORN_CONNECT'
      ? StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA
      : error.code === 'CELEBORN_TIMEOUT'
        ? StatusCode.PUSH_DATA_TIMEOUT_REPLICA
        : StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_REPLICA
  return `${statusName(status)}: ${error.message}`
}
