import type { Body, ServerConnection } from '../../network'
import { MessageType, type PushDataMessage, type PushMergedDataMessage } from '../../protocol/framing'
import { encodePushMergedSplit } from '../../protocol/push-response'
import { StatusCode } from '../../protocol/status'
import type { ReplicaAnswer } from './replication'

export type Push = PushDataMessage | PushMergedDataMessage

/** Indexes of the batches of a merged push that were not taken, and of those whose partition wants a new location. */
export interface MergedSplits {
  readonly hard: Set<number>
  readonly soft: Set<number>
}

/** The one answer to a push, and the holds on its body: the body is given back when the last of them ends. */
export class PushReply {
  readonly #conn: ServerConnection
  readonly #message: Push
  readonly #body: Body
  #answered = false
  #holds = 1

  constructor(conn: ServerConnection, message: Push, body: Body) {
    this.#conn = conn
    this.#message = message
    this.#body = body
  }

  /** Another user of the body; the function ends the hold. */
  hold(): () => void {
    this.#holds += 1
    return () => this.release()
  }

  release(): void {
    this.#holds -= 1
    if (this.#holds === 0) this.#body.release()
  }

  /** One status byte; success is an empty body, except for a merged push, where 0.6 clients need one byte. */
  status(status: number): void {
    const empty = status === StatusCode.SUCCESS && this.#message.type === MessageType.PUSH_DATA
    this.#reply(empty ? [] : [Uint8Array.of(status)])
  }

  merged(splits: MergedSplits, congestion: number): void {
    const { hard, soft } = splits
    for (const index of hard) soft.delete(index)
    if (hard.size + soft.size === 0) this.status(congestion)
    else this.#reply([encodePushMergedSplit([...hard].sort(ascending), [...soft].sort(ascending))])
  }

  /** What the replica says wins over a local soft split. */
  withReplica(replica: ReplicaAnswer, own: number): void {
    if (replica.failure !== undefined) this.failure(replica.failure)
    else if (replica.body.length > 0) this.#reply([replica.body])
    else this.status(own)
  }

  failure(text: string): void {
    if (this.#answered) return
    this.#answered = true
    this.#conn.replyFailure(this.#message.requestId, text)
  }

  #reply(parts: readonly Uint8Array[]): void {
    if (this.#answered) return
    this.#answered = true
    this.#conn.reply(this.#message.requestId, parts)
  }
}

function ascending(a: number, b: number): number {
  return a - b
}
