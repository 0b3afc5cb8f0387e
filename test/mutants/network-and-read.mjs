// What sockets do with memory, and what readers deliver.
const SEND = 'test/network/send.test.ts'
const READ = 'test/read/read.test.ts'

export default [
  {
    name: 'write-end-at-write-start',
    breaks: 'a message’s memory is given back when its write starts',
    edits: [
      {
        file: 'src/network/message-writer.ts',
        find: 'callWriteStarted(entry.outbound, nowMs)',
        replace: 'callWriteStarted(entry.outbound, nowMs)\n      this.#end(entry, nowMs)',
      },
    ],
    proof: { file: SEND, test: 'bears the answer before the end of the write' },
  },
  {
    name: 'header-arena-reused-under-write',
    breaks: 'headers of the next batch are laid out while the system still reads those of this one',
    edits: [
      {
        file: 'src/network/message-writer.ts',
        find: 'if (this.#writing || this.#socket === null',
        replace: 'if (this.#socket === null',
      },
      {
        file: 'src/network/message-writer.ts',
        find: 'if (this.#socket !== null && !this.#writing) this.#schedule()',
        replace: 'if (this.#socket !== null) this.#schedule()',
      },
    ],
    proof: {
      file: 'test/network/gather-order.test.ts',
      test: 'more messages come while one is being written',
    },
  },
  {
    name: 'error-before-memory-is-free',
    breaks: 'a request hears of its lost connection while its write has not ended',
    edits: [
      {
        file: 'src/network/connection.ts',
        find: '    this.#writer.abandon()\n    for (const request of this.#requests.takeAll()) callOnError(request, error)\n',
        replace:
          '    for (const request of this.#requests.takeAll()) callOnError(request, error)\n    this.#writer.abandon()\n',
      },
    ],
    proof: { file: SEND, test: 'ends everything once when the connection is reset' },
  },
  {
    name: 'answer-to-unsent-request',
    breaks: 'an answer is taken for a request that was never handed to the system',
    edits: [
      {
        file: 'src/network/request-table.ts',
        find: "entry !== undefined && entry.stage !== 'queued'",
        replace: 'entry !== undefined',
      },
    ],
    proof: { file: SEND, test: 'takes no answer for a request that was not sent yet' },
  },
  {
    name: 'late-answer-reaches-request',
    breaks: 'a request that timed out is answered all the same',
    edits: [
      {
        file: 'src/network/request-table.ts',
        find: '      this.#entries.delete(requestId)\n      release(entry)\n      expired ??= []',
        replace: '      entry.clockMs = CLOCK_STOPPED\n      expired ??= []',
      },
    ],
    proof: { file: 'test/network/timeouts.test.ts', test: 'ignores the answers that come too late' },
  },
  {
    name: 'clock-runs-in-the-queue',
    breaks: 'a push’s time-out counts the time that it waits behind a slow socket',
    edits: [
      {
        file: 'src/network/connection.ts',
        find: "if (request.timeoutClock === 'send') entry.clockMs",
        replace: 'entry.clockMs',
      },
    ],
    proof: {
      file: 'test/network/timeouts.test.ts',
      test: 'does not count the time that a push waits behind',
    },
  },
  {
    name: 'nagle',
    breaks: 'client sockets delay small writes',
    edits: [{ file: 'src/network/client-socket.ts', find: '  socket.setNoDelay(true)\n', replace: '' }],
    proof: { file: 'test/network/no-delay.test.ts', test: 'sends small messages at once' },
  },
  {
    name: 'read-target-released-under-socket',
    breaks: 'a chunk’s memory is reported as released while the socket still points to it',
    edits: [
      {
        file: 'src/network/client-receiver.ts',
        find: 'if (this.#held !== fetch) fetch.releaseTarget()',
        replace: 'fetch.releaseTarget()',
      },
    ],
    proof: { file: 'test/network/chunk.test.ts', test: 'reports the memory as released only when' },
  },
  {
    name: 'frame-recycled-as-read-target',
    breaks: 'a reader that lets go frees a frame that the socket still holds',
    edits: [
      {
        file: 'src/read/chunk.ts',
        find: 'frame === null || this.#heldBySocket || this.#heldByReader',
        replace: 'frame === null || this.#heldByReader',
      },
    ],
    proof: { file: 'test/read/chunk.test.ts', test: 'until both have let go' },
  },
  {
    name: 'frame-recycled-under-reader',
    breaks: 'a socket that lets go frees a frame that the reader still reads',
    edits: [
      {
        file: 'src/read/chunk.ts',
        find: 'frame === null || this.#heldBySocket || this.#heldByReader',
        replace: 'frame === null || this.#heldBySocket',
      },
    ],
    proof: { file: 'test/read/chunk.test.ts', test: 'until both have let go' },
  },
  {
    name: 'destroyed-reader-delivers',
    breaks: 'a destroyed reader goes on delivering the batches of its chunk',
    edits: [
      {
        file: 'src/read/location-reader.ts',
        find: 'throwIfAborted(signal)\n          if (!filter',
        replace: 'if (!filter',
      },
    ],
    proof: { file: READ, test: 'releases everything when the consumer stops early' },
  },
  {
    name: 'delivered-before-decoded',
    breaks: 'a batch that cannot be decoded counts as delivered, and is lost on fail-over',
    edits: [
      {
        file: 'src/read/location-reader.ts',
        find: 'const bytes = this.decode(batch, context)\n          filter.delivered(batch)',
        replace: 'filter.delivered(batch)\n          const bytes = this.decode(batch, context)',
      },
    ],
    proof: { file: READ, test: 'a corrupt copy or a dead worker is read from the other one' },
  },
  {
    name: 'delivered-twice-on-fail-over',
    breaks: 'batches that were delivered before a failure are delivered again from the other copy',
    edits: [
      { file: 'src/read/location-reader.ts', find: '          filter.delivered(batch)\n', replace: '' },
    ],
    proof: { file: READ, test: 'a corrupt copy or a dead worker is read from the other one' },
  },
  {
    name: 'losing-attempt-read',
    breaks: 'batches of an attempt that did not win are delivered',
    edits: [
      {
        file: 'src/read/batch-filter.ts',
        find: 'this.otherAttemptCount++\n      return false',
        replace: 'this.otherAttemptCount++',
      },
    ],
    proof: { file: READ, test: 'drops the batches of attempts that did not win' },
  },
  {
    name: 'cut-chunk-is-the-end',
    breaks: 'a file that is cut off reads as fewer rows',
    edits: [
      {
        file: 'src/read/location-reader.ts',
        find: "throw new CelebornError('CELEBORN_CORRUPT_DATA', `a chunk is cut off",
        replace: "void new CelebornError('CELEBORN_CORRUPT_DATA', `a chunk is cut off",
      },
    ],
    proof: { file: 'test/read/cut-chunk.test.ts', test: 'is corrupt data' },
  },
  {
    name: 'short-file-is-the-end',
    breaks: 'a worker that serves fewer chunks than the file has is believed',
    edits: [
      {
        file: 'src/read/location-reader.ts',
        find: 'this.checkComplete(location, received, deliveredBefore, context)',
        replace: '',
      },
    ],
    proof: { file: 'test/read/bad-input.test.ts', test: 'fewer chunks than the file has' },
  },
  {
    name: 'replica-left-untried',
    breaks: 'without retries the replica is not tried',
    edits: [
      {
        file: 'src/read/location-reader.ts',
        find: 'Math.max(2, 1 + 2 * retries)',
        replace: '1 + 2 * retries',
      },
    ],
    proof: { file: 'test/read/failover.test.ts', test: 'two copies are tried in turn' },
  },
  {
    name: 'sum-of-what-the-consumer-left',
    breaks: 'the integrity check counts bytes that the consumer may have overwritten',
    edits: [
      {
        file: 'src/read/partition-reader.ts',
        find: 'sum.add(bytes)\n    yield bytes',
        replace: 'yield bytes\n    sum.add(bytes)',
      },
    ],
    proof: { file: 'test/read/integrity.test.ts', test: 'passes when all that was written is read' },
  },
  {
    name: 'read-ahead-blocks-the-present',
    breaks: 'chunks of later locations keep the room that the next chunk waits for',
    edits: [{ file: 'src/read/location-stream.ts', find: '      onStarved()\n', replace: '' }],
    proof: { file: 'test/read/read-ahead.test.ts', test: 'where memory is short' },
  },
  {
    name: 'opened-ahead-never-ended',
    breaks: 'a stream whose answer comes after its reader has gone stays open at the worker',
    edits: [{ file: 'src/read/location-stream.ts', find: 'if (this.closed) this.end(handler)', replace: '' }],
    proof: { file: 'test/read/read-ahead.test.ts', test: 'while streams are being opened ahead' },
  },
  {
    name: 'paused-reader-starves-others',
    breaks: 'a reader whose consumer has stopped keeps what it fetched ahead for ever',
    edits: [{ file: 'src/read/budget.ts', find: 'holder.shedIfPaused()', replace: 'void holder' }],
    proof: { file: 'test/read/budget.test.ts', test: 'gives up what it fetched ahead' },
  },
  {
    name: 'late-chunk-takes-early-room',
    breaks: 'a chunk fetched ahead overtakes a reader that waits for room',
    edits: [{ file: 'src/read/budget.ts', find: 'this.#waiters.size === 0 && ', replace: '' }],
    proof: { file: 'test/read/budget.test.ts', test: 'a smaller chunk does not overtake' },
  },
  {
    name: 'local-file-is-the-only-copy',
    breaks: 'a file of this host that cannot be read is not fetched',
    edits: [
      {
        file: 'src/read/location-reader.ts',
        find: 'const again = canBeFetched(stream, error, counts.batches > before)',
        replace: 'const again = false',
      },
    ],
    proof: { file: 'test/read/local.test.ts', test: 'is not there is fetched' },
  },
  {
    name: 'zstd-frame-believed',
    breaks: 'a zstd frame may decode to more than its blocks can hold, and be allocated for',
    edits: [
      {
        file: 'src/compress/zstd-frame.ts',
        find: 'if (originalLength < least || originalLength > most)',
        replace: 'if (originalLength < 0)',
      },
    ],
    proof: { file: 'test/compress/zstd.test.ts', test: 'with blocks that cannot be, is refused' },
  },
]
