/** Whose LifecycleManager this is: what masters and executors are told. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { type LifecycleEvent } from '../../src/lifecycle'
import { RpcFailureText, RpcServer } from '../../src/network'
import { encodeRegisterShuffleResponse, ControlMessageType as Type } from '../../src/protocol/messages'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture, eventually } from './driver'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

function executor(appId: string, lifecycleManager: { host: string; port: number }): ShuffleClient {
  const conf = new CelebornConf({ 'celeborn.client.registerShuffle.maxRetries': 0 })
  const client = new ShuffleClient({ appId, conf, lifecycleManager })
  fixture.onCleanup(() => client.close())
  return client
}

const TASK = { shuffleId: 3, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 1 }

describe('the master', () => {
  it('is told who the application is, once', async () => {
    const { master, manager } = await fixture.start({
      conf: {
        'celeborn.client.application.heartbeatInterval': '10ms',
        'celeborn.identity.user-specific.userName': 'ann',
      },
      manager: { applicationInfo: { team: 'etl' } },
    })
    await eventually(() => master.applications).toMatchObject([
      { appId: manager.appId, userIdentifier: { name: 'ann' }, extraInfo: new Map([['team', 'etl']]) },
    ])
    await master.heartbeat(master.heartbeats.length + 2)
    expect(master.applications).toHaveLength(1)
  })

  it('of a version that does not know the message is no hindrance', async () => {
    const events: LifecycleEvent[] = []
    const listener = (event: unknown): void => void events.push(event as LifecycleEvent)
    subscribe('celeborn-node:lifecycle', listener)
    fixture.onCleanup(async () => void unsubscribe('celeborn-node:lifecycle', listener))
    const { master, client } = await fixture.start({
      prepare: (fake) => {
        fake.onApplicationInfo = () => new RpcFailureText('scala.MatchError: 96')
      },
    })
    await eventually(() => events.map(({ kind }) => kind)).toContain('application-info-refused')
    expect((await client.register(1, 1, 1)).status).toBe(StatusCode.SUCCESS)
    expect(master.applications).toHaveLength(1)
  })
})

describe('an executor', () => {
  it('of another application is told so before it registers anything', async () => {
    const { manager } = await fixture.start()
    const { host, port } = manager
    const stranger = executor('app-2', { host, port })
    const problem = {
      code: 'CELEBORN_CONFIG',
      message: expect.stringMatching(
        new RegExp(
          `LifecycleManager at ${host}:${port} is of application "app-1", this ShuffleClient is of "app-2"`,
        ),
      ),
    }
    await expect(stranger.pushData({ ...TASK, partitionId: 0 }, Buffer.from('x'))).rejects.toMatchObject(
      problem,
    )
    await expect(stranger.mapperEnd({ ...TASK, mapId: 0 })).rejects.toMatchObject({ code: 'CELEBORN_CONFIG' })
    await expect(stranger.getShuffleId(1, 'x', { isWriter: true })).rejects.toMatchObject(problem)
    expect(manager.stats().shuffles).toEqual([])
  })

  it('asks once; a manager that does not tell, as Celeborn’s own without authentication, is believed', async () => {
    const asked: number[] = []
    const server = new RpcServer({ name: 'java', host: '127.0.0.1', port: 0 })
    server.endpoint(Endpoint.LIFECYCLE_MANAGER, (type) => {
      asked.push(type)
      if (type !== Type.REGISTER_SHUFFLE)
        return new RpcFailureText('java.lang.IllegalArgumentException: Application meta is not initialized')
      const payload = encodeRegisterShuffleResponse({ status: StatusCode.SLOT_NOT_AVAILABLE, locations: [] })
      return { type: Type.REGISTER_SHUFFLE_RESPONSE, payload }
    })
    const address = await server.listen()
    fixture.onCleanup(() => server.close())
    const client = executor('app-2', address)
    for (const shuffleId of [1, 2]) {
      const push = client.pushData({ ...TASK, shuffleId, partitionId: 0 }, Buffer.from('x'))
      await expect(push).rejects.toThrow(/SLOT_NOT_AVAILABLE/)
    }
    expect(asked.filter((type) => type === Type.APPLICATION_META_REQUEST)).toHaveLength(1)
  })

  it('of an application with a random suffix gets its id from the manager', async () => {
    const conf = { 'celeborn.client.application.uuidSuffix.enabled': true }
    const { manager } = await fixture.start({ conf })
    expect(manager.appId).toMatch(/^app-1-[0-9a-f]{32}$/)
    const other = await fixture.start({ conf })
    expect(other.manager.appId).not.toBe(manager.appId)
    const client = executor(manager.appId, { host: manager.host, port: manager.port })
    expect(await client.getShuffleId(1, 'x', { isWriter: true })).toBe(0)
  })
})
