import { type FramePoolStats } from '../memory'
import { type LeasePoolStats } from '../memory/lease'
import { type PoolStats } from '../network'
import { type AdmissionStats } from '../push/admission'
import { type CopyCounters } from '../push/payload'
import { type PusherStats } from '../push/pusher'
import { type ReadBudgetStats } from '../read/budget'
import { type BufferPoolStats } from '../write/buffer-pool'

/** Gauges and counters of one ShuffleClient, since it was made. */
export interface ShuffleClientStats
  extends Readonly<PusherStats>,
    AdmissionStats,
    Readonly<CopyCounters>,
    Pick<FramePoolStats, 'framesAllocated' | 'framesAlive' | 'peakFramesAlive'> {
  readonly maxInFlightBytes: number
  /** `onRelease` callbacks that threw. */
  readonly releaseCallbackFailures: number
  /** Frames of the caller's making. */
  readonly frames: FramePoolStats
  /** Pooled memory that never leaves the client: copies made by `pushData`. */
  readonly leases: LeasePoolStats
  /** Buffers of writers and of their push tasks. */
  readonly writerBuffers: BufferPoolStats
  /** Chunks being read. */
  readonly readFrames: FramePoolStats
  /** What readers hold or have asked for of `celeborn.node.maxReadBytes`. */
  readonly readBudget: ReadBudgetStats
  readonly connections: PoolStats
}
