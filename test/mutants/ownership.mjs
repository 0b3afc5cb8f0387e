// Who owns a batch's memory, and until when. See docs/architecture.md, "Ownership, as built".
const RELEASE = 'test/push/release.test.ts'
const OUTCOMES = 'test/push/outcomes.test.ts'
const ACK_FIRST = { file: RELEASE, test: 'after the write ended when the acknowledgement came first' }

export default [
  {
    name: 'release-at-ack',
    breaks: 'memory is freed at the acknowledgement although a write still reads it',
    edits: [
      {
        file: 'src/push/batch.ts',
        find: 'this.#resolveSettled?.(settlement)\n    this.unref()',
        replace: 'this.#resolveSettled?.(settlement)\n    this.#references = 1\n    this.unref()',
      },
    ],
    proof: ACK_FIRST,
  },
  {
    name: 'no-reference-for-a-write',
    breaks: 'a request holds no reference while the socket reads the memory',
    edits: [
      { file: 'src/push/request.ts', find: '    batch.retain()\n', replace: '' },
      { file: 'src/push/request.ts', find: '    this.batch.unref()\n', replace: '' },
    ],
    proof: ACK_FIRST,
  },
  {
    name: 'no-reference-for-a-merged-write',
    breaks: 'a merged request holds no references while the socket reads the memory',
    edits: [
      { file: 'src/push/merged-request.ts', find: '      batch.retain()\n', replace: '' },
      {
        file: 'src/push/merged-request.ts',
        find: 'for (const { batch } of this.parts) batch.unref()',
        replace: '',
      },
    ],
    proof: { file: 'test/push/merged-write.test.ts', test: 'is released after the write ended' },
  },
  {
    name: 'no-reference-for-a-retry',
    breaks: 'a batch that waits for a location takes no reference for it',
    edits: [{ file: 'src/push/revive.ts', find: '    batch.retain()\n', replace: '' }],
    proof: { file: OUTCOMES, test: 'a failure is retried at the new location with its cause' },
  },
  {
    name: 'retry-reference-kept',
    breaks: 'a batch that is resent keeps the reference of its wait',
    edits: [
      {
        file: 'src/push/revive.ts',
        find: 'else this.handler.reviveFailed(batch, failure)\n      batch.unref()',
        replace: 'else this.handler.reviveFailed(batch, failure)',
      },
    ],
    proof: { file: OUTCOMES, test: 'a failure is retried at the new location with its cause' },
  },
  {
    name: 'forgotten-retry-keeps-memory',
    breaks: 'a batch that is dropped while it waits for a location keeps its memory until the answer',
    edits: [
      {
        file: 'src/push/revive.ts',
        find: 'partition.waiters.splice(index, 1)\n    batch.unref()',
        replace: 'partition.waiters.splice(index, 1)',
      },
    ],
    proof: { file: 'test/push/abort.test.ts', test: 'while its batches wait for a location' },
  },
  {
    name: 'charge-dropped-at-ack',
    breaks: 'the charge is given back at the acknowledgement, not when the memory is free',
    edits: [
      {
        file: 'src/push/batch.ts',
        find: 'this.admission.settle(this.charge)',
        replace: 'this.admission.refund(this.charge)',
      },
    ],
    proof: ACK_FIRST,
  },
  {
    name: 'settled-twice',
    breaks: 'a batch can be settled a second time, which gives back a reference that is not there',
    edits: [
      { file: 'src/push/batch.ts', find: 'if (this.#settlement !== null) return false\n', replace: '' },
    ],
    proof: { file: 'test/push/references.test.ts', test: 'is settled once' },
  },
  {
    name: 'double-release-on-late-answer',
    breaks: 'an answer after the time-out reaches its batch, and ends it and frees it again',
    edits: [
      {
        file: 'src/network/request-table.ts',
        find: '      this.#entries.delete(requestId)\n      release(entry)\n      expired ??= []',
        replace: '      entry.clockMs = CLOCK_STOPPED\n      expired ??= []',
      },
      {
        file: 'src/push/delivery.ts',
        find: 'const { batch, place } = request\n    if (batch.settlement !== null) return\n',
        replace: 'const { batch, place } = request\n',
      },
      { file: 'src/push/batch.ts', find: 'if (this.#settlement !== null) return false\n', replace: '' },
    ],
    proof: { file: OUTCOMES, test: 'a timed-out push is retried, and its late acknowledgement is ignored' },
  },
  {
    name: 'below-zero-unseen',
    breaks: 'a reference too many that is given back is not an error',
    edits: [
      {
        file: 'src/push/batch.ts',
        find: "if (this.#references === 0) throw this.broken('was released more often than retained')",
        replace: '',
      },
    ],
    proof: { file: 'test/push/references.test.ts', test: 'is an internal error that names the batch' },
  },
  {
    name: 'back-from-zero-unseen',
    breaks: 'freed memory can be retained again',
    edits: [
      {
        file: 'src/push/batch.ts',
        find: "if (this.#references === 0) throw this.broken('was retained after its memory was freed')",
        replace: '',
      },
    ],
    proof: { file: 'test/push/references.test.ts', test: 'is an internal error that names the batch' },
  },
  {
    name: 'rejected-push-keeps-frame',
    breaks: 'a push that is rejected while it waits does not give the frame back',
    edits: [{ file: 'src/push/pusher.ts', find: '      source.handBack()\n', replace: '' }],
    proof: { file: RELEASE, test: 'a rejected push gives the frame back untouched' },
  },
  {
    name: 'waiting-frame-not-held',
    breaks: 'a frame whose push waits is still its writer’s to change and to free',
    edits: [{ file: 'src/push/payload.ts', find: '    pend(this.frame)', replace: '    void pend' }],
    proof: { file: RELEASE, test: 'a rejected push gives the frame back untouched' },
  },
  {
    name: 'abort-sends-mapper-end',
    breaks: 'an attempt that is aborted while it ends reports its end all the same',
    edits: [
      {
        file: 'src/push/pusher.ts',
        find: "attempt.check()\n    attempt.end('attempt-ended')",
        replace: "attempt.end('attempt-ended')",
      },
      {
        file: 'src/push/pusher.ts',
        find: 'this.lifecycle.mapperEnd(attempt, attempt.aborted)',
        replace: 'this.lifecycle.mapperEnd(attempt, new AbortController().signal)',
      },
    ],
    proof: { file: 'test/push/abort.test.ts', test: 'while its end waits for the last answers' },
  },
  {
    name: 'failure-sends-mapper-end',
    breaks: 'an attempt one of whose batches has failed reports its end',
    edits: [
      {
        file: 'src/push/pusher.ts',
        find: "attempt.check()\n    attempt.end('attempt-ended')",
        replace: "attempt.end('attempt-ended')",
      },
    ],
    proof: { file: 'test/push/abort.test.ts', test: 'a failure that comes while the end waits is its error' },
  },
  {
    name: 'mapper-end-leaves-retries',
    breaks: 'the end is reported while batches are unsettled',
    edits: [
      {
        file: 'src/push/attempt.ts',
        find: '(this.unsettled.size === 0 && this.waitingPushes === 0)',
        replace: 'this.waitingPushes === 0',
      },
    ],
    proof: { file: 'test/push/abort.test.ts', test: 'while its end waits for the last answers' },
  },
  {
    name: 'release-inside-push',
    breaks: 'onRelease runs on the stack of the push call',
    edits: [
      {
        file: 'src/push/release-queue.ts',
        find: 'queueMicrotask(() => this.drain())',
        replace: 'this.drain()',
      },
    ],
    proof: { file: 'test/push/release-order.test.ts', test: 'not even where the push ends it' },
  },
  {
    name: 'release-that-throws-stops-others',
    breaks: 'an onRelease that throws keeps the next ones from running',
    edits: [
      {
        file: 'src/push/release-queue.ts',
        find: '        callback(reason)\n      } catch (error) {',
        replace: '        callback(reason)\n      } catch (error) {\n        due.length = 0',
      },
    ],
    proof: { file: 'test/push/release-order.test.ts', test: 'runs those behind one that throws' },
  },
  {
    name: 'dropped-while-queued-keeps-memory',
    breaks: 'a cancelled message that is still queued keeps its memory until the socket moves',
    edits: [
      {
        file: 'src/network/message-writer.ts',
        find: "if (entry.stage !== 'queued') return",
        replace: 'if (entry.stage.length > 0) return',
      },
    ],
    proof: { file: RELEASE, test: 'cleanup drops what is in flight: queued at once' },
  },
]
