import { connect } from 'node:net'
import { parseHostPort } from '../../conf/values'
import { CelebornError } from '../../errors'
import { orAborted } from '../abortable'
import { systemReason } from '../system-reason'

const CONNECT_DEADLINE_MS = 5_000

/**
 * Makes sure that somebody listens at one of the masters at least. The client would try for minutes, which is right
 * for a job that meets a master which restarts, and wrong for a mistyped address.
 */
export async function requireMaster(masters: readonly string[], signal: AbortSignal): Promise<void> {
  const attempts = masters.map((master) => tryConnect(master))
  try {
    await orAborted(Promise.any(attempts), signal)
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error
    const reasons = error.errors.map((reason: unknown, i) => `${masters[i] ?? ''} (${systemReason(reason)})`)
    throw new CelebornError(
      'CELEBORN_CONNECT',
      `no Celeborn master answers at ${reasons.join(', ')}; check the address and that it runs, ` +
        'or leave --master out to use the embedded cluster',
      {},
      error,
    )
  }
}

function tryConnect(master: string): Promise<void> {
  const { host, port } = parseHostPort(master)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: CONNECT_DEADLINE_MS })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => {
      socket.destroy()
      reject(new Error(`no answer within ${CONNECT_DEADLINE_MS / 1000} seconds`))
    })
    socket.once('error', reject)
  })
}
