import { CelebornError, ClosedError, ConnectionError, ProtocolError, TimeoutError } from '../errors'
import { describe } from './callbacks'

const CONNECT_HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: is the process running, and is the port right?',
  ENOTFOUND: 'the host name does not resolve: check its spelling and the DNS',
  EAI_AGAIN: 'the name server does not answer: check the DNS',
  EHOSTUNREACH: 'no route to the host: check the network and the address',
  ENETUNREACH: 'no route to the network: check the address and its family',
  ETIMEDOUT: 'no answer to the connection attempt: check firewalls and the address',
  ECONNRESET: 'the peer reset the connection at once: is it shutting down or full?',
  EMFILE: 'this process has no file descriptors left: raise `ulimit -n`',
  EADDRNOTAVAIL: 'no local port is free, or the address cannot be used from here',
  ERR_SOCKET_BAD_PORT: 'a port is a number from 1 to 65535',
}

/** The code of a system error, also of one that stands for several addresses. */
function codeOf(cause: unknown): string {
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string') {
    return cause.code
  }
  return ''
}

/** A failed connection attempt to a name with several addresses has one error for each. */
function causeText(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(describe).join('; ')
  return describe(cause)
}

/** Whatever went wrong while connecting: refused, no such host, a look-up that throws, a bad port. */
export function connectFailure(hostPort: string, cause: unknown): ConnectionError {
  const hint = CONNECT_HINTS[codeOf(cause)]
  return new ConnectionError(
    'CELEBORN_CONNECT',
    `cannot connect to ${hostPort}: ${causeText(cause)}${hint === undefined ? '' : ` (${hint})`}`,
    { hostPort },
    cause,
  )
}

export function connectTimeout(hostPort: string, timeoutMs: number): ConnectionError {
  return new ConnectionError(
    'CELEBORN_CONNECT',
    `cannot connect to ${hostPort}: no connection within ${Math.round(timeoutMs)} ms (${CONNECT_HINTS['ETIMEDOUT']})`,
    { hostPort },
  )
}

/** @param cause null when the peer closed it in good order */
export function connectionLost(hostPort: string, cause: unknown): ConnectionError {
  const why = cause === null ? 'the peer closed it' : describe(cause)
  return new ConnectionError(
    'CELEBORN_CONNECTION_LOST',
    `connection to ${hostPort} lost: ${why} (what it had not answered may or may not have arrived)`,
    { hostPort },
    cause ?? undefined,
  )
}

export function writeStalled(hostPort: string, stalledMs: number): TimeoutError {
  return new TimeoutError(
    `${hostPort} took no bytes for ${Math.round(stalledMs)} ms: connection closed (the peer is overloaded, stopped, or the network is down)`,
    { hostPort },
  )
}

export function receiveStalled(hostPort: string, stalledMs: number, what = 'a chunk'): TimeoutError {
  return new TimeoutError(
    `${hostPort} sent nothing more of ${what} for ${Math.round(stalledMs)} ms: connection closed (the peer is overloaded, stopped, or the network is down)`,
    { hostPort },
  )
}

export function noAnswer(hostPort: string, timeoutMs: number): TimeoutError {
  return new TimeoutError(`${hostPort} did not answer within ${Math.round(timeoutMs)} ms`, { hostPort })
}

/** What the receiving side threw: a fault of the peer's unless it is one of ours. */
export function badBytes(hostPort: string, thrown: unknown): CelebornError {
  if (thrown instanceof ProtocolError || !(thrown instanceof CelebornError)) {
    return new ProtocolError(
      `${hostPort} sent bytes that are no valid message: ${describe(thrown)} (is the port right, and is the peer a Celeborn process?)`,
      { hostPort },
      thrown,
    )
  }
  return thrown
}

export function encodeFailure(hostPort: string, thrown: unknown): CelebornError {
  if (thrown instanceof CelebornError) return thrown
  return new CelebornError(
    'CELEBORN_INTERNAL',
    `a message to ${hostPort} could not be encoded: ${describe(thrown)}`,
    { hostPort },
    thrown,
  )
}

export function allocationFailure(hostPort: string, thrown: unknown): CelebornError {
  if (thrown instanceof CelebornError) return thrown
  return new CelebornError(
    'CELEBORN_INTERNAL',
    `no memory was supplied for a chunk from ${hostPort}: ${describe(thrown)}`,
    { hostPort },
    thrown,
  )
}

export function closedByUs(hostPort: string): ClosedError {
  return new ClosedError(`connection to ${hostPort} is closed`)
}

/** The caller used an id twice at once. */
export function duplicate(hostPort: string, requestId: number): CelebornError {
  return new CelebornError('CELEBORN_INTERNAL', `request ${requestId} to ${hostPort} is already under way`, {
    hostPort,
  })
}
