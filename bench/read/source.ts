/** What is measured: it gives the bytes of a partition. */
export interface Source {
  /** Bytes of chunks, as they came. */
  readonly fetchedBytes: number
  /** @param use called with each piece, which is valid until it returns */
  read(partitionId: number, use: (piece: Uint8Array) => void): Promise<void>
  close(): Promise<void>
}
