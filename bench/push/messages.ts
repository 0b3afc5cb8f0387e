import { type Allocations } from '../lib/allocations'

/** How a batch is pushed; see docs/benchmarks.md. */
export const CLIENT_VARIANTS = ['zero-copy', 'copy', 'copy-2', 'producer'] as const
export type ClientVariant = (typeof CLIENT_VARIANTS)[number]
export const VARIANTS = ['zero-copy', 'copy', 'copy-2', 'floor', 'producer'] as const
export type Variant = (typeof VARIANTS)[number]

/** One sample, as asked of a fresh client process. */
export interface ClientRequest {
  readonly variant: ClientVariant
  readonly batchBytes: number
  readonly batches: number
  readonly appId: string
  readonly shuffleId: number
  readonly lifecycleManager: { readonly host: string; readonly port: number }
  readonly limits: Limits
  /** Allocations are measured in samples of their own, since that costs time. */
  readonly measureAllocations: boolean
}

/** What may be in flight; the same for all variants. */
export interface Limits {
  /** Bytes to the one worker. */
  readonly maxBytes: number
  /** Pushes without an answer. */
  readonly maxRequests: number
}

/** Of the measured run alone, unless said otherwise. */
export interface SampleResult {
  /** Payload that the process has pushed in all, warming up included. */
  readonly pushedBytes: number
  readonly wallMs: number
  /** User and system time of the whole process. */
  readonly cpuMs: number
  readonly allocations?: Allocations
  /** Copies of payloads in user space after the producer had written them, over all batches. */
  readonly payloadCopies: number
  /** Buffers of a batch's size that held payload at once, the caller's own included; over both runs. */
  readonly framesAlivePeak: number
  /** As admission counts; over both runs. */
  readonly inFlightPeakBytes: number
  /** Frames of the whole process that were not released when the client had closed; must be 0. */
  readonly framesAliveEnd: number
}

export type DriverRequest =
  | { readonly kind: 'start'; readonly appId: string; readonly peer: Peer }
  | { readonly kind: 'register'; readonly shuffleId: number }
  | { readonly kind: 'unregister'; readonly shuffleId: number }

/** Where the driver gets a shuffle's location from: a push port that takes everything, or a cluster. */
export type Peer =
  | { readonly kind: 'sink'; readonly host: string; readonly port: number }
  | { readonly kind: 'cluster'; readonly masterEndpoint: string }

/** Where the measured partition is. */
export interface PushLocation {
  readonly host: string
  readonly port: number
  readonly shuffleKey: string
  readonly uniqueId: string
}

/** Every sample is a shuffle of its own: one map task writes one partition, and another one to warm up. */
export const SHUFFLE_SHAPE = { numMappers: 1, numPartitions: 2 } as const

/** How often a process pushes everything before the run that is measured. */
export const WARM_RUNS = 2
