import { CelebornError } from '../errors'
import { type Outbound } from './outbound'

/**
 * Callbacks of callers run inside the socket's own callbacks. One that throws must not keep the others from
 * running nor bring the process down, and must not go unseen: it becomes a process warning of the type
 * `CelebornCallbackWarning` with the error's stack.
 */
export function reportThrown(where: string, thrown: unknown): void {
  const warning = new CelebornError(
    'CELEBORN_INTERNAL',
    `a callback of a message threw in ${where}: ${describe(thrown)}`,
    {},
    thrown,
  )
  warning.name = 'CelebornCallbackWarning'
  if (thrown instanceof Error && thrown.stack !== undefined)
    warning.stack = `${warning.message}\n${thrown.stack}`
  process.emitWarning(warning)
}

export function callWriteEnded(outbound: Outbound): void {
  try {
    outbound.writeEnded()
  } catch (thrown) {
    reportThrown('writeEnded', thrown)
  }
}

export function callWriteStarted(outbound: Outbound, nowMs: number): void {
  try {
    outbound.writeStarted(nowMs)
  } catch (thrown) {
    reportThrown('writeStarted', thrown)
  }
}

/** Message of anything that was thrown. */
export function describe(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
