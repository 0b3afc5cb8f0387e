/** @internal */
export class Lease {
  readonly bytes: Uint8Array
  readonly capacity: number
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.capacity = bytes.byteLength
  }
  release(): void {
    throw new Error('not yet')
  }
}
/** @internal */
export interface LeasePoolStats {
  readonly leasesAlive: number
  readonly bytesAlive: number
  readonly peakLeasesAlive: number
  readonly peakBytesAlive: number
  readonly pooledBytes: number
  readonly blocksAllocated: number
  readonly finalizedWithoutRelease: number
}
/** @internal */
export class LeasePool {
  constructor(_options: { maxBytes: number; maxPooledBytes: number }) {}
  lease(_size: number): Lease {
    throw new Error('not yet')
  }
  stats(): LeasePoolStats {
    throw new Error('not yet')
  }
  trim(): number {
    return 0
  }
  close(): void {}
}
