import { type Serializer } from './serializer'

/** What of the package `apache-arrow` is needed: pass the package itself. */
export interface ArrowModule<B> {
  readonly RecordBatchStreamWriter: {
    writeAll(batches: readonly B[]): { toUint8Array(sync: true): Uint8Array }
  }
}

/**
 * Arrow record batches, each as an IPC stream of its own (schema, dictionaries, batch, end): a pushed batch may hold several,
 * one behind the other, which {@link https://arrow.apache.org/docs/js/ | apache-arrow}'s `RecordBatchReader.readAll` reads.
 * The package is an optional peer dependency: `new ArrowIpcSerializer(await import('apache-arrow'))`.
 */
export class ArrowIpcSerializer<B extends object> implements Serializer<B> {
  readonly name = 'Arrow IPC'
  readonly #arrow: ArrowModule<B>
  /** The batch that found no room last, so that it is not encoded twice. */
  #last: B | undefined
  #encoded: Uint8Array | undefined

  constructor(arrow: ArrowModule<B>) {
    this.#arrow = arrow
  }

  write(batch: B, target: Uint8Array, at: number): number {
    const encoded =
      this.#encoded !== undefined && batch === this.#last
        ? this.#encoded
        : this.#arrow.RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)
    if (at + encoded.length > target.length) {
      this.#last = batch
      this.#encoded = encoded
      return -encoded.length
    }
    this.#last = undefined
    this.#encoded = undefined
    target.set(encoded, at)
    return at + encoded.length
  }
}
