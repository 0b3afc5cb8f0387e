import { type Run } from './run'

/** Warnings that programs provoke; any other one is a defect that somebody swallowed. */
const EXPECTED = new Set(['CELEBORN_FRAME_DROPPED', 'CELEBORN_ON_RELEASE_THREW', 'CELEBORN_COPIED_FRAMES'])

/** What nobody catches and what is only warned about are violations, too. */
export function watchProcess(run: Run): () => void {
  const onRejection = (reason: unknown): void =>
    run.violate(`a rejection that nobody handles: ${text(reason)}`)
  const onException = (error: Error): void => run.violate(`an exception that nobody catches: ${text(error)}`)
  const onWarning = (warning: Error & { code?: string }): void => {
    if (warning.code === undefined || !EXPECTED.has(warning.code)) run.violate(`a warning: ${text(warning)}`)
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  // Programs provoke warnings; nobody has to read them.
  const printers = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', onWarning)
  return () => {
    for (const printer of printers) process.on('warning', printer)
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
    process.off('warning', onWarning)
  }
}

function text(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
