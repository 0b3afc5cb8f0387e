// The measured process: a ShuffleClient, one writer after the other, and the rows that it writes.
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import {
  createWriter,
  type DataPusher,
  HashPartitioner,
  type PushBuffer,
  RawBytesSerializer,
} from '../../src/write'
import { serve } from '../lib/child'
import { type IterationResult, type WritersRequest } from './messages'

/** Bytes of a row; as in the published table 13 GiB are 100 million of them. */
const ROW_BYTES = 130
/** Different rows; more than the caches of a core hold would measure those. */
const DIFFERENT_ROWS = 4096

/** Rows that LZ4 makes about a third smaller, as those of the published table. */
function makeRows(): Buffer[] {
  let x = 0x9e3779b9
  return Array.from({ length: DIFFERENT_ROWS }, (_, i) => {
    const row = Buffer.alloc(ROW_BYTES, `customer ${i % 50} of region ${i % 7}, status shipped;`)
    for (let at = ROW_BYTES >> 2; at < ROW_BYTES - 26; at++) {
      x ^= x << 13
      x ^= x >>> 17
      x ^= x << 5
      row[at] = x
    }
    return row
  })
}

/** What the writers did before there was the swap: the full buffer is copied into a task's, and kept. */
function copyInsteadOfSwap(pusher: DataPusher, client: ShuffleClient): void {
  const { buffers } = client.writerHost
  const handOver = (
    partitionId: number,
    own: PushBuffer,
    size: number,
    task: PushBuffer,
    pieces: Pieces,
  ): void => {
    task.bytes.set(size === own.size ? own.bytes : own.bytes.subarray(0, size))
    pusher.handOver(partitionId, task, size, false, pieces)
  }
  pusher.trySwap = (partitionId, buffer, size, pieces) => {
    pusher.check()
    if (!pusher.hasIdleTask) return undefined
    const task = buffers.tryTake(pusher.bufferBytes)
    if (task === undefined) return undefined
    handOver(partitionId, buffer, size, task, pieces)
    return buffer
  }
  pusher.swapLater = async (partitionId, buffer, size, pieces) => {
    if (!pusher.hasIdleTask) await pusher.waitForTask()
    handOver(partitionId, buffer, size, await pusher.waitForBuffer(pusher.bufferBytes), pieces)
    return buffer
  }
}

type Pieces = Parameters<DataPusher['handOver']>[4]

async function sample(request: WritersRequest): Promise<IterationResult[]> {
  const { limits } = request
  const conf = new CelebornConf({
    'celeborn.client.shuffle.compression.codec': request.codec,
    'celeborn.client.spark.shuffle.writer': request.kind,
    'celeborn.client.push.maxReqsInFlight.perWorker': limits.maxRequests,
    'celeborn.node.maxInFlightBytes': 2 * limits.maxBytes,
    'celeborn.node.maxInFlightBytesPerWorker': limits.maxBytes,
    // So that the hash writer shows what it takes.
    'celeborn.node.writer.maxBytes': '8g',
  })
  const { appId, lifecycleManager } = request
  const client = new ShuffleClient({ appId, conf, lifecycleManager })
  try {
    const rows = makeRows()
    const results: IterationResult[] = []
    for (let i = 0; i < request.warmIterations + request.iterations; i++) {
      const result = await iterate(request, client, rows, request.firstShuffleId + i)
      if (i >= request.warmIterations) results.push(result)
    }
    return results
  } finally {
    await client.close()
  }
}

async function iterate(
  request: WritersRequest,
  client: ShuffleClient,
  rows: readonly Buffer[],
  shuffleId: number,
): Promise<IterationResult> {
  const { partitions } = request
  const attempt = { shuffleId, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: partitions }
  const writer = createWriter<Buffer, number>(client, {
    attempt,
    serializer: new RawBytesSerializer(),
    partitioner: new HashPartitioner(partitions),
  })
  if (request.handOver === 'copy') {
    copyInsteadOfSwap((writer as unknown as { readonly pusher: DataPusher }).pusher, client)
  }
  const before = client.stats()
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  for (let i = 0; i < request.rows; i++) {
    const waiting = writer.write(rows[i & (DIFFERENT_ROWS - 1)] as Buffer, i)
    if (waiting !== undefined) await waiting
  }
  const { encodedBytes, rawBytes, spills, taskWaitMs, admissionWaitMs, peakBytes } = await writer.close()
  const wallMs = performance.now() - start
  const cpu = process.cpuUsage(cpuBefore)
  const { acked, batches, failed, dropped, retries, writerBuffers } = client.stats()
  if (
    acked - before.acked !== batches - before.batches ||
    failed + dropped + retries > 0 ||
    writerBuffers.buffersAlive > 0
  ) {
    throw new CelebornError(
      'CELEBORN_INTERNAL',
      `a sample is void: of ${batches - before.batches} batches ${acked - before.acked} were acknowledged, ${failed} ` +
        `failed, ${dropped} were dropped, ${retries} were sent again; ${writerBuffers.buffersAlive} buffers are alive`,
    )
  }
  await client.forgetShuffle(shuffleId)
  const cpuMs = (cpu.user + cpu.system) / 1000
  return {
    wallMs,
    cpuMs,
    shuffleBytes: encodedBytes,
    rawBytes,
    spills,
    taskWaitMs,
    admissionWaitMs,
    peakBytes,
  }
}

serve((question) => sample(question as WritersRequest))
