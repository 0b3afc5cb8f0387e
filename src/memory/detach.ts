import { N, native } from './native'
import { readCounters } from './counters'

/** Counters of all native memory of the process, all threads together. */
export interface NativeStats {
  /** Frames and leases that somebody owns (leases waiting for re-use included). */
  readonly framesAlive: number
  readonly bytesAlive: number
  readonly peakFramesAlive: number
  readonly peakBytesAlive: number
  /** Frames given out since the process started. */
  readonly framesAllocated: number
  /** Blocks of memory had from the system since the process started. */
  readonly blocksAllocated: number
  /** Bytes kept in free lists for the next frame. */
  readonly pooledBytes: number
  /** Frames that the garbage collector had to free because nobody released them. */
  readonly finalizedWithoutRelease: number
}

let poison = process.env['CELEBORN_NODE_POISON'] === '1'

/**
 * Detaches an ArrayBuffer: its views drop to length 0 and its memory is free as soon as its owner allows (a turn
 * of the event loop later for the external buffers of other addons). The caller must be its only user.
 * @returns false where it cannot be detached; nothing has changed then
 */
export function detachArrayBuffer(buffer: ArrayBuffer): boolean {
  return native().detach(buffer)
}

/** Counters of all native memory of the process. */
export function nativeStats(): NativeStats {
  const addon = native()
  addon.processStats()
  return readCounters(addon.numbers, N)
}

/**
 * Debug mode of the process: freed frames and leases are filled with 0xEE before anybody else gets them, so that a
 * read of freed memory shows. Also set by the environment variable CELEBORN_NODE_POISON=1.
 */
export function setPoison(on: boolean): void {
  poison = on
  native().setPoison(on)
}

/**
 * Whether this thread poisons the leases it frees.
 * @internal
 */
export function poisoning(): boolean {
  return poison
}
