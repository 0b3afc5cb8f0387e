import { onTestFinished } from 'vitest'
import { BufferPool } from '../../src/write/buffer-pool'
import { DataPusher, type PushSide } from '../../src/write/data-pusher'
import { type PushTask } from '../../src/write/push-task'

/** A push side whose pushes end when the test says so. */
export class HeldSide implements PushSide {
  /** Tasks that were pushed and not yet released, oldest first. */
  readonly held: PushTask[] = []
  pushes = 0
  onPush: (task: PushTask) => Promise<unknown> = () => Promise.resolve()

  push(task: PushTask): Promise<unknown> {
    this.pushes++
    this.held.push(task)
    return this.onPush(task)
  }

  /** Releases the oldest task. @returns its partition and a copy of its bytes as they were just before */
  releaseOldest(): { readonly partitionId: number; readonly bytes: Buffer } {
    const task = this.held.shift()
    if (task === undefined) throw new Error('nothing is held')
    const pushed = { partitionId: task.partitionId, bytes: Buffer.from(task.bytes) }
    task.release()
    return pushed
  }

  releaseAll(): void {
    while (this.held.length > 0) this.releaseOldest()
  }
}

export interface PusherSetup<S extends PushSide> {
  readonly pusher: DataPusher
  readonly buffers: BufferPool
  readonly side: S
}

export function makePusher<S extends PushSide>(
  side: S,
  options: {
    readonly capacity?: number
    readonly bufferBytes?: number
    readonly maxBytes?: number
    readonly signal?: AbortSignal
  } = {},
): PusherSetup<S> {
  const { capacity = 16, bufferBytes = 64 * 1024, maxBytes = 64 * 1024 * 1024, signal } = options
  const buffers = new BufferPool({ maxBytes, maxPooledBytes: maxBytes })
  onTestFinished(() => buffers.close())
  return { pusher: new DataPusher({ side, buffers, capacity, bufferBytes, signal }), buffers, side }
}

/** Whether the promise is still open after the microtasks that are due. */
export async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true
  const done = (): void => {
    open = false
  }
  promise.then(done, done)
  for (let i = 0; i < 20; i++) await Promise.resolve()
  return open
}
