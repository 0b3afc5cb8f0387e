const KIB = 1024
const MIB = 1024 * KIB

/** Map tasks that run at the same time. They share one thread, so that more would only cut the frames smaller. */
const MAX_TASKS_AT_ONCE = 8
const MIN_FRAME_BYTES = 4 * KIB
const MAX_FRAME_BYTES = MIB
const MIN_RECORD_LIMIT = 8 * MIB
/** Celeborn's chunks are 8 MiB or a little more; this is a frame for one. */
export const CHUNK_FRAME_BYTES = 10 * MIB
const MAX_FETCH_WINDOW = 3

export interface MemoryPlanInput {
  readonly maxInFlightBytes: number
  readonly tasks: number
  readonly partitions: number
  /** Largest frame that may be pushed. */
  readonly maxFrameBytes: number
  /** Size of a push buffer if the user chose one. */
  readonly bufferBytes?: number | undefined
}

/** How the job divides the memory it may use. All of it follows from the limit in flight. */
export interface MemoryPlan {
  readonly tasksAtOnce: number
  /** Size of a writer's frame. */
  readonly frameBytes: number
  /** Cap of all frames alive: those being filled and those in flight, or chunks being read back. */
  readonly poolBytes: number
  /** Chunks that reading back asks for ahead. */
  readonly fetchWindow: number
  /** Frames that reading one partition may hold. */
  readonly framesPerReader: number
  /** Longest record that is accepted, its newline included. */
  readonly maxRecordBytes: number
}

/**
 * Every task that runs has one open frame for every partition. All open frames together get as much memory as may be
 * in flight; with many partitions, where even the smallest frames would take more, tasks that find no frame push
 * what they have.
 */
export function planMemory(input: MemoryPlanInput): MemoryPlan {
  const { maxInFlightBytes, tasks, partitions, maxFrameBytes, bufferBytes } = input
  const tasksAtOnce = Math.min(tasks, MAX_TASKS_AT_ONCE)
  const share = maxInFlightBytes / (tasksAtOnce * partitions)
  const fitting = 2 ** Math.floor(Math.log2(Math.max(1, share)))
  const largest = Math.min(bufferBytes ?? MAX_FRAME_BYTES, maxFrameBytes)
  const fetchWindow = Math.min(
    Math.max(Math.round(maxInFlightBytes / (2 * CHUNK_FRAME_BYTES)), 1),
    MAX_FETCH_WINDOW,
  )
  // A reader holds one chunk more than it asks for, and its socket still holds the last one.
  const framesPerReader = fetchWindow + 2
  return {
    tasksAtOnce,
    frameBytes: Math.min(Math.max(fitting, MIN_FRAME_BYTES), largest),
    // A chunk ends with a whole batch, which may be one long record that did not compress.
    poolBytes: Math.max(2 * maxInFlightBytes, framesPerReader * (CHUNK_FRAME_BYTES + MIN_RECORD_LIMIT)),
    fetchWindow,
    framesPerReader,
    // A record is pushed with its newline.
    maxRecordBytes: Math.min(Math.max(maxInFlightBytes, MIN_RECORD_LIMIT), maxFrameBytes - 1),
  }
}
