import { type CelebornConf } from '../../conf'
import { parseHostPort } from '../../conf/values'
import { CelebornError } from '../../errors'
import { ConnectionPool, RpcClient } from '../../network'
import { Endpoint } from '../../protocol/rpc-envelope'
import { orAborted } from '../abortable'
import { systemReason } from '../../errors/system-reason'

const ANSWER_DEADLINE_MS = 5_000

/**
 * Makes sure that one of the masters at least answers as a master. The client would try for minutes, which is right for
 * a job that meets a master which restarts, and wrong for a mistyped address.
 */
export async function requireMaster(
  masters: readonly string[],
  conf: CelebornConf,
  signal: AbortSignal,
): Promise<void> {
  const pool = new ConnectionPool(conf, { module: 'rpc_app' })
  const rpc = new RpcClient(pool)
  try {
    await orAborted(Promise.any(masters.map((master) => askWhetherMaster(rpc, master))), signal)
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error
    throw new CelebornError(
      'CELEBORN_CONNECT',
      `no Celeborn master answers: ${error.errors.map(systemReason).join('; ')}; ` +
        'check the address and that the master runs, or leave --master out to use the embedded cluster',
      {},
      error,
    )
  } finally {
    await pool.close()
  }
}

async function askWhetherMaster(rpc: RpcClient, master: string): Promise<void> {
  const { host, port } = parseHostPort(master)
  if (!(await rpc.checkEndpoint(host, port, Endpoint.MASTER, { timeoutMs: ANSWER_DEADLINE_MS }))) {
    throw new Error(`${master} is no master`)
  }
}
