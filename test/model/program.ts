import { nativeStats } from '../../src/memory/detach'
import { check, checkCharges, checkQuiet } from './checks'
import { type Program } from './commands'
import { type ModelAttempt } from './model'
import { abort } from './pushing'
import { readBack } from './read-back'
import { patience, Run, Violation, type World } from './run'
import { close, end, execute, quiesce } from './steps'
import { judgeData } from './verdicts'
import { watchProcess } from './watch'

const EVENTS_SHOWN = 60

/** What a program that passed has seen. */
export interface Outcome {
  readonly steps: number
  readonly skipped: number
  readonly pushes: number
  readonly faults: ReadonlyMap<string, number>
}

/** Runs one program, with all checks. Throws a Violation when one fails. */
export async function runProgram(world: World, program: Program): Promise<Outcome> {
  const memory = nativeStats()
  const resources = resourcesInUse()
  const run = new Run(world, program.scenario)
  const unwatch = watchProcess(run)
  try {
    for (const [i, { action, turns }] of program.steps.entries()) {
      run.doing = `step ${i + 1} ${JSON.stringify(action)}`
      run.note(run.doing)
      const done = execute(run, action)
      if (typeof done !== 'boolean') run.turn++
      if (typeof done === 'boolean' ? done : await done) run.stepsDone++
      else run.stepsSkipped++
      for (let turn = 0; turn < turns; turn++) await turnOfLoop()
      if (turns > 0) run.turn++
      // Callbacks of promises run, nothing else does.
      for (let i = 0; i < -turns; i++) await Promise.resolve()
      // Without a turn the model has not heard of everything yet.
      if (turns > 0) check(run)
      else run.throwViolations()
    }
    await finish(run)
    await leaveNothing(run, memory, resources)
  } catch (error) {
    if (error instanceof Violation) error.events = run.events.slice(-EVENTS_SHOWN)
    await wreck(run)
    throw error
  } finally {
    // Warnings come a little later than what they warn of.
    await turnOfLoop()
    unwatch()
    run.detach()
    await world.forget(run.job)
  }
  // Real workers split, too.
  const { softSplits, hardSplits } = run.client.stats()
  if (world.lifecycle === null && softSplits > 0) run.fault('real soft split')
  if (world.lifecycle === null && hardSplits > 0) run.fault('real hard split')
  const { stepsDone, stepsSkipped, pushes, faults } = run
  return { steps: stepsDone, skipped: stepsSkipped, pushes: pushes.length, faults }
}

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Ends every attempt as the scenario says, and holds what was written against what was pushed. */
async function finish(run: Run): Promise<void> {
  run.doing = 'the ends of the attempts, all faults healed'
  run.finishing = true
  run.healAll()
  const left = new Set<ModelAttempt>()
  run.attempts.forEach((attempt, i) => {
    const ending = run.scenario.endings[i % run.scenario.endings.length]
    if (run.closing || run.shuffleForgotten || attempt.aborted || attempt.endCalled) return
    if (ending === 'end') end(run, attempt)
    else if (ending === 'abort') abort(run, attempt)
    else left.add(attempt)
  })
  const ended = run.attempts.filter((attempt) => !left.has(attempt))
  await run.until('the end of every attempt', () =>
    ended.every(
      ({ waits, waiting, unsettled }) => waits.size === 0 && waiting.length === 0 && unsettled.length === 0,
    ),
  )
  await turnOfLoop()
  check(run)
  if (left.size === 0 && !run.closing && !run.shuffleForgotten) await quiesce(run)
  for (const attempt of run.attempts) judgeData(run, attempt)
  run.throwViolations()
  if (run.world.lifecycle === null) await readBack(run)
}

/** Closes the client: after that nothing of the program is left, in memory or in the event loop. */
async function leaveNothing(
  run: Run,
  memory: ReturnType<typeof nativeStats>,
  resources: ReadonlyMap<string, number>,
): Promise<void> {
  run.doing = 'close'
  close(run)
  let closed = false
  void run.closed?.then(() => {
    closed = true
  })
  await run.until('close', () => closed)
  await turnOfLoop()
  await run.until('the end of every push', () =>
    run.attempts.every(
      ({ waits, waiting, unsettled }) => waits.size === 0 && waiting.length === 0 && unsettled.length === 0,
    ),
  )
  checkQuiet(run)
  checkCharges(run)
  run.doing = 'the end'
  await run.until('the acquisitions that wait', () => {
    for (const frame of run.frames) {
      if (frame.state !== 'writer') continue
      frame.frame.release()
      frame.state = 'released'
    }
    // What nobody released makes room when it is collected, which wakes those that wait.
    if (run.acquiring > 0 && run.forgotten > 0) globalThis.gc?.()
    return run.acquiring === 0
  })
  await collectForgotten(run)
  const { framesAlive } = run.pool.stats()
  if (framesAlive !== 0) run.violate(`${framesAlive} frames are alive at the end`)
  run.pool.close()
  const after = nativeStats()
  // Real workers in this process keep free frames for their next chunks.
  const pooled = run.world.lifecycle === null ? [] : (['pooledBytes'] as const)
  for (const what of ['framesAlive', 'bytesAlive', ...pooled] as const) {
    if (after[what] !== memory[what])
      run.violate(`native ${what}: ${memory[what]} before, ${after[what]} after`)
  }
  for (const { pooledBytes } of [run.pool.stats(), run.client.pool.stats()]) {
    if (pooledBytes !== 0) run.violate(`${pooledBytes} bytes are pooled at the end`)
  }
  await run.until('the end of all connections at the workers', () =>
    run.workers.every(({ server }) => server.openConnections === 0),
  )
  // In a world of real servers these have timers of their own.
  if (run.world.lifecycle === null) return
  let more = ''
  const deadline = performance.now() + patience.hangMs
  do {
    await turnOfLoop()
    more = moreThan(resourcesInUse(), resources)
  } while (more !== '' && performance.now() < deadline)
  if (more !== '') run.violate(`left in the event loop: ${more}`)
  run.throwViolations()
}

/** Frames that nobody released are found by the garbage collector, sooner or later. */
async function collectForgotten(run: Run): Promise<void> {
  for (let i = 0; i < 20 && run.forgotten > 0 && run.pool.stats().framesAlive > 0; i++) {
    globalThis.gc?.()
    await turnOfLoop()
  }
}

const WATCHED = new Set([
  'Timeout',
  'TCPSocketWrap',
  'TCPServerWrap',
  'TCPConnectWrap',
  'TCPWRAP',
  'ConnectWrap',
  'WriteWrap',
])

/** Timers and sockets that keep the process alive. */
function resourcesInUse(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

function moreThan(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): string {
  return [...now]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count} ${kind}, ${before.get(kind) ?? 0} before`)
    .join('; ')
}

/** After a failure: gets rid of the client, so that the next program has the world for itself. */
async function wreck(run: Run): Promise<void> {
  run.healAll()
  const closing = run.client.close().catch(() => undefined)
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 1000))])
  for (const frame of run.frames) if (frame.actual === 'writer') frame.frame.release()
  run.pool.close()
}

export { Violation }
