/**
 * The native boundary: the only file that declares what the addon (native/addon/addon.cc) exports.
 *
 * Threads: everything here is called on the JavaScript thread of one environment (the main thread or a
 * worker). Each environment loads its own {@link NativeAddon}; the memory counters below it are shared by the
 * process.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CelebornError } from '../errors'

/**
 * Where the addon puts the numbers a call answers with, so that the hot path creates no objects. The contents
 * are valid until the next call into the addon. Mirrored by `enum Number` in addon.cc.
 */
export const N = {
  /** After {@link NativePool.acquire}: an {@link AcquireStatus}. */
  STATUS: 0,
  /** The block's handle: its place in the block table, and which life of that place it is. */
  INDEX: 1,
  GENERATION: 2,
  /** Bytes of memory behind the frame: what it is charged at. */
  BACKED: 3,
  /** Frames of this pool that the garbage collector had to free, so far. */
  DROPPED: 4,
  /** 1 when the pool's frames live in memory that V8 allocated (external buffers forbidden). */
  COPIED: 5,
  /** After {@link NativeMaps.map} that answered `undefined`: the system's reason (an errno), 0 when it gave none. */
  ERRNO: 6,
  /** After {@link NativePool.stats} and {@link NativeAddon.processStats}: the counters, in this order. */
  FRAMES_ALIVE: 8,
  BYTES_ALIVE: 9,
  PEAK_FRAMES_ALIVE: 10,
  PEAK_BYTES_ALIVE: 11,
  FRAMES_ALLOCATED: 12,
  BLOCKS_ALLOCATED: 13,
  POOLED_BYTES: 14,
  FINALIZED_WITHOUT_RELEASE: 15,
  /** After {@link NativePool.takeDropped}: pairs of index and generation. */
  DROPPED_HANDLES: 16,
} as const

/** Why {@link NativePool.acquire} answered `undefined`. Mirrored by `celeborn::Status`. */
export const AcquireStatus = {
  OK: 0,
  CAP_REACHED: 1,
  ABOVE_CAP: 2,
  OUT_OF_MEMORY: 3,
  CLOSED: 4,
} as const

/** What became of a frame at {@link NativePool.release}. Mirrored by `enum ReleaseResult` in addon.cc. */
export const ReleaseResult = {
  /** The view is detached and the block is free for the next owner. */
  RECYCLED: 0,
  /** The handle is of an earlier life: nothing was done. */
  STALE: 1,
  /** The buffer could not be detached: the block is freed when the garbage collector takes the buffer. */
  LINGERS: 2,
} as const

/** A pool of blocks in native memory. Blocks are named by handle (index and generation), never by address. */
export interface NativePool {
  /**
   * One frame of at least `size` bytes (0 <= size <= `maxFrameBytes`, checked by the caller): a new ArrayBuffer
   * over the block, the only one this life of the block ever gets. `undefined` when it cannot be had; numbers:
   * STATUS, INDEX, GENERATION, BACKED, DROPPED, COPIED.
   */
  acquire(size: number): ArrayBuffer | undefined
  /** Detaches the frame's buffer and recycles its block at once; a {@link ReleaseResult}. */
  release(index: number, generation: number, buffer: ArrayBuffer): number
  /** Ends a frame whose buffer somebody else has moved or detached: freed, not recycled, by the finalizer. */
  abandon(index: number, generation: number): void
  /** Only the first `length` bytes are needed: gives the pages behind them back where that pays; bytes backed. */
  trimFrame(index: number, generation: number, length: number): number
  /** Gives all pooled free memory back to the system; bytes given back. */
  trim(): number
  /** Fills the counters of this pool into the numbers. */
  stats(): void
  /** Handles of frames that were dropped without a release, oldest first; how many were written (at most 4). */
  takeDropped(): number
  /** No frame is given out any more, free memory goes back; frames that are alive stay valid. Idempotent. */
  close(): void
}

