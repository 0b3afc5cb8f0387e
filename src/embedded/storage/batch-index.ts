import { CelebornError } from '../../errors'
import { BATCH_HEADER_BYTES, readBatchHeader } from '../../protocol/batch'
import type { FileHandles } from './file-handles'
import type { PartitionFile } from './partition-file'
import { readPartitionFile } from './read-file'

/** How much of the file is looked at per read; most batches are smaller, so one read covers several headers. */
const WINDOW_BYTES = 64 * 1024

/**
 * Which map task wrote which part of a partition file, for reads of map ranges. Celeborn sorts the file into a
 * second one for that; here the batches stay where they are, and consecutive ones of one map task form a run.
 */
export class BatchIndex {
  /** Run i is [offsets[i], offsets[i + 1]) and holds batches of map task mapIds[i] only. */
  #mapIds = new Int32Array(64)
  #offsets = new Float64Array(64)
  #runs = 0
  #length = 0

  readonly #maxRunBytes: number

  /** @param maxRunBytes a run is cut when it has grown to this, so that chunks can be cut there. */
  constructor(maxRunBytes: number) {
    this.#maxRunBytes = maxRunBytes
  }

  /** The next batch of the file, header included. */
  add(mapId: number, length: number): void {
    const last = this.#runs - 1
    const continues =
      last >= 0 &&
      this.#mapIds[last] === mapId &&
      this.#length - (this.#offsets[last] ?? 0) < this.#maxRunBytes
    if (!continues) {
      if (this.#runs === this.#mapIds.length) this.#grow()
      this.#mapIds[this.#runs] = mapId
      this.#offsets[this.#runs] = this.#length
      this.#runs += 1
    }
    this.#length += length
  }

  forEachRun(visit: (mapId: number, offset: number, length: number) => void): void {
    for (let i = 0; i < this.#runs; i++) {
      const offset = this.#offsets[i] ?? 0
      const end = i + 1 < this.#runs ? (this.#offsets[i + 1] ?? 0) : this.#length
      visit(this.#mapIds[i] ?? 0, offset, end - offset)
    }
  }

  #grow(): void {
    const mapIds = new Int32Array(this.#runs * 2)
    mapIds.set(this.#mapIds)
    this.#mapIds = mapIds
    const offsets = new Float64Array(this.#runs * 2)
    offsets.set(this.#offsets)
    this.#offsets = offsets
  }
}

/**
 * Reads the batch headers of a committed file.
 *
 * @throws CelebornError CELEBORN_CORRUPT_DATA when the headers do not add up to the file's length.
 */
export async function buildBatchIndex(
  file: PartitionFile,
  handles: FileHandles,
  maxRunBytes: number,
): Promise<BatchIndex> {
  const index = new BatchIndex(maxRunBytes)
  const window = new Uint8Array(Math.min(WINDOW_BYTES, file.length))
  await handles.use(file.path, false, async (fd) => {
    let position = 0
    while (position < file.length) {
      const size = Math.min(window.length, file.length - position)
      await readPartitionFile(fd, window.subarray(0, size), position)
      let at = 0
      while (at + BATCH_HEADER_BYTES <= size) {
        const header = readBatchHeader(window, at)
        const length = BATCH_HEADER_BYTES + header.size
        if (header.size < 0 || position + at + length > file.length) throw corrupt(file, position + at)
        index.add(header.mapId, length)
        at += length
      }
      if (at === 0) throw corrupt(file, position)
      position += at
    }
  })
  return index
}

function corrupt(file: PartitionFile, position: number): CelebornError {
  return new CelebornError(
    'CELEBORN_CORRUPT_DATA',
    `${file.path} has no whole batch at ${position} of ${file.length}`,
    { path: file.path },
  )
}
