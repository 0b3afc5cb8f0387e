import { CelebornError } from '../../errors'
import { type MapAttempt } from '../../push/types'
import { createScanner, type KeySpec } from '../input/key'
import { describeProblem } from '../input/line-number'
import { type TaskPlan } from '../input/plan'
import { RecordSource } from '../input/record-source'
import { type Block, RecordProblem, type RecordScanner } from '../input/scanner'
import { type PartitionChecksums } from './checksums'
import { type PushClient } from './push-client'
import { FrameWriter } from './frame-writer'
import { type HashPair, hashRange, partitionOf } from './record-hash'

export interface MapTaskOptions {
  readonly client: PushClient
  readonly attempt: MapAttempt
  readonly plan: TaskPlan
  readonly key: KeySpec
  /** The first record of every file is none: it names the columns. */
  readonly header: boolean
  readonly frameBytes: number
  readonly maxRecordBytes: number
  readonly checksums: PartitionChecksums
  readonly signal: AbortSignal
  /** Told how many bytes of input were used up since the last call. */
  readonly onProgress: (bytes: number) => void
}

/** Reads its slices, writes every record into the frame of its partition, and pushes the frames. */
export class MapTask {
  readonly #options: MapTaskOptions
  readonly #scanner: RecordScanner
  readonly #source: RecordSource
  readonly #writer: FrameWriter
  readonly #hashes: HashPair = { first: 0, second: 0 }
  /** Where the next record starts in the source's block. */
  #at = 0
  /** The partition that has no room for the record at `#at`, and the bytes it needs. */
  #fullPartition = 0
  #neededBytes = 0

  constructor(options: MapTaskOptions) {
    this.#options = options
    this.#scanner = createScanner(options.key)
    this.#source = new RecordSource(options.maxRecordBytes)
    this.#writer = new FrameWriter(options.client, options.attempt, options.frameBytes, options.signal)
  }

  /** Runs to the mapper's end. On failure the attempt is aborted and its frames are given back. */
  async run(): Promise<void> {
    const { client, attempt, plan } = this.#options
    try {
      for (const slice of plan) {
        try {
          await this.#runSlice(slice.start === 0 && this.#options.header, slice)
        } catch (error) {
          if (!(error instanceof RecordProblem)) throw error
          const { path } = slice.file
          const message = await describeProblem(path, this.#source.offset + this.#at, error.message)
          throw new CelebornError('CELEBORN_IO', message, { path }, error)
        }
      }
      await this.#writer.flush()
      await client.mapperEnd(attempt)
    } catch (error) {
      this.#writer.discard()
      this.#source.close()
      await client.cleanup(attempt).catch(() => undefined)
      throw error
    }
  }

  async #runSlice(startsWithHeader: boolean, slice: TaskPlan[number]): Promise<void> {
    const { signal, onProgress } = this.#options
    const source = this.#source
    let header = startsWithHeader
    await source.open(slice)
    this.#at = 0
    while (await source.fill(this.#at)) {
      signal.throwIfAborted()
      this.#at = 0
      const { block, last } = source
      if (header) {
        if (!this.#scanner.skip(block, 0, last)) continue
        this.#at = this.#scanner.next
        header = false
      }
      while (!this.#writeRecords(block, last)) {
        await this.#writer.makeRoom(this.#fullPartition, this.#neededBytes)
      }
      onProgress(this.#at)
    }
  }

  /** Writes records of the block until none is left that is whole, or (false) until a frame has no room. */
  #writeRecords(block: Block, last: boolean): boolean {
    const { checksums } = this.#options
    const scanner = this.#scanner
    const hashes = this.#hashes
    const { length } = block.bytes
    let at = this.#at
    for (;;) {
      this.#at = at
      if (at >= length || !scanner.scan(block, at, last)) return true
      const end = scanner.contentEnd
      hashRange(block.view, at, end, hashes)
      const { first, second } = hashes
      if (!scanner.keyIsRecord) hashRange(scanner.keyView, scanner.keyStart, scanner.keyEnd, hashes)
      const partitionId = partitionOf(hashes.first, checksums.numPartitions)
      const bytes = end - at + 1
      if (!this.#writer.append(partitionId, block, at, end)) {
        this.#fullPartition = partitionId
        this.#neededBytes = bytes
        return false
      }
      checksums.add(partitionId, bytes, first, second)
      at = scanner.next
    }
  }
}
