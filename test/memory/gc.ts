/** Collects all garbage; the finalizers that this sets free run on later turns of the event loop. */
export function collect(): void {
  if (globalThis.gc === undefined) throw new Error('these tests need node --expose-gc')
  globalThis.gc()
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Collects garbage, turn after turn, until the condition holds. */
export async function collectUntil(condition: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    collect()
    await turn()
    if (condition()) return
  }
  throw new Error(`no garbage collection made it true: ${what}`)
}
