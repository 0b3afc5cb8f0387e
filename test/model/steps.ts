import { setImmediate } from 'node:timers/promises'
import { CelebornError } from '../../src/errors'
import { sizeOf } from './arbitraries'
import { checkQuiet } from './checks'
import { type Action } from './commands'
import { MAX_CONTENT_BYTES } from './content'
import { type ModelAttempt, ModelFrame } from './model'
import { endMayFail } from './verdicts'
import {
  abort,
  acquire,
  bytesOf,
  checkRefusal,
  follow,
  forbidReport,
  newFrame,
  push,
  wantsBlock,
} from './pushing'
import { type Run } from './run'

type Done = boolean | Promise<boolean>

/** Does one step. @returns whether there was anything to do */
export function execute(run: Run, action: Action): Done {
  switch (action.do) {
    case 'acquire':
      return acquireFrame(run, action)
    case 'encode': {
      const frame = choose(writable(run), action.frame)
      return frame !== undefined && encode(run, frame, action.length, action.block)
    }
    case 'trim':
      return trim(run, action)
    case 'release':
      return release(run, action.frame)
    case 'forget':
      return forget(run, action.frame)
    case 'touch':
      return touch(run, action)
    case 'push':
      return startPush(run, action)
    case 'push-bad':
      return pushBad(run, action)
    case 'push-merged':
      return sendMerged(run, attemptOf(run, action.attempt))
    case 'fire':
      return fire(run, action.signal)
    case 'settle':
      return settle(run, attemptOf(run, action.attempt))
    case 'quiesce':
      return quiesce(run)
    case 'abort':
      if (run.shuffleForgotten) return false
      abort(run, attemptOf(run, action.attempt))
      return true
    case 'end':
      return end(run, attemptOf(run, action.attempt))
    case 'forget-shuffle':
      return forgetShuffle(run)
    case 'close':
      return close(run)
    case 'gc':
      return collect(action.full)
    case 'pause':
      return new Promise((resolve) => setTimeout(() => resolve(true), action.ms))
    default:
      return executeFault(run, action)
  }
}

type Fault = Extract<
  Action,
  {
    do:
      | 'answers'
      | 'held'
      | 'stall'
      | 'resume'
      | 'reset'
      | 'refuse'
      | 'noise'
      | 'revives'
      | 'reports'
      | 'foreign'
  }
>

function executeFault(run: Run, action: Fault): boolean {
  const { lifecycle } = run.world
  switch (action.do) {
    case 'revives':
      lifecycle?.planRevives(action.answers)
      return lifecycle !== null
    case 'reports':
      lifecycle?.planReports(action.answers)
      return lifecycle !== null
    case 'foreign':
      lifecycle?.endElsewhere(action.map % run.scenario.maps)
      return lifecycle !== null
    default:
      break
  }
  const worker = choose(run.workers, action.worker)
  if (worker === undefined) return false
  switch (action.do) {
    case 'answers':
      worker.plan(action.answers)
      return true
    case 'held':
      worker.release(action.order)
      return true
    case 'stall':
      worker.stall()
      return true
    case 'resume':
      worker.resume()
      return true
    case 'reset':
      worker.reset(action.afterBytes)
      return true
    case 'refuse':
      worker.refuse(action.count)
      return true
    case 'noise':
      return worker.noise(action.what, action.pieces)
  }
}

function choose<T>(from: readonly T[], n: number): T | undefined {
  return from.length === 0 ? undefined : from[n % from.length]
}

function attemptOf(run: Run, n: number): ModelAttempt {
  return run.attempts[n % run.attempts.length] as ModelAttempt
}

function writable(run: Run): ModelFrame[] {
  return run.frames.filter(({ state }) => state === 'writer')
}

function signalOf(run: Run, n: number): AbortSignal | undefined {
  if (n === 0) return undefined
  let controller = run.signals.get(n)
  if (controller === undefined) {
    controller = new AbortController()
    run.signals.set(n, controller)
  }
  return controller.signal
}

