import { ProtocolError } from '../errors'
import { asBuffer } from './byte-reader'
import { writeInt32BE } from './int64'
import { encodeModifiedUtf8 } from './java/modified-utf8'
import { parseJava } from './java/parser'
import { isJavaObject, javaField, type JavaObject, type JavaValue } from './java/values'

/**
 * The four things that travel Java-serialised ("V1"): a TransportMessage, the question and the answer of an
 * endpoint lookup, and the failure of an RPC. What is written is the three-field TransportMessage of 0.6: a
 * LifecycleManager of 0.6 or 0.7 refuses a GetReducerFileGroup whose third field is not there, and 0.5 skips
 * that field. What is read is any form.
 */

const TRANSPORT_MESSAGE = 'org.apache.celeborn.common.network.protocol.TransportMessage'
const SERDE_VERSION = 'org.apache.celeborn.common.network.protocol.SerdeVersion'
const CHECK_EXISTENCE = 'org.apache.celeborn.common.rpc.netty.RpcEndpointVerifier$CheckExistence'
const BOOLEAN = 'java.lang.Boolean'
const RPC_FAILURE = 'org.apache.celeborn.common.rpc.netty.RpcFailure'
const THROWABLE = 'java.lang.Throwable'

/** First byte of every Java stream; the native form begins with another one. */
export const JAVA_STREAM_FIRST_BYTE = 0xac

/** What a standby master gives for the leader when it knows none. */
const NO_LEADER = 'leader is not present'

export type JavaContent =
  | { readonly kind: 'message'; readonly type: number; readonly payload: Uint8Array }
  | { readonly kind: 'check-existence'; readonly name: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | {
      readonly kind: 'failure'
      readonly className: string
      /** The exception's message, and those of its causes. */
      readonly message: string
      readonly leader?: string | undefined
    }

/** Start of a stream with one object: magic, version, TC_OBJECT, TC_CLASSDESC, name, serialVersionUID, flags. */
function streamOf(className: string, serialVersionUid: string, fields: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('aced00057372', 'hex'),
    utf(className),
    Buffer.from(`${serialVersionUid}02`, 'hex'), // 02: serializable, without a writeObject of its own
    fields,
    Buffer.from('7870', 'hex'), // no class annotation, no superclass
  ])
}

