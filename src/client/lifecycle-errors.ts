/** What a ShuffleClient's user is told when the driver's side fails: what to check, what is lost, what to configure. */
import { CelebornError, ConnectionError, ProtocolError, RpcError, TimeoutError } from '../errors'
import { ControlMessageType, type RegisterShuffleResponse } from '../protocol/messages'
import { Endpoint } from '../protocol/rpc-envelope'
import { StatusCode } from '../protocol/status'

function lacksEndpoint(words: string): boolean {
  return (
    /could not find|cannot find|there is no endpoint/i.test(words) &&
    words.includes(Endpoint.LIFECYCLE_MANAGER)
  )
}

function rejectsForm(words: string): boolean {
  return words.includes('StreamCorruptedException')
}

/** What was asked of whom. */
export interface Asked {
  readonly hostPort: string
  readonly type: number
  /** A LifecycleManager has answered there before. */
  readonly known: boolean
}

/** Whoever listens there is no LifecycleManager, or does not understand our requests: asking again does not help. */
export function isNoManager(error: CelebornError, known: boolean): boolean {
  const words = error.context.peerMessage ?? ''
  return (!known && error instanceof ProtocolError) || lacksEndpoint(words) || rejectsForm(words)
}

/** The error with what to do about it, where that is about the address or the peer's version. */
export function advised(error: unknown, { hostPort, type, known }: Asked): unknown {
  if (!(error instanceof CelebornError)) return error
  const { message, context } = error
  const words = context.peerMessage ?? ''
  const text = (advice: string): string => `${message}; ${advice}`
  if (rejectsForm(words)) {
    const advice = `the LifecycleManager at ${hostPort} takes only the V1 form: set celeborn.node.rpc.form to V1`
    return new RpcError(text(advice), context, error)
  }
  if (lacksEndpoint(words)) return new RpcError(text(noManagerAdvice(hostPort)), context, error)
  if (error instanceof ProtocolError && !known)
    return new ProtocolError(text(noManagerAdvice(hostPort)), context, error)
  if (error instanceof ConnectionError && error.code === 'CELEBORN_CONNECT')
    return new ConnectionError(error.code, text(NOT_THERE_ADVICE), context, error)
  if (error instanceof TimeoutError) {
    const waits = type === ControlMessageType.GET_REDUCER_FILE_GROUP
    return new TimeoutError(text(waits ? NOT_ENDED_ADVICE : NOT_THERE_ADVICE), context)
  }
  return error
}

function noManagerAdvice(hostPort: string): string {
  return `${hostPort} must be a LifecycleManager's host and port as the driver has them after its start, not those of a master, a worker or a web page`
}

const NOT_ENDED_ADVICE =
  'readers wait for the end of all map tasks (raise celeborn.client.rpc.getReducerFileGroup.askTimeout if they take longer), or the driver cannot be reached'

const NOT_THERE_ADVICE =
  'check that the driver runs and can be reached: that is where its LifecycleManager listens'

/** The first location in the driver's words on lost data: `<partitionId>-<epoch> on worker …`. */
export function firstLost(words: string): { readonly location?: string; readonly partitionId?: number } {
  const [, location, partitionId] = /\b((\d+)-\d+) on worker /.exec(words) ?? []
  if (location === undefined) return {}
  return { location, partitionId: Number(partitionId) }
}

export function lostText(shuffleId: number, words: string): string {
  const why =
    words === '' ? "a worker did not commit what it held, or is gone; the driver's log tells more" : words
  return `data of shuffle ${shuffleId} is lost: ${why.replace(/^data of /, '')}`
}

/** Whatever keeps a shuffle from being registered has one code; why the LifecycleManager did not answer is its cause. */
export function registerError(error: unknown, shuffleId: number, hostPort: string): CelebornError {
  if (error instanceof CelebornError) {
    const { code } = error
    if (code === 'CELEBORN_REGISTER_FAILED' || code === 'CELEBORN_CLOSED' || code === 'CELEBORN_CONFIG')
      return error
  }
  const text = error instanceof Error ? error.message : String(error)
  return new CelebornError(
    'CELEBORN_REGISTER_FAILED',
    `shuffle ${shuffleId} could not be registered: ${text}`,
    { shuffleId, hostPort },
    error,
  )
}

/** Why a registration was answered with this status. */
export function registerHint({ status, errorMsg }: RegisterShuffleResponse): string {
  const why = errorMsg === '' ? '' : `: ${errorMsg}`
  switch (status) {
    case StatusCode.SLOT_NOT_AVAILABLE:
    case StatusCode.WORKER_EXCLUDED:
      return `${why === '' ? ': the master has no worker to offer' : why} (with replication two are needed). Are workers registered with it?`
    case StatusCode.RESERVE_SLOTS_FAILED:
      return why === ''
        ? ': the workers did not reserve the partitions. Are they reachable, and have they room on their disks?'
        : why
    default:
      return why
  }
}