function acquireFrame(run: Run, { size, waits, signal }: Extract<Action, { do: 'acquire' }>): boolean {
  const bytes = sizeOf(run.scenario, size)
  if (!waits) return acquire(run, bytes) !== null
  const abortSignal = signalOf(run, signal)
  run.acquiring++
  run.pool.acquireAsync(bytes, abortSignal === undefined ? {} : { signal: abortSignal }).then(
    (frame) => {
      run.acquiring--
      run.frames.push(new ModelFrame(run.frames.length, frame))
      run.changed()
    },
    (error: unknown) => {
      run.acquiring--
      const code = error instanceof CelebornError ? error.code : ''
      const fired = abortSignal?.aborted === true && code === 'CELEBORN_ABORTED'
      const closed = run.closing && code === 'CELEBORN_CLOSED'
      if (!fired && !closed) checkRefusal(run, bytes, error)
      run.changed()
    },
  )
  return true
}

/** Fills a frame as a writer would, and trims it to what was written. */
function encode(run: Run, frame: ModelFrame, permille: number, block: boolean): boolean {
  const space = frame.frame.length
  let length = Math.min(Math.floor((space * permille) / 1000), MAX_CONTENT_BYTES)
  const contentId = run.newContent()
  const wanted = block && run.codec.name !== 'NONE'
  let written = { contentId, length, block: wanted }
  let bytes = bytesOf(run, written)
  while (bytes.length > space) {
    if (length === 0) return false
    length >>= 1
    written = { contentId, length, block: wanted }
    bytes = bytesOf(run, written)
  }
  frame.view = frame.frame.bytes
  frame.view.set(bytes)
  frame.frame.trim(bytes.length)
  frame.view = frame.frame.bytes
  frame.written = written
  return true
}

function trim(run: Run, { frame: n, permille }: Extract<Action, { do: 'trim' }>): boolean {
  const frame = choose(writable(run), n)
  if (frame === undefined) return false
  const length = Math.floor((frame.frame.length * permille) / 1000)
  frame.frame.trim(length)
  // Half a block is no block.
  const { written } = frame
  if (written !== null) frame.written = written.block ? null : { ...written, length }
  return true
}

function release(run: Run, n: number): boolean {
  const frame = choose(writable(run), n)
  if (frame === undefined) return false
  frame.frame.release()
  frame.state = 'released'
  return true
}

/** A frame that nobody releases: its last reference goes, and the garbage collector has to find it. */
function forget(run: Run, n: number): boolean {
  const pushed = new Set(run.pushes.map(({ frame }) => frame))
  const frame = choose(
    writable(run).filter((one) => !pushed.has(one)),
    n,
  )
  if (frame === undefined) return false
  run.frames.splice(run.frames.indexOf(frame), 1)
  run.forgotten++
  return true
}

/** Whoever touches a frame that is not his gets an error, and nothing else happens. */
function touch(run: Run, { frame: n, how }: Extract<Action, { do: 'touch' }>): boolean {
  const frame = choose(
    // A push that was rejected at once has given its frame back before the model hears of it.
    run.frames.filter(({ state, actual }) => state !== 'writer' && actual !== 'writer'),
    n,
  )
  if (frame === undefined) return false
  if (how === 'push') {
    const attempt = attemptOf(run, n)
    if (run.shuffleForgotten) return false
    const written = frame.written ?? { contentId: 0, length: 0, block: false }
    const plan = { how: 'frame', merge: n % 2 === 1, attempt, partitionId: 0, encoding: 'compress' } as const
    push(run, { ...plan, signal: undefined, callback: 'plain', written, frame })
    return true
  }
  const { state } = frame
  try {
    if (how === 'bytes') void frame.frame.bytes
    else if (how === 'trim') frame.frame.trim(0)
    else frame.frame.release()
  } catch (error) {
    if (error instanceof CelebornError && error.code === 'CELEBORN_FRAME_STATE') return true
    run.violate(`${how} of a frame that is ${state} threw ${String(error)}`)
    return true
  }
  // A second release of one's own frame is harmless, and so is one that the client has released.
  if (how !== 'release' || frame.actual !== 'released') {
    run.violate(`${how} of a frame that is ${state} (${frame.actual}) did not throw`)
  }
  return true
}

