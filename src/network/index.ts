export { Body } from './body'
export { Connection, type ConnectionState, type ConnectionStats } from './connection'
export { GatherWriter } from './gather'
export { MessageServer, type MessageServerOptions, type MessageServerStats } from './message-server'
export { type ChunkRequest, monotonicMs, type Outbound, type PendingRequest, type StreamId } from './outbound'
export { ConnectionPool, type ConnectionPoolOptions, type PoolStats } from './pool'
export {
  ChunkFailureMessage,
  ChunkSuccessMessage,
  OneWayMessage,
  type OnWritten,
  RpcFailureMessage,
  RpcRequestMessage,
  RpcResponseMessage,
} from './replies'
export { nextRequestId } from './request-id'
export { type AskOptions, RpcClient, type RpcClientOptions, type RpcMessage } from './rpc-client'
export { MasterNotLeaderError } from './rpc-failure'
export {
  type RpcContext,
  RpcFailureText,
  type RpcHandler,
  RpcServer,
  type RpcServerOptions,
} from './rpc-server'
export { ServerConnection } from './server-connection'
