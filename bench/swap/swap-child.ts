// The measured process: one writer, one DataPusher, and a push side that pushes nothing.
import { BufferPool, DataPusher, type PushSide, type PushTask } from '../../src/write'
import { serve } from '../lib/child'
import { type SwapRequest, type SwapSample } from './messages'

/** Buffers in flight to one worker, by Celeborn's default: released when so many later ones have been pushed. */
const IN_FLIGHT = 32
const DONE = Promise.resolve()

/** Pushes nothing, and lets go of a task as a worker that keeps up would: buffers take turns, as they do in earnest. */
class NoOp implements PushSide {
  readonly #held: (PushTask | undefined)[] = new Array<PushTask | undefined>(IN_FLIGHT).fill(undefined)
  #next = 0

  push(task: PushTask): Promise<unknown> {
    const at = this.#next++ % IN_FLIGHT
    this.#held[at]?.release()
    this.#held[at] = task
    return DONE
  }

  end(): void {
    for (const task of this.#held.splice(0)) task?.release()
  }
}

/** Rounds before the one that counts: the code is compiled then, and the buffers have been touched. */
const WARM_ROUNDS = 3

async function sample({ variant, bufferBytes, buffers: count }: SwapRequest): Promise<SwapSample> {
  const buffers = new BufferPool({ maxBytes: 1024 * bufferBytes, maxPooledBytes: 1024 * bufferBytes })
  const side = new NoOp()
  const pusher = new DataPusher({ side, buffers, capacity: 512, bufferBytes })
  let usPerBuffer = 0
  for (let round = 0; round <= WARM_ROUNDS; round++) {
    const start = performance.now()
    if (variant === 'add-task-swap') await swap(pusher, count)
    else await copy(pusher, count, bufferBytes)
    usPerBuffer = ((performance.now() - start) * 1000) / count
  }
  side.end()
  await pusher.waitOnTermination()
  buffers.close()
  return { usPerBuffer }
}

async function swap(pusher: DataPusher, count: number): Promise<void> {
  let buffer = await pusher.acquireBuffer()
  for (let i = 0; i < count; i++) buffer = await pusher.addTaskAndSwapBuffer(i & 63, buffer)
  buffer.release()
}

async function copy(pusher: DataPusher, count: number, bytes: number): Promise<void> {
  const own = new Uint8Array(bytes).fill(1)
  for (let i = 0; i < count; i++) await pusher.addTask(i & 63, own)
}

serve((question) => sample(question as SwapRequest))