function startPush(run: Run, action: Extract<Action, { do: 'push' }>): boolean {
  if (run.shuffleForgotten) return false
  const { how, merge, encoding, callback } = action
  const block = wantsBlock(run, encoding)
  const size = sizeOf(run.scenario, action.size)
  const attempt = attemptOf(run, action.attempt)
  const partitionId = action.partition % run.scenario.partitions
  const signal = signalOf(run, action.signal)
  const plan = { how, merge, attempt, partitionId, encoding, callback, signal }
  if (how !== 'frame') {
    push(run, { ...plan, written: { contentId: run.newContent(), length: size, block }, frame: null })
    return true
  }
  const ready = writable(run).filter(({ written }) => written?.block === block)
  const frame = (action.reuse ? choose(ready, action.size) : undefined) ?? newFrame(run, size, block)
  if (frame?.written == null) return false
  push(run, { ...plan, written: frame.written, frame })
  return true
}

/** Mistakes of callers: an error, and the memory stays the caller's. */
function pushBad(run: Run, { how, what }: Extract<Action, { do: 'push-bad' }>): boolean {
  const attempt = run.attempts[0]
  if (attempt === undefined || run.shuffleForgotten) return false
  // The first call of a shuffle says how many map tasks and partitions it has.
  if (what === 'numbers' && run.pushes.length === 0) return false
  const { target } = attempt
  const partitionId = what === 'partition' ? target.numPartitions : 0
  const bad = {
    ...target,
    partitionId,
    ...(what === 'map' && { mapId: target.numMappers }),
    ...(what === 'attempt' && { attemptId: -1 }),
    ...(what === 'numbers' && { numMappers: target.numMappers + 1 }),
  }
  const options = { signal: what === 'signal' ? AbortSignal.abort() : undefined }
  const bytes = what === 'size' ? TOO_LARGE : Buffer.alloc(10)
  const frame = how === 'frame' && what !== 'size' ? acquire(run, 10) : null
  if (frame !== null) frame.state = 'lent'
  const onRelease = (): void => run.violate(`onRelease ran for a bad push (${what})`)
  const promise =
    frame !== null
      ? run.client.pushFrame(bad, frame.frame, options)
      : how === 'data'
        ? run.client.pushData(bad, bytes, options)
        : run.client.pushBuffer(bad, bytes, { ...options, onRelease })
  promise.then(
    () => run.violate(`a bad push (${what}) was accepted`),
    (error: unknown) => {
      const code = error instanceof CelebornError ? error.code : String(error)
      const expected = what === 'signal' ? 'CELEBORN_ABORTED' : 'CELEBORN_CONFIG'
      const hasFailed = attempt.failures.size + attempt.endErrors.size > 0
      const ended = attempt.aborted || hasFailed || run.closing
      if (code !== expected && !ended) run.violate(`a bad push (${what}) was rejected with ${code}`)
      if (frame !== null) frame.state = 'writer'
      run.changed()
    },
  )
  return true
}

const TOO_LARGE = new Uint8Array(MAX_CONTENT_BYTES + 1)

function sendMerged(run: Run, attempt: ModelAttempt): boolean {
  if (run.shuffleForgotten) return false
  const failed = (error: unknown): void => {
    const code = error instanceof CelebornError ? error.code : ''
    run.claims.push({
      what: `pushMergedData of ${attempt.name} was rejected: ${String(error)}`,
      right: () =>
        attempt.failures.has(error) ||
        attempt.endErrors.has(error) ||
        (attempt.aborted && code === 'CELEBORN_ABORTED') ||
        (run.closing && code === 'CELEBORN_CLOSED'),
    })
  }
  const promise = run.client.pushMergedData(attempt.target)
  follow(run, attempt, 'pushMergedData', promise, () => undefined, failed)
  return true
}

