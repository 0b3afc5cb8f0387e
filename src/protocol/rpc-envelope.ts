import { CelebornError, ProtocolError } from '../errors'
import { ByteReader } from './byte-reader'
import { writeInt32BE } from './int64'
import { decodeModifiedUtf8, encodeModifiedUtf8 } from './java/modified-utf8'

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

/** Encodes an envelope: sender, receiver, endpoint, content. */
export function encodeRpcEnvelope(envelope: RpcEnvelope): Buffer {
  return Buffer.concat([
    address(envelope.sender),
    address(envelope.receiver),
    writeUtf(envelope.endpoint),
    envelope.content,
  ])
}

/** Decodes an envelope. Throws a ProtocolError. */
export function decodeRpcEnvelope(bytes: Uint8Array): RpcEnvelope {
  const reader = new ByteReader(bytes, 'RPC envelope')
  const sender = readAddress(reader, 'sender')
  const receiver = readAddress(reader, 'receiver')
  const endpoint = readUtf(reader, 'endpoint')
  return { sender, receiver, endpoint, content: reader.bytes(reader.remaining, 'content') }
}

const ABSENT = Buffer.from([0])
const PRESENT = Buffer.from([1])

function address(value: RpcAddress | undefined): Buffer {
  if (value === undefined) return ABSENT
  const port = Buffer.allocUnsafe(4)
  writeInt32BE(port, 0, value.port)
  return Buffer.concat([PRESENT, writeUtf(value.host), port])
}

function readAddress(reader: ByteReader, field: string): RpcAddress | undefined {
  const present = reader.uint8(field)
  if (present === 0) return undefined
  if (present !== 1) throw new ProtocolError(`RPC envelope: ${field} is marked with ${present}`)
  return { host: readUtf(reader, field), port: reader.int32(field) }
}

function writeUtf(text: string): Buffer {
  const bytes = encodeModifiedUtf8(text)
  if (bytes.length > 0xffff) {
    throw new CelebornError('CELEBORN_INTERNAL', `a name of ${bytes.length} bytes in an RPC envelope`)
  }
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

function readUtf(reader: ByteReader, field: string): string {
  return decodeModifiedUtf8(reader.bytes(reader.uint16(field), field))
}
