/** An address inside of an RPC envelope. */
export interface RpcAddress {
  readonly host: string
  readonly port: number
}

/** What an RPC_REQUEST or ONE_WAY_MESSAGE to a master, worker or LifecycleManager carries. */
export interface RpcEnvelope {
  /** Where the caller listens; pure clients do not say. */
  readonly sender?: RpcAddress | undefined
  /** Where the caller dialled. */
  readonly receiver?: RpcAddress | undefined
  readonly endpoint: string
  /** See decodeContent; a view of the bytes the envelope was decoded from. */
  readonly content: Uint8Array
}

/** Names of endpoints. */
export const Endpoint = {
  MASTER: 'MasterEndpoint',
  MASTER_INTERNAL: 'MasterInternalEndpoint',
  WORKER: 'WorkerEndpoint',
  WORKER_INTERNAL: 'WorkerInternalEndpoint',
  LIFECYCLE_MANAGER: 'LifecycleManagerEndpoint',
  /** Asked by Java callers before anything else: does this process host an endpoint of that name? */
  VERIFIER: 'endpoint-verifier',
} as const

/** Encodes an envelope. */
export declare function encodeRpcEnvelope(envelope: RpcEnvelope): Buffer
/** Decodes an envelope. Throws a ProtocolError. */
export declare function decodeRpcEnvelope(bytes: Uint8Array): RpcEnvelope
