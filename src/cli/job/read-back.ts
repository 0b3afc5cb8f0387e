import { type ShuffleClient } from '../../client'
import { CelebornError } from '../../errors'
import { createScanner, type KeySpec } from '../input/key'
import { blockOf, RecordProblem, type RecordScanner, NEWLINE } from '../input/scanner'
import { type PartitionChecksums } from './checksums'
import { type OutputDirectory, type PartFile } from './output'
import { type HashPair, hashRange, partitionOf } from './record-hash'

export interface ReadBackOptions {
  readonly client: Pick<ShuffleClient, 'readPartition'>
  readonly shuffleId: number
  readonly key: KeySpec
  /** Filled with what is read. */
  readonly checksums: PartitionChecksums
  /** Where the partitions go; undefined if they are only to be checked. */
  readonly output: OutputDirectory | undefined
  readonly signal: AbortSignal
  /** Told how many bytes were read since the last call. */
  readonly onProgress: (bytes: number) => void
}

/**
 * Reads partitions back, one at a time. Every record's key is found and hashed again: a record in a partition where
 * it does not belong is an error whatever the checksums say.
 */
export class PartitionReadBack {
  readonly #options: ReadBackOptions
  readonly #scanner: RecordScanner
  readonly #hashes: HashPair = { first: 0, second: 0 }

  constructor(options: ReadBackOptions) {
    this.#options = options
    this.#scanner = createScanner(options.key)
  }

  async read(partitionId: number): Promise<void> {
    const { client, shuffleId, output, signal, onProgress } = this.#options
    const part: PartFile | undefined = await output?.openPart(partitionId)
    const reader = client.readPartition(shuffleId, partitionId)
    const onAbort = (): void => reader.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      for await (const batch of reader) {
        signal.throwIfAborted()
        this.#check(partitionId, batch)
        await part?.write(batch)
        onProgress(batch.length)
      }
      await part?.finish()
    } finally {
      signal.removeEventListener('abort', onAbort)
      await part?.close()
    }
  }

  /** A batch holds whole records: map tasks never divide one. */
  #check(partitionId: number, batch: Uint8Array): void {
    const { checksums } = this.#options
    const scanner = this.#scanner
    const hashes = this.#hashes
    const block = blockOf(batch)
    const { length } = block.bytes
    if (length > 0 && block.bytes[length - 1] !== NEWLINE) {
      throw wrong(partitionId, 'a batch does not end with a whole record')
    }
    let at = 0
    try {
      while (at < length) {
        scanner.scan(block, at, true)
        const end = scanner.contentEnd
        hashRange(block.view, at, end, hashes)
        const { first, second } = hashes
        if (!scanner.keyIsRecord) hashRange(scanner.keyView, scanner.keyStart, scanner.keyEnd, hashes)
        const owner = partitionOf(hashes.first, checksums.numPartitions)
        if (owner !== partitionId) throw wrong(partitionId, `a record belongs to partition ${owner}`)
        checksums.add(partitionId, end - at + 1, first, second)
        at = scanner.next
      }
    } catch (error) {
      throw error instanceof RecordProblem ? wrong(partitionId, `a record ${error.message}`) : error
    }
  }
}

function wrong(partitionId: number, problem: string): CelebornError {
  return new CelebornError(
    'CELEBORN_CORRUPT_DATA',
    `verification failed: in partition ${partitionId} ${problem}`,
    { partitionId },
  )
}
