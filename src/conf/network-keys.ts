import { bool, duration, int, optional, perModule, sameAs, text } from './entry'
import { booleanType, durationType, intType, sizeType, stringType } from './values'

// Keys of the transport: RPC, connections, TLS and authentication. Defaults are Celeborn 0.6.3's.

export const NETWORK_TIMEOUT = duration('celeborn.network.timeout', '240s', {
  min: 1,
  doc: 'A connection on which nothing moved for this long is closed.',
})
export const NETWORK_CONNECT_TIMEOUT = duration('celeborn.network.connect.timeout', '10s', {
  min: 1,
  doc: 'Longest wait for a connection to be established.',
})
export const NETWORK_BIND_PREFER_IP_ADDRESS = bool('celeborn.network.bind.preferIpAddress', 'true', {
  doc: 'Servers announce their IP address rather than their host name.',
})

export const RPC_ASK_TIMEOUT = duration('celeborn.rpc.askTimeout', '60s', {
  min: 1,
  doc: 'Longest wait for the answer to a control request; default of the other ask time-outs.',
})
export const RPC_LOOKUP_TIMEOUT = duration('celeborn.rpc.lookupTimeout', '30s', {
  min: 1,
  doc: 'Longest wait for the answer to an endpoint look-up.',
})
export const RPC_RETRY_WAIT = duration('celeborn.rpc.retryWait', '1s', {
  doc: 'Pause before a control request is tried again.',
})

export const AUTH_ENABLED = bool('celeborn.auth.enabled', 'false', {
  doc: 'Connections are authenticated (SASL) with a secret per application.',
})
export const INTERNAL_PORT_ENABLED = bool('celeborn.internal.port.enabled', 'false', {
  doc: 'Servers talk to each other on ports of their own.',
})

export const MODULE_IO_CONNECT_TIMEOUT = perModule(
  'celeborn.<module>.io.connectTimeout',
  durationType({ min: 1 }),
  sameAs(NETWORK_CONNECT_TIMEOUT),
  { doc: 'Longest wait for a connection of this module to be established.' },
)
export const MODULE_IO_CONNECTION_TIMEOUT = perModule(
  'celeborn.<module>.io.connectionTimeout',
  durationType({ min: 1 }),
  sameAs(NETWORK_TIMEOUT),
  { doc: 'A connection of this module on which nothing moved for this long is closed.' },
)
export const MODULE_IO_NUM_CONNECTIONS_PER_PEER = perModule(
  'celeborn.<module>.io.numConnectionsPerPeer',
  intType({ min: 1, max: 1024 }),
  '1',
  { doc: 'Connections to one peer.' },
)
export const MODULE_IO_MAX_RETRIES = perModule('celeborn.<module>.io.maxRetries', intType({ min: 0 }), '3', {
  doc: 'Tries after a connection failed.',
})
export const MODULE_IO_RETRY_WAIT = perModule('celeborn.<module>.io.retryWait', durationType(), '5s', {
  doc: 'Pause before such a try.',
})
export const MODULE_IO_THREADS = perModule('celeborn.<module>.io.threads', intType({ min: 0 }), '8', {
  doc: 'Threads: the event loop does the work here.',
})
export const MODULE_IO_BACK_LOG = perModule('celeborn.<module>.io.backLog', intType({ min: 0 }), '0', {
  doc: 'Length of a server socket’s accept queue; 0 leaves it to the system.',
})
export const MODULE_IO_LAZY_FD = perModule('celeborn.<module>.io.lazyFD', booleanType, 'true', {
  alternatives: ['spark.shuffle.io.lazyFD'],
  doc: 'A file segment opens its file at the first read, not when it is made.',
})
export const MODULE_STORAGE_MEMORY_MAP_THRESHOLD = perModule(
  'celeborn.<module>.storage.memoryMapThreshold',
  sizeType(),
  '2m',
  {
    alternatives: ['celeborn.storage.memoryMapThreshold', 'spark.storage.memoryMapThreshold'],
    doc: 'File segments of this size and above are mapped, smaller ones are read.',
  },
)
export const MODULE_IO_SASL_TIMEOUT = perModule(
  'celeborn.<module>.io.saslTimeout',
  durationType({ min: 1 }),
  '30s',
  { doc: 'Longest wait for one step of the authentication.' },
)
export const MODULE_HEARTBEAT_INTERVAL = perModule(
  'celeborn.<module>.heartbeat.interval',
  durationType({ min: 1 }),
  '60s',
  {
    alternatives: ['celeborn.client.heartbeat.interval'],
    doc: 'Pause between heartbeats on a connection, where they are enabled.',
  },
)
export const MODULE_PUSH_TIMEOUT_CHECK_INTERVAL = perModule(
  'celeborn.<module>.push.timeoutCheck.interval',
  durationType({ min: 1 }),
  '5s',
  { doc: 'Pause between two looks for pushes whose time is up.' },
)
export const MODULE_FETCH_TIMEOUT_CHECK_INTERVAL = perModule(
  'celeborn.<module>.fetch.timeoutCheck.interval',
  durationType({ min: 1 }),
  '5s',
  { doc: 'Pause between two looks for chunk requests whose time is up.' },
)

