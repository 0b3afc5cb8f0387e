import { type CelebornError } from '../errors'
import { StatusCode } from '../protocol/status'

/** The status code under which a push without an answer is reported to the LifecycleManager. */
export function causeOfError(error: CelebornError): number {
  switch (error.code) {
    case 'CELEBORN_CONNECT':
      return StatusCode.PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY
    case 'CELEBORN_CONNECTION_LOST':
    case 'CELEBORN_PROTOCOL':
      return StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY
    case 'CELEBORN_TIMEOUT':
      return StatusCode.PUSH_DATA_TIMEOUT_PRIMARY
    default:
      return StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
  }
}
