import { ClosedError, ConfigError } from '../errors'
import { abortedBy, listenForAbort } from '../errors/abort'
import { asCelebornError } from '../push/delivery'
import { type BufferPool } from './buffer-pool'
import { type PushBuffer } from './push-buffer'
import { type Piece, PushTask } from './push-task'

/** Where a {@link DataPusher} sends its tasks. */
export interface PushSide {
  /**
   * Pushes the task's bytes. Resolves when the push is admitted; rejects when it never will be. Either way it calls
   * `task.release()` exactly once, when nothing reads the bytes any more: not before a socket's write of them has ended, and
   * not while a retry may need them.
   */
  push(task: PushTask): Promise<unknown>
  /** A task is waited for: what was gathered and not yet sent goes out now. */
  flushGathered?(): void
  /** Calls that wait for a task have begun (1) or ended (-1): meanwhile nothing is gathered for long. */
  taskWanted?(change: 1 | -1): void
}

/** Options of a {@link DataPusher}. */
export interface DataPusherOptions {
  readonly side: PushSide
  readonly buffers: BufferPool
  /** Number of push tasks: `celeborn.client.push.queue.capacity`. */
  readonly capacity: number
  /** Bytes of each full buffer: `celeborn.client.push.buffer.max.size`. */
  readonly bufferBytes: number
  /** Ends every wait. */
  readonly signal?: AbortSignal | undefined
}

/** Counters of a {@link DataPusher}. */
export interface DataPusherStats {
  /** Tasks handed over. */
  readonly tasks: number
  /** Of those, with a copy of the caller's bytes. */
  readonly copied: number
  /** Tasks that hold a buffer. */
  readonly busy: number
  readonly peakBusy: number
  /** Milliseconds that callers waited for an idle task or for a buffer. */
  readonly taskWaitMs: number
  /** Milliseconds in which at least one task waited to be admitted. */
  readonly admissionWaitMs: number
}

/**
 * Hands full buffers of one map task attempt to the push path. It has a fixed number of tasks; each owns one buffer from
 * its hand-over until its release. Buffers are not the tasks' own but come from the client's one bounded pool, so an idle
 * pusher holds none.
 *
 * When no task is idle, or the pool has no buffer, calls wait. The first failure of a push is thrown by every later call.
 */
