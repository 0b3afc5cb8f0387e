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

describe('what callers from JavaScript get wrong', () => {
  it.each<[string, unknown, RegExp]>([
    ['a text', 'text', /takes a Uint8Array or Buffer, not a string/],
    ['a Uint16Array', new Uint16Array(4), /Uint16Array/],
    ['a DataView', new DataView(new ArrayBuffer(8)), /DataView/],
    ['an ArrayBuffer', new ArrayBuffer(8), /ArrayBuffer/],
    ['null', null, /not null/],
  ])(
    '%s instead of bytes is refused before admission, and the limits stay numbers',
    async (_name, value, message) => {
      const { client } = await setUp()
      const bytes = value as Uint8Array
      const onRelease = (): void => undefined
      for (const push of [
        client.pushData(target(), bytes),
        client.pushBuffer(target(), bytes, { onRelease }),
        client.mergeData(target(), bytes),
      ]) {
        await expect(push).rejects.toMatchObject({ code: 'CELEBORN_CONFIG' })
        await expect(push).rejects.toThrow(message)
      }
      expect(client.stats()).toMatchObject({ bytesInFlight: 0, waiting: 0 })
      expect(await (await client.pushData(target(), Buffer.from('x'))).settled).toMatchObject({
        outcome: 'acked',
      })
    },
  )

  it('no frame, no callback, no such encoding, no target, no address', async () => {
    const { client } = await setUp()
    const wrong = <T>(value: unknown): T => value as T
    await expect(client.pushFrame(target(), wrong(Buffer.alloc(3)))).rejects.toThrow(
      /takes a frame of a FramePool/,
    )
    await expect(client.pushBuffer(target(), Buffer.alloc(3), wrong({}))).rejects.toThrow(
      /needs \{ onRelease \}/,
    )
    await expect(client.pushData(target(), Buffer.alloc(3), wrong({ encoding: 'zip' }))).rejects.toThrow(
      /encoding zip/,
    )
    await expect(client.pushData(wrong(undefined), Buffer.alloc(3))).rejects.toThrow(/a target is an object/)
    expect(() => new ShuffleClient(wrong({ appId: 'a' }))).toThrow(/lifecycleManager must be .*, not nothing/)
    expect(() => new ShuffleClient(wrong(undefined as never))).toThrow(/appId must not be empty/)
    const text = { appId: 'a', lifecycleManager: { host: 'h', port: '9097' } }
    expect(() => new ShuffleClient(wrong(text))).toThrow(/not h:9097; the port must be a number/)
    expect(() => client.readPartition(1, -1)).toThrow(/partitionId = -1/)
  })
})
