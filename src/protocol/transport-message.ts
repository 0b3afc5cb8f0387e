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
      readonly message: string
      /** `host:port` of the leader, when a standby master says that it is none. */
      readonly leader?: string | undefined
    }

/** A type value and its protobuf payload. The payload is a view of the bytes it was decoded from. */
export interface TransportMessage {
  readonly type: number
  readonly payload: Uint8Array
}

/** Encodes the bare form of fetch and push ports: type, length, payload. */
export declare function encodeBare(type: number, payload: Uint8Array): Buffer
/** Decodes the bare form. Throws a ProtocolError. */
export declare function decodeBare(bytes: Uint8Array): TransportMessage
/** Encodes the content of an RPC. A null payload (V1 only) is what Java writes for messages without any. */
export declare function encodeContent(form: ContentForm, type: number, payload: Uint8Array | null): Buffer
/** Encodes the question of an endpoint lookup (always V1). */
export declare function encodeCheckExistence(endpointName: string): Buffer
/** Encodes the answer of an endpoint lookup (always V1). */
export declare function encodeBoolean(value: boolean): Buffer
/** Decodes the content of an RPC in either form. Throws a ProtocolError. */
export declare function decodeContent(bytes: Uint8Array): RpcContent
