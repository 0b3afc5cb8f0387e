import fc from 'fast-check'
import { type ProgramKind, programs } from './arbitraries'
import { type Program, programText } from './commands'
import { type Outcome, runProgram } from './program'
import { patience, Violation, type World } from './run'

/** What a number of programs has seen. */
export interface Tally {
  passed: number
  failed: number
  steps: number
  skipped: number
  pushes: number
  /** Programs that saw a fault, and how many saw which. */
  faulted: number
  faults: Record<string, number>
}

export function newTally(): Tally {
  return { passed: 0, failed: 0, steps: 0, skipped: 0, pushes: 0, faulted: 0, faults: {} }
}

export function addTally(to: Tally, from: Tally): void {
  for (const key of ['passed', 'failed', 'steps', 'skipped', 'pushes', 'faulted'] as const)
    to[key] += from[key]
  for (const [kind, count] of Object.entries(from.faults)) to.faults[kind] = (to.faults[kind] ?? 0) + count
}

function count(tally: Tally, { steps, skipped, pushes, faults }: Outcome): void {
  tally.passed++
  tally.steps += steps
  tally.skipped += skipped
  tally.pushes += pushes
  if (faults.size > 0) tally.faulted++
  for (const kind of faults.keys()) tally.faults[kind] = (tally.faults[kind] ?? 0) + 1
}

export interface RunOptions {
  readonly kind: ProgramKind
  readonly programs: number
  readonly seed: number
  /** Of one program, as a failure prints it. */
  readonly path?: string | undefined
  /** No new program after that many ms. */
  readonly limitMs?: number | undefined
  /** How long a failing program is made smaller. */
  readonly shrinkMs?: number | undefined
  readonly onProgram?: ((tally: Tally) => void) | undefined
}

/** A failure without its numbers and its step. */
function kindOf(message: string): string {
  const text = message
    .replace(/^after [^:]*?(\{.*?\})?: /, '')
    .replace(/^hangs in [^:]*(\{.*?\})?: /, 'hangs: ')
  return (
    text
      .split(/[\n;]/)[0]
      ?.replace(/[0-9]+/g, '#')
      .slice(0, 60) ?? ''
  )
}

/** A failing program, and how to run it again. */
export interface Failure {
  readonly seed: number
  readonly path: string
  readonly text: string
}

/**
 * Runs random programs, one after the other, until one fails, which is then made smaller. Programs depend on the
 * timing of sockets: the smaller one, run again, may need a few tries.
 */
export async function runPrograms(
  world: World,
  options: RunOptions,
): Promise<{ tally: Tally; failure: Failure | null }> {
  const { kind, seed, path, limitMs, onProgram } = options
  const tally = newTally()
  const startMs = performance.now()
  let failedAtMs = 0
  let original = ''
  let signature = ''
  const property = fc.asyncProperty(programs(kind), async (program: Program) => {
    const now = performance.now()
    if (failedAtMs > 0 && now - failedAtMs > (options.shrinkMs ?? 60_000)) return
    if (failedAtMs === 0 && limitMs !== undefined && now - startMs > limitMs) return
    try {
      const outcome = await runProgram(world, program)
      if (failedAtMs > 0) return
      count(tally, outcome)
      onProgram?.(tally)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (failedAtMs === 0) {
        failedAtMs = performance.now()
        patience.hangMs = 5000
        original = message
        signature = kindOf(message)
      }
      // A smaller program that fails in another way would hide the first failure.
      if (kindOf(message) === signature) throw error
    }
  })
  const details = await fc.check(property, {
    seed,
    numRuns: options.programs,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  })
  patience.hangMs = 20_000
  if (!details.failed) return { tally, failure: null }
  tally.failed++
  const [program] = details.counterexample ?? []
  const error: unknown = details.errorInstance
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const replay = `--kind ${kind} --seed ${details.seed} --path ${details.counterexamplePath ?? ''}`
  const text = [
    `a program failed after ${tally.passed} that passed; smaller after ${details.numShrinks} steps:`,
    program === undefined ? '  (none)' : programText(program),
    message.includes(original) ? '' : `at first: ${original}`,
    message,
    error instanceof Violation ? `what happened last:\n  ${error.events.join('\n  ')}` : '',
    `again with: node scripts/test-model.mjs ${replay}`,
    `as it was at first: ${replay.replace(/(--path \d+).*/, '$1')}`,
  ]
  return {
    tally,
    failure: {
      seed: details.seed,
      path: details.counterexamplePath ?? '',
      text: text.filter(Boolean).join('\n'),
    },
  }
}
