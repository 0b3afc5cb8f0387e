import { celeborn as pb } from '../generated/celeborn'
import { decodeWith, encodeWith, list, ownBytes } from './pb'

/** Messages of the authentication handshake. */

export const AuthType = { CLIENT_AUTH: 1, CONNECTION_AUTH: 2 } as const

export interface SaslMechanism {
  readonly mechanism: string
  /** {@link AuthType}. */
  readonly authTypes: readonly number[]
}

/** AUTHENTICATION_INITIATION_REQUEST and its answer. */
export interface AuthenticationInitiation {
  readonly version: string
  readonly authEnabled: boolean
  readonly saslMechanisms: readonly SaslMechanism[]
}

export interface SaslRequest {
  readonly method: string
  /** {@link AuthType}. */
  readonly authType: number
  readonly payload: Uint8Array
}

export interface RegisterApplicationRequest {
  readonly id: string
  readonly secret: string
}

export interface RegisterApplicationResponse {
  readonly status: boolean
}

export function encodeAuthenticationInitiation(value: AuthenticationInitiation): Uint8Array {
  return encodeWith(pb.PbAuthenticationInitiationRequest, {
    version: value.version,
    authEnabled: value.authEnabled,
    saslMechanisms: value.saslMechanisms.map(({ mechanism, authTypes }) => ({
      mechanism,
      authTypes: list(authTypes),
    })),
  })
}

export function decodeAuthenticationInitiation(bytes: Uint8Array): AuthenticationInitiation {
  return decodeWith(
    'AuthenticationInitiation',
    pb.PbAuthenticationInitiationRequest,
    bytes,
    ({ version, authEnabled, saslMechanisms }) => ({
      version,
      authEnabled,
      saslMechanisms: saslMechanisms.map(({ mechanism, authTypes }) => ({
        mechanism: mechanism ?? '',
        authTypes: authTypes ?? [],
      })),
    }),
  )
}

export function encodeSaslRequest(value: SaslRequest): Uint8Array {
  return encodeWith(pb.PbSaslRequest, value)
}

export function decodeSaslRequest(bytes: Uint8Array): SaslRequest {
  return decodeWith('SaslRequest', pb.PbSaslRequest, bytes, ({ method, authType, payload }) => ({
    method,
    authType,
    payload: ownBytes(payload),
  }))
}

export function encodeRegisterApplicationRequest(value: RegisterApplicationRequest): Uint8Array {
  return encodeWith(pb.PbRegisterApplicationRequest, value)
}

export function decodeRegisterApplicationRequest(bytes: Uint8Array): RegisterApplicationRequest {
  return decodeWith(
    'RegisterApplicationRequest',
    pb.PbRegisterApplicationRequest,
    bytes,
    ({ id, secret }) => ({ id, secret }),
  )
}

export function encodeRegisterApplicationResponse(value: RegisterApplicationResponse): Uint8Array {
  return encodeWith(pb.PbRegisterApplicationResponse, value)
}

export function decodeRegisterApplicationResponse(bytes: Uint8Array): RegisterApplicationResponse {
  return decodeWith('RegisterApplicationResponse', pb.PbRegisterApplicationResponse, bytes, ({ status }) => ({
    status,
  }))
}