export const SSL_ENABLED = bool('celeborn.ssl.enabled', 'false', { doc: 'TLS on every module.' })
export const SSL_PROTOCOL = text('celeborn.ssl.protocol', 'TLSv1.2', { doc: 'TLS version of every module.' })
export const SSL_KEY_STORE = optional('celeborn.ssl.keyStore', stringType, {
  doc: 'Key store of every module.',
})
export const SSL_TRUST_STORE = optional('celeborn.ssl.trustStore', stringType, {
  doc: 'Trust store of every module; any certificate is accepted where there is none.',
})
export const MODULE_SSL_ENABLED = perModule(
  'celeborn.ssl.<module>.enabled',
  booleanType,
  sameAs(SSL_ENABLED),
  { doc: 'TLS on connections of this module.' },
)
export const MODULE_SSL_PROTOCOL = perModule(
  'celeborn.ssl.<module>.protocol',
  stringType,
  sameAs(SSL_PROTOCOL),
  { doc: 'TLS version.' },
)
export const MODULE_SSL_KEY_STORE = perModule<string | undefined>(
  'celeborn.ssl.<module>.keyStore',
  stringType,
  sameAs(SSL_KEY_STORE),
  { doc: 'Key store with the own certificate.' },
)
export const MODULE_SSL_TRUST_STORE = perModule<string | undefined>(
  'celeborn.ssl.<module>.trustStore',
  stringType,
  sameAs(SSL_TRUST_STORE),
  { doc: 'Trust store; any certificate is accepted where there is none.' },
)
export const MODULE_SSL_AUTO_SSL_ENABLED = perModule(
  'celeborn.ssl.<module>.autoSslEnabled',
  booleanType,
  'false',
  { doc: 'The driver makes a certificate of its own (module rpc_app only).' },
)

export const WORKER_PUSH_HEARTBEAT_ENABLED = bool('celeborn.worker.push.heartbeat.enabled', 'false', {
  doc: 'Workers send heartbeats on push connections.',
})
export const WORKER_FETCH_HEARTBEAT_ENABLED = bool('celeborn.worker.fetch.heartbeat.enabled', 'false', {
  doc: 'Workers send heartbeats on fetch connections.',
})

export const CLIENT_CLOSE_IDLE_CONNECTIONS = bool('celeborn.client.closeIdleConnections', 'true', {
  doc: 'Clients close data connections on which nothing moved for the connection time-out.',
})

export const CLIENT_RPC_MAX_RETRIES = int('celeborn.client.rpc.maxRetries', '3', {
  min: 0,
  doc: 'Tries of a request to the LifecycleManager.',
})
export const CLIENT_RPC_RETRY_WAIT = duration('celeborn.client.rpc.retryWait', '1s', {
  doc: 'Pause between such tries.',
})
