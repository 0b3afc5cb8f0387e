import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { ConfigError } from '../errors'
import { type ArenaShape, MAX_ARENA_BYTES, RecordArena } from './arena'
import { type BufferHolder } from './buffer-pool'
import { type WriterClient } from './host'
import { type PushBuffer } from './push-buffer'
import { type Piece } from './push-task'
import { ShuffleWriter, type ShuffleWriterOptions } from './shuffle-writer'

/**
 * Records of all partitions in one arena of native memory, pushed in the order of their partitions when it is full: at
 * `celeborn.client.spark.push.sort.memory.threshold`, or earlier when the client's writers are short of memory. Every push
 * buffer is full, whatever the number of partitions; one that holds several partitions' records is sent as a merged push of its
 * parts, uncopied. Costs one copy more than a {@link import('./hash-shuffle-writer').HashShuffleWriter}.
 */
export class SortShuffleWriter<T, K = T> extends ShuffleWriter<T, K> implements BufferHolder {
  readonly kind = 'SORT'
  readonly #shape: ArenaShape
  readonly #arena: RecordArena
  /** Where the spill begins, so that many writers do not meet at one worker. */
  readonly #firstPartition: number
  /** Held as long as the arena has records: whatever others do, a spill can begin. */
  #staging: PushBuffer | undefined
  #spilling = false

  /** @throws as {@link ShuffleWriter}; ConfigError when the threshold has no room for the least number of pages */
  constructor(client: WriterClient, options: ShuffleWriterOptions<T, K>) {
    super(client, options, (conf) => {
      const { pageBytes, pointerPageBytes } = shapeOf(conf)
      return [pageBytes, pointerPageBytes, conf.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE)]
    })
    const { conf, buffers } = this.host
    this.#shape = shapeOf(conf)
    this.#arena = new RecordArena(buffers, this.#shape)
    const random = conf.get(keys.CLIENT_PUSH_SORT_RANDOMIZE_PARTITION_ID_ENABLED)
    this.#firstPartition = random ? Math.floor(Math.random() * this.attempt.numPartitions) : 0
    buffers.addHolder(this)
  }

  get reclaimableBytes(): number {
    return this.#spilling ? 0 : this.#arena.heldBytes + (this.#staging?.capacity ?? 0)
  }

  /** Others starve: everything is pushed, and all pages go back. */
  relieve(): number {
    if (this.isWaiting || this.hasEnded || this.#spilling || !this.#arena.isOpen) return 0
    if (this.#arena.count === 0) {
      this.#releaseAll()
      return 1
    }
    // Records that come meanwhile wait for it; its failure is theirs, or that of close.
    this.track(this.#spill(true)).catch(() => undefined)
    return 1
  }

  protected append(partitionId: number, record: T): Promise<void> | undefined {
    const arena = this.#arena
    for (;;) {
      if (!arena.isOpen) return this.#openThen(partitionId, record)
      const target = arena.target
      if (target !== undefined && arena.hasPointer) {
        const start = arena.recordStart
        const end = this.serialize(record, target, start)
        if (end >= 0 && end - start <= this.bufferBytes) {
          arena.commit(partitionId, end)
          this.taken(end - start)
          return undefined
        }
        // A record that a page takes and a push buffer does not is a giant as well.
        const needed = end < 0 ? -end : end - start
        if (needed > this.bufferBytes) return this.#giantThen(partitionId, record, needed)
      }
      const grown = arena.hasPointer ? arena.nextPage() : arena.morePointers()
      if (grown) this.#noteMemory()
      else return this.#spillThen(partitionId, record)
    }
  }

  protected async finish(): Promise<void> {
    if (this.#arena.count > 0) await this.#spill(true)
    else this.#releaseAll()
    this.host.buffers.removeHolder(this)
  }

  protected discard(): void {
    this.host.buffers.removeHolder(this)
    this.#releaseAll()
  }

  /** What the writer needs at least, all at once: writers that each had a part of it would wait for each other. */
  async #openThen(partitionId: number, record: T): Promise<void> {
    const { pageBytes, pointerPageBytes } = this.#shape
    const sizes = [pageBytes, pointerPageBytes, this.bufferBytes]
    const buffers = this.#tryTakeAll(sizes) ?? (await this.pusher.waitForBuffers(sizes))
    const [page, pointerPage, staging] = buffers
    if (page === undefined || pointerPage === undefined || staging === undefined) return
    if (this.hasEnded) {
      for (const buffer of buffers) buffer.release()
      this.pusher.check()
      return
    }
    this.#arena.open(page, pointerPage)
    this.#staging = staging
    this.#noteMemory()
    await this.append(partitionId, record)
  }

  /** Where memory is short the arena goes first: waiting for more with all of it in hand could wait for ever. */
  async #giantThen(partitionId: number, record: T, bytes: number): Promise<void> {
    if (!this.host.buffers.hasRoom(bytes)) {
      if (this.#arena.count > 0) await this.#spill(true)
      else this.#releaseAll()
      this.pusher.check()
    }
    await this.pushGiant(partitionId, record, bytes)
  }

  async #spillThen(partitionId: number, record: T): Promise<void> {
    // While others wait for memory, what this writer has beyond the least would not come back for long.
    await this.#spill(this.host.buffers.hungry)
    this.pusher.check()
    await this.append(partitionId, record)
  }

  /** Pushes all records by partition. @param giveBack whether the pages go back to the pool */
  async #spill(giveBack: boolean): Promise<void> {
    const arena = this.#arena
    const { numPartitions } = this.attempt
    this.#spilling = true
    this.counters.spills++
    try {
      const ends = arena.sort(numPartitions)
      const run = new SpillRun(this)
      for (let i = 0; i < numPartitions; i++) {
        const partitionId = (this.#firstPartition + i) % numPartitions
        const last = ends[partitionId] ?? 0
        for (let place = partitionId === 0 ? 0 : (ends[partitionId - 1] ?? 0); place < last; place++) {
          if (run.put(arena, place)) continue
          run.endPiece(partitionId)
          const waiting = this.#push(run)
          if (waiting !== undefined) await waiting
          run.put(arena, place)
        }
        run.endPiece(partitionId)
      }
      arena.clear()
      if (giveBack) arena.release()
      const waiting = this.#push(run, giveBack)
      if (waiting !== undefined) await waiting
    } finally {
      this.#spilling = false
    }
  }

  /** What the run is to fill. @internal */
  get staging(): PushBuffer {
    const staging = this.#staging
    if (staging === undefined) throw new ConfigError('a sort writer without a push buffer cannot push')
    return staging
  }

  /** Hands the staging buffer over with its pieces; there is another one when it returns, unless it is the last. */
  #push(run: SpillRun, last = false): Promise<void> | undefined {
    const { pieces, at } = run
    const { staging } = this
    const [first] = pieces
    if (first === undefined) {
      if (last) this.#releaseAll()
      return undefined
    }
    this.#staging = undefined
    this.counters.pushes++
    const { partitionId } = first
    // A buffer that is all one partition's is pushed by itself.
    const parts: readonly Piece[] = pieces.length === 1 ? [] : pieces
    if (last) return this.pusher.handOverLater(partitionId, staging, at, false, parts)
    const next = this.pusher.trySwap(partitionId, staging, at, parts)
    if (next === undefined) return this.#swapLater(run, partitionId, staging, at, parts)
    this.#staging = next
    run.begin(next)
    return undefined
  }

  async #swapLater(
    run: SpillRun,
    partitionId: number,
    staging: PushBuffer,
    at: number,
    parts: readonly Piece[],
  ): Promise<void> {
    // Before others: the arena comes back only when this spill has gone through.
    const next = await this.pusher.swapLater(partitionId, staging, at, parts, true)
    if (this.hasEnded) {
      next.release()
      this.pusher.check()
    }
    this.#staging = next
    run.begin(next)
  }

  #tryTakeAll(sizes: readonly number[]): PushBuffer[] | undefined {
    const { buffers } = this.host
    const taken: PushBuffer[] = []
    for (const size of sizes) {
      const buffer = buffers.tryTake(size)
      if (buffer === undefined) {
        for (const one of taken) one.release()
        return undefined
      }
      taken.push(buffer)
    }
    return taken
  }

  #releaseAll(): void {
    this.#arena.release()
    this.#staging?.release()
    this.#staging = undefined
  }

  #noteMemory(): void {
    this.noteMemory(this.#arena.heldBytes + (this.#staging?.capacity ?? 0))
  }
}

