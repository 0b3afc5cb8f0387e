// Who owns a push buffer, and what of a record counts. See docs/writers.md.
const PUSHER = 'test/write/data-pusher.test.ts'
const WRITERS = 'test/write/writers.test.ts'
const BAD_INPUT = 'test/write/bad-input.test.ts'
const STARVING = 'test/write/starving.test.ts'
const PUBLISHED = { file: PUSHER, test: 'swap: another buffer of the same size each time' }

export default [
  {
    name: 'writer-task-reused-when-push-returns',
    breaks: 'a task and its buffer are reusable when the push call returns, as in Java, which copies',
    edits: [
      {
        file: 'src/write/data-pusher.ts',
        find: 'this.#side.push(task).then(this.#onAdmitted, this.#onRejected)',
        replace: 'this.#side.push(task).then(this.#onAdmitted, this.#onRejected)\n    task.release()',
      },
      {
        file: 'src/write/push-task.ts',
        find: "if (lease === null) throw new FrameStateError('a push task was released twice')",
        replace: 'if (lease === null) return',
      },
    ],
    proof: PUBLISHED,
  },
  {
    name: 'writer-buffer-to-pool-at-hand-over',
    breaks: 'a buffer goes back to the pool when its task has it, not when the task is released',
    edits: [
      {
        file: 'src/write/push-task.ts',
        find: 'this.#unreleased = Math.max(1, pieces.length)',
        replace: 'this.#unreleased = Math.max(1, pieces.length)\n    this.pool.fromTask(lease)',
      },
      {
        file: 'src/write/push-task.ts',
        find: '\n    this.pool.fromTask(lease)\n  }\n}',
        replace: '\n  }\n}',
      },
    ],
    proof: PUBLISHED,
  },
  {
    name: 'writer-swap-returns-the-same-buffer',
    breaks: 'a swap returns the memory that was given',
    edits: [
      {
        file: 'src/write/data-pusher.ts',
        find: 'const next = this.#buffers.tryTake(this.bufferBytes)\n    if (next === undefined) return undefined\n    this.handOver(partitionId, buffer, size, false, pieces)\n    return next',
        replace: 'this.handOver(partitionId, buffer, size, false, pieces)\n    return buffer',
      },
    ],
    proof: PUBLISHED,
  },
  {
    name: 'writer-swap-takes-the-successor-last',
    breaks: 'the successor is taken after the push, which may be over by then',
    edits: [
      {
        file: 'src/write/data-pusher.ts',
        find: 'const next = this.#buffers.tryTake(this.bufferBytes)\n    if (next === undefined) return undefined\n    this.handOver(partitionId, buffer, size, false, pieces)\n    return next',
        replace:
          'this.handOver(partitionId, buffer, size, false, pieces)\n    return this.#buffers.tryTake(this.bufferBytes)',
      },
    ],
    proof: { file: PUSHER, test: 'of a push that is over at once is not its own successor' },
  },
  {
    name: 'writer-copy-not-copied',
    breaks: 'addTask pushes without the caller’s bytes',
    edits: [{ file: 'src/write/data-pusher.ts', find: '      buffer.bytes.set(bytes)\n', replace: '' }],
    proof: { file: PUSHER, test: 'copy: the caller keeps its one buffer' },
  },
  {
    name: 'writer-no-capacity',
    breaks: 'tasks are as many as anybody wants',
    edits: [
      {
        file: 'src/write/data-pusher.ts',
        find: 'return this.#busy < this.capacity && this.#waiters.length === 0',
        replace: 'return true',
      },
      {
        file: 'src/write/data-pusher.ts',
        find: "    if (this.#made >= this.capacity) throw new ConfigError('no push task is idle')\n",
        replace: '',
      },
    ],
    proof: { file: PUSHER, test: 'are as many as the capacity' },
  },
  {
    name: 'writer-termination-does-not-wait',
    breaks: 'waitOnTermination looks at admissions only',
    edits: [
      {
        file: 'src/write/data-pusher.ts',
        find: 'while (this.#busy > 0 || this.#unadmitted > 0) {',
        replace: 'while (this.#unadmitted > 0) {',
      },
    ],
    proof: { file: PUSHER, test: 'waits for the release of every task' },
  },
  {
    name: 'writer-failure-forgotten',
    breaks: 'a push failure is not kept for the writer’s next call',
    edits: [
      {
        file: 'src/write/data-pusher.ts',
        find: '    this.#failure = error\n    this.#wakeAll()',
        replace: '    this.#wakeAll()',
      },
    ],
    proof: { file: PUSHER, test: 'reaches the writer at its next call' },
  },
  {
    name: 'writer-close-forgets-a-partial-buffer',
    breaks: 'the hash writer leaves the last partition’s partial buffer behind',
    edits: [
      {
        file: 'src/write/hash-shuffle-writer.ts',
        find: 'if (used === 0) buffer.release()\n      else {\n        this.counters.pushes++',
        replace:
          'if (used === 0 || p === this.#buffers.length - 1) buffer.release()\n      else {\n        this.counters.pushes++',
      },
    ],
    proof: { file: WRITERS, test: 'HASH keeps the order of a partition’s records within each batch' },
  },
  {
    name: 'writer-growth-forgets',
    breaks: 'a buffer that grows loses what was in it',
    edits: [
      {
        file: 'src/write/hash-shuffle-writer.ts',
        find: 'larger.bytes.set(buffer.bytes.subarray(0, used))',
        replace: 'larger.bytes.fill(0, 0, used)',
      },
    ],
    proof: { file: WRITERS, test: "'HASH', 'NONE' what three map tasks write" },
  },
  {
    name: 'writer-spill-loses-order',
    breaks: 'the sort is not stable',
    edits: [
      {
        file: 'src/write/arena.ts',
        find: 'page.words[2 * perPage + (to % perPage)] = word',
        replace:
          'page.words[2 * perPage + ((to ^ 1) < this.#count ? (to ^ 1) % perPage : to % perPage)] = word',
      },
    ],
    proof: { file: WRITERS, test: 'SORT keeps the order of a partition’s records within each batch' },
  },
  {
    name: 'writer-spill-loses-a-record',
    breaks: 'the record that found no room in a full buffer is not put into the next one',
    edits: [
      {
        file: 'src/write/sort-shuffle-writer.ts',
        find: 'if (waiting !== undefined) await waiting\n          run.put(arena, place)',
        replace: 'if (waiting !== undefined) await waiting',
      },
    ],
    proof: { file: WRITERS, test: 'SORT keeps the order of a partition’s records within each batch' },
  },
  {
    name: 'writer-piece-of-a-neighbour',
    breaks: 'the last piece of a spilled buffer begins at the one before',
    edits: [
      {
        file: 'src/write/sort-shuffle-writer.ts',
        find: '    this.#start = this.at\n  }\n}',
        replace: '    this.#start = this.at - 1\n  }\n}',
      },
    ],
    proof: { file: WRITERS, test: "'SORT', 'NONE' what three map tasks write" },
  },
  {
    name: 'writer-pieces-released-at-the-first',
    breaks: 'a buffer of several pieces is free when the first of them is',
    edits: [
      {
        file: 'src/write/push-task.ts',
        find: 'this.#unreleased = Math.max(1, pieces.length)',
        replace: 'this.#unreleased = 1',
      },
      {
        file: 'src/write/push-task.ts',
        find: "if (lease === null) throw new FrameStateError('a push task was released twice')",
        replace: 'if (lease === null) return',
      },
    ],
    proof: { file: PUSHER, test: 'with pieces for several partitions' },
  },
  {
    name: 'writer-half-a-record-counts',
    breaks: 'what a serializer wrote before it threw counts',
    edits: [
      {
        file: 'src/write/hash-shuffle-writer.ts',
        find: 'const end = this.serialize(record, bytes, at)',
        replace:
          'this.#used[partitionId] = Math.min(at + 3, bytes.length)\n        const end = this.serialize(record, bytes, at)',
      },
    ],
    proof: { file: BAD_INPUT, test: 'HASH writer a serializer that throws halfway' },
  },
  {
    name: 'writer-wrong-partition-accepted',
    breaks: 'what a partitioner returns is not checked',
    edits: [
      {
        file: 'src/write/shuffle-writer.ts',
        find: 'if (!(partitionId >>> 0 === partitionId && partitionId < this.#numPartitions)) {',
        replace: 'if (!(partitionId < this.#numPartitions)) {',
      },
    ],
    proof: { file: BAD_INPUT, test: 'HASH writer a partitioner that returns -1' },
  },
  {
    name: 'writer-two-writers-of-one-attempt',
    breaks: 'an attempt takes any number of writers',
    edits: [
      {
        file: 'src/push/pusher.ts',
        find: 'if (attempt.writer !== null) {',
        replace: 'if (attempt.failure !== null) {',
      },
    ],
    proof: { file: BAD_INPUT, test: 'HASH writer two writers of one attempt' },
  },
  {
    name: 'writer-abort-keeps-buffers',
    breaks: 'an aborted writer keeps its partial buffers',
    edits: [
      {
        file: 'src/write/hash-shuffle-writer.ts',
        find: '      this.#forget(p, buffer)\n      buffer.release()\n    })',
        replace: '      this.#forget(p, buffer)\n    })',
      },
    ],
    proof: { file: BAD_INPUT, test: 'HASH writer aborted by its signal' },
  },
  {
    name: 'writer-nobody-relieves',
    breaks: 'writers that starve do not make others flush partial buffers',
    edits: [
      {
        file: 'src/write/buffer-pool.ts',
        find: 'if (this.#relieving) return',
        replace: 'if (this.#waiters.size > 0) return',
      },
    ],
    proof: { file: STARVING, test: "16 'HASH' writers share a cap of 4 frames, 'NONE'" },
  },
  {
    name: 'writer-spill-waits-in-line',
    breaks: 'a spill waits for its next buffer behind writers that wait for the arena’s memory',
    edits: [
      {
        file: 'src/write/sort-shuffle-writer.ts',
        find: 'this.pusher.swapLater(partitionId, staging, at, parts, true)',
        replace: 'this.pusher.swapLater(partitionId, staging, at, parts)',
      },
    ],
    proof: { file: STARVING, test: "16 'SORT' writers share a cap of 4 frames, 'NONE'" },
  },
  {
    name: 'writer-staging-kept-after-encoding',
    breaks: 'under a codec the staging buffer is kept until the acknowledgement',
    edits: [
      {
        file: 'src/push/encoding.ts',
        find: "if (!block.stored) payload.free('encoded')",
        replace: "if (!block.stored) void batch.settled.then(() => payload.free('encoded'))",
      },
    ],
    proof: {
      file: 'test/write/one-frame.test.ts',
      test: 'HASH writer: memory of batches in flight LZ4: one copy',
    },
  },
  {
    name: 'writer-thread-holds-nothing',
    breaks: 'a batch whose bytes a thread compresses holds no reference for it',
    edits: [
      { file: 'src/push/encoding.ts', find: '  batch.retain()\n', replace: '' },
      {
        file: 'src/push/pusher.ts',
        find: '    } finally {\n      batch.unref()\n    }',
        replace: '    }',
      },
    ],
    proof: {
      file: 'test/write/encode-in-thread.test.ts',
      test: 'that ends meanwhile keeps the source',
    },
  },
  {
    name: 'writer-sent-after-its-end',
    breaks: 'what a thread has compressed is sent although its attempt has ended',
    edits: [
      {
        file: 'src/push/encoding.ts',
        find: '  if (batch.settlement !== null) {\n',
        replace: '  if (batch.bytes < 0) {\n',
      },
      {
        file: 'src/push/pusher.ts',
        find: '    const { attempt } = batch\n    if (attempt.ended !== null) {',
        replace:
          '    const { attempt } = batch\n    if (attempt.failure !== null && attempt.ended !== null) {',
      },
    ],
    proof: {
      file: 'test/write/one-frame.test.ts',
      test: 'HASH writer: memory of batches in flight aborted while',
    },
  },
]
