import { type ShuffleClient } from '../../src/client'
import { type NativeFrame } from '../../src/memory'
import { BATCH_HEADER_BYTES, writeBatchHeader } from '../../src/protocol/batch'
import { type PushReceipt, type PushTarget } from '../../src/push/types'
import { type ClientVariant } from './messages'

/**
 * Makes batch after batch and pushes it. In every variant the producer's own work is the same: it writes each byte of
 * the batch once, into a frame or into a buffer that it uses again.
 */
export interface Producer {
  /** Resolves at admission; null when the variant pushes nothing. */
  push(number: number): Promise<PushReceipt> | null
  /** Copies of payload that the producer itself has made. */
  readonly copies: number
  /** Buffers of its own that hold payload, at most, at once. */
  readonly peakBuffers: number
  /** Gives back what it holds. */
  end(): void
}

export function createProducer(
  variant: ClientVariant,
  client: ShuffleClient,
  target: PushTarget,
  batchBytes: number,
  window: number,
): Producer {
  switch (variant) {
    case 'zero-copy':
      return new FrameProducer(client, target, batchBytes)
    case 'copy':
      return new DataProducer(client, target, batchBytes)
    case 'copy-2':
      return new JavaProducer(client, target, batchBytes)
    case 'producer':
      return new IdleProducer(client, batchBytes, window)
  }
}

/** The payload: cheap to make, and different from batch to batch. */
function fill(bytes: Uint8Array, number: number): void {
  bytes.fill(number & 0xff)
}

class FrameProducer implements Producer {
  readonly copies = 0
  /** Its frames are counted by the pool. */
  readonly peakBuffers = 0

  constructor(
    private readonly client: ShuffleClient,
    private readonly target: PushTarget,
    private readonly batchBytes: number,
  ) {}

  push(number: number): Promise<PushReceipt> {
    const frame = this.client.pool.acquire(this.batchBytes)
    fill(frame.bytes, number)
    return this.client.pushFrame(this.target, frame)
  }

  end(): void {}
}

class DataProducer implements Producer {
  /** Counted by the client. */
  readonly copies = 0
  readonly peakBuffers = 1
  private readonly buffer: Uint8Array

  constructor(
    private readonly client: ShuffleClient,
    private readonly target: PushTarget,
    batchBytes: number,
  ) {
    this.buffer = Buffer.allocUnsafeSlow(batchBytes)
  }

  push(number: number): Promise<PushReceipt> {
    fill(this.buffer, number)
    return this.client.pushData(this.target, this.buffer)
  }

  end(): void {}
}

/**
 * The copies of today's Java client: what the caller wrote is copied into a push task's buffer, of which there is a
 * fixed set, and from there behind a batch header into a fresh array, which the garbage collector takes when its push
 * is acknowledged. Neither is zeroed first, which Java would do.
 */
class JavaProducer implements Producer {
  copies = 0
  peakBuffers = 0
  private readonly buffer: Uint8Array
  private readonly task: Uint8Array
  private bodies = 0

  constructor(
    private readonly client: ShuffleClient,
    private readonly target: PushTarget,
    private readonly batchBytes: number,
  ) {
    this.buffer = Buffer.allocUnsafeSlow(batchBytes)
    this.task = Buffer.allocUnsafeSlow(batchBytes)
  }

  push(number: number): Promise<PushReceipt> {
    fill(this.buffer, number)
    this.task.set(this.buffer)
    const body = Buffer.allocUnsafeSlow(BATCH_HEADER_BYTES + this.batchBytes)
    writeBatchHeader(body, 0, this.target.mapId, this.target.attemptId, number, this.batchBytes)
    body.set(this.task, BATCH_HEADER_BYTES)
    this.copies += 2
    this.bodies++
    this.peakBuffers = Math.max(this.peakBuffers, this.bodies + 2)
    return this.client.pushBuffer(this.target, body.subarray(BATCH_HEADER_BYTES), {
      onRelease: () => {
        this.bodies--
      },
    })
  }

  end(): void {}
}

/** The producer's work alone: frames are had, filled and released, as many at a time as would be in flight. */
class IdleProducer implements Producer {
  readonly copies = 0
  readonly peakBuffers = 0
  private readonly frames: (NativeFrame | undefined)[]

  constructor(
    private readonly client: ShuffleClient,
    private readonly batchBytes: number,
    window: number,
  ) {
    this.frames = new Array<NativeFrame | undefined>(window).fill(undefined)
  }

  push(number: number): null {
    const place = number % this.frames.length
    this.frames[place]?.release()
    const frame = this.client.pool.acquire(this.batchBytes)
    fill(frame.bytes, number)
    this.frames[place] = frame
    return null
  }

  end(): void {
    for (const frame of this.frames) frame?.release()
    this.frames.fill(undefined)
  }
}