function utf(text: string): Buffer {
  const bytes = encodeModifiedUtf8(text)
  if (bytes.length > 0xffff)
    throw new RangeError(`a string of ${bytes.length} bytes does not fit into a Java stream`)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

function field(typeCode: string, name: string, typeName?: string): Buffer {
  const type = typeName === undefined ? [] : [Buffer.from('t'), utf(typeName)] // 't' is TC_STRING, 0x74
  return Buffer.concat([Buffer.from(typeCode), utf(name), ...type])
}

const TRANSPORT_MESSAGE_PREFIX = streamOf(
  TRANSPORT_MESSAGE,
  'd2c5b3edf7070f33',
  Buffer.concat([
    Buffer.from('0003', 'hex'),
    field('I', 'messageTypeValue'),
    field('[', 'payload', '[B'),
    field('L', 'serdeVersion', `L${SERDE_VERSION.replaceAll('.', '/')};`),
  ]),
)
/** The constant V1 of an enum, as the last field: TC_ENUM, its class and java.lang.Enum, its name. */
const SERDE_VERSION_V1 = Buffer.concat([
  Buffer.from('7e72', 'hex'),
  utf(SERDE_VERSION),
  Buffer.from('00000000000000001200007872', 'hex'), // 12: serializable, an enum
  utf('java.lang.Enum'),
  Buffer.from('00000000000000001200007870', 'hex'),
  Buffer.from('t'),
  utf('V1'),
])
/** TC_ARRAY and the class description of byte[]. */
const BYTE_ARRAY_PREFIX = Buffer.concat([
  Buffer.from('7572', 'hex'),
  utf('[B'),
  Buffer.from('acf317f8060854e00200007870', 'hex'),
])
const CHECK_EXISTENCE_PREFIX = streamOf(
  CHECK_EXISTENCE,
  '00000072ade1ba7d',
  Buffer.concat([Buffer.from('0001', 'hex'), field('L', 'name', 'Ljava/lang/String;')]),
)
const BOOLEAN_PREFIX = streamOf(
  BOOLEAN,
  'cd207280d59cfaee',
  Buffer.concat([Buffer.from('0001', 'hex'), field('Z', 'value')]),
)

/** Length of an encoded TransportMessage. */
export function javaTransportMessageLength(payload: Uint8Array | null): number {
  const around = TRANSPORT_MESSAGE_PREFIX.length + 4 + SERDE_VERSION_V1.length
  return payload === null ? around + 1 : around + BYTE_ARRAY_PREFIX.length + 4 + payload.length
}

/** Encodes a TransportMessage. Java writes a null payload where a message has none at all. */
export function encodeJavaTransportMessage(type: number, payload: Uint8Array | null): Buffer {
  const bytes = Buffer.allocUnsafe(javaTransportMessageLength(payload))
  let at = TRANSPORT_MESSAGE_PREFIX.copy(bytes, 0)
  at = writeInt32BE(bytes, at, type)
  if (payload === null) {
    bytes[at++] = 0x70
  } else {
    at += BYTE_ARRAY_PREFIX.copy(bytes, at)
    at = writeInt32BE(bytes, at, payload.length)
    bytes.set(payload, at)
    at += payload.length
  }
  SERDE_VERSION_V1.copy(bytes, at)
  return bytes
}

/** Encodes the question whether an endpoint exists. */
export function encodeJavaCheckExistence(endpointName: string): Buffer {
  return Buffer.concat([CHECK_EXISTENCE_PREFIX, Buffer.from('t'), utf(endpointName)])
}

/** Encodes the answer to it. */
export function encodeJavaBoolean(value: boolean): Buffer {
  return Buffer.concat([BOOLEAN_PREFIX, Buffer.from([value ? 1 : 0])])
}

/** Decodes any of the four. A message's payload is a view of `bytes`. Throws a ProtocolError. */
export function decodeJava(bytes: Uint8Array): JavaContent {
  const value = parseJava(asBuffer(bytes))
  if (!isJavaObject(value)) throw new ProtocolError(`a Java stream with ${describe(value)}`)
  switch (value.className) {
    case TRANSPORT_MESSAGE:
      return transportMessage(value)
    case CHECK_EXISTENCE:
      return { kind: 'check-existence', name: stringField(value, 'name') }
    case BOOLEAN:
      return { kind: 'boolean', value: javaField(value, 'value') === true }
    case RPC_FAILURE:
      return failure(javaField(value, 'e'))
    default:
      throw new ProtocolError(`a Java stream with an instance of ${value.className}`)
  }
}

function transportMessage(object: JavaObject): JavaContent {
  const type = javaField(object, 'messageTypeValue')
  const payload = javaField(object, 'payload')
  if (typeof type !== 'number') throw new ProtocolError('a TransportMessage without a type')
  if (payload === null) return { kind: 'message', type, payload: new Uint8Array(0) }
  if (!(payload instanceof Uint8Array))
    throw new ProtocolError('a TransportMessage whose payload is not byte[]')
  return { kind: 'message', type, payload }
}

function stringField(object: JavaObject, name: string): string {
  const value = javaField(object, name)
  if (typeof value !== 'string') throw new ProtocolError(`${object.className} without ${name}`)
  return value
}

/** More causes than this say nothing new; a chain may also end in itself. */
const MAX_CAUSES = 10

function failure(throwable: JavaValue | undefined): JavaContent {
  if (!isJavaObject(throwable)) return { kind: 'failure', className: THROWABLE, message: '' }
  const chain = causeChain(throwable)
  const [first = '', ...causes] = chain.map((link) => text(link, 'detailMessage') ?? '')
  const message = [first]
  causes.forEach((cause, i) => message.push(`caused by ${chain[i + 1]?.className ?? ''}: ${cause}`))
  const leader = chain.map((link) => text(link, 'leaderPeer')).find((peer) => peer !== undefined)
  return {
    kind: 'failure',
    className: throwable.className,
    message: message.join('; '),
    leader: leader === NO_LEADER ? undefined : leader,
  }
}

function causeChain(throwable: JavaObject): JavaObject[] {
  const chain: JavaObject[] = []
  let link: JavaValue | undefined = throwable
  while (isJavaObject(link) && !chain.includes(link) && chain.length <= MAX_CAUSES) {
    chain.push(link)
    link = javaField(link, 'cause')
  }
  return chain
}

function text(object: JavaObject, name: string): string | undefined {
  const value = javaField(object, name)
  return typeof value === 'string' ? value : undefined
}

function describe(value: JavaValue): string {
  if (value === null) return 'null'
  return typeof value === 'object' && 'className' in value ? value.className : `a ${typeof value}`
}
