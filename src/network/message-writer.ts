import { type Socket } from 'node:net'
import { callWriteStarted } from './callbacks'
import { flushAtEndOfTurn } from './flush-queue'
import { GatherWriter } from './gather'
import { monotonicMs, type PendingRequest } from './outbound'
import { CLOCK_STOPPED, type SendEntry } from './send-entry'

/** Pieces of one gather write: what the system takes in one call (IOV_MAX on Linux and macOS). */
const MAX_PIECES = 1024

/** Whoever owns a writer: a connection of either side. */
export interface WriterHost {
  /** No more writes may start; the host will call {@link MessageWriter.abandon} once the socket is closed. */
  readonly closed: boolean
  /** A message's `encode` threw. Nothing of it is sent; its `writeEnded` has been called. */
  encodeFailed(request: PendingRequest | null, thrown: unknown): void
  /** The system refused a write. The socket is being destroyed. */
  writeFailed(error: Error): void
  /** Unsent bytes have become fewer. */
  writerProgressed(): void
}

export interface WriterOptions {
  /** Bytes of one gather write; more goes out in several, whose completions are the sign of progress. */
  readonly maxGatherBytes: number
  readonly arenaBytes: number
  /** Stall limit of a write that has no request with a limit of its own. 0: none. */
  readonly writeStallMs: number
}

/**
 * The sending half of a connection: a queue, and one gather write outstanding at a time.
 *
 * Messages are encoded in batches of about `maxGatherBytes`; a batch goes out in one or more gather writes. The
 * next batch is encoded when the last write of this one has ended, so that the header arena is never written into
 * while the system may still read it.
 */
export class MessageWriter {
  readonly #host: WriterHost
  readonly #options: WriterOptions
  readonly #onWritten: (error?: Error | null) => void
  #socket: Socket | null = null
  #gather: GatherWriter | null = null
  #queue: (SendEntry | undefined)[] = []
  #head = 0
  #queuedBytes = 0
  readonly #batch: SendEntry[] = []
  /** First entry of the batch that has not begun, and first that has not ended. */
  #batchStarted = 0
  #batchEnded = 0
  #batchBytes = 0
  /** Where the first entry that has not begun will begin. */
  #nextBegin = 0
  /** Bytes of the batch given to the socket, and those it has let go of. */
  #handed = 0
  #written = 0
  #segment = 0
  #segmentOffset = 0
  readonly #pieces: Uint8Array[] = []
  #scheduled = false
  #writing = false
  #progressMs = 0
  #stallLimitMs = 0
  gatherWrites = 0
  bytesWritten = 0

  constructor(host: WriterHost, options: WriterOptions) {
    this.#host = host
    this.#options = options
    this.#onWritten = (error) => this.#written_(error ?? null)
  }

  /** Bytes that the system has not taken yet, as far as is known. */
  get unsentBytes(): number {
    return this.#queuedBytes + this.#batchBytes - this.#written
  }

  get queuedMessages(): number {
    return this.#queue.length - this.#head
  }

  get idle(): boolean {
    return this.#head === this.#queue.length && this.#written === this.#batchBytes
  }

  /** Whether a write is under way that has not moved for its time-out. */
  stalled(nowMs: number): boolean {
    return this.#writing && this.#stallLimitMs > 0 && nowMs - this.#progressMs >= this.#stallLimitMs
  }

  /** When a write last started or ended. */
  get progressMs(): number {
    return this.#progressMs
  }

  get stallLimitMs(): number {
    return this.#stallLimitMs
  }

  /** The socket is connected: what was queued may go out. */
  open(socket: Socket): void {
    this.#socket = socket
    if (!this.idle) this.#schedule()
  }

