/**
 * By hand, after `npm run build`: streams data through an embedded cluster in a process of its own and samples that
 * process's resident memory from outside.
 *
 *   node test/embedded/streaming-rss.mjs [mebibytes=2048] [batch bytes=65536] [partitions=16] [in flight=128]
 */
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const dist = process.env.DIST ?? '../../dist'
const load = (path) => require(`${dist}/${path}`)

if (process.argv[2] === '--cluster') {
  const { EmbeddedCluster } = load('embedded')
  const cluster = await EmbeddedCluster.start({ workers: 2 })
  process.send(cluster.masterEndpoint)
  process.on('message', async () => {
    process.send(cluster.stats())
    await cluster.stop()
    process.disconnect()
  })
} else {
  const [mebibytes = 2048, batchBytes = 65536, partitions = 16, inFlight = 128] = process.argv
    .slice(2)
    .map(Number)
  await main(mebibytes, batchBytes, partitions, inFlight)
}

async function main(mebibytes, batchBytes, partitions, inFlight) {
  const child = fork(fileURLToPath(import.meta.url), ['--cluster'])
  const next = () => new Promise((resolve) => child.once('message', resolve))
  const endpoint = await next()
  const memory = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024
  }
  const cpu = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  const before = memory()
  let peak = before
  const sampler = setInterval(() => (peak = Math.max(peak, memory())), 20)

  const { CelebornConf, parseHostPort } = load('conf')
  const { ConnectionPool, RpcClient, nextRequestId } = load('network')
  const messages = load('protocol/messages')
  const { writeBatchHeader } = load('protocol/batch')
  const { pushDataHeaderLength, writePushDataHeader } = load('protocol/framing')
  const { parseWorkerUniqueId } = load('protocol/ids')
  const type = messages.ControlMessageType
  const pool = new ConnectionPool(new CelebornConf(), { module: 'data' })
  const rpc = new RpcClient(pool)
  const master = parseHostPort(endpoint)
  const common = {
    applicationId: 'rss',
    shuffleId: 0,
    userIdentifier: messages.DEFAULT_USER,
    availableStorageTypes: 2,
  }
  const ask = async (host, port, name, kind, payload) =>
    (await rpc.ask(host, port, name, kind, payload)).payload

  const slots = messages.decodeRequestSlotsResponse(
    await ask(
      master.host,
      master.port,
      'MasterEndpoint',
      type.REQUEST_SLOTS,
      messages.encodeRequestSlots({
        ...common,
        partitionIds: Array.from({ length: partitions }, (_, i) => i),
        hostname: 'here',
        shouldReplicate: false,
        requestId: 'r#1',
        shouldRackAware: false,
        maxWorkers: 10,
        excludedWorkers: [],
        packed: true,
        tagsExpr: '',
      }),
    ),
  )
  const locations = []
  for (const [id, { primaries, replicas }] of slots.workerResource) {
    const worker = parseWorkerUniqueId(id)
    locations.push(...primaries)
    await ask(
      worker.host,
      worker.rpcPort,
      'WorkerEndpoint',
      type.RESERVE_SLOTS,
      messages.encodeReserveSlots({
        ...common,
        primaryLocations: primaries,
        replicaLocations: replicas,
        splitThreshold: 2 ** 40,
        splitMode: 0,
        partitionType: 0,
        rangeReadFilter: false,
        pushDataTimeout: 0,
        partitionSplitEnabled: true,
        isSegmentGranularityVisible: false,
      }),
    )
  }

  const key = Buffer.from('rss-0')
  const body = Buffer.alloc(16 + batchBytes, 7)
  const total = Math.ceil((mebibytes * 1024 * 1024) / body.length)
  let sent = 0
  const startMs = performance.now()
  const cpuBefore = cpu()
  await new Promise((resolve, reject) => {
    let done = 0
    const push = () => {
      if (sent === total) return
      const location = locations[sent % locations.length]
      writeBatchHeader(body, 0, 0, 0, ++sent, batchBytes)
      const uniqueId = Buffer.from(`${location.id}-0`)
      const head = pushDataHeaderLength(key.length, uniqueId.length)
      const requestId = nextRequestId()
      pool.connection(location.host, location.pushPort).send({
        requestId,
        timeoutMs: 120_000,
        byteLength: head + body.length,
        encode(w) {
          writePushDataHeader(w.buffer, w.reserve(head), requestId, 0, key, uniqueId, body.length)
          w.append(body)
        },
        writeStarted() {},
        writeEnded() {},
        onResponse: () => (++done === total ? resolve() : push()),
        onRpcFailure: (text) => reject(new Error(text)),
        onError: reject,
      })
    }
    for (let i = 0; i < inFlight; i++) push()
  })
  const pushMs = performance.now() - startMs
  for (const id of slots.workerResource.keys()) {
    const worker = parseWorkerUniqueId(id)
    const primaryIds = locations.filter((l) => l.rpcPort === worker.rpcPort).map((l) => `${l.id}-0`)
    const answer = messages.decodeCommitFilesResponse(
      await ask(
        worker.host,
        worker.rpcPort,
        'WorkerEndpoint',
        type.COMMIT_FILES,
        messages.encodeCommitFiles({
          ...common,
          primaryIds,
          replicaIds: [],
          mapAttempts: [0],
          epoch: 1,
          mockFailure: false,
        }),
      ),
    )
    if (answer.status !== 0) throw new Error(`commit: ${answer.status}`)
  }
  const commitMs = performance.now() - startMs
  const pushPeak = peak
  const pushCpu = cpu() - cpuBefore

  let read = 0
  const target = Buffer.alloc(64 * 1024 * 1024)
  for (const location of locations) {
    const { payload } = await rpc.askBare(
      location.host,
      location.fetchPort,
      type.OPEN_STREAM,
      messages.encodeOpenStream({
        shuffleKey: 'rss-0',
        fileName: `${location.id}-0-0`,
        startIndex: 0,
        endIndex: 0x7fffffff,
        initialCredit: 0,
        readLocalShuffle: false,
      }),
    )
    const { streamId, numChunks } = messages.decodeStreamHandler(payload)
    for (let chunkIndex = 0; chunkIndex < numChunks; chunkIndex++) {
      read += await new Promise((resolve, reject) =>
        pool.connection(location.host, location.fetchPort).fetchChunk({
          streamId,
          chunkIndex,
          timeoutMs: 60_000,
          allocate: () => target,
          onChunk: resolve,
          onFailure: (text) => reject(new Error(text)),
          onError: reject,
          targetReleased() {},
        }),
      )
    }
  }
  const readMs = performance.now() - startMs - commitMs
  if (read !== total * body.length) throw new Error(`${read} bytes came back of ${total * body.length}`)
  clearInterval(sampler)
  await pool.close()
  child.send('stop')
  const stats = await next()
  console.log({
    mebibytes: (total * body.length) / 1024 / 1024,
    rssBeforeMiB: before,
    rssPeakPushMiB: pushPeak,
    rssPeakMiB: peak,
    pushMs,
    commitMs,
    readMs,
    clusterCpuMsPush: pushCpu,
    clusterCpuMs: cpu() - cpuBefore,
    workers: stats.workers.map(({ peakUnwrittenBytes, peakChunkBytes }) => ({
      peakUnwrittenBytes,
      peakChunkBytes,
    })),
  })
}
