// The ends of readers, what they hold, and what they share.
const CANCEL = 'test/read/cancel.test.ts'
const BUDGET = 'test/read/budget.test.ts'

export default [
  {
    name: 'ended-reader-keeps-what-comes',
    breaks: 'a reader that was ended keeps what it fetched ahead until its consumer asks again',
    edits: [
      {
        file: 'src/read/partition-reader.ts',
        find: '    this.streams?.close()\n    // Its consumer',
        replace: '    // Its consumer',
      },
    ],
    proof: { file: CANCEL, test: 'releases a chunk that is' },
  },
  {
    name: 'chunk-given-up-but-not-cancelled',
    breaks: 'chunks that a reader gives up are left to arrive, in memory of nobody’s',
    edits: [
      {
        file: 'src/read/location-stream.ts',
        find: 'for (const chunk of this.inFlight.splice(0)) chunk.cancel()',
        replace: 'this.inFlight.splice(0)',
      },
    ],
    proof: { file: CANCEL, test: 'releases a chunk that is' },
  },
  {
    name: 'freed-chunk-still-charged',
    breaks: 'the room of a chunk that was freed is not given back',
    edits: [
      {
        file: 'src/read/chunk.ts',
        find: 'giveBack(frame)\n    this.charge?.release()',
        replace: 'giveBack(frame)',
      },
    ],
    proof: { file: CANCEL, test: 'releases a chunk that is' },
  },
  {
    name: 'absent-chunk-still-charged',
    breaks: 'the room of a chunk that was asked for and never came is not given back',
    edits: [
      {
        file: 'src/read/chunk.ts',
        find: 'if (this.#frame === null) this.charge?.release()',
        replace: '',
      },
    ],
    proof: { file: CANCEL, test: 'releases a chunk that is asked for' },
  },
  {
    name: 'half-chunk-freed-under-its-socket',
    breaks: 'a chunk that has arrived in part is freed with its reader, while the socket still reads into it',
    edits: [
      {
        file: 'src/read/chunk.ts',
        find: '    this.#heldByReader = false\n',
        replace: '    this.#heldByReader = false\n    this.#heldBySocket = false\n',
      },
    ],
    proof: { file: CANCEL, test: 'releases a chunk that is half arrived' },
  },
  {
    name: 'half-chunk-holds-its-connection',
    breaks: 'a cancelled chunk of which no more comes keeps its memory and its connection',
    edits: [
      {
        file: 'src/network/connection.ts',
        find: '    this.#sweepAbandoned(nowMs)\n',
        replace: '',
      },
    ],
    proof: { file: CANCEL, test: 'of which no more comes' },
  },
  {
    name: 'asked-again-behind-half-a-message',
    breaks: 'a connection that stopped in the middle of a late answer is asked again and again',
    edits: [
      {
        file: 'src/network/client-receiver.ts',
        find: 'return !this.#parser.atBoundary && nowMs - this.lastReadMs >= limitMs',
        replace: 'return nowMs < limitMs',
      },
    ],
    proof: { file: CANCEL, test: 'a late answer that stops half-way' },
  },
  {
    name: 'ended-reader-is-given-room',
    breaks: 'a reader that is ended while it waits for room gets some, and keeps it',
    edits: [
      {
        file: 'src/read/budget.ts',
        find: 'const onAbort = (): void => giveUp(abortedBy(signal))',
        replace: 'const onAbort = (): void => reject(abortedBy(signal))',
      },
    ],
    proof: { file: CANCEL, test: 'takes none' },
  },
  {
    name: 'range-with-batches-of-others',
    breaks: 'a worker that gives more than a range of map tasks makes rows too many',
    edits: [
      {
        file: 'src/read/batch-filter.ts',
        find: 'if (header.mapId < this.startMapIndex || header.mapId >= this.endMapIndex) return false',
        replace: '',
      },
    ],
    proof: { file: 'test/read/local.test.ts', test: 'gives more than the range' },
  },
  {
    name: 'stream-of-a-file-fetched',
    breaks: 'chunks are fetched from a stream that was opened for its file’s path',
    edits: [
      {
        file: 'src/read/location-stream.ts',
        find: 'if (file !== null) return file',
        replace: 'if (file !== null || this.askedLocal) return file',
      },
    ],
    proof: { file: 'test/read/local.test.ts', test: 'chunks whose bounds are' },
  },
  {
    name: 'late-reader-waits-for-patience',
    breaks: 'a reader that comes late waits until those that have much are thought to be paused',
    edits: [
      {
        file: 'src/read/budget.ts',
        find: '      this.shedAbove(this.share)\n',
        replace: '',
      },
    ],
    proof: { file: BUDGET, test: 'within their share' },
  },
  {
    name: 'fetched-ahead-beyond-the-share',
    breaks: 'the first readers fetch ahead into the room that later ones need, again and again',
    edits: [
      {
        file: 'src/read/budget.ts',
        find: 'if (holder.chargedBytes > 0 && holder.chargedBytes + bytes > this.share) return false',
        replace: '',
      },
    ],
    proof: { file: BUDGET, test: 'within their share' },
  },
  {
    name: 'all-readers-give-up',
    breaks: 'one reader that waits makes all others fetch again what they had fetched ahead',
    edits: [
      {
        file: 'src/read/budget.ts',
        find: 'if (this.#waiters.size === 0 || holder.chargedBytes <= bytes) return',
        replace: 'if (holder.chargedBytes <= bytes) return',
      },
    ],
    proof: { file: BUDGET, test: 'within their share' },
  },
]
