// The measured process of part 3: an embedded cluster with one worker, which serves the chunks of one committed file.
import { readdirSync, openSync, closeSync, fsyncSync } from 'node:fs'
import { join } from 'node:path'
import { ShuffleClient } from '../../src/client'
import { LifecycleClient } from '../../src/client/lifecycle-client'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { ConnectionPool, RpcClient } from '../../src/network'
import { BATCH_HEADER_BYTES } from '../../src/protocol/batch'
import { shuffleKey } from '../../src/protocol/ids'
import { type PartitionLocation } from '../../src/protocol/locations'
import {
  ALL_MAPS,
  ControlMessageType,
  decodeStreamHandler,
  encodeOpenStream,
} from '../../src/protocol/messages'
import { serve } from '../lib/child'
import { type CpuUs, type Served, type ServerRequest, SHIFT_BYTES } from './messages'

const APP = 'bench-segments'
const TASK = { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 1 }
/** Larger chunks are made of several batches. */
const MAX_BATCH_BYTES = 4 * 1024 ** 2

let cluster: EmbeddedCluster | undefined
let manager: LifecycleManager | undefined

async function start({ variant, chunkBytes, fileBytes }: ServerRequest & { kind: 'start' }): Promise<Served> {
  const conf = new CelebornConf({
    'celeborn.shuffle.chunk.size': chunkBytes,
    'celeborn.fetch.storage.memoryMapThreshold': variant === 'mapped' ? '1' : '1g',
    'celeborn.client.shuffle.compression.codec': 'NONE',
  })
  cluster = await EmbeddedCluster.start({ workers: 1, conf })
  const clientConf = conf.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  manager = new LifecycleManager({ appId: APP, conf: clientConf })
  await manager.start()
  const pool = new ConnectionPool(conf, { module: 'data' })
  try {
    const rpc = new RpcClient(pool, { form: 'V1' })
    const address = { host: manager.host, port: manager.port }
    const location = await write(clientConf, address, rpc, { chunkBytes, fileBytes })
    writtenBack(cluster.dir)
    const request = encodeOpenStream({
      shuffleKey: shuffleKey(APP, TASK.shuffleId),
      fileName: `${location.id}-${location.epoch}-${location.mode}`,
      startIndex: 0,
      endIndex: ALL_MAPS,
      initialCredit: 0,
      readLocalShuffle: false,
    })
    const { host, fetchPort: port } = location
    const answer = await rpc.askBare(host, port, ControlMessageType.OPEN_STREAM, request)
    const { streamId, numChunks: chunks } = decodeStreamHandler(answer.payload)
    return { host, port, streamId, chunks, chunkBytes, extraBytes: SHIFT_BYTES }
  } finally {
    await pool.close()
  }
}

/** Batches that fill the chunks exactly, behind a small one; where they are then. */
async function write(
  conf: CelebornConf,
  lifecycleManager: { readonly host: string; readonly port: number },
  rpc: RpcClient,
  { chunkBytes, fileBytes }: { readonly chunkBytes: number; readonly fileBytes: number },
): Promise<PartitionLocation> {
  const batchBytes = Math.min(chunkBytes, MAX_BATCH_BYTES)
  const payload = Buffer.alloc(batchBytes - BATCH_HEADER_BYTES, 'celeborn')
  const client = new ShuffleClient({ appId: APP, conf, lifecycleManager })
  try {
    // Nothing is pushed after it before the worker has it: it is to be the file's first.
    const shift = Buffer.alloc(SHIFT_BYTES - BATCH_HEADER_BYTES, 'celeborn')
    const first = await client.pushData({ ...TASK, partitionId: 0 }, shift)
    await first.settled
    for (let at = 0; at < fileBytes; at += batchBytes)
      await client.pushData({ ...TASK, partitionId: 0 }, payload)
    await client.mapperEnd(TASK)
  } finally {
    await client.close()
  }
  const { locations } = await new LifecycleClient(APP, rpc, lifecycleManager, conf).reducerFileGroups(
    TASK.shuffleId,
  )
  const [location, ...more] = locations.get(0) ?? []
  if (location !== undefined && more.length === 0) return location
  throw new CelebornError('CELEBORN_INTERNAL', 'a sample is void: the partition is not one file')
}

/** The disk is not to be busy with what was written while it is served. */
function writtenBack(dir: string): void {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const descriptor = openSync(join(entry.parentPath, entry.name), 'r+')
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
}

function cpu(): CpuUs {
  const { user, system } = process.cpuUsage()
  return user + system
}

serve(
  async (question) => {
    const request = question as ServerRequest
    return request.kind === 'cpu' ? cpu() : start(request)
  },
  async () => {
    await manager?.stop()
    await cluster?.stop()
  },
)
