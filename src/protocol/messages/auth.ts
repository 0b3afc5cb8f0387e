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
