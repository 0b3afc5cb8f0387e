import { networkInterfaces, hostname } from 'node:os'
import { FileSegmentManagedBuffer, type TransportConf } from '../buffer'
import { type PartitionLocation, StorageType } from '../protocol/locations'
import { type StreamHandler } from '../protocol/messages'
import { type Charge } from './budget'

/** Where the chunks of a worker's file on this host lie. */
export interface LocalFile {
  readonly path: string
  /** Where chunk `i` begins, and behind the last the end. */
  readonly offsets: readonly number[]
}

/** One chunk of a file of this host, mapped or read. */
export class LocalChunk {
  /** Resolves with the chunk's bytes, which stay valid until {@link release}. */
  readonly arrived: Promise<Uint8Array>
  readonly refusedBytes = 0
  private readonly segment: FileSegmentManagedBuffer
  private released = false

  /** @param charge the chunk's room in the budget, which this takes over */
  constructor(
    conf: TransportConf,
    { path, offsets }: LocalFile,
    readonly chunkIndex: number,
    private readonly charge: Charge,
  ) {
    const offset = offsets[chunkIndex] ?? 0
    this.segment = new FileSegmentManagedBuffer(conf, path, offset, (offsets[chunkIndex + 1] ?? 0) - offset)
    this.arrived = this.segment.bytes()
    // A reader that has gone away does not listen any more.
    this.arrived.catch(() => undefined)
  }

  /** The reader is done with the bytes: views of them drop to length 0. Idempotent. */
  release(): void {
    if (this.released) return
    this.released = true
    this.segment.release()
    // A read under way still fills its memory.
    const free = (): void => this.charge.release()
    this.arrived.then(free, free)
  }

  cancel(): void {
    this.release()
  }
}

/** Whether a location's file is one of a disk of this host. */
export function isLocal({ host, storage }: PartitionLocation): boolean {
  if (storage.type !== StorageType.HDD && storage.type !== StorageType.SSD) return false
  if (host === 'localhost' || host === hostname()) return true
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host))
}

/** The file that a worker names, or null where its chunks cannot be. */
export function localFile(handler: StreamHandler, maxChunkBytes: number): LocalFile | null {
  const { fullPath: path, chunkOffsets: offsets, numChunks } = handler
  if (!areOffsets(offsets, numChunks, maxChunkBytes)) return null
  return { path, offsets }
}

/** Whether these are the bounds of so many chunks, none of them empty or too large. */
export function areOffsets(offsets: readonly number[], numChunks: number, maxChunkBytes: number): boolean {
  if (offsets.length !== numChunks + 1) return false
  return offsets.every((offset, i) => {
    const size = (offsets[i + 1] ?? offset + 1) - offset
    return Number.isSafeInteger(offset) && offset >= 0 && size > 0 && size <= maxChunkBytes
  })
}
