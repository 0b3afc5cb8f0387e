import { PoolExhaustedError } from '../../errors'
import { type NativeFrame } from '../../memory'
import { type MapAttempt } from '../../push/types'
import { type Block, NEWLINE } from '../input/scanner'
import { type PushClient } from './push-client'

/** Up to this length a loop is faster than the native copy, which needs an object for its source. */
const LOOP_COPY_BYTES = 112

/** A frame that is being filled. */
class OpenFrame {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  length = 0

  constructor(readonly frame: NativeFrame) {
    this.#bytes = frame.bytes
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength)
  }

  hasRoom(bytes: number): boolean {
    return this.length + bytes <= this.#bytes.byteLength
  }

  /** Copies bytes [start, end) of `block` and adds a newline. */
  append(block: Block, start: number, end: number): void {
    let to = this.length
    if (end - start > LOOP_COPY_BYTES) {
      this.#bytes.set(block.bytes.subarray(start, end), to)
      to += end - start
    } else {
      let from = start
      for (; from + 4 <= end; from += 4, to += 4)
        this.#view.setInt32(to, block.view.getInt32(from, true), true)
      for (; from < end; from++, to++) this.#view.setUint8(to, block.view.getUint8(from))
    }
    this.#view.setUint8(to, NEWLINE)
    this.length = to + 1
  }
}

/**
 * The frames of one map attempt: at most one open per partition, filled with whole records and pushed when the next
 * record does not fit. Writing is synchronous; making room is not.
 */
export class FrameWriter {
  readonly #client: PushClient
  readonly #attempt: MapAttempt
  readonly #frameBytes: number
  readonly #signal: AbortSignal
  readonly #open: (OpenFrame | undefined)[]

  constructor(client: PushClient, attempt: MapAttempt, frameBytes: number, signal: AbortSignal) {
    this.#client = client
    this.#attempt = attempt
    this.#frameBytes = frameBytes
    this.#signal = signal
    this.#open = new Array<OpenFrame | undefined>(attempt.numPartitions).fill(undefined)
  }

  /**
   * Writes bytes [start, end) of `block` and a newline into the partition's frame.
   *
   * @returns false if there is no room: call {@link makeRoom}, then this again
   */
  append(partitionId: number, block: Block, start: number, end: number): boolean {
    const open = this.#open[partitionId]
    if (open === undefined || !open.hasRoom(end - start + 1)) return false
    open.append(block, start, end)
    return true
  }

  /** Pushes the partition's frame, if it has one, and opens one with room for `bytes`. */
  async makeRoom(partitionId: number, bytes: number): Promise<void> {
    await this.#push(partitionId)
    const size = Math.max(bytes, this.#frameBytes)
    this.#open[partitionId] = new OpenFrame(await this.#acquire(size))
  }

  /** Pushes all frames that hold anything. */
  async flush(): Promise<void> {
    for (let p = 0; p < this.#open.length; p++) await this.#push(p)
  }

  /** Gives all frames back without pushing them. */
  discard(): void {
    for (const [p, open] of this.#open.entries()) {
      this.#open[p] = undefined
      open?.frame.release()
    }
  }

  /**
   * A writer that finds no memory pushes its partly filled frames before it waits: else writers that wait for each
   * other's memory would wait forever.
   */
  async #acquire(size: number): Promise<NativeFrame> {
    try {
      return this.#client.pool.acquire(size)
    } catch (error) {
      if (!(error instanceof PoolExhaustedError)) throw error
    }
    await this.flush()
    return this.#client.pool.acquireAsync(size, { signal: this.#signal })
  }

  async #push(partitionId: number): Promise<void> {
    const open = this.#open[partitionId]
    if (open === undefined) return
    this.#open[partitionId] = undefined
    const { frame } = open
    if (open.length === 0) return frame.release()
    try {
      frame.trim(open.length)
      await this.#client.pushFrame({ ...this.#attempt, partitionId }, frame, { signal: this.#signal })
    } catch (error) {
      // A push that was refused gives the frame back.
      if (frame.state === 'writer') frame.release()
      throw error
    }
  }
}
