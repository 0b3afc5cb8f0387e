/** Counters of one writer. */
export interface WriterMetrics {
  /** Records taken. */
  readonly records: number
  /** Bytes of the records as serialised. */
  readonly rawBytes: number
  /** Bytes of all batches as they are sent: encoded by the codec, with its headers. */
  readonly encodedBytes: number
  /** Buffers handed to the pusher. */
  readonly pushes: number
  /** Times that all records in memory were pushed to make room (sort writer). */
  readonly spills: number
  /** Buffers that were handed over before they were full because memory was short (hash writer). */
  readonly flushedPartial: number
  /** Records that were larger than a full buffer, each pushed in one of its own size. */
  readonly giants: number
  /** The most native memory that the writer held, tasks included, in bytes. */
  readonly peakBytes: number
  /** Milliseconds that the writer waited for a push task or for a buffer. */
  readonly taskWaitMs: number
  /** Milliseconds in which at least one of its pushes waited to be admitted. */
  readonly admissionWaitMs: number
}
