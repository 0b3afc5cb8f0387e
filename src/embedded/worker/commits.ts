import { shuffleKey } from '../../protocol/ids'
import { EMPTY_STORAGE, type StorageInfo, StorageType } from '../../protocol/locations'
import { type CommitFiles, type CommitFilesResponse } from '../../protocol/messages'
import { encodeRoaringBitmap } from '../../protocol/roaring-bitmap'
import { StatusCode } from '../../protocol/status'
import type { PartitionFile } from '../storage/partition-file'
import type { ShuffleState } from './shuffle-state'
import type { Shuffles } from './shuffles'

/** Celeborn counts only files of at least this size in `totalWritten` and `fileCount`, which are statistics. */
const COUNTED_FILE_BYTES = 8 * 1024 * 1024

/** What became of the locations of one mode. */
interface Committed {
  readonly ids: string[]
  readonly failed: string[]
  readonly storage: Map<string, StorageInfo>
  /** The map tasks in each file, where that was asked for. */
  readonly bitmaps: Map<string, Uint8Array>
  readonly files: PartitionFile[]
}

/** Answers COMMIT_FILES: closes files, after which they can be read. */
export class Commits {
  readonly #shuffles: Shuffles
  readonly #timeoutMs: number

  constructor(shuffles: Shuffles, timeoutMs: number) {
    this.#shuffles = shuffles
    this.#timeoutMs = timeoutMs
  }

  /** A request that repeats the epoch of an earlier one of its shuffle gets that one's answer. */
  async commit(request: CommitFiles): Promise<CommitFilesResponse> {
    if (request.mockFailure) return failedResponse(request, StatusCode.COMMIT_FILES_MOCK_FAILURE)
    const state = this.#shuffles.get(shuffleKey(request.applicationId, request.shuffleId))
    if (state === undefined) return failedResponse(request, StatusCode.SHUFFLE_UNREGISTERED)
    let answer = state.commits.get(request.epoch)
    if (answer === undefined) {
      answer = commitFiles(state, request)
      const changed = (): void => this.#shuffles.changed()
      answer.then(changed, changed)
      state.commits.set(request.epoch, answer)
    }
    return await withTimeout(answer, this.#timeoutMs, () =>
      failedResponse(request, StatusCode.COMMIT_FILE_EXCEPTION),
    )
  }
}

async function commitFiles(state: ShuffleState, request: CommitFiles): Promise<CommitFilesResponse> {
  state.mergeMapAttempts(request.mapAttempts)
  const [primary, replica] = await Promise.all([
    commitMode(state, 0, request.primaryIds),
    commitMode(state, 1, request.replicaIds),
  ])
  const counted = [...primary.files, ...replica.files].filter((file) => file.length >= COUNTED_FILE_BYTES)
  return {
    status:
      primary.failed.length + replica.failed.length === 0 ? StatusCode.SUCCESS : StatusCode.PARTIAL_SUCCESS,
    committedPrimaryIds: primary.ids,
    committedReplicaIds: replica.ids,
    failedPrimaryIds: primary.failed,
    failedReplicaIds: replica.failed,
    committedPrimaryStorageInfos: primary.storage,
    committedReplicaStorageInfos: replica.storage,
    totalWritten: counted.reduce((sum, file) => sum + file.length, 0),
    fileCount: counted.length,
    mapIdBitmap: new Map([...replica.bitmaps, ...primary.bitmaps]),
  }
}

async function commitMode(state: ShuffleState, mode: 0 | 1, ids: readonly string[]): Promise<Committed> {
  const committed: Committed = { ids: [], failed: [], storage: new Map(), bitmaps: new Map(), files: [] }
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const partition = state.open[mode].get(id)
      if (partition === undefined) {
        committed.failed.push(id)
        return
      }
      let file: PartitionFile | undefined
      try {
        file = await partition.writer.close()
      } catch {
        // The writer's error was told to the pushers; here only the fact counts.
        committed.failed.push(id)
        await partition.writer.destroy()
      }
      state.open[mode].delete(id)
      if (file === undefined) return
      state.files.set(file.fileName, file)
      committed.ids.push(id)
      committed.storage.set(id, storageInfo(file))
      if (file.mapIds !== undefined) committed.bitmaps.set(id, encodeRoaringBitmap(file.mapIds))
      committed.files.push(file)
    }),
  )
  return committed
}

function storageInfo(file: PartitionFile): StorageInfo {
  return {
    ...EMPTY_STORAGE,
    type: StorageType.HDD,
    finalResult: true,
    fileSize: file.length,
    chunkOffsets: file.chunkOffsets,
  }
}

function failedResponse(request: CommitFiles, status: number): CommitFilesResponse {
  return {
    status,
    committedPrimaryIds: [],
    committedReplicaIds: [],
    failedPrimaryIds: request.primaryIds,
    failedReplicaIds: request.replicaIds,
    committedPrimaryStorageInfos: new Map(),
    committedReplicaStorageInfos: new Map(),
    totalWritten: 0,
    fileCount: 0,
    mapIdBitmap: new Map(),
  }
}

async function withTimeout<T>(answer: Promise<T>, timeoutMs: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), timeoutMs).unref()
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
