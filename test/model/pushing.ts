import { CelebornError } from '../../src/errors'
import { allocatedBytes } from '../../src/memory/ownership'
import { DroppedReceipt } from '../../src/push/receipts'
import { type PushReceipt } from '../../src/push/types'
import { type CallbackKind, type Encoding, type How } from './commands'
import { content, POISON } from './content'
import { type ModelAttempt, ModelFrame, ModelPush, type Written } from './model'
import { type Run } from './run'

export interface PushPlan {
  readonly how: How
  readonly merge: boolean
  readonly attempt: ModelAttempt
  readonly partitionId: number
  readonly encoding: Encoding
  readonly signal: AbortSignal | undefined
  readonly callback: CallbackKind
  readonly written: Written
  /** For `frame`. */
  readonly frame: ModelFrame | null
}

/** The bytes that a caller pushes: the content as it is, or the codec's block of it. */
export function bytesOf(run: Run, { contentId, length, block }: Written): Buffer {
  const raw = content(contentId, length)
  if (!block) return raw
  const encoded = run.codec.encode(raw)
  const bytes = Buffer.concat([encoded.header, encoded.payload])
  encoded.release()
  return bytes
}

/** Whether a push with this encoding is given a block. */
export function wantsBlock(run: Run, encoding: Encoding): boolean {
  return encoding === 'encoded' && run.codec.name !== 'NONE'
}

/** A frame with a content of that many bytes (or a block of it), or null when the pool has no room. */
export function newFrame(run: Run, size: number, block: boolean): ModelFrame | null {
  const written = { contentId: run.newContent(), length: size, block }
  const bytes = bytesOf(run, written)
  const frame = acquire(run, bytes.length)
  if (frame === null) return null
  frame.frame.bytes.set(bytes)
  frame.written = written
  return frame
}

/** A frame whose bytes are anything, or null when the pool has no room. */
export function acquire(run: Run, size: number): ModelFrame | null {
  try {
    const frame = new ModelFrame(run.frames.length, run.pool.acquire(size))
    run.frames.push(frame)
    return frame
  } catch (error) {
    checkRefusal(run, size, error)
    return null
  }
}

/** Whether the pool was right to refuse a frame. */
export function checkRefusal(run: Run, size: number, error: unknown): void {
  const code = error instanceof CelebornError ? error.code : 'no CelebornError'
  const { bytesAlive, waiting } = run.pool.stats()
  const { foreignPool, poolBytes } = run.scenario
  const most = foreignPool ? poolBytes : 256 << 20
  const right =
    (code === 'CELEBORN_CLOSED' && run.closing && !foreignPool) ||
    (code === 'CELEBORN_POOL_EXHAUSTED' && (waiting > 0 || bytesAlive + 2 * size + 65_536 > most)) ||
    (code === 'CELEBORN_CONFIG' && size * 1.2 + 65_536 > most)
  if (!right)
    run.violate(`the pool refused ${size} bytes with ${String(error)}, ${bytesAlive} of ${most} alive`)
}

/** Calls the client and follows what becomes of it. */
export function push(run: Run, plan: PushPlan): ModelPush {
  const { attempt, how, merge, frame, written, signal } = plan
  const bytes = frame === null ? Buffer.from(bytesOf(run, written)) : null
  const length = frame === null ? (bytes?.length ?? 0) : frame.frame.length
  const one = new ModelPush(
    run.pushes.length,
    how,
    merge,
    attempt,
    plan.partitionId,
    plan.encoding,
    written,
    length,
    frame,
    signal,
    plan.callback,
  )
  run.pushes.push(one)
  attempt.pushes.push(one)
  foresee(run, one)
  const mustReject = mustBeRejected(run, one)
  if (frame !== null) {
    if (frame.state !== 'writer') one.frameTaken = true
    else frame.state = 'lent'
  }
  call(run, one, bytes).then(
    (receipt) => {
      if (mustReject !== null) run.violate(`${one.name} was accepted although ${mustReject}`)
      admitted(run, one, receipt)
      // From here on the caller's bytes are free for reuse.
      if (how === 'data') bytes?.fill(POISON)
      run.changed()
    },
    (error: unknown) => {
      rejected(run, one, error)
      run.changed()
    },
  )
  return one
}