export class DataPusher {
  readonly bufferBytes: number
  readonly capacity: number
  readonly #side: PushSide
  readonly #buffers: BufferPool
  readonly #signal: AbortSignal | undefined
  /** Made when they are needed first; never more than {@link capacity}. */
  readonly #idle: PushTask[] = []
  #made = 0
  #busy = 0
  #busyBytes = 0
  #peakBusy = 0
  /** Whoever waits for a task, in order. */
  #waiters: (() => void)[] = []
  #idleWaiters: (() => void)[] = []
  #failure: Error | null = null
  #terminated = false
  #tasks = 0
  #copied = 0
  #waitingCalls = 0
  #waitingSince = 0
  #taskWaitMs = 0
  #unadmitted = 0
  #unadmittedSince = 0
  #admissionWaitMs = 0
  readonly #owner = {
    taskReleased: (task: PushTask, bytes: number) => this.#released(task, bytes),
  }

  constructor(options: DataPusherOptions) {
    const { capacity, bufferBytes } = options
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new ConfigError(`capacity is the number of push tasks, at least 1, not ${String(capacity)}`)
    }
    if (!Number.isInteger(bufferBytes) || bufferBytes < 1) {
      throw new ConfigError(`bufferBytes is a number of bytes from 1 on, not ${String(bufferBytes)}`)
    }
    this.capacity = capacity
    this.bufferBytes = bufferBytes
    this.#side = options.side
    this.#buffers = options.buffers
    this.#signal = options.signal
    if (this.#signal?.aborted === true) this.#onAbort()
    else if (this.#signal !== undefined) listenForAbort(this.#signal, this.#onAbort)
  }

  /** Bytes that its tasks hold. */
  get busyBytes(): number {
    return this.#busyBytes
  }

  /** Calls that wait for an idle task. */
  get waiting(): number {
    return this.#waiters.length
  }

  /** Whether a task could be had at once. */
  get hasIdleTask(): boolean {
    return this.#busy < this.capacity && this.#waiters.length === 0
  }

  /** The first failure, if any. */
  get failure(): Error | null {
    return this.#failure
  }

  get stats(): DataPusherStats {
    return {
      tasks: this.#tasks,
      copied: this.#copied,
      busy: this.#busy,
      peakBusy: this.#peakBusy,
      taskWaitMs: this.#taskWaitMs,
      admissionWaitMs: this.#admissionWaitMs,
    }
  }

  /**
   * A buffer of {@link bufferBytes} to begin with; further ones come from {@link addTaskAndSwapBuffer}. Hand it over or
   * release it.
   * @throws as {@link addTask}, by rejecting
   */
  async acquireBuffer(): Promise<PushBuffer> {
    this.check()
    const buffer = this.#buffers.tryTake(this.bufferBytes)
    return buffer ?? this.waitForBuffer(this.bufferBytes)
  }

  /**
   * Pushes a copy of `bytes`: for callers that keep their buffer. It is free for reuse when the promise resolves.
   * @throws ClosedError after {@link waitOnTermination}; the first failure of an earlier push; AbortedError; by rejecting
   */
  async addTask(partitionId: number, bytes: Uint8Array): Promise<void> {
    this.check()
    const wanted = Math.max(this.bufferBytes, bytes.byteLength)
    const buffer = this.#buffers.tryTake(wanted) ?? (await this.waitForBuffer(wanted))
    let handedOver = false
    try {
      buffer.bytes.set(bytes)
      if (!this.hasIdleTask) await this.waitForTask()
      this.check()
      this.#copied++
      handedOver = true
      this.handOver(partitionId, buffer, bytes.byteLength)
    } finally {
      if (!handedOver) buffer.release()
    }
  }

  /**
   * Hands the caller's buffer over and returns another one of the same size to go on with; nothing is copied. The given
   * handle is dead then, also when the call rejects (but for a wrong argument).
   * @param size bytes of the buffer that count
   * @throws as {@link addTask}, by rejecting; FrameStateError when the buffer is not the caller's
   */
  addTaskAndSwapBuffer(partitionId: number, buffer: PushBuffer, size = buffer.size): Promise<PushBuffer> {
    try {
      const swapped = this.trySwap(partitionId, buffer, size)
      return swapped === undefined ? this.#swapLater(partitionId, buffer, size) : Promise.resolve(swapped)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  /**
   * {@link addTaskAndSwapBuffer} if it need not wait; undefined, with nothing done, if it must.
   * @throws as that; a buffer of the caller's has been released then
   * @internal
   */
  trySwap(
    partitionId: number,
    buffer: PushBuffer,
    size: number,
    pieces?: readonly Piece[],
  ): PushBuffer | undefined {
    this.#checkHandOver(buffer, size)
    if (!this.hasIdleTask) return undefined
    // First the other buffer: a push that is over at once must not make this one come back as its own successor.
    const next = this.#buffers.tryTake(this.bufferBytes)
    if (next === undefined) return undefined
    this.handOver(partitionId, buffer, size, false, pieces)
    return next
  }

  /**
   * The waiting half of {@link trySwap}. The full buffer goes first, since only what tasks hold comes back: waiting for
   * the next one with a full one in hand could wait for ever.
   * @internal
   */
  async swapLater(
    partitionId: number,
    buffer: PushBuffer,
    size: number,
    pieces?: readonly Piece[],
    urgent = false,
  ): Promise<PushBuffer> {
    await this.handOverLater(partitionId, buffer, size, false, pieces)
    return this.#buffers.tryTake(this.bufferBytes) ?? this.waitForBuffer(this.bufferBytes, urgent)
  }

  /** Hands a buffer over as soon as a task is idle; when it rejects, the buffer has been released. @internal */
  async handOverLater(
    partitionId: number,
    buffer: PushBuffer,
    size: number,
    merged = false,
    pieces?: readonly Piece[],
  ): Promise<void> {
    let handedOver = false
    try {
      if (!this.hasIdleTask) await this.waitForTask()
      this.check()
      handedOver = true
      this.handOver(partitionId, buffer, size, merged, pieces)
    } finally {
      if (!handedOver) buffer.release()
    }
  }

  /** Hands a buffer over at once; the caller has seen that a task is idle. @internal */
  handOver(
    partitionId: number,
    buffer: PushBuffer,
    size: number,
    merged = false,
    pieces?: readonly Piece[],
  ): void {
    const task = this.#takeTask()
    try {
      task.load(partitionId, buffer, size, merged, pieces)
    } catch (error) {
      this.#busy--
      this.#idle.push(task)
      throw error
    }
    this.#busyBytes += task.allocated
    this.#tasks++
    if (this.#unadmitted++ === 0) this.#unadmittedSince = performance.now()
    this.#side.push(task).then(this.#onAdmitted, this.#onRejected)
  }

  /**
   * Waits until every task is idle: all memory is free. No further task is taken.
   * @throws the first failure of a push; AbortedError
   */
  async waitOnTermination(): Promise<void> {
    this.#terminated = true
    this.#wakeAll()
    // A failure does not end the wait: the memory of what was admitted is free only at its release.
    this.#side.taskWanted?.(1)
    this.#side.flushGathered?.()
    while (this.#busy > 0 || this.#unadmitted > 0) {
      await new Promise<void>((resolve) => this.#idleWaiters.push(resolve))
    }
    this.#side.taskWanted?.(-1)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    if (this.#failure !== null) throw this.#failure
  }

  /** Records a failure that came after the admission of a push; the first one stays. */
  fail(error: Error): void {
    if (this.#failure !== null) return
    this.#failure = error
    this.#wakeAll()
  }

  /** @throws what a further call must see */
  check(): void {
    if (this.#failure !== null) throw this.#failure
    if (this.#terminated) throw new ClosedError('the DataPusher is terminated')
  }

  /** Resolves when a task is idle, or when there is something to be thrown by {@link check}. @internal */
  async waitForTask(): Promise<void> {
    const ended = this.#waitBegins()
    this.#side.taskWanted?.(1)
    this.#side.flushGathered?.()
    try {
      do await new Promise<void>((resolve) => this.#waiters.push(resolve))
      while (this.#busy >= this.capacity && this.#failure === null && !this.#terminated)
    } finally {
      this.#side.taskWanted?.(-1)
      ended()
    }
  }

  async #swapLater(partitionId: number, buffer: PushBuffer, size: number): Promise<PushBuffer> {
    return this.swapLater(partitionId, buffer, size)
  }

  /** A buffer of any size, counted as a wait. @internal */
  async waitForBuffer(size: number, urgent = false): Promise<PushBuffer> {
    const [buffer] = await this.waitForBuffers([size], urgent)
    if (buffer === undefined) throw new ClosedError('the ShuffleClient is closed')
    return buffer
  }

  /** Several buffers, all or none, counted as a wait. @internal */
  async waitForBuffers(sizes: readonly number[], urgent = false): Promise<PushBuffer[]> {
    const ended = this.#waitBegins()
    try {
      const buffers = await this.#buffers.take(sizes, this.#signal, urgent)
      if (this.#failure === null) return buffers
      for (const buffer of buffers) buffer.release()
      throw this.#failure
    } finally {
      ended()
    }
  }

  #checkHandOver(buffer: PushBuffer, size: number): void {
    if (!(Number.isInteger(size) && size >= 0 && size <= buffer.size)) {
      throw new ConfigError(`a push of 0 to ${buffer.size} bytes (the buffer’s size), not ${String(size)}`)
    }
    // Touching it says whose it is.
    void buffer.bytes
    if (this.#failure !== null || this.#terminated) {
      buffer.release()
      this.check()
    }
  }

  #takeTask(): PushTask {
    const task = this.#idle.pop() ?? this.#make()
    this.#busy++
    if (this.#busy > this.#peakBusy) this.#peakBusy = this.#busy
    return task
  }

  #make(): PushTask {
    if (this.#made >= this.capacity) throw new ConfigError('no push task is idle')
    this.#made++
    return new PushTask(this.#owner, this.#buffers)
  }

  #released(task: PushTask, bytes: number): void {
    this.#busy--
    this.#busyBytes -= bytes
    this.#idle.push(task)
    this.#waiters.shift()?.()
    this.#wakeIfIdle()
  }

  readonly #onAdmitted = (): void => {
    this.#admitted()
  }

  readonly #onRejected = (error: unknown): void => {
    this.fail(asCelebornError(error))
    this.#admitted()
  }

  readonly #onAbort = (): void => {
    if (this.#signal !== undefined) this.fail(abortedBy(this.#signal))
  }

  #admitted(): void {
    if (--this.#unadmitted === 0) this.#admissionWaitMs += performance.now() - this.#unadmittedSince
    this.#wakeIfIdle()
  }

  #wakeIfIdle(): void {
    if (this.#busy > 0 || this.#unadmitted > 0) return
    for (const wake of this.#idleWaiters.splice(0)) wake()
  }

  #wakeAll(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }

  /** Several calls that wait at once are counted once. */
  #waitBegins(): () => void {
    if (this.#waitingCalls++ === 0) this.#waitingSince = performance.now()
    return () => {
      if (--this.#waitingCalls === 0) this.#taskWaitMs += performance.now() - this.#waitingSince
    }
  }
}
