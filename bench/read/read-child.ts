// The measured process: a client that reads one partition after the other, and nothing else.
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { nativeStats } from '../../src/memory'
import { serve } from '../lib/child'
import { peakRssBytes } from '../lib/peak-rss'
import { ClientSource } from './client-source'
import { ChunkFloor } from './floor'
import { clientConf, type ReadRequest, type SampleResult } from './messages'
import { type Source } from './source'
import { Checksum, Tally } from './tally'

function createSource(request: ReadRequest): Source {
  const local = request.variant === 'ours-local'
  const conf = new CelebornConf(clientConf(request.codec, local))
  return request.variant === 'floor' ? new ChunkFloor(request, conf) : new ClientSource(request, conf, local)
}

/** Everything once. */
async function run(source: Source, partitions: number, use: (piece: Uint8Array) => void): Promise<void> {
  for (let partitionId = 0; partitionId < partitions; partitionId++) await source.read(partitionId, use)
}

async function measure(request: ReadRequest): Promise<SampleResult> {
  const { partitions, warmRuns } = request
  const source = createSource(request)
  try {
    const checksum = new Checksum()
    for (let i = 0; i < warmRuns; i++) {
      const tally = new Tally()
      await run(source, partitions, (piece) => {
        tally.add(piece)
        if (i === 0) checksum.add(piece)
      })
    }
    const fetchedBefore = source.fetchedBytes
    const tally = new Tally()
    const cpuBefore = process.cpuUsage()
    const start = performance.now()
    await run(source, partitions, (piece) => tally.add(piece))
    const wallMs = performance.now() - start
    const cpu = process.cpuUsage(cpuBefore)
    return {
      bytes: tally.bytes,
      sum: tally.sum,
      wallMs,
      cpuMs: (cpu.user + cpu.system) / 1000,
      checksum: checksum.value,
      fetchedBytes: source.fetchedBytes - fetchedBefore,
      peakRssBytes: peakRssBytes() ?? 0,
    }
  } finally {
    await source.close()
  }
}

async function sample(request: ReadRequest): Promise<SampleResult> {
  const result = await measure(request)
  const { framesAlive } = nativeStats()
  if (framesAlive === 0) return result
  throw new CelebornError('CELEBORN_INTERNAL', `${request.variant} left ${framesAlive} frames unreleased`)
}

serve((question) => sample(question as ReadRequest))
