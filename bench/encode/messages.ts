/** Where a batch is compressed, and what becomes of the codec's output: sent as it is, or copied into a right-sized pooled frame. */
export const VARIANTS = ['inline-adopt', 'inline-copy', 'threads-adopt', 'threads-copy'] as const
export type EncodeVariant = (typeof VARIANTS)[number]

export interface EncodeRequest {
  readonly variant: EncodeVariant
  readonly batchBytes: number
  readonly batches: number
  /** Batches that are with the thread pool at once. */
  readonly atOnce: number
}

/** Per batch. */
export interface EncodeSample {
  readonly wallUs: number
  readonly cpuUs: number
  /** Time of the event loop. */
  readonly loopUs: number
  /** Native memory behind the encoded batch while it is in flight. */
  readonly heldBytes: number
}
