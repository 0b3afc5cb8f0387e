import { describe, expect, it } from 'vitest'
import { FileSegmentManagedBuffer, TransportConf } from '../../src/buffer'
import { CelebornConf, type ConfigEntry, type ConfReader } from '../../src/conf'
import { ConfigError } from '../../src/errors'
import { MIB, patternFile } from './files'

class CountingConf implements ConfReader {
  readonly asked: string[] = []
  constructor(readonly conf = new CelebornConf()) {}
  get<T>(entry: ConfigEntry<T>): T {
    this.asked.push(entry.key)
    return this.conf.get(entry)
  }
}

describe('TransportConf', () => {
  it('looks two values up, for any number of segments and calls', async () => {
    const counting = new CountingConf()
    const conf = new TransportConf('fetch', counting)
    const path = patternFile(10_000)
    for (let i = 0; i < 500; i++) {
      const segment = new FileSegmentManagedBuffer(conf, path, i, 100)
      await segment.bytes()
      await segment.bytes()
      ;(await segment.toNetwork()).written()
      await segment.stream().toArray()
      segment.release()
    }
    expect(counting.asked).toEqual(['celeborn.fetch.storage.memoryMapThreshold', 'celeborn.fetch.io.lazyFD'])
    expect(new TransportConf('data', counting).lazyFD).toBe(true)
    expect(counting.asked).toHaveLength(4)
  })

  it('has one default, whatever asks (B71)', () => {
    for (const module of ['fetch', 'data', 'rpc_app'] as const) {
      const conf = new TransportConf(module, new CelebornConf())
      expect(conf).toMatchObject({ memoryMapThreshold: 2 * MIB, lazyFD: true })
    }
  })

  it.each([
    ['celeborn.fetch.storage.memoryMapThreshold', '3m', { memoryMapThreshold: 3 * MIB }],
    ['spark.celeborn.fetch.storage.memoryMapThreshold', '3m', { memoryMapThreshold: 3 * MIB }],
    ['celeborn.storage.memoryMapThreshold', '3m', { memoryMapThreshold: 3 * MIB }],
    ['spark.storage.memoryMapThreshold', '3m', { memoryMapThreshold: 3 * MIB }],
    ['celeborn.data.storage.memoryMapThreshold', '3m', { memoryMapThreshold: 2 * MIB }],
    ['celeborn.fetch.io.lazyFD', 'false', { lazyFD: false }],
    ['spark.shuffle.io.lazyFD', 'false', { lazyFD: false }],
  ])('takes %s = %s', (key, value, expected) => {
    expect(new TransportConf('fetch', new CelebornConf({ [key]: value }))).toMatchObject(expected)
  })

  it('takes the newest name of those that are set', () => {
    const older = { 'spark.storage.memoryMapThreshold': '5m' }
    const old = { ...older, 'celeborn.storage.memoryMapThreshold': '4m' }
    const all = { ...old, 'celeborn.fetch.storage.memoryMapThreshold': '3m' }
    for (const [entries, mib] of [
      [older, 5],
      [old, 4],
      [all, 3],
    ] as const)
      expect(new TransportConf('fetch', new CelebornConf(entries)).memoryMapThreshold).toBe(mib * MIB)
  })

  it('is not changed by what the provider answers later (B71)', async () => {
    let threshold = 10
    const conf = new TransportConf('fetch', {
      get: <T>(entry: ConfigEntry<T>): T =>
        (entry.key.endsWith('memoryMapThreshold') ? threshold : true) as T,
    })
    threshold = 1_000_000
    const segment = new FileSegmentManagedBuffer(conf, patternFile(100), 0, 100)
    await segment.bytes()
    expect(segment.state).toBe('mapped')
    segment.release()
  })

  it.each(['memoryMapThreshold', 'lazyFD'])('names %s when the provider throws for it', (name) => {
    const cause = new Error('no such key')
    const conf: ConfReader = {
      get: <T>(entry: ConfigEntry<T>): T => {
        if (entry.key.endsWith(name)) throw cause
        return entry.defaultValue(conf)
      },
    }
    const words = new RegExp(`^celeborn\\.fetch\\..*\\.${name} cannot be looked up: no such key$`)
    expect(() => new TransportConf('fetch', conf)).toThrow(ConfigError)
    expect(() => new TransportConf('fetch', conf)).toThrow(expect.objectContaining({ cause }))
    expect(() => new TransportConf('fetch', conf)).toThrow(words)
  })

  it('passes on what a CelebornConf says of a wrong value, and knows its modules', () => {
    const conf = { get: <T>(): T => new CelebornConf({ 'celeborn.fetch.io.lazyFD': 'perhaps' }) as T }
    expect(() => new TransportConf('fetch', conf)).toThrow(/celeborn.fetch.io.lazyFD.*perhaps/)
    expect(() => new TransportConf('nothing' as 'fetch', new CelebornConf())).toThrow(
      'unknown transport module',
    )
  })
})
