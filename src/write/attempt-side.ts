import * as keys from '../conf/keys'
import { type Payload, type PushSource } from '../push/payload'
import { type MapAttempt } from '../push/types'
import { type PushSide } from './data-pusher'
import { type WriterHost } from './host'
import { type Piece, type PushTask } from './push-task'

/** Below this the way to a thread and back costs more than the compression. */
const MIN_THREAD_BYTES = 16 * 1024

/** A task's bytes, or a piece of them, on their way through the push path. Ends with the task's release. */
class TaskSource implements PushSource, Payload {
  readonly consumedByEncoding = false
  readonly encodedInThread: boolean

  constructor(
    private readonly task: PushTask,
    readonly bytes: Uint8Array,
    /** Bytes really allocated: of a shared buffer its share. */
    readonly allocated: number,
    inThreads: boolean,
  ) {
    this.encodedInThread = inThreads && bytes.byteLength >= MIN_THREAD_BYTES
  }

  get length(): number {
    return this.bytes.byteLength
  }

  get charge(): number {
    return this.allocated
  }

  hold(): void {}

  handBack(): void {}

  read(): Uint8Array {
    return this.bytes
  }

  own(): Payload {
    return this
  }

  free(): void {
    this.task.release()
  }
}

/** Pushes the tasks of one map task attempt by its client. */
export class AttemptSide implements PushSide {
  private readonly inThreads: boolean

  constructor(
    private readonly host: WriterHost,
    private readonly attempt: MapAttempt,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.inThreads = host.conf.get(keys.NODE_WRITER_COMPRESS_IN_THREADS)
  }

  push(task: PushTask): Promise<unknown> {
    const { bytes, pieces, allocated } = task
    if (pieces.length === 0) return this.send(task, task.partitionId, bytes, allocated, task.merged)
    let rest = allocated
    for (const { start, end } of pieces) rest -= end - start
    const sent = pieces.map(({ partitionId, start, end }: Piece, index) => {
      // What the buffer takes beyond its contents is charged with one of them.
      const share = end - start + (index === pieces.length - 1 ? rest : 0)
      return this.send(task, partitionId, bytes.subarray(start, end), share, true)
    })
    return Promise.all(sent)
  }

  flushGathered(): void {
    this.host.flushMerged()
  }

  taskWanted(change: 1 | -1): void {
    this.host.taskWanted(change)
  }

  private async send(
    task: PushTask,
    partitionId: number,
    bytes: Uint8Array,
    allocated: number,
    merged: boolean,
  ): Promise<unknown> {
    const source = new TaskSource(task, bytes, allocated, this.inThreads)
    try {
      return await this.host.push({ ...this.attempt, partitionId }, source, 'compress', this.signal, merged)
    } catch (error) {
      // A rejected push has taken nothing.
      task.release()
      throw error
    }
  }
}
