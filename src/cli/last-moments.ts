/**
 * What must not outlive the process, whatever ends it short of SIGKILL: synchronous, so that it also runs in
 * process.exit and after an uncaught exception.
 */
const pending = new Set<() => void>()
let installed = false

/** @returns call it when `action` is no longer needed */
export function atExit(action: () => void): () => void {
  if (!installed) {
    installed = true
    process.on('exit', runAll)
  }
  pending.add(action)
  return () => {
    pending.delete(action)
  }
}

function runAll(): void {
  for (const action of pending) {
    try {
      action()
    } catch {
      // The others still have to run.
    }
  }
  pending.clear()
}
