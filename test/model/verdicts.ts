import { type CelebornError } from '../../src/errors'
import { type PushSettlement } from '../../src/push/types'
import { type ModelAttempt, type ModelPush } from './model'
import { type Run } from './run'

/** A clock of whole milliseconds may seem this much fast. */
const CLOCK_SLACK_MS = 5

/** Whether what has become of pushes and attempts since the last look is what may become of them. */
export function judge(run: Run): void {
  for (const push of run.pushes) {
    if (push.judged) continue
    if (push.state === 'rejected') {
      push.judged = true
      judgeRejection(run, push)
    } else if (push.settlement !== null) {
      push.judged = true
      judgeSettlement(run, push, push.settlement)
    }
  }
  for (const { what, right } of run.claims.splice(0)) if (!right()) run.violate(what)
}

function isFailure(attempt: ModelAttempt, error: unknown): boolean {
  return attempt.failures.has(error) || attempt.endErrors.has(error)
}

function judgeRejection(run: Run, push: ModelPush): void {
  const { attempt, error, signal } = push
  if (error === null) return
  if (isFailure(attempt, error)) return
  if (right()) return
  const cause = error.cause instanceof Error ? `, caused by ${error.cause.message}` : ''
  run.violate(`${push.name} was rejected with ${error.code}: ${error.message}${cause}`)

  function right(): boolean {
    switch (error?.code) {
      case 'CELEBORN_CLOSED':
        return run.closing
      case 'CELEBORN_ABORTED':
        return attempt.aborted || signal?.aborted === true
      case 'CELEBORN_FRAME_STATE':
        return push.frameTaken
      case 'CELEBORN_ADMISSION_TIMEOUT':
        return push.rejectedAtMs - push.calledAtMs >= run.scenario.admissionTimeoutMs - CLOCK_SLACK_MS
      case 'CELEBORN_REGISTER_FAILED':
        return faulted(run, 'register') || causedBy(error, 'CELEBORN_TIMEOUT') || run.closing
      case 'CELEBORN_REVIVE_FAILED':
        return run.scenario.unplaced
      default:
        return false
    }
  }
}

function faulted(run: Run, what: string): boolean {
  return [...run.faults.keys()].some((kind) => kind.startsWith(what))
}

function causedBy(error: CelebornError, code: string): boolean {
  return (error.cause as CelebornError | undefined)?.code === code
}

function judgeSettlement(run: Run, push: ModelPush, settlement: PushSettlement): void {
  const { attempt, length } = push
  switch (settlement.outcome) {
    case 'acked': {
      if (length === 0 || run.world.lifecycle === null) return
      const { ledger } = run
      if (ledger.promised.has(push) || ledger.lostPartitions().has(push.partitionId)) return
      run.violate(`${push.name} is acknowledged, but no worker has written it`)
      return
    }
    case 'failed':
      judgeFailure(run, push, settlement.error)
      return
    case 'dropped': {
      const { reason } = settlement
      const right =
        attempt.mayDrop.has(reason) ||
        (reason === 'aborted' && attempt.aborted) ||
        (reason === 'closed' && run.closing) ||
        (reason === 'attempt-ended' && attempt.endCalled)
      if (!right) run.violate(`${push.name} was dropped as ${reason}`)
    }
  }
}

/** A failure tells the whole story: what, where, and every try; and all tries were made. */
function judgeFailure(run: Run, push: ModelPush, error: CelebornError): void {
  const { attempt, partitionId, batchId } = push
  const { code, context, cause } = error
  const { shuffleId, mapId, attemptId } = attempt.target
  const same =
    code === 'CELEBORN_PUSH_FAILED' &&
    context.shuffleId === shuffleId &&
    context.mapId === mapId &&
    context.attemptId === attemptId &&
    context.partitionId === partitionId &&
    context.batchId === batchId
  if (!same) run.violate(`${push.name} failed with ${code} of ${JSON.stringify(context)}`)
  const why = cause as CelebornError | undefined
  if (push.merged && (why?.code === 'CELEBORN_ADMISSION_TIMEOUT' || isFailure(attempt, why))) return
  if (run.scenario.unplaced && why?.code === 'CELEBORN_REVIVE_FAILED') return
  const tries = (context.attempts ?? []).filter((line) => !line.endsWith(': HARD_SPLIT'))
  if (tries.length === run.scenario.maxRetries + 1) return
  run.violate(
    `${push.name} failed after ${tries.length} tries with ${run.scenario.maxRetries} retries allowed: ${error.message}`,
  )
}

/** Whether the end of an attempt may have been rejected with this error. */
export function endMayFail(run: Run, attempt: ModelAttempt, error: CelebornError): boolean {
  if (attempt.failures.has(error)) return true
  switch (error.code) {
    case 'CELEBORN_ABORTED':
      return attempt.aborted
    case 'CELEBORN_CLOSED':
      return run.closing
    case 'CELEBORN_TIMEOUT':
      return true
    default:
      return faulted(run, 'report')
  }
}

/** At the end: everything that an attempt has pushed was written, if its end was reported as good. */
export function judgeData(run: Run, attempt: ModelAttempt): void {
  if (!attempt.endResolved) return
  if (run.world.lifecycle !== null && !attempt.reported) {
    run.violate(`mapperEnd of ${attempt.name} resolved, but the LifecycleManager has accepted no report`)
  }
  const lost = run.ledger.lostPartitions()
  const notNeeded = attempt.mayDrop.has('map-ended') || attempt.mayDrop.has('stage-ended')
  for (const push of attempt.pushes) {
    if (!push.isBatch) continue
    const { settlement } = push
    if (settlement?.outcome !== 'acked' && !notNeeded) {
      run.violate(
        `mapperEnd of ${attempt.name} resolved, but ${push.name} is ${settlement?.outcome ?? 'unsettled'}`,
      )
    }
    if (settlement?.outcome !== 'acked' || run.world.lifecycle === null) continue
    if (run.ledger.written.has(push) || lost.has(push.partitionId)) continue
    run.violate(`mapperEnd of ${attempt.name} resolved, but no worker has written ${push.name}`)
  }
}
