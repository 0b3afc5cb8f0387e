import { CelebornError, type ErrorContext } from '../errors'

/** What a reader reads, as errors name it. */
export interface PartitionName {
  readonly appId: string
  readonly shuffleId: number
  readonly partitionId: number
}

export function partitionText({ shuffleId, partitionId }: PartitionName): string {
  return `partition ${partitionId} of shuffle ${shuffleId}`
}

export function partitionContext({ appId, shuffleId, partitionId }: PartitionName): ErrorContext {
  return { applicationId: appId, shuffleId, partitionId }
}

/** Whatever was thrown as an error of ours: whoever gets it looks at its code. */
export function asReadError(thrown: unknown): CelebornError {
  if (thrown instanceof CelebornError) return thrown
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return new CelebornError('CELEBORN_INTERNAL', `reading failed unexpectedly: ${text}`, {}, thrown)
}

/** A driver's failure, of whatever code: the error says for which partition it was asked, and what for. */
export function ofPartition(
  of: PartitionName,
  what: string,
  thrown: unknown,
  more: ErrorContext = {},
): unknown {
  if (!(thrown instanceof CelebornError)) return thrown
  const { code, message, context } = thrown
  if (code === 'CELEBORN_CLOSED' || code === 'CELEBORN_ABORTED' || code === 'CELEBORN_CONFIG') return thrown
  // Lost data is named by where it was; that may be another partition of the shuffle.
  const merged = { ...partitionContext(of), ...more, ...context }
  return new CelebornError(code, `${partitionText(of)} ${what}: ${message}`, merged, thrown)
}
