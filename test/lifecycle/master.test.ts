import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { LifecycleManager } from '../../src/lifecycle'
import { RpcFailureText, RpcServer } from '../../src/network'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture, eventually } from './driver'
import { FakeMaster } from './fake-cluster'
import { fakeWorker } from './fixtures'
import { freePort, startStandby, startStranger } from './standby-master'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

function managerFor(endpoints: string, more: Record<string, string | number> = {}): LifecycleManager {
  const conf = new CelebornConf({ 'celeborn.master.endpoints': endpoints, ...more })
  return new LifecycleManager({ appId: 'app-1', conf })
}

async function startError(manager: LifecycleManager): Promise<CelebornError> {
  const error: unknown = await manager.start().then(
    () => new Error('started'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CelebornError)) throw new Error('no CelebornError', { cause: error })
  return error
}

describe('a master that is none', () => {
  it('that is not there: names the endpoint and what to check', async () => {
    const port = await freePort()
    const error = await startError(managerFor(`127.0.0.1:${port}`))
    expect(error.code).toBe('CELEBORN_CONNECT')
    expect(error.message).toContain(`127.0.0.1:${port}`)
    expect(error.message).toContain('celeborn.master.endpoints')
    expect(error.message).not.toContain('\n')
    expect(error.context.attempts?.length).toBeGreaterThan(1)
  })

  it('that speaks HTTP: is told from a Celeborn master, without retries', async () => {
    const stranger = await startStranger('HTTP/1.1 400 Bad Request\r\n\r\n')
    fixture.onCleanup(() => stranger.close())
    const error = await startError(managerFor(stranger.endpoint))
    expect(error.code).toBe('CELEBORN_PROTOCOL')
    expect(error.message).toContain(stranger.endpoint)
    expect(error.message).toContain('RPC port of a Celeborn master')
    expect(stranger.count()).toBe(1)
  })

  it('that says random bytes: is told from a Celeborn master too', async () => {
    const noise = randomBytes(200)
    noise.writeUInt32BE(0x7fffffff, 0)
    const stranger = await startStranger(noise.toString('latin1'))
    fixture.onCleanup(() => stranger.close())
    const error = await startError(managerFor(stranger.endpoint))
    expect(error.code).toBe('CELEBORN_PROTOCOL')
    expect(error.message).toContain(`${stranger.endpoint} sent bytes that are no valid message`)
    expect(error.message).toContain('RPC port of a Celeborn master')
  })

  it('that says nothing: times out', async () => {
    const stranger = await startStranger(undefined)
    fixture.onCleanup(() => stranger.close())
    const error = await startError(
      managerFor(stranger.endpoint, {
        'celeborn.masterClient.rpc.askTimeout': '50ms',
        'celeborn.masterClient.maxRetries': 1,
      }),
    )
    expect(error.code).toBe('CELEBORN_TIMEOUT')
    expect(error.message).toContain(stranger.endpoint)
  })

  it('that is another process of Celeborn: says so', async () => {
    const server = new RpcServer({ name: 'Worker' })
    server.endpoint(Endpoint.WORKER, () => new RpcFailureText('no'))
    const { host, port } = await server.listen()
    fixture.onCleanup(() => server.close())
    const error = await startError(managerFor(`${host}:${port}`))
    expect(error.code).toBe('CELEBORN_RPC')
    expect(error.message).toContain('RPC port of a Celeborn master')
    expect(error.context.attempts).toHaveLength(1)
  })

  it('that takes only the other form: says which key to set', async () => {
    const server = new RpcServer({ name: 'Master' })
    const words = 'java.io.StreamCorruptedException: invalid stream header: FF000000\n\tat java.base'
    server.endpoint(Endpoint.MASTER, () => new RpcFailureText(words))
    const { host, port } = await server.listen()
    fixture.onCleanup(() => server.close())
    const error = await startError(managerFor(`${host}:${port}`, { 'celeborn.node.rpc.form': 'V2' }))
    expect(error.message).toContain('celeborn.node.rpc.form')
    expect(error.context.peerMessage).toBe(words)
    expect(error.context.attempts).toHaveLength(1)
  })

  it('leaves nothing behind: the same manager is stopped, its port is free', async () => {
    const port = await freePort()
    const manager = managerFor(`127.0.0.1:${port}`)
    await startError(manager)
    await expect(manager.start()).rejects.toThrow(/cannot be started/)
    await manager.stop()
    const again = new RpcServer({ name: 'again', host: manager.host, port: manager.port })
    await again.listen()
    await again.close()
  })
})