function call(run: Run, one: ModelPush, bytes: Buffer | null): Promise<PushReceipt> {
  const { client } = run
  const target = { ...one.attempt.target, partitionId: one.partitionId }
  const { signal, encoding, merged } = one
  if (one.frame !== null) {
    const { frame } = one.frame
    return merged
      ? client.mergeFrame(target, frame, { signal, encoding })
      : client.pushFrame(target, frame, { signal, encoding })
  }
  const mine = bytes ?? Buffer.alloc(0)
  if (one.how === 'buffer') {
    const options = { signal, encoding, onRelease: (reason: string) => released(run, one, mine, reason) }
    return merged ? client.mergeBuffer(target, mine, options) : client.pushBuffer(target, mine, options)
  }
  return merged
    ? client.mergeData(target, mine, { signal, encoding })
    : client.pushData(target, mine, { signal, encoding })
}

/** What the codec will make of it, which decides who is freed when, and what is charged. */
function foresee(run: Run, one: ModelPush): void {
  if (run.codec.name !== 'NONE' && one.encoding === 'compress' && one.length > 0) {
    const block = run.codec.encode(content(one.written.contentId, one.written.length))
    one.outputBytes = block.stored ? 0 : block.allocatedBytes
    block.release()
  }
  one.copies = one.how === 'data' && one.outputBytes === 0
  one.mostBytes = chargeAtAdmission(run, one)
}

/** What admission may charge: the memory as it is, or the most that the codec's output may occupy. */
function chargeAtAdmission(run: Run, { how, frame, length, encoding }: ModelPush): number {
  const memory = frame !== null ? allocatedBytes(frame.frame) : how === 'data' ? length * 1.25 + 4096 : length
  if (encoding !== 'compress') return memory
  return Math.max(memory, run.codec.maxAllocatedBytes(length))
}

function mustBeRejected(run: Run, { attempt, frame, signal }: ModelPush): string | null {
  if (run.closing) return 'the client is closed'
  if (attempt.failures.size > 0) return `${attempt.name} has failed`
  if (attempt.aborted) return `${attempt.name} was aborted`
  if (signal?.aborted === true) return 'its signal had fired'
  if (frame !== null && frame.state !== 'writer') return `the frame is ${frame.state}`
  return null
}

function admitted(run: Run, one: ModelPush, receipt: PushReceipt): void {
  const { attempt, frame } = one
  one.state = 'admitted'
  one.receipt = receipt
  run.note(`admitted: ${one.name}, ${one.length} bytes`)
  if (receipt.bytes !== one.length) run.violate(`${one.name}: a receipt over ${receipt.bytes} bytes`)
  if (one.length === 0) {
    if (receipt.batchId !== 0) run.violate(`${one.name}: an empty push with a batch id`)
  } else if (!(receipt.batchId > 0) || attempt.byBatchId.has(receipt.batchId)) {
    run.violate(`${one.name}: its batch id is none, or another batch's`)
  } else attempt.byBatchId.set(receipt.batchId, one)
  if (frame !== null) frame.state = 'client'
  one.onWire = !(receipt instanceof DroppedReceipt)
  void receipt.settled.then((settlement) => {
    if (one.settlement !== null) run.violate(`${one.name} was settled twice`)
    one.settlement = settlement
    if (settlement.batchId !== receipt.batchId) run.violate(`${one.name}: settled as ${settlement.batchId}`)
    if (settlement.outcome === 'failed') attempt.failures.add(settlement.error)
    run.note(
      `settled: ${one.name}: ${settlement.outcome}${settlement.outcome === 'dropped' ? `, ${settlement.reason}` : ''}`,
    )
    run.changed()
  })
}

