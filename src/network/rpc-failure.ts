import { RpcError } from '../errors'

/** A master answered that it is not the leader of its group. */
export class MasterNotLeaderError extends RpcError {
  /** `host:port` to ask instead; undefined while the group has no leader. */
  readonly leader: string | undefined

  constructor(hostPort: string, peerMessage: string, leader: string | undefined) {
    super(
      `${hostPort} is not the leading master: ${leader === undefined ? 'there is no leader now' : `ask ${leader}`}`,
      { hostPort, peerMessage },
    )
    this.leader = leader
  }
}

/**
 * The error for a peer's failure text, which may be a whole Java stack trace: its first line goes into the message,
 * everything into `context.peerMessage`.
 */
export function rpcFailure(hostPort: string, what: string, peerMessage: string): RpcError {
  const firstLine = /\S.*/.exec(peerMessage)?.[0].trimEnd() ?? 'no reason given'
  return new RpcError(`${what} failed at ${hostPort}: ${firstLine}`, { hostPort, peerMessage })
}
