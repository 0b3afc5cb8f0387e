import { FrameStateError } from '../errors'

/**
 * Who owns a frame. `writer`: whoever acquired it. `pending`: still the writer's, but lent to a push that waits
 * for admission. `client`: an admitted push. `released`: nobody; its memory is free for the next owner.
 */
export type FrameState = 'writer' | 'pending' | 'client' | 'released'

/**
 * Where a frame's block came from and goes back to.
 * @internal
 */
export interface FrameHome {
  /** Ends the frame's life: its buffer is detached and its block free at once. */
  recycle(index: number, generation: number, buffer: ArrayBuffer, byteLength: number, traced: boolean): void
  /** Gives tail pages back; bytes still backed. */
  trim(index: number, generation: number, length: number): number
  /** `trim` is not worth a call below this many bytes of tail. */
  readonly trimMinBytes: number
}

/**
 * What a pool knows about a frame at its birth.
 * @internal
 */
export interface FrameBirth {
  readonly home: FrameHome
  readonly buffer: ArrayBuffer
  readonly index: number
  readonly generation: number
  readonly size: number
  readonly backed: number
  readonly traced: boolean
}

/**
 * What src/memory/ownership.ts may do to a frame and nobody else.
 * @internal
 */
export interface FrameAccess {
  state(frame: NativeFrame): FrameState
  setState(frame: NativeFrame, state: FrameState): void
  view(frame: NativeFrame): Uint8Array
  allocated(frame: NativeFrame): number
  end(frame: NativeFrame): void
}

/** @internal */
export let frameAccess: FrameAccess

/**
 * A block of native memory with one owner at a time. Get one from {@link FramePool.acquire}, write into
 * {@link bytes}, {@link trim} it to what was written, and push it (the client then owns it) or {@link release} it.
 *
 * A frame belongs to the thread that acquired it. Its memory is uninitialised: it may hold what an earlier frame
 * of this process held.
 */
export class NativeFrame {
  /** Bytes the frame was acquired with. */
  readonly capacity: number

  readonly #home: FrameHome
  readonly #buffer: ArrayBuffer
  readonly #bufferBytes: number
  readonly #index: number
  readonly #generation: number
  readonly #traced: boolean
  #state: FrameState = 'writer'
  #length: number
  #allocated: number
  #view: Uint8Array | undefined

  static {
    frameAccess = {
      state: (frame) => frame.#state,
      setState: (frame, state) => {
        frame.#state = state
      },
      view: (frame) => frame.#currentView(),
      allocated: (frame) => frame.#allocated,
      end: (frame) => frame.#end(),
    }
  }

  /** @internal Frames come from pools. */
  constructor(birth: FrameBirth) {
    this.#home = birth.home
    this.#buffer = birth.buffer
    this.#bufferBytes = birth.buffer.byteLength
    this.#index = birth.index
    this.#generation = birth.generation
    this.#traced = birth.traced
    this.#allocated = birth.backed
    this.#length = birth.size
    this.capacity = birth.size
  }

  /** Bytes that count: {@link capacity} until {@link trim} lowers it. */
  get length(): number {
    return this.#length
  }

  /** Who owns the frame. */
  get state(): FrameState {
    return this.#state
  }

  /**
   * The frame's memory, `[0, length)`. The same object each time, until `trim` shortens it. Do not keep it beyond
   * the push or the release: it drops to length 0 then.
   * @throws FrameStateError when the writer does not own the frame; the message says who does
   */
  get bytes(): Uint8Array {
    if (this.#state !== 'writer') throw wrongOwner(this.#state, 'its bytes were asked for')
    return this.#currentView()
  }

  /**
   * Lowers {@link length}. Whole pages behind it go back to the system only where that pays (at least 512 KiB and
   * three quarters of the frame); what is charged is the memory still backed.
   * @param length bytes, 0 <= length <= the present length
   * @throws RangeError on any other length
   * @throws FrameStateError when the writer does not own the frame
   */
  trim(length: number): void {
    if (this.#state !== 'writer') throw wrongOwner(this.#state, 'trim was called')
    if (!Number.isInteger(length) || length < 0 || length > this.#length) {
      throw new RangeError(`trim takes 0 to ${this.#length} (the frame's length), not ${String(length)}`)
    }
    if (length === this.#length) return
    this.#length = length
    this.#view = undefined
    if (this.#allocated - length >= this.#home.trimMinBytes) {
      this.#allocated = this.#home.trim(this.#index, this.#generation, length)
    }
  }

  /**
   * Gives the frame back: its views drop to length 0 and its memory is free for the next owner at once. A second
   * call does nothing.
   * @throws FrameStateError while a push has it: an admitted push releases the frame itself
   */
  release(): void {
    if (this.#state === 'writer') this.#end()
    else if (this.#state !== 'released') throw wrongOwner(this.#state, 'release was called')
  }

  #currentView(): Uint8Array {
    this.#view ??= new Uint8Array(this.#buffer, 0, this.#length)
    return this.#view
  }

  #end(): void {
    // First the state: whatever happens below, the block is given back once.
    this.#state = 'released'
    this.#home.recycle(this.#index, this.#generation, this.#buffer, this.#bufferBytes, this.#traced)
  }
}

/** @internal */
export function wrongOwner(state: FrameState, what: string): FrameStateError {
  switch (state) {
    case 'writer':
      return new FrameStateError(`${what}, but the writer owns the frame`)
    case 'pending':
      return new FrameStateError(`${what}, but the frame is lent to a push that waits for admission`)
    case 'client':
      return new FrameStateError(`${what}, but the client owns the frame since its push was admitted`)
    case 'released':
      return new FrameStateError(
        `${what}, but the frame is released: its memory belongs to somebody else now`,
      )
  }
}
