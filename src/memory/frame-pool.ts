import { type NativeFrame } from './native-frame'

/** Options of a {@link FramePool}. */
export interface FramePoolOptions {
  /** Cap of the bytes alive (owned by somebody), at what is really allocated. Default 256 MiB. */
  readonly maxBytes?: number
  /** Cap of the free memory kept for the next frames. Default 64 MiB. */
  readonly maxPooledBytes?: number
  /** Named in messages. */
  readonly name?: string
  /**
   * Behave as where the runtime forbids external buffers: frames live in memory that V8 allocated. For tests; the
   * environment variable CELEBORN_NODE_NO_EXTERNAL_BUFFERS=1 does the same for all pools.
   */
  readonly copied?: boolean
}

/** Counters of a {@link FramePool}. */
export interface FramePoolStats {
  readonly framesAlive: number
  readonly bytesAlive: number
  readonly peakFramesAlive: number
  readonly peakBytesAlive: number
  readonly framesAllocated: number
  readonly blocksAllocated: number
  readonly pooledBytes: number
  readonly finalizedWithoutRelease: number
  /** Calls of acquireAsync that wait. */
  readonly waiting: number
}

export class FramePool {
  readonly name: string
  constructor(options: FramePoolOptions = {}) {
    this.name = options.name ?? 'frames'
  }
  get zeroCopy(): boolean {
    return true
  }
  acquire(_size: number): NativeFrame {
    throw new Error('not yet')
  }
  acquireAsync(_size: number, _options: { signal?: AbortSignal } = {}): Promise<NativeFrame> {
    return Promise.reject(new Error('not yet'))
  }
  stats(): FramePoolStats {
    throw new Error('not yet')
  }
  trim(): number {
    return 0
  }
  close(): void {}
}
