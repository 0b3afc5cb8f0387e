import * as keys from '../conf/keys'
import { type BufferHolder } from './buffer-pool'
import { type WriterClient } from './host'
import { type PushBuffer } from './push-buffer'
import { ShuffleWriter, type ShuffleWriterOptions } from './shuffle-writer'

/**
 * One buffer for each partition: it begins with `celeborn.client.push.buffer.initial.size`, grows up to `…max.size`, and is
 * swapped for another one when it is full. What is left at the end is merged into few requests. Memory grows with the number of
 * partitions; for thousands of them see {@link import('./sort-shuffle-writer').SortShuffleWriter}.
 */
export class HashShuffleWriter<T, K = T> extends ShuffleWriter<T, K> implements BufferHolder {
  readonly kind = 'HASH'
  readonly #initialBytes: number
  readonly #buffers: (PushBuffer | undefined)[]
  /** The buffers' memory, so that a record costs no look at who owns it. */
  readonly #bytes: (Uint8Array | undefined)[]
  readonly #used: Int32Array
  #heldBytes = 0
  #held = 0

  /** @throws as {@link ShuffleWriter} */
  constructor(client: WriterClient, options: ShuffleWriterOptions<T, K>) {
    super(client, options, (conf) => [conf.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE)])
    const { conf, buffers } = this.host
    const { numPartitions } = this.attempt
    this.#initialBytes = Math.min(conf.get(keys.CLIENT_PUSH_BUFFER_INITIAL_SIZE), this.bufferBytes)
    this.#buffers = new Array<PushBuffer | undefined>(numPartitions).fill(undefined)
    this.#bytes = new Array<Uint8Array | undefined>(numPartitions).fill(undefined)
    this.#used = new Int32Array(numPartitions)
    buffers.addHolder(this)
  }

  get reclaimableBytes(): number {
    return this.#heldBytes
  }

  /** Hands over the buffers that hold at least as much as the average one, in one look over all partitions. */
  relieve(): number {
    if (this.#held === 0 || this.hasEnded) return 0
    let total = 0
    for (let p = 0; p < this.#used.length; p++) total += this.#used[p] ?? 0
    const average = Math.floor(total / this.#held)
    let count = 0
    for (let p = 0; p < this.#buffers.length; p++) {
      const buffer = this.#buffers[p]
      const used = this.#used[p] ?? 0
      if (buffer === undefined || used < average) continue
      if (used === 0) {
        this.#forget(p, buffer)
        buffer.release()
      } else {
        if (!this.pusher.hasIdleTask || this.pusher.failure !== null) break
        this.#forget(p, buffer)
        this.pusher.handOver(p, buffer, used)
        this.counters.pushes++
        this.counters.flushedPartial++
      }
      count++
    }
    return count
  }

  protected append(partitionId: number, record: T): Promise<void> | undefined {
    for (;;) {
      const bytes = this.#bytes[partitionId]
      let needed = 1
      if (bytes !== undefined) {
        const at = this.#used[partitionId] ?? 0
        const end = this.serialize(record, bytes, at)
        if (end >= 0) {
          this.#used[partitionId] = end
          this.taken(end - at)
          return undefined
        }
        needed = -end
      }
      if (needed > this.bufferBytes) return this.pushGiant(partitionId, record, needed)
      const waiting = this.#makeRoom(partitionId, needed)
      if (waiting !== undefined) return this.#appendAfter(waiting, partitionId, record)
    }
  }

  protected async finish(): Promise<void> {
    for (let p = 0; p < this.#buffers.length; p++) {
      const buffer = this.#buffers[p]
      const used = this.#used[p] ?? 0
      if (buffer === undefined) continue
      this.#forget(p, buffer)
      if (used === 0) buffer.release()
      else {
        this.counters.pushes++
        if (this.pusher.hasIdleTask && this.pusher.failure === null)
          this.pusher.handOver(p, buffer, used, true)
        else await this.pusher.handOverLater(p, buffer, used, true)
      }
    }
    this.host.buffers.removeHolder(this)
  }

  protected discard(): void {
    this.host.buffers.removeHolder(this)
    this.#buffers.forEach((buffer, p) => {
      if (buffer === undefined) return
      this.#forget(p, buffer)
      buffer.release()
    })
  }

  async #appendAfter(waiting: Promise<void>, partitionId: number, record: T): Promise<void> {
    await waiting
    this.pusher.check()
    await this.append(partitionId, record)
  }

  /** Room for `needed` bytes more in the partition's buffer. Undefined when there is some now, or at least another buffer. */
  #makeRoom(p: number, needed: number): Promise<void> | undefined {
    const buffer = this.#buffers[p]
    if (buffer === undefined) {
      const size = this.#sizeFor(needed)
      const first = this.host.buffers.tryTake(size)
      if (first === undefined) return this.#wait(p, this.pusher.waitForBuffer(size))
      this.#keep(p, first, 0)
      return undefined
    }
    const used = this.#used[p] ?? 0
    if (buffer.size < this.bufferBytes && used + needed <= this.bufferBytes) {
      const larger = this.host.buffers.tryTake(this.#sizeFor(used + needed, buffer.size))
      if (larger !== undefined) {
        larger.bytes.set(buffer.bytes.subarray(0, used))
        this.#forget(p, buffer)
        buffer.release()
        this.#keep(p, larger, used)
        return undefined
      }
    }
    // Nothing in it: a giant came before a smaller one, or the buffer is smaller than the record.
    this.#forget(p, buffer)
    if (used === 0) {
      buffer.release()
      return undefined
    }
    this.counters.pushes++
    if (used < this.bufferBytes >>> 1) this.counters.flushedPartial++
    const next = this.pusher.trySwap(p, buffer, used)
    if (next === undefined) return this.#wait(p, this.pusher.swapLater(p, buffer, used))
    this.#keep(p, next, 0)
    return undefined
  }

  async #wait(p: number, buffer: Promise<PushBuffer>): Promise<void> {
    const next = await buffer
    if (this.hasEnded) next.release()
    else this.#keep(p, next, 0)
  }

  /** The buffer size for so many bytes: the initial size, doubled as often as needed. */
  #sizeFor(bytes: number, present = 0): number {
    let size = present === 0 ? this.#initialBytes : present * 2
    while (size < bytes) size *= 2
    return Math.min(size, this.bufferBytes)
  }

  #keep(p: number, buffer: PushBuffer, used: number): void {
    this.#buffers[p] = buffer
    this.#bytes[p] = buffer.bytes
    this.#used[p] = used
    this.#heldBytes += buffer.capacity
    this.#held++
    this.noteMemory(this.#heldBytes)
  }

  #forget(p: number, buffer: PushBuffer): void {
    this.#buffers[p] = undefined
    this.#bytes[p] = undefined
    this.#used[p] = 0
    this.#heldBytes -= buffer.capacity
    this.#held--
  }
}
