/**
 * Control messages as plain values. For a message X there are `encodeX(value)`, which gives the protobuf
 * payload, and `decodeX(bytes)`, which throws a ProtocolError for bytes that are none. Decoded values own
 * their memory. The payload's type value is in ControlMessageType.
 */
export * from './control-message-type'
export * from './messages/auth'
export * from './messages/client-lifecycle'
export * from './messages/fetch'
export * from './messages/lifecycle-master'
export * from './messages/lifecycle-worker'
export * from './messages/structures'
export * from './messages/worker-master'
