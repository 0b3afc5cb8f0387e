/**
 * Asks the master, whichever of `celeborn.master.endpoints` leads. A request that fails is sent again, to the leader
 * that a standby names or to the next endpoint, with the same request id, by which masters recognise it.
 */
import { randomUUID } from 'node:crypto'
import {
  AbortedError,
  CelebornError,
  ClosedError,
  ConnectionError,
  type ErrorContext,
  ProtocolError,
  RpcError,
  TimeoutError,
} from '../errors'
import { MasterNotLeaderError, type RpcClient } from '../network'
import { parseHostPort } from '../protocol/ids'
import { type ControlMessageType, controlMessageName } from '../protocol/messages'
import { Endpoint } from '../protocol/rpc-envelope'
import { delay } from './timers'

const BACKOFF_STEP_MS = 100
const BACKOFF_MAX_MS = 2_000
const MAX_HISTORY = 16

export interface MasterClientOptions {
  /** `host:port` each, at least one. */
  readonly endpoints: readonly string[]
  /** Tries after the first. */
  readonly maxRetries: number
  readonly askTimeoutMs: number
  /** Ends every wait. */
  readonly signal: AbortSignal
}

export interface MasterAskOptions {
  /** Tries after the first; the client's own by default. */
  readonly maxRetries?: number
  /** The same while masters answer that another one leads, or none yet: an election takes longer than a refusal. */
  readonly electionRetries?: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

let callCounter = 0

/** A request id of the shape that masters expect: `<uuid>#<counter>`. */
export function nextMasterRequestId(): string {
  return `${randomUUID()}#${callCounter++}`
}

export class MasterClient {
  private current: string
  private next = 0

  constructor(
    private readonly rpc: Pick<RpcClient, 'ask'>,
    private readonly options: MasterClientOptions,
  ) {
    this.current = options.endpoints[0] ?? ''
    this.next = 1
  }

  /** The endpoint that the next request goes to. */
  get endpoint(): string {
    return this.current
  }

  /**
   * Sends a request until a master answers it with `expected`.
   * @throws ConnectionError, TimeoutError, ProtocolError or RpcError with all tries in `context.attempts`; AbortedError
   */
  async ask(
    type: ControlMessageType,
    payload: Uint8Array,
    expected: ControlMessageType,
    o: MasterAskOptions = {},
  ): Promise<Uint8Array> {
    const signal = o.signal ?? this.options.signal
    // Every endpoint gets a try, however few retries are allowed.
    const maxRetries = Math.max(o.maxRetries ?? this.options.maxRetries, this.options.endpoints.length - 1)
    const electionRetries = Math.max(o.electionRetries ?? 0, maxRetries)
    const history: string[] = []
    const hopeless = new Set<string>()
    for (let tries = 1; ; tries++) {
      const endpoint = this.current
      try {
        const { host, port } = parseHostPort(endpoint)
        const timeoutMs = o.timeoutMs ?? this.options.askTimeoutMs
        const reply = await this.rpc.ask(host, port, Endpoint.MASTER, type, payload, { timeoutMs, signal })
        if (reply.type === expected) return reply.payload
        throw new ProtocolError(
          `${endpoint} answered ${controlMessageName(type)} with ${controlMessageName(reply.type)}`,
          { hostPort: endpoint },
        )
      } catch (error) {
        if (
          !(error instanceof CelebornError) ||
          error instanceof AbortedError ||
          error instanceof ClosedError
        ) {
          throw error
        }
        history.push(`${endpoint}: ${firstLine(error.message)}`)
        if (history.length > MAX_HISTORY) history.shift()
        if (isHopeless(error)) hopeless.add(endpoint)
        const allHopeless = this.options.endpoints.every((e) => hopeless.has(e))
        const retries = error instanceof MasterNotLeaderError ? electionRetries : maxRetries
        if (tries > retries || allHopeless) throw this.failure(type, endpoint, error, history)
        this.moveOn(endpoint, error)
      }
      await delay(Math.min(tries * BACKOFF_STEP_MS, BACKOFF_MAX_MS), signal)
    }
  }

  /** Another request may have moved on already: then that choice stands. */
  private moveOn(failed: string, error: CelebornError): void {
    if (this.current !== failed) return
    const leader = error instanceof MasterNotLeaderError ? error.leader : undefined
    if (leader !== undefined && leader !== failed) {
      this.current = leader
      return
    }
    const { endpoints } = this.options
    this.current = endpoints[this.next % endpoints.length] ?? failed
    this.next = (this.next + 1) % endpoints.length
  }

  private failure(type: number, endpoint: string, error: CelebornError, attempts: string[]): CelebornError {
    const what = `master request ${controlMessageName(type)} failed`
    const others = this.options.endpoints.length > 1 ? ` (masters: ${this.options.endpoints.join(', ')})` : ''
    const context: ErrorContext = { ...error.context, hostPort: endpoint, attempts }
    const text = (advice: string): string => `${what}: ${firstLine(error.message)}${others}; ${advice}`
    if (error instanceof ConnectionError) {
      const code = error.code === 'CELEBORN_CONNECT' ? error.code : 'CELEBORN_CONNECTION_LOST'
      return new ConnectionError(code, text(CONNECT_ADVICE), context, error)
    }
    if (error instanceof TimeoutError) return new TimeoutError(text(CONNECT_ADVICE), context)
    if (error instanceof ProtocolError) return new ProtocolError(text(NOT_A_MASTER_ADVICE), context, error)
    return new RpcError(text(adviceFor(error)), context, error)
  }
}

const CONNECT_ADVICE = 'check celeborn.master.endpoints and that the master runs and can be reached'
const NOT_A_MASTER_ADVICE =
  'check celeborn.master.endpoints: this must be the RPC port of a Celeborn master (9097 by default, not the HTTP port)'

function adviceFor(error: CelebornError): string {
  const words = error.context.peerMessage ?? error.message
  if (rejectsForm(words)) return 'this master takes only the V1 form: set celeborn.node.rpc.form to V1'
  if (lacksEndpoint(words)) return NOT_A_MASTER_ADVICE
  if (error instanceof MasterNotLeaderError) return 'no master leads at present: check the masters’ state'
  return 'see the master’s log'
}

/** Trying this endpoint again cannot help: whoever listens there is no Celeborn master, or of another version. */
function isHopeless(error: CelebornError): boolean {
  if (error instanceof ProtocolError) return true
  const words = error.context.peerMessage ?? ''
  return error instanceof RpcError && (rejectsForm(words) || lacksEndpoint(words))
}

function rejectsForm(words: string): boolean {
  return words.includes('StreamCorruptedException')
}

function lacksEndpoint(words: string): boolean {
  return /could not find|cannot find|there is no endpoint/i.test(words) && words.includes(Endpoint.MASTER)
}

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? text : text.slice(0, end)
}
