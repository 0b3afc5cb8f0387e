// Room: limits, charges, and who goes first.
const ADMISSION = 'test/push/admission.test.ts'

export default [
  {
    name: 'limits-joined-by-or',
    breaks: 'a push that is within one of the limits is admitted',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: `    if (worker.bytes > 0 && worker.bytes + bytes > maxBytesPerWorker) return 'worker'
    if (this.bytes > 0 && this.bytes + bytes > maxBytes) return 'total'`,
        replace: `    const overWorker = worker.bytes > 0 && worker.bytes + bytes > maxBytesPerWorker
    if (overWorker && this.bytes > 0 && this.bytes + bytes > maxBytes) return 'total'`,
      },
    ],
    proof: { file: ADMISSION, test: 'holds ALL limits at once' },
  },
  {
    name: 'requests-do-not-limit',
    breaks: 'a push that is within the limits of bytes is admitted whatever the number of requests',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: '(lane.requests >= this.laneLimit(lane) || lane.attempt.requests >= maxRequests)',
        replace: '(lane.requests >= this.laneLimit(lane) && lane.attempt.requests >= maxRequests)',
      },
    ],
    proof: { file: ADMISSION, test: 'holds ALL limits at once' },
  },
  {
    name: 'moved-request-settled-elsewhere',
    breaks: 'a batch that moved to another worker is counted out of the lane that it left',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: '      old.worker.requests--\n      charge.lane = lane\n',
        replace: '      old.worker.requests--\n',
      },
    ],
    proof: { file: ADMISSION, test: 'moves a retry to another worker' },
  },
  {
    name: 'moved-bytes-refunded-elsewhere',
    breaks: 'the bytes of a batch that moved are given back to the worker that it left',
    edits: [{ file: 'src/push/admission.ts', find: '      charge.worker = lane.worker\n', replace: '' }],
    proof: { file: ADMISSION, test: 'moves a retry to another worker' },
  },
  {
    name: 'refund-wakes-nobody',
    breaks: 'memory that becomes free wakes nobody who waits for it',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: '    charge.bytes = 0\n    this.pump()',
        replace: '    charge.bytes = 0',
      },
    ],
    proof: { file: ADMISSION, test: 'wakes waiters by the release that makes room' },
  },
  {
    name: 'large-frame-starved',
    breaks: 'small pushes pass a large one that the total holds back',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: 'oldestOverall === null ? Number.POSITIVE_INFINITY : oldestOverall.sequence',
        replace: 'Number.POSITIVE_INFINITY',
      },
    ],
    proof: { file: ADMISSION, test: 'does not starve a large frame' },
  },
  {
    name: 'stalled-worker-slows-all',
    breaks: 'a push that waits for a stalled worker holds back those to other workers',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: "} else if (why === 'total' && (",
        replace: "}\n        if (why !== 'none' && (",
      },
    ],
    proof: { file: ADMISSION, test: 'does not let a stalled worker slow the others' },
  },
  {
    name: 'merged-group-waits-for-bytes',
    breaks: 'a merged push queues behind those that wait for the bytes which only its end gives back',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: 'bytes === 0 ? lane.waiters[0]?.bytes === 0 : this.waitingCount > 0',
        replace: 'this.waitingCount > 0',
      },
      {
        file: 'src/push/admission.ts',
        find: 'bytes === 0 ? AHEAD_OF_ALL : this.sequence++',
        replace: 'this.sequence++',
      },
      {
        file: 'src/push/admission.ts',
        find: 'if (bytes > 0) lane.waiters.push(ticket)',
        replace: 'if (bytes >= 0) lane.waiters.push(ticket)',
      },
    ],
    proof: { file: 'test/push/merge.test.ts', test: 'is sent when somebody waits for room' },
  },
  {
    name: 'gathered-not-sent-when-contended',
    breaks: 'what is gathered for a merged push keeps its bytes while others wait for them',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: 'if (this.waitingCount > 0) this.onWaiting()',
        replace: '',
      },
    ],
    proof: { file: 'test/push/merge.test.ts', test: 'is sent when somebody waits for room' },
  },
  {
    name: 'copy-charged-at-its-length',
    breaks: 'a copy is admitted at its length, though it lies in whole blocks',
    edits: [
      {
        file: 'src/push/payload.ts',
        find: 'return this.leases.bytesFor(this.bytes.byteLength)',
        replace: 'return this.bytes.byteLength',
      },
    ],
    proof: { file: 'test/push/limits.test.ts', test: 'hold for copies, too' },
  },
  {
    name: 'compressed-charged-at-its-length',
    breaks: 'a push that will be compressed is admitted at its length, though the output may be larger',
    edits: [
      {
        file: 'src/push/pusher.ts',
        find: 'return Math.max(source.charge, this.codec.maxAllocatedBytes(source.length))',
        replace: 'return source.charge',
      },
    ],
    proof: { file: 'test/push/charges.test.ts', test: 'what a codec may occupy' },
  },
  {
    name: 'charge-dips-while-encoding',
    breaks:
      'the charge follows the raw bytes while they are encoded, and others take the room that the output needs',
    edits: [
      {
        file: 'src/push/encoding.ts',
        find: 'batch.holdPayload(payload)',
        replace: 'batch.setPayload(payload)',
      },
    ],
    proof: { file: 'test/push/charges.test.ts', test: 'what a codec may occupy' },
  },
  {
    name: 'fatal-failure-leaves-waiters',
    breaks: 'pushes of a failed attempt go on waiting for room',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'this.admission.rejectWaiters(batch.attempt.budget, error)',
        replace: '',
      },
    ],
    proof: { file: 'test/push/abort.test.ts', test: 'a failure ends the waits of its attempt' },
  },
  {
    name: 'wait-by-the-time-of-day',
    breaks: 'a push stops waiting because somebody has set the clock',
    edits: [
      {
        file: 'src/push/admission.ts',
        find: '        performance.now(),\n',
        replace: '        Date.now(),\n',
      },
      {
        file: 'src/push/admission.ts',
        find: 'this.expire(performance.now())',
        replace: 'this.expire(Date.now())',
      },
    ],
    proof: { file: ADMISSION, test: 'waits by a clock that only goes forward' },
  },
  {
    name: 'excluded-by-the-time-of-day',
    breaks: 'an unreachable worker is tried again because somebody has set the clock',
    edits: [
      {
        file: 'src/push/excluded-workers.ts',
        find: 'performance.now() + this.expireMs',
        replace: 'Date.now() + this.expireMs',
      },
      {
        file: 'src/push/excluded-workers.ts',
        find: 'until > performance.now()',
        replace: 'until > Date.now()',
      },
    ],
    proof: { file: 'test/push/excluded-workers.test.ts', test: 'set the time of day' },
  },
]
