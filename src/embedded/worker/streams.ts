import { type WireId, wireIdKey } from '../../protocol/framing'
import type { ChunkPlan } from '../storage/chunk-plan'
import type { PartitionFile } from '../storage/partition-file'

/** An opened file, or the part of it that a map range is. */
export interface ChunkStream {
  readonly shuffleKey: string
  readonly file: PartitionFile
  readonly plan: ChunkPlan
}

/** A client that never ends its streams must not fill the memory. */
const MAX_STREAMS = 1_000_000

/**
 * The streams that readers have opened. They belong to no connection: a client may come back on another one. They
 * end with the client's word, with their shuffle or with the worker.
 */
export class Streams {
  readonly #streams = new Map<number, ChunkStream>()
  /** Ids of an earlier worker on the same port shall not mean anything to this one. */
  #next = Math.floor(Math.random() * 0x7fff_ffff) * 1000

  get size(): number {
    return this.#streams.size
  }

  /** @returns undefined when there are too many. */
  open(stream: ChunkStream): number | undefined {
    if (this.#streams.size >= MAX_STREAMS) return undefined
    const id = this.#next++
    this.#streams.set(id, stream)
    return id
  }

  get(id: WireId): ChunkStream | undefined {
    const key = wireIdKey(id)
    return typeof key === 'number' ? this.#streams.get(key) : undefined
  }

  end(id: WireId): void {
    const key = wireIdKey(id)
    if (typeof key === 'number') this.#streams.delete(key)
  }

  endShuffle(shuffleKey: string): void {
    for (const [id, stream] of this.#streams) if (stream.shuffleKey === shuffleKey) this.#streams.delete(id)
  }
}
