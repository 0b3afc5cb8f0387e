import { type EncodedBlock } from '../compress'
import { type Lease, type LeasePool } from '../memory/lease'
import { type NativeFrame } from '../memory/native-frame'
import { allocatedBytes, giveBack, pend, take, unpend } from '../memory/ownership'
import { type ReleaseQueue } from './release-queue'
import { type ReleaseReason } from './types'

/** Memory that the push path owns: read by socket writes, freed exactly once by its batch. */
export interface Payload {
  /** What goes out; never copied. */
  readonly bytes: Uint8Array
  /** Bytes really allocated for it: what it is charged. */
  readonly allocated: number
  free(reason: ReleaseReason): void
}

/** What a caller offers to a push. It stays the caller's until {@link PushSource.own}. */
export interface PushSource {
  /** Payload bytes. */
  readonly length: number
  /** What admission charges for it. */
  readonly charge: number
  /** The push waits: nobody may touch a frame meanwhile. Throws when the frame is not the caller's. */
  hold(): void
  /** The push was rejected: the memory is the caller's again, untouched. */
  handBack(): void
  /** The bytes, for an encoder that consumes them at once. */
  read(): Uint8Array
  /** Admitted: the memory is the client's. For {@link CopySource} this is where the one copy is made. */
  own(): Payload
  /** May be compressed on the thread pool, so that the event loop stays free: nobody waits for the memory at admission. */
  readonly encodedInThread?: boolean
  /**
   * An encoder has consumed the bytes before {@link own} was needed.
   * Only a source that keeps nothing allocated (a {@link CopySource}) is consumed this way.
   */
  readonly consumedByEncoding: boolean
}

/** `pushFrame`: a native frame changes its owner. */
export class FrameSource implements PushSource {
  readonly length: number
  readonly charge: number
  readonly consumedByEncoding = false

  constructor(private readonly frame: NativeFrame) {
    this.length = frame.length
    this.charge = allocatedBytes(frame)
  }

  hold(): void {
    pend(this.frame)
  }

  handBack(): void {
    unpend(this.frame)
  }

  read(): Uint8Array {
    throw new TypeError('a frame is read only by its owner')
  }

  own(): Payload {
    return new FramePayload(this.frame, take(this.frame))
  }
}

class FramePayload implements Payload {
  readonly allocated: number
  constructor(
    private readonly frame: NativeFrame,
    readonly bytes: Uint8Array,
  ) {
    this.allocated = allocatedBytes(frame)
  }

  free(): void {
    giveBack(this.frame)
  }
}

/** `pushBuffer`: memory of the caller's own, freed by the caller's callback. */
export class BufferSource implements PushSource, Payload {
  readonly consumedByEncoding = false

  constructor(
    readonly bytes: Uint8Array,
    private readonly onRelease: (reason: ReleaseReason) => void,
    private readonly releases: ReleaseQueue,
  ) {}

  get length(): number {
    return this.bytes.byteLength
  }

  get charge(): number {
    return this.bytes.byteLength
  }

  get allocated(): number {
    return this.bytes.byteLength
  }

  hold(): void {}

  handBack(): void {}

  read(): Uint8Array {
    return this.bytes
  }

  own(): Payload {
    return this
  }

  free(reason: ReleaseReason): void {
    this.releases.add(this.onRelease, reason)
  }
}

/** Counts of {@link CopySource} copies. */
export interface CopyCounters {
  payloadCopies: number
  payloadCopiedBytes: number
}

/** `pushData`: the caller keeps its bytes; they are copied once, at admission, into a pooled frame. */
export class CopySource implements PushSource {
  readonly consumedByEncoding = true

  constructor(
    private readonly bytes: Uint8Array,
    private readonly leases: LeasePool,
    private readonly counters: CopyCounters,
  ) {}

  get length(): number {
    return this.bytes.byteLength
  }

  /** The copy will lie in whole blocks; they count from admission on, or the limit would not hold. */
  get charge(): number {
    return this.leases.bytesFor(this.bytes.byteLength)
  }

  hold(): void {}

  handBack(): void {}

  read(): Uint8Array {
    return this.bytes
  }

  own(): Payload {
    const lease = this.leases.lease(this.bytes.byteLength)
    lease.bytes.set(this.bytes)
    this.counters.payloadCopies++
    this.counters.payloadCopiedBytes += this.bytes.byteLength
    return new LeasePayload(lease, lease.bytes.subarray(0, this.bytes.byteLength))
  }
}

class LeasePayload implements Payload {
  constructor(
    private readonly lease: Lease,
    readonly bytes: Uint8Array,
  ) {}

  get allocated(): number {
    return this.lease.capacity
  }

  free(): void {
    this.lease.release()
  }
}

/** A codec's output, sent from where it lies. */
export class BlockPayload implements Payload {
  constructor(private readonly block: EncodedBlock) {}

  get bytes(): Uint8Array {
    return this.block.payload
  }

  get allocated(): number {
    return this.block.allocatedBytes
  }

  free(): void {
    this.block.release()
  }
}
