const SEGMENT = 'test/buffer/file-segment.test.ts'
const SLOW_READERS = 'test/embedded/mapped-slow-readers.test.ts'

/** Planted in managed buffers and mapped files. */
export default [
  {
    name: 'segment-body-without-reference',
    breaks: 'the bytes of a segment are unmapped while a socket reads them',
    edits: [
      {
        file: 'src/buffer/managed-buffer.ts',
        find: `    this.retain()
    let pending = true`,
        replace: '    let pending = false',
      },
    ],
    proof: { file: SEGMENT, test: 'has the bytes at 12345' },
  },
  {
    name: 'segment-length-unchecked',
    breaks: 'a file that is shorter than its segment is mapped all the same',
    edits: [
      {
        file: 'src/buffer/segment-file.ts',
        find: 'if (offset + length > stats.size) {',
        replace: 'if (offset > stats.size) {',
      },
    ],
    proof: { file: SEGMENT, test: 'is too short' },
  },
  {
    name: 'segment-file-replaced',
    breaks: 'a stream goes on in another file of the same name',
    edits: [
      {
        file: 'src/buffer/segment-file.ts',
        find: 'else if (first.dev !== dev || first.ino !== ino)',
        replace: 'else if (first.dev !== dev)',
      },
    ],
    proof: { file: SEGMENT, test: 'replaced between two reads' },
  },
  {
    name: 'segment-values-per-call',
    breaks: 'the threshold is looked up at each call',
    edits: [
      {
        file: 'src/buffer/transport-conf.ts',
        find: 'this.memoryMapThreshold = lookedUp(conf, MODULE_STORAGE_MEMORY_MAP_THRESHOLD(module))',
        replace:
          "Object.defineProperty(this, 'memoryMapThreshold', { get: () => conf.get(MODULE_STORAGE_MEMORY_MAP_THRESHOLD(module)) })\n    this.memoryMapThreshold ??= 0",
      },
    ],
    proof: { file: 'test/buffer/transport-conf.test.ts', test: 'looks two values up' },
  },
  {
    name: 'map-never-unmapped',
    breaks: 'the release of a mapped segment leaves it to the garbage collector',
    edits: [
      {
        file: 'src/memory/file-map.ts',
        find: 'this.#maps.release(this.#index, this.#generation, this.#buffer)',
        replace: '',
      },
    ],
    proof: { file: SEGMENT, test: 'are mapped in turn' },
  },
  {
    name: 'descriptor-left-open',
    breaks: 'a segment whose file is too short leaves its descriptor open',
    edits: [
      {
        file: 'src/buffer/segment-file.ts',
        find: 'fs.close(descriptor, () => undefined)',
        replace: '',
      },
    ],
    proof: { file: SEGMENT, test: 'leaves no descriptor' },
  },
  {
    name: 'segment-end-sent-from-mapping',
    breaks: 'a reader takes the zeros behind the end of a cut file for the last bytes of its chunk',
    edits: [
      {
        file: 'src/buffer/file-segment.ts',
        find: 'return Math.max(0, last - (last % LARGEST_PAGE) + 1 - offset)',
        replace: 'return Math.min(last, length)',
      },
    ],
    proof: { file: SLOW_READERS, test: 'in its last page: the reader gets the chunk as it was' },
  },
  {
    name: 'segment-last-page-not-touched',
    breaks: 'a file that is cut just before the copied end of a segment is sent with zeros in between',
    edits: [
      {
        file: 'src/buffer/file-segment.ts',
        find: 'return Math.max(0, last - (last % LARGEST_PAGE) + 1 - offset)',
        replace: 'return Math.max(0, last - (last % LARGEST_PAGE) - offset)',
      },
    ],
    proof: { file: SLOW_READERS, test: 'just before it: the reader loses its connection' },
  },
  {
    name: 'mapped-chunks-not-counted',
    breaks: 'what is mapped for a reader that does not read is limited by nothing',
    edits: [
      {
        file: 'src/embedded/worker/chunk-sender.ts',
        find: 'return reader.heldBytes === 0 || reader.heldBytes + length <= this.#limits.maxBytesPerConnection',
        replace: 'return reader.heldBytes >= 0 || length > 0',
      },
    ],
    proof: { file: SLOW_READERS, test: 'hold no more mappings than their limits allow' },
  },
  {
    name: 'mapped-chunk-kept-after-close',
    breaks: 'a chunk whose reader went away stays mapped',
    edits: [
      {
        file: 'src/embedded/worker/chunk-sender.ts',
        find: `      chunk.free()
      this.#release(reader, length)`,
        replace: `      if (!reader.conn.closed) chunk.free()
      this.#release(reader, length)`,
      },
    ],
    proof: { file: SLOW_READERS, test: 'hold no more mappings than their limits allow' },
  },
]
