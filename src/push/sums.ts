import { BatchSum } from '../protocol/integrity'

/** What one map task attempt has written to each partition: for the integrity check, and only where it is on. */
export class AttemptSums {
  private readonly sums: (BatchSum | undefined)[] = []

  constructor(private readonly numPartitions: number) {}

  /** The sum of one partition, to add to. */
  of(partitionId: number): BatchSum {
    return (this.sums[partitionId] ??= new BatchSum())
  }

  /** By partition id; 0 where nothing was written. */
  get crc32PerPartition(): number[] {
    return Array.from({ length: this.numPartitions }, (_, id) => this.sums[id]?.crc32 ?? 0)
  }

  /** Bytes before compression, by partition id. */
  get bytesPerPartition(): number[] {
    return Array.from({ length: this.numPartitions }, (_, id) => this.sums[id]?.bytes ?? 0)
  }
}
