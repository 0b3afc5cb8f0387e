/** Executors that are given the address of something that is not their LifecycleManager. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { LifecycleClient } from '../../src/client/lifecycle-client'
import { CelebornConf } from '../../src/conf'
import { type CelebornError } from '../../src/errors'
import { ConnectionPool, RpcClient, RpcFailureText, RpcServer } from '../../src/network'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { DriverFixture, eventually } from './driver'
import { freePort, startStranger } from './standby-master'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

const ADVICE = /must be a LifecycleManager's host and port as the driver has them after its start/

/** What an executor gets when it registers a shuffle, and when it reads one. Retries would take longer than a test may. */
async function problems(address: string, entries = {}): Promise<CelebornError[]> {
  const colon = address.lastIndexOf(':')
  const client = new ShuffleClient({
    appId: 'app-1',
    conf: new CelebornConf({
      'celeborn.client.registerShuffle.retryWait': '1h',
      'celeborn.client.rpc.retryWait': '1h',
      ...entries,
    }),
    lifecycleManager: { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) },
  })
  fixture.onCleanup(() => client.close())
  const task = { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 1 }
  const failure = (promise: Promise<unknown>): Promise<CelebornError> =>
    promise.then(
      () => {
        throw new Error('no failure')
      },
      (error: unknown) => error as CelebornError,
    )
  const write = await failure(client.pushData({ ...task, partitionId: 0 }, Buffer.from('x')))
  const read = await failure(client.readPartition(0, 0)[Symbol.asyncIterator]().next())
  for (const { message } of [write, read]) expect(message).toContain(address)
  return [write, read]
}

describe('an executor that asks', () => {
  it('a web server: learns that this is no Celeborn process, at once', async () => {
    const web = createServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    fixture.onCleanup(() => new Promise((resolve) => web.close(() => resolve())))
    const [write, read] = await problems(`127.0.0.1:${(web.address() as AddressInfo).port}`)
    expect(write).toMatchObject({ code: 'CELEBORN_REGISTER_FAILED', message: expect.stringMatching(ADVICE) })
    expect(write?.message).toContain('no valid message')
    expect(read?.message).toMatch(ADVICE)
  })

  it('something that says random bytes: the same', async () => {
    const noise = randomBytes(64)
    // A length that no message has, so that it is noticed before it is waited for.
    noise.writeUInt32BE(0xfffffff0, 0)
    const stranger = await startStranger(noise.toString('latin1'))
    fixture.onCleanup(() => stranger.close())
    const [write, read] = await problems(stranger.endpoint)
    expect(write?.message).toMatch(ADVICE)
    expect(read?.message).toMatch(ADVICE)
  })

  it('a master: learns that it has no such endpoint', async () => {
    const { master } = await fixture.start()
    const [write, read] = await problems(master.endpoint)
    for (const error of [write, read]) {
      expect(error?.message).toMatch(ADVICE)
      expect(error?.message).toContain('LifecycleManagerEndpoint')
    }
  })

  it('a manager of a version that takes only V1: learns the key', async () => {
    const server = new RpcServer({ name: 'old', host: '127.0.0.1', port: 0 })
    server.endpoint(
      Endpoint.LIFECYCLE_MANAGER,
      () =>
        new RpcFailureText('java.io.StreamCorruptedException: invalid stream header: FF000000\n\tat java.io'),
    )
    const { host, port } = await server.listen()
    fixture.onCleanup(() => server.close())
    const [write, read] = await problems(`${host}:${port}`, { 'celeborn.node.rpc.form': 'V2' })
    for (const error of [write, read]) {
      expect(error?.message).toContain(`takes only the V1 form: set celeborn.node.rpc.form to V1`)
      expect(error?.message).not.toContain('at java.io')
    }
  })

  it('nobody, and somebody who says nothing: is told to look at the driver', async () => {
    const once = { 'celeborn.client.registerShuffle.maxRetries': 0, 'celeborn.client.rpc.maxRetries': 0 }
    const advice = /check that the driver runs and can be reached/
    const [refused] = await problems(`127.0.0.1:${await freePort()}`, once)
    expect(refused?.message).toMatch(advice)
    const silent = await startStranger(undefined)
    fixture.onCleanup(() => silent.close())
    const quick = { ...once, 'celeborn.rpc.askTimeout': '100ms', 'celeborn.rpc.lookupTimeout': '100ms' }
    const [write, read] = await problems(silent.endpoint, quick)
    for (const error of [write, read]) expect(error?.message).toContain('did not answer within 100 ms')
    expect(write?.message).toMatch(advice)
    expect(read?.message).toContain('readers wait for the end of all map tasks')
  })

  it('somebody who says nothing: does not wait once it is told not to', async () => {
    const silent = await startStranger(undefined)
    fixture.onCleanup(() => silent.close())
    const conf = new CelebornConf()
    const pool = new ConnectionPool(conf, { module: 'rpc_app' })
    fixture.onCleanup(() => pool.close())
    const [host = '', port] = silent.endpoint.split(':')
    const client = new LifecycleClient('app-1', new RpcClient(pool), { host, port: Number(port) }, conf)
    const patience = new AbortController()
    const groups = client.reducerFileGroups(0, patience.signal)
    await eventually(() => silent.count()).toBe(1)
    patience.abort()
    await expect(groups).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    await expect(client.reducerFileGroups(0, AbortSignal.abort())).rejects.toMatchObject({
      code: 'CELEBORN_ABORTED',
    })
  })
})
