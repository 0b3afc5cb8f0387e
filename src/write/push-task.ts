import { FrameStateError } from '../errors'
import { type Lease } from '../memory/lease'
import { type BufferPool } from './buffer-pool'
import { type PushBuffer } from './push-buffer'

/** A part of a task's buffer that goes to a partition of its own. */
export interface Piece {
  readonly partitionId: number
  readonly start: number
  readonly end: number
}

interface TaskOwner {
  /** The task is idle again. */
  taskReleased(task: PushTask, bytes: number): void
}

/**
 * One of a pusher's fixed set of tasks. From {@link load} until its {@link release} it owns one buffer. The push call's
 * return says nothing about that: the socket may still read the memory, and a retry may read it again.
 */
export class PushTask {
  partitionId = 0
  /** Gathered with other small batches instead of being sent by itself. */
  merged = false
  /** Where the buffer holds data of several partitions; empty when all of it is {@link partitionId}'s. */
  pieces: readonly Piece[] = []
  #bytes: Uint8Array | null = null
  #lease: Lease | null = null
  #unreleased = 0

  constructor(
    private readonly owner: TaskOwner,
    private readonly pool: BufferPool,
  ) {}

  /** What is to be pushed. @throws FrameStateError after the release */
  get bytes(): Uint8Array {
    if (this.#bytes === null) throw new FrameStateError('a push task was read after its release')
    return this.#bytes
  }

  /** Bytes really allocated for the buffer. */
  get allocated(): number {
    return this.#lease?.capacity ?? 0
  }

  /** The task becomes the owner of the buffer, whose first `size` bytes count. */
  load(
    partitionId: number,
    buffer: PushBuffer,
    size: number,
    merged: boolean,
    pieces: readonly Piece[] = [],
  ): void {
    const lease = this.pool.toTask(buffer)
    this.partitionId = partitionId
    this.merged = merged
    this.pieces = pieces
    this.#lease = lease
    this.#bytes = lease.capacity === size ? lease.bytes : lease.bytes.subarray(0, size)
    this.#unreleased = Math.max(1, pieces.length)
  }

  /**
   * Nobody reads the memory any more (or one of the {@link pieces}): exactly once for each push, however it ended. When the
   * last one is released the buffer goes back to the pool, and the task is idle.
   */
  release(): void {
    const lease = this.#lease
    if (lease === null) throw new FrameStateError('a push task was released twice')
    if (--this.#unreleased > 0) return
    this.#lease = null
    this.#bytes = null
    this.owner.taskReleased(this, lease.capacity)
    this.pool.fromTask(lease)
  }
}