function fire(run: Run, n: number): boolean {
  const controller = run.signals.get(n)
  if (controller === undefined) return false
  run.signals.delete(n)
  controller.abort()
  return true
}

async function settle(run: Run, attempt: ModelAttempt): Promise<boolean> {
  if (run.shuffleForgotten) return false
  await settled(run, [attempt])
  return true
}

/** Waits for the end of all pushes, also of those that a callback makes meanwhile. */
async function settled(run: Run, attempts: readonly ModelAttempt[]): Promise<void> {
  const names = attempts.map(({ name }) => name).join(', ')
  do {
    await run.until(`the admission of all pushes of ${names}`, () =>
      attempts.every(({ waiting }) => waiting.length === 0),
    )
    for (const attempt of attempts) sendMerged(run, attempt)
    await run.until(`the end of all pushes of ${names}`, () =>
      attempts.every(({ unsettled, waiting }) => unsettled.length === 0 || waiting.length > 0),
    )
  } while (attempts.some(({ unsettled, waiting }) => unsettled.length > 0 || waiting.length > 0))
}

/** Waits until nothing is in flight, without healing anything. */
export async function quiesce(run: Run): Promise<boolean> {
  if (!run.shuffleForgotten) await settled(run, run.attempts)
  await run.until('the release of all memory in flight', () => run.client.stats().bytesInFlight === 0)
  // Nothing may have been in flight to begin with, and the step before may have given something up.
  await setImmediate()
  checkQuiet(run)
  return true
}

export function end(run: Run, attempt: ModelAttempt): boolean {
  if (run.shuffleForgotten) return false
  attempt.endCalled = true
  if (attempt.quiet) attempt.wasQuiet = true
  if (run.world.lifecycle === null) otherMayWin(run, attempt)
  follow(
    run,
    attempt,
    'mapperEnd',
    run.client.mapperEnd(attempt.target),
    () => {
      attempt.endResolved = true
    },
    (error) => {
      const what = `mapperEnd of ${attempt.name} was rejected: ${String(error)}`
      const right = (): boolean => error instanceof CelebornError && endMayFail(run, attempt, error)
      run.claims.push({ what, right })
      attempt.endErrors.add(error)
    },
  )
  return true
}

/** A real LifecycleManager tells whom it likes that somebody else has won; it may do so from now on. */
function otherMayWin(run: Run, winner: ModelAttempt): void {
  const ended = new Set<number>()
  for (const attempt of run.attempts) {
    const { target, endCalled, mayDrop } = attempt
    if (endCalled) ended.add(target.mapId)
    if (target.mapId === winner.target.mapId && (attempt !== winner || isSecond(run, winner))) {
      mayDrop.add('map-ended')
    }
  }
  if (ended.size < run.scenario.maps) return
  for (const { mayDrop } of run.attempts) mayDrop.add('stage-ended')
}

function isSecond(run: Run, attempt: ModelAttempt): boolean {
  const { mapId } = attempt.target
  return run.attempts.some((one) => one !== attempt && one.endCalled && one.target.mapId === mapId)
}

function forgetShuffle(run: Run): boolean {
  if (run.shuffleForgotten) return false
  run.shuffleForgotten = true
  for (const attempt of run.attempts) {
    forbidReport(attempt)
    attempt.aborted = true
  }
  const [first] = run.attempts
  if (first !== undefined) {
    follow(run, first, 'forgetShuffle', run.client.forgetShuffle(run.shuffleId), () => undefined)
  }
  return true
}

export function close(run: Run): boolean {
  if (run.closing) return false
  for (const attempt of run.attempts) forbidReport(attempt)
  run.closing = true
  run.closed = run.client.close()
  run.closed.then(
    () => run.changed(),
    (error: unknown) => run.violate(`close was rejected: ${String(error)}`),
  )
  return true
}

function collect(full: boolean): boolean {
  const gc = globalThis.gc as ((options?: { type: 'minor' | 'major' }) => void) | undefined
  if (gc === undefined) throw new Error('the model test needs --expose-gc')
  gc({ type: full ? 'major' : 'minor' })
  return true
}
