/** Something that sends what it has collected. */
export interface Flushable {
  flush(): void
}

let waiting: Flushable[] = []
let spare: Flushable[] = []
let scheduled = false

/**
 * Has `flush()` called at the end of the current turn of the event loop: everything that the turn's callbacks send
 * goes out in one gather write per connection.
 */
export function flushAtEndOfTurn(target: Flushable): void {
  waiting.push(target)
  if (scheduled) return
  scheduled = true
  setImmediate(runAll)
}

function runAll(): void {
  scheduled = false
  const now = waiting
  waiting = spare
  spare = now
  for (const target of now) target.flush()
  now.length = 0
}
