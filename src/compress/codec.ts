/** Shuffle compression codecs by the names that `celeborn.client.shuffle.compression.codec` takes. */
export type CodecName = 'LZ4' | 'ZSTD' | 'NONE'

/**
 * One encoded batch: a complete block header and the payload where it lies. The two are sent one after the
 * other in a gather write; nothing joins them.
 */
export interface EncodedBlock {
  /** The complete block header ({@link Codec.headerBytes} bytes; empty for NONE). */
  readonly header: Uint8Array
  /** What follows the header, uncopied: a view of the codec's output, or the source itself when {@link stored}. */
  readonly payload: Uint8Array
  /** The payload IS the source: it must stay untouched until the block is sent and is freed by the source's owner. */
  readonly stored: boolean
  /**
   * Bytes of memory that the payload really holds beyond the source: more than its length, since the compressor
   * allocates for the worst case. 0 when {@link stored} and after {@link release}.
   */
  readonly allocatedBytes: number
  /**
   * Frees the codec's output at once, by detaching its ArrayBuffer: `payload` drops to length 0. Call it when no
   * socket write reads the payload any more. Does nothing when {@link stored}; further calls do nothing.
   */
  release(): void
}

/** Encodes and decodes one batch's payload as one block, byte for byte as Celeborn's Java client does. */
export interface Codec {
  readonly name: CodecName
  /** Bytes of the block header that precedes every payload; 0 for NONE. */
  readonly headerBytes: number

  /** Most that {@link EncodedBlock.allocatedBytes} can be for a source of that length. May exceed the length itself. */
  maxAllocatedBytes(sourceBytes: number): number

  /**
   * Compresses `source` into one block; falls back to the stored form when compression does not pay. Does not keep
   * `source`, except as the payload of a stored block.
   *
   * @throws ConfigError when `source` is longer than a block can be
   */
  encode(source: Uint8Array): EncodedBlock

  /**
   * {@link encode} on Node's thread pool: `source` must stay as it is until the promise ends. Undefined where the codec has no such
   * way.
   */
  encodeInThread?(source: Uint8Array): Promise<EncodedBlock>

  /**
   * The codec's stored block of `source`: header with checksum, payload uncompressed and uncopied.
   *
   * @throws ConfigError when `source` is longer than a block can be
   */
  encodeStored(source: Uint8Array): EncodedBlock

  /**
   * Decodes one complete block, which must fill `block` exactly. `block` must be writable memory of the caller's that nobody else reads
   * meanwhile (not a mapped file, not shared memory): four bytes of its header are overwritten during the call
   * and put back before it returns. The result is a view of `block` where the block is stored, memory of its own
   * otherwise.
   *
   * @param limit largest decoded size accepted, in bytes; checked before anything is allocated
   * @throws CelebornError `CELEBORN_CORRUPT_DATA` when the block is no block of this codec, claims more than
   *   `limit`, or fails its length or checksum check
   */
  decode(block: Uint8Array, limit: number): Uint8Array

  /** As {@link decode}, for memory that must not be written (a mapped file): costs one copy of the compressed bytes. */
  decodeReadOnly(block: Uint8Array, limit: number): Uint8Array
}

export interface CodecOptions {
  /** `celeborn.client.shuffle.compression.zstd.level`. */
  readonly zstdLevel?: number
}