describe('several masters', () => {
  async function realMaster(): Promise<FakeMaster> {
    const master = new FakeMaster([])
    await master.listen()
    fixture.onCleanup(() => master.close())
    return master
  }

  it('goes to the leader that a standby names, and stays there', async () => {
    const master = await realMaster()
    const standby = await startStandby(() => master.endpoint)
    fixture.onCleanup(() => standby.close())
    const manager = managerFor(standby.endpoint, { 'celeborn.client.application.heartbeatInterval': '10ms' })
    fixture.onCleanup(() => manager.stop())
    await manager.start()
    await master.heartbeat(3)
    expect(standby.count()).toBe(1)
    expect(manager.stats().masterEndpoint).toBe(master.endpoint)
  })

  it('asks the next one while there is no leader', async () => {
    const master = await realMaster()
    const standby = await startStandby(() => 'leader is not present')
    fixture.onCleanup(() => standby.close())
    const manager = managerFor(`${standby.endpoint},${master.endpoint}`)
    fixture.onCleanup(() => manager.stop())
    await manager.start()
    expect(manager.stats().masterEndpoint).toBe(master.endpoint)
  })

  it('says that nobody leads when that stays so', async () => {
    const standby = await startStandby(() => 'leader is not present')
    fixture.onCleanup(() => standby.close())
    const error = await startError(managerFor(standby.endpoint, { 'celeborn.masterClient.maxRetries': 4 }))
    expect(error.message).toContain('no master leads')
    expect(standby.count()).toBe(5)
  })

  it('waits at start for an election that takes its time, though it would not wait for a master that is not there', async () => {
    const master = await realMaster()
    let asked = 0
    const standby = await startStandby(() => (++asked > 5 ? master.endpoint : 'leader is not present'))
    fixture.onCleanup(() => standby.close())
    const manager = managerFor(standby.endpoint)
    fixture.onCleanup(() => manager.stop())
    await manager.start()
    expect(asked).toBe(6)
    expect(manager.stats().masterEndpoint).toBe(master.endpoint)
  })

  it('passes over what is no master, and over a leader that is named but gone', async () => {
    const master = await realMaster()
    const web = await startStranger('HTTP/1.1 400 Bad Request\r\n\r\n')
    fixture.onCleanup(() => web.close())
    const gone = `127.0.0.1:${await freePort()}`
    const standby = await startStandby(() => gone)
    fixture.onCleanup(() => standby.close())
    const manager = managerFor([web.endpoint, standby.endpoint, master.endpoint].join(','))
    fixture.onCleanup(() => manager.stop())
    await manager.start()
    expect(manager.stats().masterEndpoint).toBe(master.endpoint)
  })

  it('gives every endpoint a try, however few retries are allowed', async () => {
    const master = await realMaster()
    const dead = [await freePort(), await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`)
    const endpoints = [...dead, master.endpoint].join(',')
    const manager = managerFor(endpoints, { 'celeborn.masterClient.maxRetries': 0 })
    fixture.onCleanup(() => manager.stop())
    await manager.start()
    expect(master.heartbeats).toHaveLength(1)
  })

  it('fails over when its master dies', async () => {
    const [first, second] = [await realMaster(), await realMaster()]
    const manager = managerFor(`${first.endpoint},${second.endpoint}`, {
      'celeborn.client.application.heartbeatInterval': '10ms',
    })
    fixture.onCleanup(() => manager.stop())
    await manager.start()
    await first.heartbeat(2)
    await first.close()
    await second.heartbeat(2)
    expect(manager.stats().masterEndpoint).toBe(second.endpoint)
  })
})

describe('heartbeats', () => {
  it('come at start and every interval, with what was written since', async () => {
    const { client, master, manager } = await fixture.start({
      conf: { 'celeborn.client.application.heartbeatInterval': '20ms' },
    })
    expect(master.heartbeats[0]).toMatchObject({ appId: 'app-1', shouldResponse: true, totalWritten: 0 })
    expect(master.heartbeats[0]?.requestId).toMatch(/^[0-9a-f-]{36}#\d+$/)
    await client.register(1, 1, 4)
    await client.mapperEnd(1, 0, 0, 1)
    await client.fileGroup(1)
    await master.heartbeat(master.heartbeats.length + 2)
    expect(master.heartbeats.reduce((sum, h) => sum + h.totalWritten, 0)).toBe(400)
    expect(master.heartbeats.reduce((sum, h) => sum + h.fileCount, 0)).toBe(4)
    expect(master.heartbeats.reduce((sum, h) => sum + h.shuffleCount, 0)).toBe(1)
    expect(manager.stats()).toMatchObject({ bytesWritten: 400, filesWritten: 4 })
    expect(manager.stats().heartbeats.failed).toBe(0)
  })

  it('bring the workers that get nothing new, and ask about them', async () => {
    const { client, master, manager, worker } = await fixture.start({
      workers: 2,
      conf: { 'celeborn.client.application.heartbeatInterval': '10ms' },
    })
    const stranger = fakeWorker(9)
    await client.register(1, 1, 2)
    master.lists = { excluded: [worker(0).ref], unknown: [stranger], shutting: [] }
    await master.heartbeat(master.heartbeats.length + 2)
    expect(manager.stats().excludedWorkers).toEqual({
      [worker(0).ref.id]: 'WORKER_EXCLUDED',
      [stranger.id]: 'WORKER_UNKNOWN',
    })
    expect(
      master.heartbeats
        .at(-1)
        ?.needCheckedWorkerList.map((w) => w.rpcPort)
        .sort(),
    ).toEqual([worker(0).ref.rpcPort, stranger.rpcPort].sort())
    const changed = await client.revive(1, [{ partitionId: 0, epoch: 0, cause: StatusCode.SOFT_SPLIT }])
    expect(changed.partitions[0]).toMatchObject({ status: StatusCode.SUCCESS, oldAvailable: false })
    expect(changed.partitions[0]?.location?.rpcPort).toBe(worker(1).ref.rpcPort)
    master.lists = { excluded: [], unknown: [], shutting: [] }
    await master.heartbeat(master.heartbeats.length + 2)
    expect(manager.stats().excludedWorkers).toEqual({})
  })

  it('tell a master that lost its state which shuffles it should know, if they shall', async () => {
    const { client, master } = await fixture.start({
      conf: {
        'celeborn.client.application.heartbeatInterval': '10ms',
        'celeborn.client.shuffle.reviseLostShuffles.enabled': true,
      },
    })
    master.registered = [1]
    for (const shuffleId of [1, 2]) await client.register(shuffleId, 1, 1)
    await client.mapperEnd(3, 0, 0, 1)
    await eventually(() => master.revised.length).toBeGreaterThan(0)
    expect(master.revised[0]).toEqual([2])
    master.registered = [1, 2]
    const { length } = master.revised
    await master.heartbeat(master.heartbeats.length + 3)
    expect(master.revised.length).toBeLessThanOrEqual(length + 1)
  })

  it('that fail are counted, and the next one is tried', async () => {
    const { master, manager } = await fixture.start({
      conf: { 'celeborn.client.application.heartbeatInterval': '10ms' },
    })
    await master.close()
    await eventually(() => manager.stats().heartbeats.failed).toBeGreaterThan(1)
    expect(manager.stats().heartbeats.lastError).toContain(master.endpoint)
  })
})

describe('options', () => {
  it.each(['', 'a/b', '.', '..', 'a\0b'])('refuses the application id %j', (appId) => {
    expect(() => new LifecycleManager({ appId, conf: new CelebornConf() })).toThrow(/appId/)
  })

  it.each(['0.0.0.0', '::'])('refuses to be told to clients as %s', (host) => {
    expect(() => new LifecycleManager({ appId: 'a', conf: new CelebornConf(), host })).toThrow(/host/)
  })

  it.each([
    [{ 'celeborn.storage.availableTypes': 'HDD,TAPE' }, /TAPE/],
    [{ 'celeborn.client.shuffle.partition.type': 'MAP' }, /REDUCE/],
    [{ 'celeborn.auth.enabled': 'true' }, /auth/],
  ])('refuses the configuration %j', (entries, message) => {
    expect(() => new LifecycleManager({ appId: 'a', conf: new CelebornConf(entries) })).toThrow(message)
  })

  it('asks for the storage that is configured', async () => {
    const { client, master, worker } = await fixture.start({
      workers: 1,
      conf: { 'celeborn.storage.availableTypes': 'SSD, hdfs' },
    })
    await client.register(1, 1, 1)
    expect(master.slotRequests[0]?.availableStorageTypes).toBe(6)
    expect(worker(0).reserves[0]?.availableStorageTypes).toBe(6)
  })
})
