import { CelebornError, ProtocolError } from '../errors'
import { ByteReader } from './byte-reader'
import { isControlMessageType } from './control-message-type'
import { decodeLegacyMessage, type LegacyMessage } from './frame-decoders'
import { writeInt32BE } from './int64'
import {
  decodeJava,
  encodeJavaBoolean,
  encodeJavaCheckExistence,
  encodeJavaTransportMessage,
  JAVA_STREAM_FIRST_BYTE,
} from './java-serialization'

/** How the content of an RPC is written: Java serialisation, or the native form that starts with 0xFF. */
export type ContentForm = 'V1' | 'V2'

/** The content of an RPC or of its answer. */
export type RpcContent =
  | {
      readonly kind: 'message'
      readonly type: number
      readonly payload: Uint8Array
      readonly form: ContentForm
    }
  | { readonly kind: 'check-existence'; readonly name: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | {
      readonly kind: 'failure'
      /** The exception's class. */
      readonly className: string
      /** What it and its causes say; may be empty. */
      readonly message: string
      /** `host:port` of the leader, when a standby master says that it is none and knows who is. */
      readonly leader?: string | undefined
    }

/** A type value and its protobuf payload. The payload is a view of the bytes it was decoded from. */
export interface TransportMessage {
  readonly type: number
  readonly payload: Uint8Array
}

/** What may be inside of an RPC on a worker's push and fetch ports. */
export type BareContent =
  | { readonly kind: 'message'; readonly type: number; readonly payload: Uint8Array }
  | { readonly kind: 'legacy'; readonly message: LegacyMessage }

/** Bytes in front of a bare message's payload. */
export const BARE_HEADER_BYTES = 8

const NATIVE_MARKER = 0xff

/** Encodes the bare form of fetch and push ports: type, length, payload. */
export function encodeBare(type: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(BARE_HEADER_BYTES + payload.length)
  writeBare(bytes, 0, type, payload)
  return bytes
}

function writeBare(bytes: Buffer, offset: number, type: number, payload: Uint8Array): void {
  const at = writeInt32BE(bytes, writeInt32BE(bytes, offset, type), payload.length)
  bytes.set(payload, at)
}

/** Decodes the bare form. Throws a ProtocolError. */
export function decodeBare(bytes: Uint8Array): TransportMessage {
  return readBare(new ByteReader(bytes, 'TransportMessage'))
}

function readBare(reader: ByteReader): TransportMessage {
  const type = reader.int32('type')
  const payload = reader.lengthPrefixed('payload')
  reader.end()
  return { type, payload }
}

/**
 * Decodes the payload of an RPC on a push or fetch port: a bare message, or, where its first int is no type
 * of one, a legacy message. Throws a ProtocolError.
 */
export function decodeBareOrLegacy(bytes: Uint8Array): BareContent {
  const type = bytes.length >= 4 ? new ByteReader(bytes, 'TransportMessage').int32('type') : -1
  if (isControlMessageType(type)) return { kind: 'message', ...decodeBare(bytes) }
  return { kind: 'legacy', message: decodeLegacyMessage(bytes) }
}

/**
 * Encodes the content of an RPC. A null payload is what Java writes for messages without any; in the V2 form
 * it is the same as an empty one.
 */
export function encodeContent(form: ContentForm, type: number, payload: Uint8Array | null): Buffer {
  if (form === 'V1') return encodeJavaTransportMessage(type, payload)
  const body = payload ?? new Uint8Array(0)
  const bytes = Buffer.allocUnsafe(1 + BARE_HEADER_BYTES + body.length)
  bytes[0] = NATIVE_MARKER
  writeBare(bytes, 1, type, body)
  return bytes
}

/** Encodes the question of an endpoint lookup (always V1). */
export function encodeCheckExistence(endpointName: string): Buffer {
  if (endpointName.length > 0x3fff) {
    throw new CelebornError('CELEBORN_INTERNAL', `an endpoint name of ${endpointName.length} characters`)
  }
  return encodeJavaCheckExistence(endpointName)
}

/** Encodes the answer of an endpoint lookup (always V1). */
export function encodeBoolean(value: boolean): Buffer {
  return encodeJavaBoolean(value)
}

/** Decodes the content of an RPC or of its answer, in whichever form it is. Throws a ProtocolError. */
export function decodeContent(bytes: Uint8Array): RpcContent {
  const first = bytes[0]
  if (first === NATIVE_MARKER) {
    return { kind: 'message', ...readBare(new ByteReader(bytes, 'RPC content', 1)), form: 'V2' }
  }
  if (first === JAVA_STREAM_FIRST_BYTE) {
    const content = decodeJava(bytes)
    return content.kind === 'message' ? { ...content, form: 'V1' } : content
  }
  throw new ProtocolError(
    first === undefined
      ? 'an RPC without content'
      : `an RPC whose content begins with 0x${first.toString(16)}, which is no form of one`,
  )
}
