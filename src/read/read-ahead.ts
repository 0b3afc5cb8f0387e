import { type PartitionLocation } from '../protocol/locations'
import { isLocal } from './local-chunk'
import { likelyBytes, LocationStream, type StreamParts } from './location-stream'

/** A location's stream, and where it comes from. */
export interface StartedStream {
  readonly stream: LocationStream
  /** It was opened before anybody wanted it, and may have failed long ago. */
  readonly ahead: boolean
}

/**
 * The streams of one reader: that of the present location, and of those that come next, which are opened and asked for
 * chunks while the present one is consumed. Pending chunks of all together are at most the window; the present location
 * comes first.
 */
export class ReadAhead {
  private present: LocationStream | null = null
  private readonly coming: LocationStream[] = []
  private readonly left: PartitionLocation[]
  private closed = false

  /**
   * @param locations in the order of reading
   * @param mayOpen whether a worker serves a location at all
   */
  constructor(
    locations: readonly PartitionLocation[],
    private readonly parts: StreamParts,
    private readonly mayOpen: (location: PartitionLocation) => boolean,
  ) {
    this.left = [...locations]
  }

  /**
   * A copy of a location is read now: with the stream that was opened ahead, or a new one.
   * @param allowLocal whether its file may be read instead, if it is on this host
   */
  start(copy: PartitionLocation, allowLocal: boolean): StartedStream {
    const index = this.coming.findIndex(({ location }) => location === copy)
    const known = this.coming[index]
    if (known !== undefined) this.coming.splice(index, 1)
    const waiting = this.left.indexOf(copy)
    if (waiting >= 0) this.left.splice(0, waiting + 1)
    const stream = known ?? this.make(copy, allowLocal)
    this.present = stream
    return { stream, ahead: known !== undefined }
  }

  /** The present location is done with, or given up. */
  finish(stream: LocationStream): void {
    if (this.present === stream) this.present = null
    closeQuietly(stream)
  }

  /** Asks for what fits into the window and the budget. @throws what the present stream throws */
  pump(): void {
    const { present } = this
    if (present === null || this.closed) return
    const { window } = this.parts.settings
    present.fill(window)
    if (!present.allAsked) return
    let slots = window - present.pending
    for (const stream of [...this.coming]) {
      if (slots <= 0) return
      try {
        stream.fill(slots)
      } catch {
        // Whatever it is, it shows again when the location is read.
        this.drop(stream)
        continue
      }
      slots -= Math.max(1, stream.pending)
    }
    if (this.coming.every(({ allAsked }) => allAsked)) this.openNext(slots)
  }

  /** What was fetched ahead of the present location is given up. */
  shed(): void {
    for (const stream of [...this.coming].reverse()) this.drop(stream)
  }

  /** All that nobody waits for is given up. */
  shedAll(): void {
    this.shed()
    this.present?.shed()
  }

  /**
   * Closes what was opened ahead, and asks for nothing more. The chunk that the consumer has stays until the present
   * location is finished: whoever is at work on its bytes must not lose them.
   */
  close(): void {
    this.closed = true
    for (const stream of this.coming.splice(0)) closeQuietly(stream)
    this.present?.shed()
  }

  private openNext(slots: number): void {
    const { budget, holder, settings } = this.parts
    for (let free = slots; free > 0; free--) {
      const [location] = this.left
      if (location === undefined || !this.mayOpen(location)) return
      const size = likelyBytes(location, settings.likelyChunkBytes, settings.maxChunkBytes)
      if (!budget.hasRoomAhead(holder, size)) return
      this.left.shift()
      const stream = this.make(location, true)
      this.coming.push(stream)
      stream.open().then(
        () => this.pumpQuietly(),
        () => undefined, // it shows when the location is read
      )
    }
  }

  private pumpQuietly(): void {
    try {
      this.pump()
    } catch {
      // It shows again at the reader's own next look.
    }
  }

  private drop(stream: LocationStream): void {
    this.coming.splice(this.coming.indexOf(stream), 1)
    this.left.unshift(stream.location)
    closeQuietly(stream)
  }

  private make(copy: PartitionLocation, allowLocal: boolean): LocationStream {
    return new LocationStream(copy, this.parts, allowLocal && this.parts.local !== null && isLocal(copy))
  }
}

/** Whatever goes wrong when a stream is given up hides no other error, and keeps nobody from the other copy. */
function closeQuietly(stream: LocationStream): void {
  try {
    stream.close()
  } catch {
    // The worker forgets the stream by itself.
  }
}
