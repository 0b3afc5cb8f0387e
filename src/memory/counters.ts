import { type N } from './native'

/**
 * The counters that a call of the addon left in its numbers.
 * @internal
 */
export interface Counters {
  readonly framesAlive: number
  readonly bytesAlive: number
  readonly peakFramesAlive: number
  readonly peakBytesAlive: number
  readonly framesAllocated: number
  readonly blocksAllocated: number
  readonly pooledBytes: number
  readonly finalizedWithoutRelease: number
}

/** @internal */
export function readCounters(numbers: Float64Array, at: typeof N): Counters {
  return {
    framesAlive: numbers[at.FRAMES_ALIVE] ?? 0,
    bytesAlive: numbers[at.BYTES_ALIVE] ?? 0,
    peakFramesAlive: numbers[at.PEAK_FRAMES_ALIVE] ?? 0,
    peakBytesAlive: numbers[at.PEAK_BYTES_ALIVE] ?? 0,
    framesAllocated: numbers[at.FRAMES_ALLOCATED] ?? 0,
    blocksAllocated: numbers[at.BLOCKS_ALLOCATED] ?? 0,
    pooledBytes: numbers[at.POOLED_BYTES] ?? 0,
    finalizedWithoutRelease: numbers[at.FINALIZED_WITHOUT_RELEASE] ?? 0,
  }
}