function rejected(run: Run, one: ModelPush, error: unknown): void {
  one.state = 'rejected'
  run.note(`rejected: ${one.name}: ${String(error)}`)
  one.rejectedAtMs = performance.now()
  if (error instanceof CelebornError) one.error = error
  else run.violate(`${one.name} was rejected with no error of ours: ${String(error)}`)
  const { frame } = one
  if (frame === null || one.frameTaken) return
  frame.state = 'writer'
  if (frame.actual !== 'writer') {
    run.violate(`${one.name} was rejected, but the frame is not given back: it is ${frame.actual}`)
  } else if (Buffer.compare(frame.frame.bytes, bytesOf(run, one.written)) !== 0) {
    run.violate(`${one.name} was rejected, but the frame's bytes have changed`)
  }
}

function released(run: Run, one: ModelPush, bytes: Buffer, reason: string): void {
  one.releases.push(reason)
  if (one.releases.length > 1) run.violate(`${one.name}: onRelease ran again: ${one.releases.join(', ')}`)
  if (one.state === 'rejected') run.violate(`${one.name}: onRelease ran for a rejected push`)
  // The memory is the caller's again: whoever still reads it reads this.
  bytes.fill(POISON)
  run.changed()
  switch (one.callback) {
    case 'plain':
      return
    case 'throws':
      run.throwingCallbacks++
      throw new Error('a callback that throws')
    case 'pushes':
      reenter(run, one)
      return
    case 'cleans':
      abort(run, one.attempt)
  }
}

/** Public methods may be called inside every callback. */
function reenter(run: Run, one: ModelPush): void {
  run.client.stats()
  if (run.shuffleForgotten || run.finishing) return
  push(run, {
    how: 'data',
    merge: false,
    attempt: one.attempt,
    partitionId: one.partitionId,
    encoding: 'compress',
    signal: undefined,
    callback: 'plain',
    written: { contentId: run.newContent(), length: 100, block: false },
    frame: null,
  })
}

/** Gives an attempt up. */
export function abort(run: Run, attempt: ModelAttempt): void {
  if (run.shuffleForgotten) return
  forbidReport(attempt)
  if (!attempt.endResolved) attempt.aborted = true
  follow(run, attempt, 'cleanup', run.client.cleanup(attempt.target), () => {
    for (const one of attempt.pushes) {
      if (one.state !== 'admitted') continue
      const { frame, how, releases } = one
      if (frame !== null && frame.actual !== 'released') {
        run.violate(`cleanup came back, but the frame of ${one.name} is ${frame.actual}`)
      }
      if (how === 'buffer' && releases.length === 0) {
        run.violate(`cleanup came back, but the memory of ${one.name} is not released`)
      }
    }
  })
}

/**
 * Once it is given up, a report may arrive only if it could have left before. When it left is not seen from here: what is
 * queued in a turn of the event loop leaves at its end, or earlier where somebody else's message was queued first. That a
 * queued report is taken back has tests of its own (test/push/release.test.ts).
 */
export function forbidReport(attempt: ModelAttempt): void {
  const notNeeded = attempt.mayDrop.has('map-ended') || attempt.mayDrop.has('stage-ended')
  const leaves = attempt.endCalled && (attempt.wasQuiet || attempt.quiet || notNeeded)
  if (!leaves) attempt.reportForbidden = true
}

/** Follows a call about an attempt to its end. */
export function follow(
  run: Run,
  attempt: ModelAttempt,
  what: string,
  promise: Promise<void>,
  done: () => void,
  failed: (error: unknown) => void = (error) =>
    run.violate(`${what} of ${attempt.name} was rejected: ${String(error)}`),
): void {
  const name = `${what} ${run.stepsDone}`
  attempt.waits.add(name)
  promise.then(
    () => {
      attempt.waits.delete(name)
      done()
      run.changed()
    },
    (error: unknown) => {
      attempt.waits.delete(name)
      failed(error)
      run.changed()
    },
  )
}
