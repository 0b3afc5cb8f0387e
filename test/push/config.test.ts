import { describe, expect, it } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { ConfigError } from '../../src/errors'
import { setUp, target } from './harness'

describe('what a client refuses', () => {
  it.each([
    ['celeborn.auth.enabled', /authentication is not supported/],
    ['celeborn.ssl.data.enabled', /TLS is not supported/],
    ['celeborn.ssl.enabled', /TLS is not supported/],
    ['celeborn.ssl.rpc_app.enabled', /TLS is not supported/],
  ])('%s, rather than to speak plain text', (key, message) => {
    const lifecycleManager = { host: '127.0.0.1', port: 1 }
    const make = () =>
      new ShuffleClient({ appId: 'a', lifecycleManager, conf: new CelebornConf({ [key]: true }) })
    expect(make).toThrow(ConfigError)
    expect(make).toThrow(message)
  })

  it.each([
    [{ partitionId: 8 }, /partitionId 8 is not within 0\.\.7/],
    [{ partitionId: 1.5 }, /partitionId/],
    [{ mapId: 2 }, /mapId 2 is not within 0\.\.1/],
    [{ mapId: -1 }, /mapId/],
    [{ attemptId: Number.NaN }, /attemptId/],
    [{ shuffleId: -1 }, /shuffleId/],
    [{ shuffleId: 3, numMappers: 0 }, /numMappers/],
  ])('a target %o', async (over, message) => {
    const { client } = await setUp()
    await expect(client.pushData(target(0, over), Buffer.from('x'))).rejects.toThrow(message)
  })

  it('other numbers for a shuffle that is known, and a batch above the largest', async () => {
    const { client } = await setUp({ 'celeborn.node.maxFrameBytes': '1k' })
    await client.pushData(target(), Buffer.from('x'))
    await expect(client.pushData(target(0, { numMappers: 3 }), Buffer.from('x'))).rejects.toThrow(
      /same numbers/,
    )
    await expect(client.pushData(target(), Buffer.alloc(1025))).rejects.toThrow(/maxFrameBytes/)
  })
})