/** Mapped files. They are counted apart from frames: no memory of ours stands behind them. */
export interface NativeMaps {
  /**
   * `bytes` bytes of an open file from `offset` on, which the caller has checked to be there: a new ArrayBuffer over the
   * mapping. The file need not stay open. `undefined` when it cannot be had; numbers: STATUS, INDEX, GENERATION, ERRNO.
   */
  map(descriptor: number, offset: number, bytes: number): ArrayBuffer | undefined
  /** Detaches the buffer and unmaps at once; a {@link ReleaseResult}. */
  release(index: number, generation: number, buffer: ArrayBuffer): number
  /** Fills the counters into the numbers; frames are mappings. */
  stats(): void
}

/** What build/Release/celeborn_native.node exports. */
export interface NativeAddon {
  /** See {@link N}. */
  readonly numbers: Float64Array
  /** Largest size `acquire` can be asked for, in bytes. */
  readonly maxFrameBytes: number
  /** The system's page size, in bytes. */
  readonly pageBytes: number
  /** `trimFrame` never pays for fewer tail bytes than this. */
  readonly trimMinBytes: number
  /** @param copied behave as where external buffers are forbidden */
  newPool(maxBytes: number, maxPooledBytes: number, copied: boolean): NativePool
  /** COPIED of the numbers tells whether mapped buffers are impossible here. */
  newMaps(): NativeMaps
  /** Fills the counters of the whole process into the numbers. */
  processStats(): void
  /** Detaches an ArrayBuffer; false where the runtime does not allow it. */
  detach(buffer: ArrayBuffer): boolean
  /** Debug mode of the process: fills freed memory with 0xEE. */
  setPoison(on: boolean): void
  /**
   * Bytes outside its heap that V8 knows of: ArrayBuffers, and what was reported to it (which
   * `process.memoryUsage().external` leaves out).
   */
  externalMemory(): number
  /** Test switch of this environment: external buffers are refused from now on, as some runtimes do. */
  forbidExternalBuffers(on: boolean): void
  /** Test switch of the process: the system refuses the next `count` blocks. */
  failAllocations(count: number): void
}

const ADDON = join('build', 'Release', 'celeborn_native.node')

let loaded: NativeAddon | undefined

/**
 * The addon, loaded on first use.
 * @throws CelebornError CELEBORN_NATIVE_UNAVAILABLE that names the cause and the command that repairs it
 */
export function native(): NativeAddon {
  loaded ??= load()
  return loaded
}

function load(): NativeAddon {
  if (process.platform === 'win32') {
    throw unavailable('Windows is not supported', 'use Linux or macOS')
  }
  const path = process.env['CELEBORN_NODE_ADDON'] ?? findAddon(__dirname)
  if (path === undefined) {
    throw unavailable(`${ADDON} is missing from the package`, REBUILD)
  }
  let addon: NativeAddon
  try {
    // createRequire and not require: the same line works in CommonJS, under a bundler and in a test runner.
    addon = createRequire(path)(path) as NativeAddon
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw unavailable(`${path} could not be loaded: ${reason}`, REBUILD, cause)
  }
  if (process.env['CELEBORN_NODE_NO_EXTERNAL_BUFFERS'] === '1') addon.forbidExternalBuffers(true)
  if (process.env['CELEBORN_NODE_POISON'] === '1') addon.setPoison(true)
  return addon
}

/**
 * In the package's root, which binding.gyp marks: upwards from this file, so that src/, dist/ and any other output
 * folder find the one build, and not beyond the root.
 */
function findAddon(from: string): string | undefined {
  for (let dir = from; dir !== dirname(dir); dir = dirname(dir)) {
    if (!existsSync(join(dir, 'binding.gyp'))) continue
    const path = join(dir, ADDON)
    return existsSync(path) ? path : undefined
  }
  return undefined
}

const REBUILD = 'build it with: npm rebuild celeborn-node (in a clone: node scripts/install.mjs)'

function unavailable(what: string, remedy: string, cause?: unknown): CelebornError {
  const here = `${process.platform}-${process.arch}, Node ${process.versions.node}`
  return new CelebornError(
    'CELEBORN_NATIVE_UNAVAILABLE',
    `The native addon of celeborn-node is not available (${here}): ${what}; ${remedy}`,
    {},
    cause,
  )
}
