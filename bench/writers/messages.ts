import { type Limits } from '../push/messages'

/** How a full buffer goes to the pusher. */
export const HAND_OVERS = ['swap', 'copy'] as const
export type HandOver = (typeof HAND_OVERS)[number]

export type WriterKind = 'HASH' | 'SORT'

/** One sample, as asked of a fresh process: `iterations` map tasks one after the other, the first ones to warm up. */
export interface WritersRequest {
  readonly kind: WriterKind
  readonly codec: 'LZ4' | 'NONE'
  readonly handOver: HandOver
  readonly rows: number
  readonly partitions: number
  readonly warmIterations: number
  readonly iterations: number
  readonly appId: string
  readonly firstShuffleId: number
  readonly lifecycleManager: { readonly host: string; readonly port: number }
  readonly limits: Limits
}

/** One measured iteration. */
export interface IterationResult {
  readonly wallMs: number
  readonly cpuMs: number
  /** Of all batches as they were sent. */
  readonly shuffleBytes: number
  readonly rawBytes: number
  readonly spills: number
  readonly taskWaitMs: number
  readonly admissionWaitMs: number
  /** The most native memory that the writer held. */
  readonly peakBytes: number
}
