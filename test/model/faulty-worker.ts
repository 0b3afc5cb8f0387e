import { RPC_REQUEST_HEADER_BYTES, writeRpcRequestHeader } from '../../src/protocol/framing'
import { ControlMessageType } from '../../src/protocol/messages'
import { encodePushMergedSplit } from '../../src/protocol/push-response'
import { StatusCode } from '../../src/protocol/status'
import { encodeBare } from '../../src/protocol/transport-message'
import {
  type PushHead,
  type ReceivedPush,
  ScriptedWorker,
  type WorkerConnection,
} from '../fault/scripted-worker'
import { type Answer } from './commands'
import { type Ledger } from './ledger'
import { type ModelPush } from './model'

/** What a faulty worker needs of the program that runs. */
export interface WorkerContext {
  readonly ledger: Ledger
  readonly pushTimeoutMs: number
  /** A fault has been done to the client. */
  fault(kind: string): void
  note(event: string): void
  /** Something has happened that somebody may wait for. */
  changed(): void
  /** Runs once, after that time or when the program is healed. */
  later(ms: number, action: () => void): void
  mapEnded(pushes: readonly ModelPush[]): void
  stageEnded(): void
  violate(text: string): void
}

/** The failure texts of protocol.md 4.6, and others. */
const FAILURES = [
  'PUSH_DATA_WRITE_FAIL_PRIMARY: no space left on device',
  'PUSH_DATA_WRITE_FAIL_REPLICA',
  'PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY: refused',
  'PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA: refused',
  'PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY',
  'PUSH_DATA_CONNECTION_EXCEPTION_REPLICA: reset',
  'PUSH_DATA_TIMEOUT_PRIMARY',
  'PUSH_DATA_TIMEOUT_REPLICA',
  'REPLICATE_DATA_FAILED',
  'PUSH_DATA_PRIMARY_WORKER_EXCLUDED',
  'PUSH_DATA_REPLICA_WORKER_EXCLUDED',
  'PUSH_DATA_FAIL_PARTITION_NOT_FOUND',
  'PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_REPLICA: x',
  'Connection reset by peer',
  'Connection from /127.0.0.1:1 closed',
  'Failed to send request 7 to somewhere',
  'java.lang.NullPointerException',
  '',
]
/** Status bytes that mean nothing as an answer to a push. */
const UNKNOWN = [1, 2, 13, 23, 57, 99, 128, 255]

/** A worker's push port that answers by a script; without one it acknowledges. */
export class FaultyWorker {
  private script: Answer[] = []
  private held: (() => void)[] = []
  private refusals = 0
  /** The next bytes after which the connection that gets them is reset. */
  private resetAfter = Number.POSITIVE_INFINITY
  private context: WorkerContext | null = null
  private answered: { connection: WorkerConnection; push: ReceivedPush } | null = null

  private constructor(
    readonly index: number,
    readonly server: ScriptedWorker,
  ) {
    server.keepsPushes = false
    server.onConnection = (connection) => this.onConnection(connection)
    server.onData = (connection, data) => this.onData(connection, data)
    server.onHead = (head) => this.onHead(head)
    server.onPush = (push) => this.onPush(push)
    server.onBroken = (_, error) =>
      this.context?.violate(`worker ${index} read bytes that are no message: ${String(error)}`)
  }

  static async start(index: number): Promise<FaultyWorker> {
    return new FaultyWorker(index, await ScriptedWorker.start())
  }

  attach(context: WorkerContext): void {
    this.context = context
  }

  /** The program is over: what still comes is of no interest. */
  detach(): void {
    this.heal()
    this.context = null
    this.answered = null
    this.server.forget()
  }

  /** From now on it works. */
  heal(): void {
    this.script = []
    this.refusals = 0
    this.resetAfter = Number.POSITIVE_INFINITY
    this.server.unstall()
    this.release('all')
  }

  plan(answers: readonly Answer[]): void {
    this.script.push(...answers)
  }

