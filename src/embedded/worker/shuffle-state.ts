import { type PartitionLocation } from '../../protocol/locations'
import { type CommitFilesResponse } from '../../protocol/messages'
import type { BatchIndex } from '../storage/batch-index'
import type { PartitionFile } from '../storage/partition-file'
import type { PartitionWriter } from '../storage/partition-writer'

/** How a shuffle's files are written, as its slots were reserved. */
export interface ShuffleOptions {
  /** Bytes from which on a primary file is split. */
  readonly splitThreshold: number
  readonly splitMode: number
  readonly rangeReadFilter: boolean
  /** Milliseconds that a replica may take. */
  readonly pushDataTimeout: number
}

/** A reserved location that takes data. */
export interface OpenPartition {
  readonly location: PartitionLocation
  readonly writer: PartitionWriter
}

/** What a worker knows of one shuffle. */
export class ShuffleState {
  readonly shuffleKey: string
  readonly appId: string
  readonly shuffleId: number
  readonly directory: string
  readonly options: ShuffleOptions
  /** Reserved locations by unique id, not yet committed: primaries and replicas. */
  readonly open: readonly [Map<string, OpenPartition>, Map<string, OpenPartition>] = [new Map(), new Map()]
  /** Committed files by file name. */
  readonly files = new Map<string, PartitionFile>()
  /** Batch indexes of those of `files` that a map range was read from. */
  readonly indexes = new Map<string, Promise<BatchIndex>>()
  /** Answers to commits, done or under way, by the request's epoch. */
  readonly commits = new Map<number, Promise<CommitFilesResponse>>()
  #mapAttempts: number[] | undefined

  constructor(
    shuffleKey: string,
    appId: string,
    shuffleId: number,
    directory: string,
    options: ShuffleOptions,
  ) {
    this.shuffleKey = shuffleKey
    this.appId = appId
    this.shuffleId = shuffleId
    this.directory = directory
    this.options = options
  }

  /** Set by the first commit: index map task, value the attempt that won, -1 where none has ended. */
  get mapAttempts(): readonly number[] | undefined {
    return this.#mapAttempts
  }

  /** An attempt that was once named stays; later commits fill in what was open. */
  mergeMapAttempts(mapAttempts: readonly number[]): void {
    const merged = (this.#mapAttempts ??= [])
    mapAttempts.forEach((attempt, mapId) => {
      if ((merged[mapId] ?? -1) === -1) merged[mapId] = attempt
    })
  }

  /** Every writer and the file it writes. */
  writers(): PartitionWriter[] {
    return this.open.flatMap((table) => [...table.values()].map((partition) => partition.writer))
  }
}