  enqueue(entry: SendEntry): void {
    this.#queue.push(entry)
    this.#queuedBytes += entry.queuedBytes
    if (this.#socket !== null && !this.#writing) this.#schedule()
  }

  /**
   * Nobody wants this message any more. If it is still in the queue it is never laid out, and its memory is given
   * back at once; a message that is being written ends with its write.
   */
  drop(entry: SendEntry): void {
    if (entry.stage !== 'queued') return
    const index = this.#queue.indexOf(entry, this.#head)
    if (index < 0) return
    this.#queue[index] = undefined
    this.#queuedBytes -= entry.queuedBytes
    this.#end(entry, 0)
  }

  /** Sends what is collected, if no write is outstanding. */
  flush(): void {
    this.#scheduled = false
    if (this.#writing || this.#socket === null || this.#host.closed) return
    if (this.#handed === this.#batchBytes && !this.#encodeBatch()) return
    this.#writeNext(this.#socket)
  }

  /**
   * The socket is closed, or was never opened: nothing is read any more. Ends every message that has not ended.
   */
  abandon(): void {
    this.#socket = null
    this.#writing = false
    const nowMs = monotonicMs()
    while (this.#batchEnded < this.#batch.length) this.#end(this.#batch[this.#batchEnded++], nowMs)
    while (this.#head < this.#queue.length) this.#end(this.#queue[this.#head++], nowMs)
    this.#queue = []
    this.#head = 0
    this.#queuedBytes = 0
    this.#batch.length = 0
    this.#batchEnded = 0
    this.#batchBytes = 0
    this.#handed = 0
    this.#written = 0
    this.#gather = null
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    flushAtEndOfTurn(this)
  }

  /** Lays the next messages out. False if there is nothing to write. */
  #encodeBatch(): boolean {
    const gather = (this.#gather ??= new GatherWriter(this.#options.arenaBytes))
    const batch = this.#batch
    gather.reset()
    batch.length = 0
    this.#batchStarted = 0
    this.#nextBegin = 0
    this.#batchEnded = 0
    this.#batchBytes = 0
    this.#handed = 0
    this.#written = 0
    this.#segment = 0
    this.#segmentOffset = 0
    this.#stallLimitMs = this.#options.writeStallMs
    while (gather.bytes < this.#options.maxGatherBytes && gather.segments.length < MAX_PIECES) {
      if (this.#head === this.#queue.length) break
      const entry = this.#shift()
      if (entry === undefined) continue
      if (entry.abandoned) this.#end(entry, 0)
      else this.#encode(entry, gather)
      if (this.#host.closed) break
    }
    gather.closeHeader()
    this.#batchBytes = gather.bytes
    if (this.#host.closed) return false
    // Messages of no bytes at all have nothing to wait for.
    if (gather.bytes === 0 && batch.length > 0) this.#endWritten(monotonicMs())
    return gather.bytes > 0
  }

  #encode(entry: SendEntry, gather: GatherWriter): void {
    const { outbound, request } = entry
    if (outbound === null) return
    gather.beginMessage()
    try {
      outbound.encode(gather)
    } catch (thrown) {
      gather.abortMessage()
      this.#end(entry, 0)
      this.#host.encodeFailed(request, thrown)
      return
    }
    entry.endByte = gather.bytes
    this.#batch.push(entry)
    if (request !== null && request.timeoutClock !== 'send') this.#limitStall(request.timeoutMs)
  }

  #limitStall(timeoutMs: number): void {
    if (!(timeoutMs > 0) || timeoutMs === Infinity) return
    if (this.#stallLimitMs === 0 || timeoutMs < this.#stallLimitMs) this.#stallLimitMs = timeoutMs
  }

  #shift(): SendEntry | undefined {
    if (this.#head === this.#queue.length) return undefined
    const entry = this.#queue[this.#head]
    this.#queue[this.#head++] = undefined
    if (this.#head === this.#queue.length) {
      this.#queue.length = 0
      this.#head = 0
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#queue.length) {
      this.#queue.splice(0, this.#head)
      this.#head = 0
    }
    if (entry !== undefined) this.#queuedBytes -= entry.queuedBytes
    return entry
  }

  #writeNext(socket: Socket): void {
    const pieces = this.#pieces
    const bytes = this.#takePieces(pieces)
    if (bytes === 0) return
    const nowMs = monotonicMs()
    this.#handed += bytes
    this.#startEntries(nowMs)
    if (this.#host.closed) return
    this.#writing = true
    this.#progressMs = nowMs
    this.gatherWrites++
    const last = pieces.length - 1
    socket.cork()
    for (let i = 0; i < last; i++) socket.write(pieces[i] as Uint8Array)
    socket.write(pieces[last] as Uint8Array, this.#onWritten)
    socket.uncork()
    pieces.length = 0
  }

  /** Collects the next pieces of the batch, up to the byte cap; the last may be a part of a segment. */
  #takePieces(pieces: Uint8Array[]): number {
    const segments = this.#gather?.segments ?? []
    const left = this.#batchBytes - this.#handed
    const cap = this.#options.maxGatherBytes
    // The little by which a batch is over the cap is not worth a write of its own.
    let room = left <= 1.5 * cap ? left : cap
    let bytes = 0
    pieces.length = 0
    while (room > 0 && pieces.length < MAX_PIECES && this.#segment < segments.length) {
      const segment = segments[this.#segment] as Uint8Array
      const rest = segment.length - this.#segmentOffset
      const take = Math.min(rest, room)
      if (take === segment.length) pieces.push(segment)
      else pieces.push(segment.subarray(this.#segmentOffset, this.#segmentOffset + take))
      if (take === rest) {
        this.#segment++
        this.#segmentOffset = 0
      } else {
        this.#segmentOffset += take
      }
      room -= take
      bytes += take
    }
    return bytes
  }

  #startEntries(nowMs: number): void {
    const batch = this.#batch
    while (this.#batchStarted < batch.length && this.#nextBegin < this.#handed) {
      const entry = batch[this.#batchStarted++]
      if (entry === undefined || entry.outbound === null) continue
      this.#nextBegin = entry.endByte
      entry.stage = 'writing'
      if (entry.clockMs === CLOCK_STOPPED) entry.clockMs = nowMs
      callWriteStarted(entry.outbound, nowMs)
    }
  }

  #written_(error: Error | null): void {
    this.#writing = false
    // On a destroyed socket everything ends together, when the socket is closed.
    if (this.#host.closed) return
    if (error !== null) {
      this.#host.writeFailed(error)
      return
    }
    const nowMs = monotonicMs()
    this.#progressMs = nowMs
    this.bytesWritten += this.#handed - this.#written
    this.#written = this.#handed
    this.#endWritten(nowMs)
    if (this.#host.closed) return
    if (this.#handed < this.#batchBytes || this.#head < this.#queue.length) this.#schedule()
    this.#host.writerProgressed()
  }

  #endWritten(nowMs: number): void {
    const batch = this.#batch
    while (this.#batchEnded < batch.length) {
      const entry = batch[this.#batchEnded]
      if (entry === undefined || entry.endByte > this.#written) return
      this.#batchEnded++
      this.#end(entry, nowMs)
    }
  }

  #end(entry: SendEntry | undefined, nowMs: number): void {
    if (entry === undefined) return
    if (entry.stage === 'writing' && entry.request?.timeoutClock !== 'send') entry.clockMs = nowMs
    entry.end()
  }
}
