import { failureLine } from '../../src/cli/failure'

/** What a benchmark's processes say to each other. */
export interface Question {
  readonly id: number
  readonly question: unknown
}

export interface Answer {
  readonly id: number
  readonly value?: unknown
  /** Why there is no value, in one line. */
  readonly failed?: string
}

/** An orderly end that takes longer has hung. */
const STOP_DEADLINE_MS = 8_000

/**
 * Makes this process answer whoever forked it. It ends, in order, when that process lets go of it or is gone; a Ctrl-C
 * in the terminal reaches all of us and is that process's to handle.
 */
export function serve(answer: (question: unknown) => Promise<unknown>, stop?: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.on('message', (message) => {
    const { id, question } = message as Question
    void answer(question)
      .then(
        (value): Answer => ({ id, value }),
        (error: unknown): Answer => ({ id, failed: failureLine(error) }),
      )
      .then((reply) => process.send?.(reply, () => undefined))
  })
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
    void (stop?.() ?? Promise.resolve()).finally(() => process.exit(0))
  })
  if (!process.connected) {
    process.stderr.write('this module is started by the benchmarks and by nobody else\n')
    process.exit(1)
  }
}
