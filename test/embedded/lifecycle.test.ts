import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { workerUniqueId } from '../../src/protocol/ids'
import {
  ControlMessageType,
  decodeApplicationLostResponse,
  decodeBatchUnregisterShufflesResponse,
  decodeCheckQuotaResponse,
  decodeCheckWorkersAvailableResponse,
  decodeHeartbeatFromApplicationResponse,
  decodeUnregisterShuffleResponse,
  DEFAULT_USER,
  encodeApplicationLost,
  encodeBatchUnregisterShuffles,
  encodeCheckQuota,
  encodeCheckWorkersAvailable,
  encodeHeartbeatFromApplication,
  encodeRegisterApplicationInfo,
  encodeReportWorkerUnavailable,
  encodeUnregisterShuffle,
  encodeWorkerLost,
  type HeartbeatFromApplicationResponse,
} from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { APP, batch, TestClient, TestCluster, until } from './support'

let t: TestCluster

beforeEach(async () => {
  t = await TestCluster.start()
})
afterEach(() => t.stop())

/** A directory that a worker removes while it is being read is read again. */
function entriesBelow(dir: string): string[] {
  while (existsSync(dir)) {
    try {
      return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return []
}

/** Partition files of the test application, over all workers. */
function files(app = APP): string[] {
  return [0, 1].flatMap((i) => {
    const dir = join(t.cluster.dir, `worker-${i}/celeborn-worker/shuffle_data`, app)
    return entriesBelow(dir).filter((f) => /-/.test(f))
  })
}

async function writeShuffle(shuffleId: number): Promise<void> {
  const locations = await t.client.register(4, { shuffleId })
  for (const location of locations) {
    await t.client.push(location, batch(0, 1, 'data'), { key: `${APP}-${shuffleId}` })
  }
  for (const worker of t.workers) {
    const primaryIds = locations.filter((l) => l.rpcPort === worker.rpcPort).map((l) => `${l.id}-0`)
    await t.client.commit(worker, { shuffleId, primaryIds })
  }
}

async function heartbeat(
  needCheckedWorkerList: typeof t.workers = [],
): Promise<HeartbeatFromApplicationResponse> {
  const details = {
    disks: [],
    userResourceConsumption: new Map(),
    internalPort: 0,
    networkLocation: '',
    nextInterruptionNotice: 0,
  }
  const payload = encodeHeartbeatFromApplication({
    appId: APP,
    totalWritten: 0,
    fileCount: 0,
    requestId: 'r#2',
    needCheckedWorkerList: needCheckedWorkerList.map((worker) => ({ ...worker, ...details })),
    shouldResponse: true,
    shuffleCount: 0,
    shuffleFallbackCounts: new Map(),
    applicationCount: 0,
    applicationFallbackCounts: new Map(),
  })
  return decodeHeartbeatFromApplicationResponse(
    await t.client.askMaster(ControlMessageType.HEARTBEAT_FROM_APPLICATION, payload),
  )
}

test('unregistering a shuffle deletes its files and leaves the others', async () => {
  await writeShuffle(0)
  await writeShuffle(1)
  await writeShuffle(2)
  expect(files().length).toBe(12)
  expect((await heartbeat()).registeredShuffles).toEqual([0, 1, 2])
  const one = await t.client.askMaster(
    ControlMessageType.UNREGISTER_SHUFFLE,
    encodeUnregisterShuffle({ appId: APP, shuffleId: 0, requestId: 'r#1' }),
  )
  expect(decodeUnregisterShuffleResponse(one).status).toBe(StatusCode.SUCCESS)
  await until(() => files().length === 8)
  const many = await t.client.askMaster(
    ControlMessageType.BATCH_UNREGISTER_SHUFFLES,
    encodeBatchUnregisterShuffles({ appId: APP, requestId: 'r#2', shuffleIds: [1, 2] }),
  )
  expect(decodeBatchUnregisterShufflesResponse(many)).toEqual({
    status: StatusCode.SUCCESS,
    shuffleIds: [1, 2],
  })
  await until(() => files().length === 0)
  // The application's directory goes with its last shuffle.
  await until(() => !existsSync(join(t.cluster.dir, 'worker-0/celeborn-worker/shuffle_data', APP)))
  expect(t.cluster.stats().workers.map((worker) => worker?.shuffles)).toEqual([0, 0])
})

test('a shuffle that is registered again after its deletion starts empty', async () => {
  await writeShuffle(0)
  const payload = encodeUnregisterShuffle({ appId: APP, shuffleId: 0, requestId: 'r#1' })
  await t.client.askMaster(ControlMessageType.UNREGISTER_SHUFFLE, payload)
  await until(() => files().length === 0)
  await writeShuffle(0)
  expect(files().length).toBe(4)
})

test('the end of an application deletes what it had', async () => {
  await writeShuffle(0)
  await writeShuffle(1)
  const answer = await t.client.askMaster(
    ControlMessageType.APPLICATION_LOST,
    encodeApplicationLost({ appId: APP, requestId: 'r#1' }),
  )
  expect(decodeApplicationLostResponse(answer).status).toBe(StatusCode.SUCCESS)
  await until(() => files().length === 0)
  expect(t.cluster.stats().master).toMatchObject({ applications: 0, shuffles: 0 })
})

test('an application that falls silent is expired, one with heartbeats is not', async () => {
  await t.stop()
  t = await TestCluster.start({ entries: { 'celeborn.master.heartbeat.application.timeout': '1500ms' } })
  const beating = setInterval(() => void heartbeat(), 20)
  try {
    const [silent] = await t.client.register(1, { applicationId: 'silent' })
    if (silent === undefined) throw new Error('no location')
    await t.client.push(silent, batch(0, 1, 'a'), { key: 'silent-0' })
    await t.client.commit(silent, { applicationId: 'silent', primaryIds: ['0-0'] })
    await writeShuffle(0)
    await until(() => files('silent').length === 0)
    expect(t.cluster.stats().master.applications).toBe(1)
    expect(files().length).toBe(4)
  } finally {
    clearInterval(beating)
  }
  await until(() => files().length === 0)
})

test('what Java clients ask before they use the cluster', async () => {
  expect(await heartbeat()).toMatchObject({
    status: StatusCode.SUCCESS,
    checkQuotaResponse: { available: true },
    unknownWorkers: [],
  })
  const quota = await t.client.askMaster(
    ControlMessageType.CHECK_QUOTA,
    encodeCheckQuota({ userIdentifier: DEFAULT_USER }),
  )
  expect(decodeCheckQuotaResponse(quota).available).toBe(true)
  const available = async () =>
    decodeCheckWorkersAvailableResponse(
      await t.client.askMaster(ControlMessageType.CHECK_WORKERS_AVAILABLE, encodeCheckWorkersAvailable()),
    ).available
  expect(await available()).toBe(true)
  const { host, port } = t.client.master
  const info = encodeRegisterApplicationInfo({
    appId: APP,
    userIdentifier: DEFAULT_USER,
    extraInfo: new Map(),
    requestId: 'r#1',
  })
  const accepted = await t.client.rpc.ask(
    host,
    port,
    'MasterEndpoint',
    ControlMessageType.REGISTER_APPLICATION_INFO,
    info,
  )
  expect(accepted).toMatchObject({ type: ControlMessageType.ONE_WAY_MESSAGE_RESPONSE })
})

test('a worker that is shutting down gets no slots and is named to applications', async () => {
  const [first, second] = t.workers
  if (first === undefined || second === undefined) throw new Error('no workers')
  await t.client.askMaster(
    ControlMessageType.REPORT_WORKER_FAILURE,
    encodeReportWorkerUnavailable({ workers: [first], requestId: 'r#1' }),
  )
  expect((await heartbeat()).shuttingWorkers).toMatchObject([first])
  const { workerResource } = await t.client.requestSlots(4)
  expect([...workerResource.keys()]).toEqual([workerUniqueId(second)])
})

test('a worker that the master has forgotten registers again', async () => {
  const [first] = t.workers
  if (first === undefined) throw new Error('no worker')
  await t.client.askMaster(ControlMessageType.WORKER_LOST, encodeWorkerLost({ ...first, requestId: 'r#1' }))
  await until(() => t.cluster.stats().master.workers === 2)
  expect((await heartbeat([first])).unknownWorkers).toEqual([])
})

test('a killed worker is gone at once, found out by its silence, and a new one takes its place', async () => {
  await t.stop()
  t = await TestCluster.start({ entries: { 'celeborn.master.heartbeat.worker.timeout': '1500ms' } })
  const locations = await t.client.register(4)
  const victim = t.workers[0]
  if (victim === undefined) throw new Error('no worker')
  const gone = locations.filter((location) => location.rpcPort === victim.rpcPort)
  const left = locations.filter((location) => location.rpcPort !== victim.rpcPort)
  for (const location of locations) await t.client.push(location, batch(0, 1, 'before'))
  await t.cluster.killWorker(0)
  for (const location of gone) {
    await expect(t.client.push(location, batch(0, 2, 'x'))).rejects.toMatchObject({
      code: expect.stringMatching(/^CELEBORN_CONNECT/),
    })
  }
  for (const location of left) expect(await t.client.push(location, batch(0, 2, 'y'))).toEqual({ body: [] })
  await until(() => t.cluster.stats().master.workers === 1)
  expect((await heartbeat([victim])).unknownWorkers).toMatchObject([victim])
  expect(await t.cluster.startWorker()).toBe(2)
  expect(t.cluster.stats().master.workers).toBe(2)
  const { workerResource } = await t.client.requestSlots(2, { shuffleId: 5 })
  expect([...workerResource.keys()]).not.toContain(workerUniqueId(victim))
  expect(workerResource.size).toBe(2)
  await expect(t.cluster.killWorker(0)).rejects.toThrow('there is no worker 0')
})

test('stop() in the middle of everything leaves no file and no handle', async () => {
  const { dir } = t.cluster
  const locations = await t.client.register(8)
  const pushes = locations.map((location) => t.client.push(location, batch(0, 1, Buffer.alloc(1_000_000))))
  const outcomes = Promise.allSettled(pushes)
  const starting = t.cluster.startWorker()
  await Promise.all([
    t.cluster.stop(),
    t.cluster.stop(),
    expect(starting).rejects.toMatchObject({ code: 'CELEBORN_CLOSED' }),
  ])
  await outcomes
  expect(existsSync(dir)).toBe(false)
  await expect(t.cluster.startWorker()).rejects.toThrow('stopped')
})

test('a directory of the user: only what was made in it is removed', async () => {
  const base = mkdtempSync(join(tmpdir(), 'celeborn-node-test-'))
  try {
    writeFileSync(join(base, 'theirs'), 'x')
    const kept = await EmbeddedCluster.start({ workers: 1, dir: base })
    expect(kept.dir).toBe(base)
    expect(readdirSync(base).sort()).toEqual(['theirs', 'worker-0'])
    // Another cluster cannot share the directory, and leaves it as it was.
    await expect(EmbeddedCluster.start({ workers: 1, dir: base })).rejects.toThrow(
      /cannot use .*worker-0.*another embedded cluster/,
    )
    expect(readdirSync(base).sort()).toEqual(['theirs', 'worker-0'])
    await kept.stop()
    expect(readdirSync(base)).toEqual(['theirs'])
    const made = await EmbeddedCluster.start({ workers: 1, dir: join(base, 'a', 'b') })
    mkdirSync(join(base, 'a', 'other'))
    await made.stop()
    expect(readdirSync(join(base, 'a'))).toEqual(['other'])
    const inFile = EmbeddedCluster.start({ workers: 1, dir: join(base, 'theirs', 'x') })
    await expect(inFile).rejects.toMatchObject({ code: 'CELEBORN_IO' })
  } finally {
    rmSync(base, { recursive: true })
  }
})

test('options that cannot work are refused, a port in use too, with nothing left behind', async () => {
  await expect(EmbeddedCluster.start({ workers: -1 })).rejects.toThrow('workers = -1')
  await expect(EmbeddedCluster.start({ host: '0.0.0.0' })).rejects.toThrow('host = 0.0.0.0')
  for (const key of ['celeborn.auth.enabled', 'celeborn.ssl.enabled', 'celeborn.ssl.fetch.enabled']) {
    const refused = EmbeddedCluster.start({ conf: new CelebornConf({ [key]: true }) })
    await expect(refused).rejects.toThrow(/neither authentication nor TLS; set it to false/)
  }
  const base = mkdtempSync(join(tmpdir(), 'celeborn-node-test-'))
  const dir = join(base, 'new')
  await expect(EmbeddedCluster.start({ dir, port: t.client.master.port })).rejects.toThrow('cannot listen')
  expect(readdirSync(base)).toEqual([])
  rmSync(base, { recursive: true })
})

test('a stopped cluster leaves no socket, file or timer open', async () => {
  const handles = () =>
    process.getActiveResourcesInfo().filter((kind) => /TCP|FSReq|Timeout/.test(kind)).length
  const descriptors = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)
  const before = [handles(), descriptors()]
  const other = await TestCluster.start()
  const [location] = await other.client.register(1)
  if (location === undefined) throw new Error('no location')
  await other.client.push(location, batch(0, 1, 'data'))
  await other.client.commit(location, { primaryIds: ['0-0'] })
  await other.client.read(location)
  expect(handles()).toBeGreaterThan(before[0] ?? 0)
  await other.stop()
  await until(() => handles() === before[0] && descriptors() === before[1])
})

test('clients of IPv6 loopback', async () => {
  const cluster = await EmbeddedCluster.start({ workers: 1, host: '::1' })
  const client = new TestClient(cluster.masterEndpoint)
  try {
    expect(cluster.masterEndpoint).toMatch(/^\[::1\]:\d+$/)
    const [location] = await client.register(1)
    if (location === undefined) throw new Error('no location')
    expect(location.host).toBe('::1')
    expect(await client.push(location, batch(0, 1, 'six'))).toEqual({ body: [] })
    await client.commit(location, { primaryIds: ['0-0'] })
    expect(Buffer.concat(await client.read(location))).toEqual(batch(0, 1, 'six'))
  } finally {
    await client.close()
    await cluster.stop()
  }
})
