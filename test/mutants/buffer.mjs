const SEGMENT = 'test/buffer/file-segment.test.ts'

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
        find: 'this.memoryMapThreshold = conf.get(MODULE_STORAGE_MEMORY_MAP_THRESHOLD(module))',
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
]
