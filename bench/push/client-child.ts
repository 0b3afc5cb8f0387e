// The measured process: a ShuffleClient, the variant's producer, and nothing else.
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { FramePool, nativeStats } from '../../src/memory'
import { type PushReceipt } from '../../src/push/types'
import { AllocationMeter } from '../lib/allocations'
import { serve } from '../lib/child'
import { type ClientRequest, SHUFFLE_SHAPE, type SampleResult, WARM_RUNS } from './messages'
import { createProducer, type Producer } from './producers'

/**
 * Small pushes before everything else: a few hundred large ones do not get the code compiled, and what is measured
 * would be the compiler.
 */
const WARM_PUSHES = 40_000
const WARM_BATCH_BYTES = 4096

/** Turns of the event loop that the last write's end may take after the last acknowledgement. */
const RELEASE_TURNS = 1000

/** Pushes all batches and waits until each is acknowledged. */
async function run(producer: Producer, batches: number, window: number): Promise<void> {
  // No more than a window of them are unsettled at once.
  const latest = new Array<PushReceipt | null>(window).fill(null)
  for (let i = 0; i < batches; i++) {
    const pushed = producer.push(i)
    if (pushed !== null) latest[i % window] = await pushed
  }
  for (const receipt of latest) {
    const settlement = await receipt?.settled
    if (settlement?.outcome === 'failed') throw settlement.error
  }
}

/** A sample that was not what it was meant to be counts for nothing. */
function verify(client: ShuffleClient, expected: number): void {
  const { acked, failed, dropped, retries, bytesInFlight } = client.stats()
  if (acked === expected && failed === 0 && dropped === 0 && retries === 0 && bytesInFlight === 0) return
  throw new CelebornError(
    'CELEBORN_INTERNAL',
    `a sample is void: of ${expected} pushes ${acked} were acknowledged, ${failed} failed, ${dropped} were dropped, ` +
      `${retries} were sent again; ${bytesInFlight} bytes are still in flight`,
  )
}

/** Small pushes by a client of their own, so that its frames are not among those that are counted. */
async function warmUp(client: ShuffleClient, work: (client: ShuffleClient) => Promise<void>): Promise<void> {
  try {
    await work(client)
  } finally {
    await client.close()
  }
}

/** The acknowledgement of a push can come before its write has ended; only then is its memory free. */
async function released(client: ShuffleClient): Promise<void> {
  for (let i = 0; i < RELEASE_TURNS && client.stats().bytesInFlight > 0; i++) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** What the pool's block of a batch really takes. */
function blockBytes(batchBytes: number): number {
  const pool = new FramePool({ name: 'probe' })
  const frame = pool.acquire(batchBytes)
  const { bytesAlive } = pool.stats()
  frame.release()
  pool.close()
  return bytesAlive
}

async function sample(request: ClientRequest): Promise<SampleResult> {
  const result = await measure(request)
  return { ...result, framesAliveEnd: nativeStats().framesAlive }
}

async function measure(request: ClientRequest): Promise<Omit<SampleResult, 'framesAliveEnd'>> {
  const { appId, lifecycleManager, limits, batches, batchBytes, variant } = request
  const conf = new CelebornConf({
    'celeborn.client.shuffle.compression.codec': 'NONE',
    'celeborn.client.push.maxReqsInFlight.perWorker': limits.maxRequests,
    'celeborn.client.push.maxReqsInFlight.total': limits.maxRequests,
    'celeborn.node.maxInFlightBytes': 2 * limits.maxBytes,
    'celeborn.node.maxInFlightBytesPerWorker': limits.maxBytes,
  })
  const target = { ...SHUFFLE_SHAPE, shuffleId: request.shuffleId, mapId: 0, attemptId: 0, partitionId: 0 }
  const window = Math.max(1, Math.min(limits.maxRequests, Math.floor(limits.maxBytes / batchBytes)))
  const warmBytes = Math.min(WARM_BATCH_BYTES, batchBytes)
  const warmPushes = Math.min(WARM_PUSHES, Math.ceil((batches * batchBytes) / warmBytes))
  await warmUp(new ShuffleClient({ appId, conf, lifecycleManager }), async (client) => {
    // Into a partition of their own, so that the measured one stays below the size at which workers split it.
    const producer = createProducer(variant, client, { ...target, partitionId: 1 }, warmBytes, window)
    await run(producer, warmPushes, limits.maxRequests)
    producer.end()
    await released(client)
    verify(client, variant === 'producer' ? 0 : warmPushes)
  })
  const client = new ShuffleClient({ appId, conf, lifecycleManager })
  try {
    const producer = createProducer(variant, client, target, batchBytes, window)
    // As the measured run: the connection is up to speed and the pools are filled.
    for (let i = 0; i < WARM_RUNS; i++) await run(producer, batches, limits.maxRequests)
    await released(client)
    const copiesBefore = producer.copies + client.stats().payloadCopies
    const meter = request.measureAllocations ? new AllocationMeter(blockBytes(batchBytes)) : undefined
    meter?.start()
    const cpuBefore = process.cpuUsage()
    const start = performance.now()
    await run(producer, batches, limits.maxRequests)
    const wallMs = performance.now() - start
    const cpu = process.cpuUsage(cpuBefore)
    await released(client)
    const allocations = meter?.stop()
    producer.end()
    const stats = client.stats()
    verify(client, variant === 'producer' ? 0 : (WARM_RUNS + 1) * batches)
    return {
      pushedBytes:
        variant === 'producer' ? 0 : warmPushes * warmBytes + (WARM_RUNS + 1) * batches * batchBytes,
      wallMs,
      cpuMs: (cpu.user + cpu.system) / 1000,
      ...(allocations === undefined ? {} : { allocations }),
      payloadCopies: producer.copies + stats.payloadCopies - copiesBefore,
      framesAlivePeak: stats.peakFramesAlive + stats.leases.peakLeasesAlive + producer.peakBuffers,
      inFlightPeakBytes: stats.peakBytesInFlight,
    }
  } finally {
    await client.close()
  }
}

serve((question) => sample(question as ClientRequest))
