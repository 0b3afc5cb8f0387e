export { Body } from './body'
export { Connection, type ConnectionStats } from './connection'
export { GatherWriter } from './gather'
export { MessageServer, type MessageServerOptions, type MessageServerStats } from './message-server'
export { type ChunkRequest, monotonicMs, type Outbound, type PendingRequest, type StreamId } from './outbound'
export { ConnectionPool, type PoolStats } from './pool'
export { nextRequestId } from './request-id'
export { type AskOptions, RpcClient, type RpcClientOptions, type RpcMessage } from './rpc-client'
export {
  type RpcContext,
  RpcFailureText,
  type RpcHandler,
  RpcServer,
  type RpcServerOptions,
} from './rpc-server'
export { ServerConnection } from './server-connection'
