// The measured process: one writer, one DataPusher, and a push side that is done at once.
import { BufferPool, DataPusher, type PushSide } from '../../src/write'
import { serve } from '../lib/child'
import { type SwapRequest, type SwapSample } from './messages'

const NO_OP: PushSide = {
  push: (task) => {
    task.release()
    return DONE
  },
}
const DONE = Promise.resolve()
/** Rounds before the one that counts: the code is compiled then, and the buffers have been touched. */
const WARM_ROUNDS = 3

async function sample({ variant, bufferBytes, buffers: count }: SwapRequest): Promise<SwapSample> {
  const buffers = new BufferPool({ maxBytes: 1024 * bufferBytes, maxPooledBytes: 1024 * bufferBytes })
  const pusher = new DataPusher({ side: NO_OP, buffers, capacity: 512, bufferBytes })
  let usPerBuffer = 0
  for (let round = 0; round <= WARM_ROUNDS; round++) {
    const start = performance.now()
    if (variant === 'add-task-swap') await swap(pusher, count)
    else await copy(pusher, count, bufferBytes)
    usPerBuffer = ((performance.now() - start) * 1000) / count
  }
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
