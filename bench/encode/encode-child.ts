// The measured process: batches are compressed and given up, as when they were acknowledged at once.
import { type EncodedBlock } from '../../src/compress'
import { Lz4Codec } from '../../src/compress/lz4'
import { LeasePool } from '../../src/memory/lease'
import { serve } from '../lib/child'
import { type EncodeRequest, type EncodeSample } from './messages'

/** Text and noise by turns: about two thirds remain. */
function content(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  let x = 0x9e3779b9
  for (let i = 0; i < bytes; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    buffer[i] = i % 16 < 9 ? x : 97 + (i % 7)
  }
  return buffer
}

async function sample(request: EncodeRequest): Promise<EncodeSample> {
  await run({ ...request, batches: Math.ceil(request.batches / 4) })
  return run(request)
}

async function run({ variant, batchBytes, batches, atOnce }: EncodeRequest): Promise<EncodeSample> {
  const codec = new Lz4Codec()
  const frames = new LeasePool({ maxBytes: 2 ** 30, maxPooledBytes: 2 ** 26 })
  const sources = Array.from({ length: atOnce }, () => content(batchBytes))
  const inThreads = variant.startsWith('threads')
  let heldBytes = 0
  const finish = (block: EncodedBlock): void => {
    heldBytes = block.allocatedBytes
    if (variant.endsWith('copy')) {
      const frame = frames.lease(block.payload.byteLength)
      frame.bytes.set(block.payload)
      heldBytes = frame.capacity
      block.release()
      frame.release()
    } else block.release()
  }
  const cpuBefore = process.cpuUsage()
  const loopBefore = performance.eventLoopUtilization()
  const start = performance.now()
  let next = 0
  const lane = async (source: Buffer): Promise<void> => {
    for (; next < batches; ) {
      next++
      if (inThreads) finish(await codec.encodeInThread(source))
      else {
        finish(codec.encode(source))
        // A turn of the loop for each, as writers that wait take them.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
  await Promise.all(sources.map(lane))
  const wallMs = performance.now() - start
  const cpu = process.cpuUsage(cpuBefore)
  const { active } = performance.eventLoopUtilization(loopBefore)
  frames.close()
  return {
    wallUs: (wallMs * 1000) / batches,
    cpuUs: (cpu.user + cpu.system) / batches,
    loopUs: (active * 1000) / batches,
    heldBytes,
  }
}

serve((question) => sample(question as EncodeRequest))
