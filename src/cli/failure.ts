import { CelebornError, type ErrorCode } from '../errors'
import { systemReason } from '../errors/system-reason'

/** Status of a run that failed, and of one whose command line was wrong. */
export const EXIT_FAILED = 1
export const EXIT_USAGE = 2

/** An error in one line that says what is wrong and, where we know it, what to do. */
export function failureLine(error: unknown): string {
  const text = error instanceof CelebornError ? error.message : systemReason(error)
  const line = text.trim().replace(/\s*[\r\n]+\s*/g, '; ')
  return withHint(error, line === '' ? 'unknown failure' : line)
}

function withHint(error: unknown, line: string): string {
  if (!(error instanceof CelebornError)) return line
  const full = /ENOSPC|EDQUOT|EFBIG/.test(line) && error.code !== 'CELEBORN_IO'
  const hint = full ? WORKER_TROUBLE : HINTS[error.code]
  return hint === undefined ? line : `${line}; ${hint}`
}

const WORKER_TROUBLE =
  'did a worker die, or is its disk full? (the embedded cluster writes to the directory that TMPDIR names)'

const HINTS: Partial<Record<ErrorCode, string>> = {
  CELEBORN_ADMISSION_TIMEOUT:
    'are the workers overloaded? raise --max-in-flight or celeborn.client.push.limit.inFlight.timeout',
  CELEBORN_OUT_OF_MEMORY: 'lower --max-in-flight, or give the machine more memory',
  CELEBORN_POOL_EXHAUSTED: 'raise --max-in-flight',
  CELEBORN_DATA_LOST: WORKER_TROUBLE,
  CELEBORN_COMMIT_FAILED: WORKER_TROUBLE,
  CELEBORN_INTERNAL: 'this is a bug in celeborn-node',
}
