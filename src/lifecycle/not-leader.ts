/** Reads a standby master's answer that it does not lead. */
import { type CelebornError, RpcError } from '../errors'

/** The answer, with the leader's `host:port` if the standby knows it; undefined for any other failure. */
export function notLeader(error: CelebornError): { readonly leader: string | undefined } | undefined {
  if (!(error instanceof RpcError)) return undefined
  if (error.context.leader !== undefined) return { leader: error.context.leader }
  const words = error.context.peerMessage ?? error.message
  return words.includes('MasterNotLeaderException') ? { leader: undefined } : undefined
}
