import { CelebornError, ProtocolError } from '../../errors'
import type { Body, ServerConnection } from '../../network'
import {
  type DecodedMessage,
  MessageType,
  messageTypeName,
  type PushDataMessage,
  type PushMergedDataMessage,
} from '../../protocol/framing'
import { type PartitionLocation } from '../../protocol/locations'
import { classifyPushMerged } from '../../protocol/push-response'
import { StatusCode, statusName } from '../../protocol/status'
import { type PushElement, splitPushBody } from './push-body'
import { decidePush, nonCriticalFailure, type PushRules } from './push-decision'
import { type MergedSplits, type Push, PushReply } from './push-reply'
import type { ReplicaAnswer, Replication } from './replication'
import type { OpenPartition } from './shuffle-state'
import type { Shuffles } from './shuffles'

/** What the worker that a {@link PushService} belongs to tells it. */
export interface PushHost {
  readonly shuffles: Shuffles
  readonly replication: Replication
  /** False until the master knows the worker: pushes are dropped in silence then, as in Celeborn. */
  registered(): boolean
  rules(): PushRules
  /** So many bytes are going to the disk. */
  writes(bytes: number): void
  /** Whether clients shall be asked to slow down. */
  congested(): boolean
}

/** An element that is written here, with its place in the push. */
interface Accepted {
  readonly index: number
  readonly partition: OpenPartition
  readonly element: PushElement
}

/** Takes pushes on the push port, from clients, and on the replicate port, from other workers. */
export class PushService {
  readonly #host: PushHost

  constructor(host: PushHost) {
    this.#host = host
  }

  onMessage(conn: ServerConnection, message: DecodedMessage, body: Body): void {
    const registered = this.#host.registered()
    if (message.type === MessageType.PUSH_DATA || message.type === MessageType.PUSH_MERGED_DATA) {
      if (registered) this.#push(conn, message, body)
      else body.release()
    } else if (message.type === MessageType.RPC_REQUEST) {
      body.release()
      conn.replyFailure(
        message.requestId,
        registered
          ? 'the embedded cluster takes only PUSH_DATA and PUSH_MERGED_DATA here: it has no map partitions'
          : 'Worker Not Registered!',
      )
    } else {
      throw new ProtocolError(`a push port got ${messageTypeName(message.type)}`)
    }
  }

