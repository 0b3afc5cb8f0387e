import { onTestFinished } from 'vitest'
import { TransportConf } from '../../src/buffer'
import { createCodec, type CodecName } from '../../src/compress'
import { CelebornConf } from '../../src/conf'
import { CLIENT_READ_LOCAL_SHUFFLE_FILE_ENABLED, NODE_MAX_READ_BYTES } from '../../src/conf/keys'
import { FramePool } from '../../src/memory'
import { ConnectionPool } from '../../src/network'
import { BATCH_HEADER_BYTES, writeBatchHeader } from '../../src/protocol/batch'
import { EMPTY_STORAGE, type PartitionLocation } from '../../src/protocol/locations'
import { ReadBudget } from '../../src/read/budget'
import { FileGroupCache } from '../../src/read/file-group-cache'
import { type FileGroups, type ReadLifecycle } from '../../src/read/lifecycle'
import { PartitionReader, type ReadOptions } from '../../src/read/partition-reader'

export const APP = 'scripted'
export const SHUFFLE_ID = 9
export const PARTITION_ID = 4

/** One batch as it lies in a partition's file. */
export function batch(
  mapId: number,
  batchId: number,
  text: string,
  codec: CodecName = 'LZ4',
  attemptId = 0,
): Buffer {
  const { header: blockHeader, payload } = createCodec(codec).encode(Buffer.from(text))
  const header = Buffer.alloc(BATCH_HEADER_BYTES)
  writeBatchHeader(header, 0, mapId, attemptId, batchId, blockHeader.length + payload.length)
  return Buffer.concat([header, blockHeader, payload])
}

/** What a chunk of batches of one map task holds, as text and as bytes. */
export function chunkOf(mapId: number, first: number, count: number, codec: CodecName = 'LZ4') {
  const texts = Array.from({ length: count }, (_, i) => `map ${mapId} batch ${first + i} ${'x'.repeat(40)}`)
  return {
    texts,
    bytes: Buffer.concat(texts.map((text, i) => batch(mapId, first + i, text, codec))),
  }
}

/** A chunk of one uncompressed batch of that many bytes. */
export function bulk(mapId: number, batchId: number, size: number): Buffer {
  return batch(mapId, batchId, String.fromCharCode(97 + (batchId % 26)).repeat(size), 'NONE')
}

interface Place {
  readonly host: string
  readonly port: number
}

export interface LocationOptions {
  readonly epoch?: number
  readonly fileSize?: number
  readonly storageType?: number
  readonly mapIdBitmap?: Uint8Array
  readonly peer?: PartitionLocation
}

export function location(
  { host, port }: Place,
  mode: 0 | 1 = 0,
  { epoch = 0, fileSize = 0, storageType = 1, mapIdBitmap, peer }: LocationOptions = {},
): PartitionLocation {
  return {
    id: PARTITION_ID,
    epoch,
    mode,
    host,
    rpcPort: 1,
    pushPort: 2,
    fetchPort: port,
    replicatePort: 3,
    storage: { ...EMPTY_STORAGE, type: storageType, fileSize },
    ...(peer === undefined ? {} : { peer }),
    ...(mapIdBitmap === undefined ? {} : { mapIdBitmap }),
  }
}

/** A reader's real connections and memory; only what a driver would say is given. */
export class ReaderWorld {
  readonly frames = new FramePool({ name: 'read' })
  readonly budget: ReadBudget
  readonly local: TransportConf | null
  readonly pool: ConnectionPool
  readonly conf: CelebornConf

  constructor(entries: Record<string, string | number | boolean> = {}) {
    this.conf = new CelebornConf({
      'celeborn.client.fetch.maxRetriesForEachReplica': 0,
      'celeborn.data.io.retryWait': '1ms',
      ...entries,
    })
    this.local = this.conf.get(CLIENT_READ_LOCAL_SHUFFLE_FILE_ENABLED)
      ? new TransportConf('data', this.conf)
      : null
    this.budget = new ReadBudget(this.conf.get(NODE_MAX_READ_BYTES))
    this.pool = new ConnectionPool(this.conf, { module: 'data' })
    onTestFinished(() => this.close())
  }

  reader(
    locations: readonly PartitionLocation[],
    options: ReadOptions = {},
    numMappers = 3,
  ): PartitionReader {
    const groups: FileGroups = {
      locations: new Map([[PARTITION_ID, locations]]),
      attempts: Array<number>(numMappers).fill(0),
    }
    return this.readerOf(
      {
        reducerFileGroups: () => Promise.resolve(groups),
        partitionRead: () => Promise.resolve(null),
      },
      options,
    )
  }

  readerOf(lifecycle: ReadLifecycle, options: ReadOptions = {}): PartitionReader {
    return new PartitionReader(
      { appId: APP, shuffleId: SHUFFLE_ID, partitionId: PARTITION_ID },
      {
        conf: this.conf,
        lifecycle,
        fileGroups: new FileGroupCache(lifecycle),
        pool: this.pool,
        frames: this.frames,
        budget: this.budget,
        local: this.local,
      },
      options,
      () => undefined,
    )
  }

  async close(): Promise<void> {
    await this.pool.close()
    this.frames.close()
  }

  /** No chunk's memory is held; the socket lets go of its last read target when it has another buffer, or is closed. */
  async nothingHeld(): Promise<number> {
    await this.pool.close()
    return this.frames.stats().framesAlive
  }
}

/** What a reader gives, in the order of delivery. */
export async function textsOf(reader: PartitionReader, into: string[] = []): Promise<string[]> {
  for await (const bytes of reader) into.push(Buffer.from(bytes).toString())
  return into
}
