import type { PartitionFile } from './partition-file'
import type { BatchIndex } from './batch-index'

/** A contiguous part of a file. */
export interface FileRange {
  readonly offset: number
  readonly length: number
}

/** The chunks that one stream serves, each a list of file ranges that are sent one after the other. */
export interface ChunkPlan {
  readonly count: number
  /** Bytes of chunk `index`; undefined when there is no such chunk. */
  size(index: number): number | undefined
  ranges(index: number): readonly FileRange[]
}

/** Every batch of the file: its chunks are the ones laid down while it was written. */
export function wholeFilePlan(file: PartitionFile): ChunkPlan {
  const { chunkOffsets } = file
  const size = (index: number): number | undefined => {
    const start = chunkOffsets[index]
    const end = chunkOffsets[index + 1]
    return start === undefined || end === undefined ? undefined : end - start
  }
  return {
    count: chunkOffsets.length - 1,
    size,
    ranges: (index) => [{ offset: chunkOffsets[index] ?? 0, length: size(index) ?? 0 }],
  }
}

/**
 * The batches of the map tasks in [startMapIndex, endMapIndex), in file order, in chunks of at least `chunkSize`
 * bytes but for the last.
 */
export function mapRangePlan(
  index: BatchIndex,
  startMapIndex: number,
  endMapIndex: number,
  chunkSize: number,
): ChunkPlan {
  const chunks: { size: number; ranges: FileRange[] }[] = []
  let size = 0
  let ranges: FileRange[] = []
  index.forEachRun((mapId, offset, length) => {
    if (mapId < startMapIndex || mapId >= endMapIndex) return
    const last = ranges[ranges.length - 1]
    if (last !== undefined && last.offset + last.length === offset) {
      ranges[ranges.length - 1] = { offset: last.offset, length: last.length + length }
    } else {
      ranges.push({ offset, length })
    }
    size += length
    if (size < chunkSize) return
    chunks.push({ size, ranges })
    size = 0
    ranges = []
  })
  if (size > 0) chunks.push({ size, ranges })
  return {
    count: chunks.length,
    size: (chunk) => chunks[chunk]?.size,
    ranges: (chunk) => chunks[chunk]?.ranges ?? [],
  }
}