  #push(conn: ServerConnection, message: Push, body: Body): void {
    const answer = new PushReply(conn, message, body)
    try {
      if (message.type === MessageType.PUSH_DATA) this.#pushData(answer, message, body)
      else this.#pushMerged(answer, message, body)
    } catch (error) {
      if (!(error instanceof CelebornError)) throw error
      answer.failure(nonCriticalFailure(message.mode, error))
    } finally {
      answer.release()
    }
  }

  #pushData(answer: PushReply, message: PushDataMessage, body: Body): void {
    const { mode, partitionUniqueId } = message
    const [element] = splitPushBody(body.parts, body.length, [0])
    if (element === undefined) return
    const state = this.#host.shuffles.get(message.shuffleKey)
    const mapId = element.mapIds[0] ?? -1
    const decision = decidePush(state, mode, partitionUniqueId, mapId, false, this.#host.rules())
    switch (decision.kind) {
      case 'failure':
        answer.failure(decision.text)
        return
      case 'hard-split':
        answer.status(StatusCode.HARD_SPLIT)
        return
      case 'map-ended':
        answer.status(StatusCode.MAP_ENDED)
        return
      case 'write': {
        const { partition, softSplit } = decision
        this.#write(answer, partition, element)
        const own = softSplit ? StatusCode.SOFT_SPLIT : this.#congestion(mode)
        const { peer } = partition.location
        if (mode === 1 || peer === undefined) {
          answer.status(own)
          return
        }
        const timeout = state?.options.pushDataTimeout ?? 0
        void this.#host.replication
          .pushData(message, peer, element, timeout, answer.hold())
          .then((replica) => answer.withReplica(replica, own))
      }
    }
  }

  #pushMerged(answer: PushReply, message: PushMergedDataMessage, body: Body): void {
    const { mode, partitionUniqueIds } = message
    const elements = splitPushBody(body.parts, body.length, message.batchOffsets)
    const state = this.#host.shuffles.get(message.shuffleKey)
    const rules = this.#host.rules()
    const splits: MergedSplits = { hard: new Set(), soft: new Set() }
    const accepted: Accepted[] = []
    // Everything is decided before anything is written: a failure is one of the whole message.
    for (const [index, element] of elements.entries()) {
      const uniqueId = partitionUniqueIds[index] ?? ''
      const decision = decidePush(state, mode, uniqueId, elements[0]?.mapIds[0] ?? -1, true, rules)
      switch (decision.kind) {
        case 'failure':
          answer.failure(decision.text)
          return
        case 'map-ended':
          answer.status(StatusCode.MAP_ENDED)
          return
        case 'hard-split':
          splits.hard.add(index)
          break
        case 'write':
          if (decision.softSplit) splits.soft.add(index)
          accepted.push({ index, partition: decision.partition, element })
      }
    }
    for (const { partition, element } of accepted) this.#write(answer, partition, element)
    const congestion = this.#congestion(mode)
    const forward = mode === 0 ? byPeer(accepted) : []
    if (forward.length === 0) {
      answer.merged(splits, congestion)
      return
    }
    const timeout = state?.options.pushDataTimeout ?? 0
    const parts = forward.map(async ({ peer, elements: part }) => {
      const replica = await this.#host.replication.pushMerged(
        message,
        peer,
        part.map(({ partition, element }) => ({ location: partition.location, element })),
        timeout,
        answer.hold(),
      )
      return { replica, part }
    })
    void Promise.all(parts)
      .then((answers) => mergeReplicas(answer, answers, splits, congestion))
      .catch((error: unknown) => {
        answer.failure(nonCriticalFailure(1, error instanceof Error ? error : new Error(String(error))))
      })
  }

  #write(answer: PushReply, partition: OpenPartition, element: PushElement): void {
    const done = answer.hold()
    try {
      partition.writer.append(element.pieces, element.length, element.mapIds, done)
    } catch (error) {
      done()
      throw error
    }
    this.#host.writes(element.length)
  }

  #congestion(mode: 0 | 1): number {
    if (!this.#host.congested()) return StatusCode.SUCCESS
    return mode === 0
      ? StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED
      : StatusCode.PUSH_DATA_SUCCESS_REPLICA_CONGESTED
  }
}

function byPeer(accepted: readonly Accepted[]): { peer: PartitionLocation; elements: Accepted[] }[] {
  const groups = new Map<string, { peer: PartitionLocation; elements: Accepted[] }>()
  for (const entry of accepted) {
    const { peer } = entry.partition.location
    if (peer === undefined) continue
    const key = `${peer.host}:${peer.replicatePort}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { peer, elements: [entry] })
    else group.elements.push(entry)
  }
  return [...groups.values()]
}

function mergeReplicas(
  answer: PushReply,
  answers: readonly { readonly replica: ReplicaAnswer; readonly part: readonly Accepted[] }[],
  splits: MergedSplits,
  congestion: number,
): void {
  let congested = congestion
  for (const { replica, part } of answers) {
    if (replica.failure !== undefined) {
      answer.failure(replica.failure)
      return
    }
    const verdict = classifyPushMerged(replica.body, part.length)
    const original = (index: number): number => part[index]?.index ?? -1
    switch (verdict.kind) {
      case 'map-ended':
        answer.status(StatusCode.MAP_ENDED)
        return
      case 'congested':
        congested = verdict.status
        break
      case 'split':
        for (const index of verdict.hardSplit) splits.hard.add(original(index))
        for (const index of verdict.softSplit) splits.soft.add(original(index))
        break
      case 'success':
        break
      case 'stage-ended':
      case 'unknown':
        throw new ProtocolError(`the replica answered with ${statusName(verdict.status)}`)
    }
  }
  answer.merged(splits, congested)
}