  stall(): void {
    this.context?.fault('stall')
    this.server.stall()
  }

  resume(): void {
    this.server.unstall()
  }

  refuse(count: number): void {
    this.refusals += count
  }

  reset(afterBytes: number): void {
    if (afterBytes > 0) {
      this.resetAfter = afterBytes
      return
    }
    if (this.server.openConnections > 0) this.context?.fault('reset')
    this.server.resetAll()
  }

  /** Gives answers that were held back. */
  release(order: 'first' | 'last' | 'all'): void {
    if (order === 'first') this.held.shift()?.()
    else if (order === 'last') this.held.pop()?.()
    else for (const answer of this.held.splice(0).reverse()) answer()
  }

  noise(
    what: 'heartbeat' | 'unknown-answer' | 'duplicate-answer' | 'request' | 'garbage',
    pieces: number,
  ): boolean {
    const connection = this.server.connections.findLast(({ closed }) => !closed)
    if (connection === undefined) return false
    this.context?.fault(what)
    switch (what) {
      case 'heartbeat':
        for (let i = 0; i < pieces; i++) connection.heartbeat()
        return true
      case 'unknown-answer':
        for (let i = 0; i < pieces; i++) connection.respond(4_000_000_000 + i, new Uint8Array(0))
        return true
      case 'duplicate-answer':
        if (this.answered === null || this.answered.connection.closed) return false
        for (let i = 0; i < pieces; i++) this.answered.push.ack()
        return true
      case 'request':
        connection.write(clientIsNoServer())
        return true
      case 'garbage':
        connection.write(GARBAGE)
        return true
    }
  }

  private onConnection(connection: WorkerConnection): void {
    connection.socket.on('close', () => this.context?.changed())
    if (this.refusals === 0) return
    this.refusals--
    this.context?.fault('refuse')
    connection.reset()
  }

  private onData(connection: WorkerConnection, data: Uint8Array): void {
    this.context?.ledger.data(this.index, data)
    this.resetAfter -= data.length
    if (this.resetAfter > 0) return
    this.resetAfter = Number.POSITIVE_INFINITY
    this.context?.fault('reset mid-frame')
    connection.reset()
  }

  private onHead({ requestId, uniqueIds, bodyBytes, connection }: PushHead): void {
    const { context } = this
    const [next] = this.script
    if (context === null || next?.kind !== 'early') return
    this.script.shift()
    context.fault('early answer')
    context.ledger.early.set(
      `${this.index}/${requestId}`,
      uniqueIds.map((id) => Number(id.split('-')[0])),
    )
    connection.respond(requestId, new Uint8Array(0))
    if (bodyBytes < 1 << 20) return
    connection.socket.pause()
    context.later((context.pushTimeoutMs * (next.arg % 5)) / 4, () => {
      if (!connection.closed) connection.socket.resume()
    })
  }

  private onPush(push: ReceivedPush): void {
    const { context } = this
    if (context === null) return
    const answer = context.ledger.early.has(`${this.index}/${push.requestId}`) ? undefined : this.script[0]
    context.note(
      `worker ${this.index} received request ${push.requestId}${push.merged ? ' (merged)' : ''} of ` +
        push.batches.map(({ batchId }, i) => `batch ${batchId} for ${push.uniqueIds[i]}`).join(', ') +
        `; answer: ${answer?.kind ?? 'ack'}`,
    )
    const pushes = context.ledger.received(this.index, push.shuffleKey, push.uniqueIds, push.batches)
    if (context.ledger.early.delete(`${this.index}/${push.requestId}`)) this.write(pushes, true)
    else this.apply(context, push, pushes, this.script.shift())
    context.changed()
  }

  private write(pushes: readonly ModelPush[], promised: boolean): void {
    for (const push of pushes) {
      this.context?.ledger.written.add(push)
      if (promised) this.context?.ledger.promised.add(push)
    }
  }

