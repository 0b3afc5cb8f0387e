import { N, type NativePool } from './native'

/** With CELEBORN_NODE_TRACE_FRAMES=1 each frame remembers where it was acquired; read once. */
const TRACE_ALL = process.env['CELEBORN_NODE_TRACE_FRAMES'] === '1'
/** Otherwise the first frames of a pool do, and then one in this many (a stack costs some tens of microseconds). */
const FIRST_TRACED = 8
const TRACE_EVERY = 1024

interface Birth {
  readonly generation: number
  readonly size: number
  /** Formatted at once: an Error that is not formatted keeps everything on the stack alive, perhaps the frame. */
  readonly site: string
}

/**
 * Notices the frames of one pool that nobody released. The finalizer that frees such a frame may neither log nor run
 * JavaScript; it leaves the handle in a native log. This looks there after each garbage collection, at the next
 * acquire, and when somebody asks for the counters, and warns once per pool.
 * @internal
 */
export class DropWatch {
  /** Dropped frames of the pool that have been dealt with. */
  seen = 0
  readonly #name: string
  readonly #native: NativePool
  readonly #numbers: Float64Array
  readonly #births = new Map<number, Birth>()
  #born = 0
  #warned = false

  constructor(name: string, native: NativePool, numbers: Float64Array) {
    this.#name = name
    this.#native = native
    this.#numbers = numbers
    beacon.register({}, new WeakRef(this))
  }

  /** A frame came to life. @returns whether {@link released} is to be called at its end */
  born(index: number, generation: number, size: number): boolean {
    const count = this.#born++
    if (!TRACE_ALL && count >= FIRST_TRACED && count % TRACE_EVERY !== 0) return false
    this.#births.set(index, { generation, size, site: callSite() })
    return true
  }

  /** A traced frame came to its proper end. */
  released(index: number): void {
    this.#births.delete(index)
  }

  /** Asks for the counter and looks. */
  check(): void {
    this.#native.stats()
    this.look(this.#numbers[N.FINALIZED_WITHOUT_RELEASE] ?? 0)
  }

  /** @param dropped frames of the pool dropped so far */
  look(dropped: number): void {
    if (dropped === this.seen) return
    this.seen = dropped
    let traced: Birth | undefined
    for (let count = this.#native.takeDropped(); count > 0; count = this.#native.takeDropped()) {
      for (let i = 0; i < count; i++) traced = this.#buried(N.DROPPED_HANDLES + 2 * i) ?? traced
    }
    if (this.#warned) return
    this.#warned = true
    const where =
      traced === undefined
        ? ' Set CELEBORN_NODE_TRACE_FRAMES=1 to learn where such frames are acquired.'
        : ` One of ${traced.size} bytes was acquired at:\n${traced.site}`
    process.emitWarning(
      `Frames of pool '${this.#name}' were dropped without release() (${dropped} so far). The garbage collector ` +
        `freed them, late; stats().finalizedWithoutRelease counts them.${where}`,
      { type: 'CelebornWarning', code: 'CELEBORN_FRAME_DROPPED' },
    )
  }

  #buried(at: number): Birth | undefined {
    const index = this.#numbers[at] ?? -1
    const birth = this.#births.get(index)
    if (birth === undefined) return undefined
    // Another generation: that frame lives, or was dropped too and comes later in the log.
    if (birth.generation !== this.#numbers[at + 1]) return undefined
    this.#births.delete(index)
    return birth
  }
}

/** Fires after a garbage collection, the only event that can drop frames, and keeps nothing alive. */
const beacon = new FinalizationRegistry<WeakRef<DropWatch>>((ref) => {
  if (ref.deref() === undefined) return
  beacon.register({}, ref)
  // The finalizers of the same collection run in this turn of the event loop.
  setImmediate(() => ref.deref()?.check()).unref()
})

function callSite(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 12
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  // The heading and this package's own frames say nothing.
  const lines = stack.split('\n').slice(1)
  const first = lines.findIndex((line) => !line.includes(__dirname))
  return lines.slice(Math.max(first, 0)).join('\n')
}
