import { CelebornError } from '../errors'
import { type FramePool, type NativeFrame } from '../memory'
import { giveBack, take } from '../memory/ownership'
import { type ChunkRequest, type StreamId } from '../network'
import { type Charge } from './budget'

/**
 * One chunk on its way into a native frame. The frame has two holders: the socket while it may still write into the
 * frame, and whoever reads the chunk. It is freed when both have let go.
 */
export class ChunkFetch implements ChunkRequest {
  /** Resolves with the chunk's bytes, which stay valid until {@link release}. */
  readonly arrived: Promise<Uint8Array>
  #resolve!: (bytes: Uint8Array) => void
  #reject!: (error: CelebornError) => void
  #frame: NativeFrame | null = null
  #view: Uint8Array | null = null
  #heldBySocket = false
  #heldByReader = true
  #refusedBytes = 0

  /** @param charge the chunk's room in the budget, which this takes over */
  constructor(
    readonly streamId: StreamId,
    readonly chunkIndex: number,
    readonly timeoutMs: number,
    private readonly pool: FramePool,
    private readonly maxBytes: number,
    private readonly hostPort: string,
    private readonly charge: Charge | null = null,
  ) {
    this.arrived = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A reader that has gone away does not listen any more.
    this.arrived.catch(() => undefined)
  }

  /** The chunk's true size, if there was no room for it; otherwise 0. */
  get refusedBytes(): number {
    return this.#refusedBytes
  }

  allocate(size: number): Uint8Array {
    if (size > this.maxBytes) {
      throw new CelebornError(
        'CELEBORN_CORRUPT_DATA',
        `${this.hostPort} sends a chunk of ${size} bytes; celeborn.node.maxMessageBytes is ${this.maxBytes}`,
        { hostPort: this.hostPort },
      )
    }
    if (this.charge?.fit(size) === false) {
      this.#refusedBytes = size
      throw new CelebornError(
        'CELEBORN_POOL_EXHAUSTED',
        `chunk ${this.chunkIndex} has ${size} bytes, more than was thought, and there is no room for them now`,
        { hostPort: this.hostPort },
      )
    }
    const frame = this.pool.acquire(size)
    this.#frame = frame
    this.#view = take(frame)
    this.#heldBySocket = true
    return this.#view
  }

  targetReleased(): void {
    this.#heldBySocket = false
    this.freeIfDone()
  }

  onChunk(size: number): void {
    this.#resolve(this.#view === null ? new Uint8Array(0) : this.#view.subarray(0, size))
  }

  onFailure(message: string): void {
    this.#reject(
      new CelebornError('CELEBORN_FETCH_FAILED', `chunk ${this.chunkIndex}: ${firstLine(message)}`, {
        hostPort: this.hostPort,
        peerMessage: message,
      }),
    )
  }

  onError(error: CelebornError): void {
    this.#reject(error)
  }

  /** The reader is done with the bytes: views of them drop to length 0 once the socket has let go, too. */
  release(): void {
    this.#heldByReader = false
    // It never arrived: only its room was taken.
    if (this.#frame === null) this.charge?.release()
    this.freeIfDone()
  }

  private freeIfDone(): void {
    const frame = this.#frame
    if (frame === null || this.#heldBySocket || this.#heldByReader) return
    this.#frame = null
    this.#view = null
    giveBack(frame)
    this.charge?.release()
  }
}

/** Workers answer with a whole stack trace; its first line says what happened. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}