  private acknowledge(push: ReceivedPush, pushes: readonly ModelPush[], status?: number): void {
    this.write(pushes, true)
    this.answered = { connection: push.connection, push }
    if (status === undefined) push.ack()
    else push.status(status)
  }

  private apply(
    context: WorkerContext,
    push: ReceivedPush,
    pushes: readonly ModelPush[],
    answer: Answer | undefined,
  ): void {
    if (answer === undefined || answer.kind === 'ack' || answer.kind === 'early') {
      this.acknowledge(push, pushes)
      return
    }
    const { kind, arg, wrote } = answer
    context.fault(kind)
    switch (kind) {
      case 'soft-split':
        return this.acknowledge(push, pushes, StatusCode.SOFT_SPLIT)
      case 'congested':
        return this.acknowledge(push, pushes, StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED)
      case 'replica-congested':
        return this.acknowledge(push, pushes, StatusCode.PUSH_DATA_SUCCESS_REPLICA_CONGESTED)
      case 'hard-split':
        return push.status(StatusCode.HARD_SPLIT)
      case 'split':
        return this.split(push, pushes, arg)
      case 'map-ended':
        context.mapEnded(pushes)
        return push.status(StatusCode.MAP_ENDED)
      case 'stage-ended':
        context.stageEnded()
        return push.status(StatusCode.STAGE_ENDED)
      case 'twice':
        this.acknowledge(push, pushes)
        return push.ack()
      case 'late':
        this.write(pushes, true)
        return context.later(context.pushTimeoutMs * 1.4, () => push.ack())
      case 'held':
        this.write(pushes, true)
        this.held.push(() => push.ack())
        return
      default:
        break
    }
    // From here on the answer promises nothing.
    if (wrote) this.write(pushes, false)
    switch (kind) {
      case 'unknown-status':
        return push.status(UNKNOWN[arg % UNKNOWN.length] ?? 99)
      case 'failure':
        return push.failure(FAILURES[arg % FAILURES.length] ?? '')
      case 'malformed':
        return push.answer(malformed(push.merged ? arg : arg % 3))
      case 'garbage':
        return push.connection.write(GARBAGE)
      case 'silent':
        return
      case 'reset':
        return push.connection.reset()
      case 'end':
        push.connection.socket.end()
    }
  }

  /** Each batch by itself: two bits of `arg` say what becomes of it. */
  private split(push: ReceivedPush, pushes: readonly ModelPush[], arg: number): void {
    const hard: number[] = []
    const soft: number[] = []
    const written: ModelPush[] = []
    pushes.forEach((one, i) => {
      const fate = ((arg * 0x9e37 + i * 0x85eb) >>> 3) % 4
      if (fate === 0) hard.push(i)
      else if (fate === 1) soft.push(i)
      if (fate !== 0) written.push(one)
    })
    this.write(written, true)
    if (hard.length === 0 && soft.length === 0) push.ack()
    else push.answer(encodePushMergedSplit(hard, soft))
  }
}

/** A frame header whose length of fields is negative. */
const GARBAGE = Buffer.from('ffffffff0000000000', 'hex')

/** A request, which clients refuse. */
function clientIsNoServer(): Uint8Array {
  const request = Buffer.alloc(RPC_REQUEST_HEADER_BYTES)
  writeRpcRequestHeader(request, 0, 5, 0)
  return request
}

/** Answers that begin like a split and go on with nonsense. */
function malformed(arg: number): Uint8Array {
  const head = Uint8Array.of(StatusCode.HARD_SPLIT)
  switch (arg % 4) {
    case 0:
      return Buffer.concat([head, Buffer.alloc(3, 0xff)])
    case 1:
      return encodePushMergedSplit([100_000], [])
    case 2:
      return Buffer.concat([head, encodeBare(ControlMessageType.OPEN_STREAM, new Uint8Array(2))])
    default:
      return Buffer.concat([Uint8Array.of(StatusCode.SOFT_SPLIT), Buffer.alloc(40, 7)])
  }
}