/** Fills push buffers with one partition's records after the other's. */
class SpillRun {
  pieces: Piece[] = []
  at = 0
  #bytes: Uint8Array
  #start = 0

  constructor(writer: { readonly staging: PushBuffer }) {
    this.#bytes = writer.staging.bytes
  }

  /** Another buffer. */
  begin(staging: PushBuffer): void {
    this.#bytes = staging.bytes
    this.pieces = []
    this.at = 0
    this.#start = 0
  }

  /** False when the record has no room; an empty buffer has room for any. */
  put(arena: RecordArena, place: number): boolean {
    const end = arena.copyTo(place, this.#bytes, this.at)
    if (end < 0) return false
    this.at = end
    return true
  }

  /** What was put since the last piece is the partition's. */
  endPiece(partitionId: number): void {
    if (this.at === this.#start) return
    this.pieces.push({ partitionId, start: this.#start, end: this.at })
    this.#start = this.at
  }
}

/** Pages: small enough that the threshold has many, large enough for any record that is no giant. */
function shapeOf(conf: CelebornConf): ArenaShape {
  const maxBytes = conf.get(keys.CLIENT_SPARK_PUSH_SORT_MEMORY_THRESHOLD)
  const bufferBytes = conf.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE)
  // A record that is no giant, its length, and the rounding to whole words.
  const least = bufferBytes + 8
  const pageBytes = roundUp(
    Math.max(
      least,
      Math.min(512 * 1024, Math.floor(Math.min(maxBytes, conf.get(keys.NODE_WRITER_MAX_BYTES)) / 16)),
    ),
    PAGE,
  )
  const pointerPageBytes = roundUp(Math.min(64 * 1024, Math.max(bufferBytes, 1)), PAGE)
  if (maxBytes > MAX_ARENA_BYTES) {
    throw new ConfigError(
      `${keys.CLIENT_SPARK_PUSH_SORT_MEMORY_THRESHOLD.key} = ${maxBytes} is more than a sort writer can address: at most ` +
        `${MAX_ARENA_BYTES}`,
    )
  }
  if (pageBytes + pointerPageBytes > maxBytes) {
    throw new ConfigError(
      `${keys.CLIENT_SPARK_PUSH_SORT_MEMORY_THRESHOLD.key} = ${maxBytes} has no room for a sort writer: it needs ` +
        `${pageBytes + pointerPageBytes} with ${keys.CLIENT_PUSH_BUFFER_MAX_SIZE.key} = ${bufferBytes}`,
    )
  }
  return { pageBytes, pointerPageBytes, maxBytes }
}

const PAGE = 4096

function roundUp(bytes: number, step: number): number {
  return Math.ceil(bytes / step) * step
}
