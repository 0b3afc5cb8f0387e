// Where batches go, and what answers mean.
const OUTCOMES = 'test/push/outcomes.test.ts'
const MERGE = 'test/push/merge.test.ts'
const SPLIT = { file: MERGE, test: 'resends only the batches that hard-split' }

export default [
  {
    name: 'retry-to-old-location',
    breaks: 'a retry is sent to the location that failed',
    edits: [
      {
        file: 'src/push/shuffle.ts',
        find: 'if (partition.place !== null && location.epoch < partition.epoch) return',
        replace: 'if (partition.place !== null) return',
      },
    ],
    proof: { file: OUTCOMES, test: 'a failure is retried at the new location with its cause' },
  },
  {
    name: 'older-location-wins',
    breaks: 'a late answer with an older location replaces the newer one',
    edits: [
      {
        file: 'src/push/shuffle.ts',
        find: 'if (partition.place !== null && location.epoch < partition.epoch) return',
        replace: '',
      },
    ],
    proof: { file: 'test/push/references.test.ts', test: 'never goes back to an older location' },
  },
  {
    name: 'merged-retry-wrong-index',
    breaks: 'of a split merged push the neighbours of the batches that split are resent',
    edits: [
      { file: 'src/push/delivery.ts', find: 'if (hard.has(index))', replace: 'if (hard.has(index + 1))' },
    ],
    proof: SPLIT,
  },
  {
    name: 'split-answer-position-for-index',
    breaks: 'a split answer’s positions are taken for the indexes that it lists',
    edits: [
      {
        file: 'src/protocol/push-response.ts',
        find: 'else hardSplit.add(index)',
        replace: 'else hardSplit.add(i)',
      },
    ],
    proof: SPLIT,
  },
  {
    name: 'hard-split-taken-for-written',
    breaks: 'a batch that was not written because of a hard split counts as acknowledged',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'this.retry(batch, batch.partition, place, StatusCode.HARD_SPLIT)',
        replace: 'this.acked(batch)',
      },
    ],
    proof: { file: OUTCOMES, test: 'a hard split resends the same batch' },
  },
  {
    name: 'hard-split-costs-a-retry',
    breaks: 'a hard split counts as a failure',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: "        this.hardSplit(batch, place)\n        return\n      case 'map-ended'",
        replace:
          "        this.failedOnce(batch, place, UNKNOWN_CAUSE, 'split')\n        return\n      case 'map-ended'",
      },
    ],
    proof: { file: OUTCOMES, test: 'a hard split resends the same batch' },
  },
  {
    name: 'unknown-status-is-success',
    breaks: 'a status byte that means nothing is taken for success',
    edits: [
      {
        file: 'src/protocol/push-response.ts',
        find: "KINDS.get(status) ?? ('unknown' as const)",
        replace: "KINDS.get(status) ?? ('success' as const)",
      },
    ],
    proof: { file: OUTCOMES, test: 'an unknown status byte is a failure that is retried' },
  },
  {
    name: 'write-end-is-delivery',
    breaks: 'the end of a write counts as an acknowledgement, though a destroyed socket ends writes, too',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'this.failedOnce(request.batch, request.place, causeOfError(error), error.message)',
        replace: 'this.acked(request.batch)',
      },
    ],
    proof: { file: 'test/push/release.test.ts', test: 'on a dead socket: after its write ended' },
  },
  {
    name: 'nonsense-merged-answer-kills',
    breaks: 'a merged answer of garbage throws in the socket’s callback, and its batches hang',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'this.nonsense(request, parts, asCelebornError(thrown))\n      return',
        replace: 'throw asCelebornError(thrown)',
      },
    ],
    proof: { file: MERGE, test: 'an answer about half a message is a failure' },
  },
  {
    name: 'nonsense-merged-answer-is-success',
    breaks: 'a merged answer of garbage is taken for success',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'this.nonsense(request, parts, asCelebornError(thrown))\n      return',
        replace: 'for (const { batch } of parts) this.acked(batch)\n      return',
      },
    ],
    proof: { file: MERGE, test: 'an answer about half a message is a failure' },
  },
  {
    name: 'merged-after-flush-left-behind',
    breaks: 'a merged push that is admitted while mapperEnd waits is gathered and never sent',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'if (batch.attempt.mapperEnd !== null) this.flushSoon()',
        replace: '',
      },
    ],
    proof: { file: MERGE, test: 'mapperEnd sends what is admitted while it waits' },
  },
  {
    name: 'resent-merged-left-behind',
    breaks: 'merged batches that are to be sent again are gathered and never sent',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: 'if (batch.merged) this.flushSoon()',
        replace: '',
      },
    ],
    proof: { file: MERGE, test: 'resends only the batches that hard-split' },
  },
  {
    name: 'regrouped-left-behind',
    breaks: 'merged batches whose location changed before they were sent are gathered again and never sent',
    edits: [
      {
        file: 'src/push/delivery.ts',
        find: '    this.send(batch)\n    this.flushSoon()\n',
        replace: '    this.send(batch)\n',
      },
    ],
    proof: { file: 'test/push/merged-regroup.test.ts', test: 'is sent to the new one without another call' },
  },
  {
    name: 'close-waits-for-pauses',
    breaks: 'a client that is closed leaves the timer of the pause between two registrations behind',
    edits: [{ file: 'src/client/shuffle-client.ts', find: '    this.lifecycle.close()\n', replace: '' }],
    proof: { file: 'test/push/close-timers.test.ts', test: 'close ends the pause between two registrations' },
  },
  {
    name: 'queued-report-outlives-abort',
    breaks: 'a MapperEnd that is queued when its attempt is aborted is sent all the same',
    edits: [
      {
        file: 'src/client/lifecycle-client.ts',
        find: 'once the attempt is aborted.\n          signal,',
        replace: 'once the attempt is aborted.\n          undefined,',
      },
    ],
    proof: { file: 'test/push/release.test.ts', test: 'a report that waits to be sent is not sent' },
  },
  {
    name: 'registration-fails-by-any-code',
    breaks: 'a shuffle that cannot be registered fails with the code of whatever kept it from it',
    edits: [
      {
        file: 'src/client/lifecycle-client.ts',
        find: 'throw registerError(error, shuffleId, this.hostPort)',
        replace: 'throw error',
      },
    ],
    proof: { file: 'test/push/release.test.ts', test: 'a registration that fails has one code' },
  },
  {
    name: 'one-revive-per-batch',
    breaks: 'each failed batch asks for a new location, not each partition once',
    edits: [
      {
        file: 'src/push/revive.ts',
        find: 'this.timer ??= setTimeout(() => this.send(), this.options.intervalMs)',
        replace: 'this.send()',
      },
    ],
    proof: { file: OUTCOMES, test: 'revives are gathered: one request for many' },
  },
]
