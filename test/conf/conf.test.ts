import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as conf from '../../src/conf'
import {
  ALL_ENTRIES,
  CelebornConf,
  CLIENT_PUSH_MAX_REQS_IN_FLIGHT_TOTAL,
  CLIENT_PUSH_TIMEOUT,
  CLIENT_SHUFFLE_COMPRESSION_CODEC,
  ConfigEntry,
  MASTER_ENDPOINTS,
} from '../../src/conf'
import { intType } from '../../src/conf/values'
import { ConfigError } from '../../src/errors'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'celeborn-conf-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

function file(text: string, name = 'celeborn-defaults.conf'): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

function message(make: () => unknown): string {
  try {
    make()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

describe('sources', () => {
  it('the program wins over the environment, that over the file, that over the default', () => {
    const path = file(
      'celeborn.client.push.timeout 1s\nceleborn.rpc.askTimeout 1s\nceleborn.network.timeout 1s',
    )
    const env = { 'celeborn.client.push.timeout': '2s', 'celeborn.rpc.askTimeout': '2s' }
    const loaded = CelebornConf.load({ file: path, env, entries: { 'celeborn.client.push.timeout': '3s' } })
    expect(loaded.get(CLIENT_PUSH_TIMEOUT)).toBe(3000)
    expect(loaded.get(conf.RPC_ASK_TIMEOUT)).toBe(2000)
    expect(loaded.get(conf.NETWORK_TIMEOUT)).toBe(1000)
    expect(loaded.get(conf.RPC_LOOKUP_TIMEOUT)).toBe(30_000)
    expect(loaded.sourceOf(CLIENT_PUSH_TIMEOUT)).toBe('set by the program')
    expect(loaded.sourceOf(conf.RPC_ASK_TIMEOUT)).toBe('environment variable celeborn.rpc.askTimeout')
    expect(loaded.sourceOf(conf.NETWORK_TIMEOUT)).toBe(`${path}, line 3`)
    expect(loaded.sourceOf(conf.RPC_LOOKUP_TIMEOUT)).toBe('default: 30s')
    expect(loaded.isSet(conf.NETWORK_TIMEOUT)).toBe(true)
    expect(loaded.isSet(conf.RPC_LOOKUP_TIMEOUT)).toBe(false)
  })

  it('finds the file as Celeborn does', () => {
    mkdirSync(join(dir, 'conf'))
    const inHome = file('celeborn.client.push.timeout 1s', 'conf/celeborn-defaults.conf')
    const inDirectory = file('celeborn.client.push.timeout 2s')
    const named = file('celeborn.client.push.timeout 3s', 'mine.conf')
    const timeout = (env: NodeJS.ProcessEnv, path?: string): number =>
      CelebornConf.load({ env, ...(path === undefined ? {} : { file: path }) }).get(CLIENT_PUSH_TIMEOUT)
    expect(timeout({ CELEBORN_HOME: dir })).toBe(1000)
    expect(timeout({ CELEBORN_HOME: dir, CELEBORN_CONF_DIR: dir })).toBe(2000)
    expect(timeout({ CELEBORN_CONF_DIR: dir, CELEBORN_CONF_FILE: named })).toBe(3000)
    expect(timeout({ CELEBORN_CONF_FILE: named }, inHome)).toBe(1000)
    expect(timeout({ CELEBORN_CONF_DIR: join(dir, 'none') })).toBe(120_000)
    expect(timeout({ CELEBORN_CONF_DIR: '', CELEBORN_CONF_FILE: '' }, inDirectory)).toBe(2000)
  })

  it('a file that was named must be readable', () => {
    const missing = join(dir, 'none.conf')
    expect(message(() => CelebornConf.load({ file: missing, env: {} }))).toContain(missing)
    expect(message(() => CelebornConf.load({ env: { CELEBORN_CONF_FILE: missing } }))).toContain(missing)
    expect(message(() => CelebornConf.load({ file: dir, env: {} }))).toContain(dir)
  })

  it('environment variables have two forms', () => {
    const total = (env: NodeJS.ProcessEnv): number =>
      CelebornConf.load({ env }).get(CLIENT_PUSH_MAX_REQS_IN_FLIGHT_TOTAL)
    expect(total({ 'celeborn.client.push.maxReqsInFlight.total': '1' })).toBe(1)
    expect(total({ 'spark.celeborn.client.push.maxReqsInFlight.total': '2' })).toBe(2)
    expect(total({ CELEBORN__CLIENT__PUSH__MAXREQSINFLIGHT__TOTAL: '3' })).toBe(3)
    expect(total({ CELEBORN__CLIENT__PUSH__MAX_REQS_IN_FLIGHT__TOTAL: '4' })).toBe(4)
    expect(total({ celeborn__client__push__maxReqsInFlight__total: '5' })).toBe(5)
    expect(total({ CELEBORN__PUSH__MAXREQSINFLIGHT: '6' })).toBe(6)
    expect(total({ CELEBORN_CLIENT_PUSH: '7', PATH: '/bin' })).toBe(256)
    const env = {
      CELEBORN__IDENTITY__USER_SPECIFIC__USER_NAME: 'ann',
      CELEBORN__RPC_APP__IO__MAXRETRIES: '9',
    }
    const loaded = CelebornConf.load({ env })
    expect(loaded.get(conf.IDENTITY_USER_SPECIFIC_USER_NAME)).toBe('ann')
    expect(loaded.get(conf.MODULE_IO_MAX_RETRIES('rpc_app'))).toBe(9)
    expect(loaded.unknownKeys()).toEqual([])
  })

  it('spark. in front means the same, the plain key wins', () => {
    const entries = { 'spark.celeborn.client.push.timeout': '1s' }
    expect(new CelebornConf(entries).get(CLIENT_PUSH_TIMEOUT)).toBe(1000)
    for (const both of [
      { ...entries, 'celeborn.client.push.timeout': '2s' },
      { 'celeborn.client.push.timeout': '2s', ...entries },
    ])
      expect(new CelebornConf(both).get(CLIENT_PUSH_TIMEOUT)).toBe(2000)
  })

  it('older names work, the newest name in one source wins', () => {
    const codec = (entries: Record<string, string>): string =>
      new CelebornConf(entries).get(CLIENT_SHUFFLE_COMPRESSION_CODEC)
    const oldest = { 'remote-shuffle.job.compression.codec': 'none' }
    const older = { 'celeborn.shuffle.compression.codec': 'zstd' }
    const newest = { 'celeborn.client.shuffle.compression.codec': 'lz4' }
    expect(codec(oldest)).toBe('NONE')
    expect(codec({ ...oldest, ...older })).toBe('ZSTD')
    expect(codec({ ...newest, ...older })).toBe('LZ4')
    const path = file('celeborn.client.shuffle.compression.codec LZ4')
    expect(
      CelebornConf.load({ file: path, env: {}, entries: older }).get(CLIENT_SHUFFLE_COMPRESSION_CODEC),
    ).toBe('ZSTD')
  })

  it('numbers and booleans of a program', () => {
    const made = new CelebornConf({
      'celeborn.client.push.timeout': 500,
      'celeborn.client.push.buffer.max.size': 1024,
      'celeborn.client.push.replicate.enabled': true,
      'celeborn.rpc.askTimeout': undefined,
    })
    expect(made.get(CLIENT_PUSH_TIMEOUT)).toBe(500)
    expect(made.get(conf.CLIENT_PUSH_BUFFER_MAX_SIZE)).toBe(1024)
    expect(made.get(conf.CLIENT_PUSH_REPLICATE_ENABLED)).toBe(true)
    expect(made.get(conf.RPC_ASK_TIMEOUT)).toBe(60_000)
    for (const wrong of [1.5, -1, Number.NaN, Infinity, 1e21, true])
      message(() => new CelebornConf({ 'celeborn.client.push.timeout': wrong }))
  })

  it('B71: what changes in the sources later has no effect', () => {
    const path = file('celeborn.client.push.timeout 1s')
    const env: NodeJS.ProcessEnv = { 'celeborn.rpc.askTimeout': '1s' }
    const entries: Record<string, string> = { 'celeborn.network.timeout': '1s' }
    const loaded = CelebornConf.load({ file: path, env, entries })
    writeFileSync(path, 'celeborn.client.push.timeout 9s')
    env['celeborn.rpc.askTimeout'] = '9s'
    entries['celeborn.network.timeout'] = '9s'
    expect(loaded.get(CLIENT_PUSH_TIMEOUT)).toBe(1000)
    expect(loaded.get(conf.RPC_ASK_TIMEOUT)).toBe(1000)
    expect(loaded.get(conf.NETWORK_TIMEOUT)).toBe(1000)
  })

  it('with() leaves the original alone and wins over everything', () => {
    const base = new CelebornConf({ 'celeborn.client.push.maxReqsInFlight.total': 5 })
    const changed = base.with({ 'celeborn.push.maxReqsInFlight': 6 })
    expect(changed.get(CLIENT_PUSH_MAX_REQS_IN_FLIGHT_TOTAL)).toBe(6)
    expect(base.get(CLIENT_PUSH_MAX_REQS_IN_FLIGHT_TOTAL)).toBe(5)
    expect(message(() => base.with({ 'celeborn.push.maxReqsInFlight': 0 }))).toContain('1 or more')
  })

  it('each value is parsed once', () => {
    let parsed = 0
    const counting = new ConfigEntry({
      key: 'celeborn.node.test.counting',
      type: {
        accepted: 'a number',
        parse: (text) => {
          parsed++
          return intType().parse(text)
        },
      },
      default: '7',
      doc: 'counts',
    })
    const made = new CelebornConf({ 'celeborn.node.test.counting': 3 })
    parsed = 0
    expect([made.get(counting), made.get(counting), made.get(counting)]).toEqual([3, 3, 3])
    expect(parsed).toBe(1)
    let looked = 0
    const derived = new ConfigEntry<number | undefined>({
      key: 'celeborn.node.test.derived',
      type: intType(),
      default: () => {
        looked++
        return undefined
      },
      doc: 'counts',
    })
    expect([made.get(derived), made.get(derived)]).toEqual([undefined, undefined])
    expect(looked).toBe(1)
  })
})

describe('wrong values', () => {
  it('are found when the configuration is made, and name key, value, source and what is accepted', () => {
    const path = file('# comment\nspark.celeborn.client.push.timeout   12parsecs\n')
    const text = message(() => CelebornConf.load({ file: path, env: {} }))
    expect(text).toContain('celeborn.client.push.timeout')
    expect(text).toContain('"12parsecs"')
    expect(text).toContain(`${path}, line 2`)
    expect(text).toContain('a duration such as 120s')
    expect(text).not.toContain('\n')
    const variable = 'CELEBORN__CLIENT__SHUFFLE__COMPRESSION__CODEC'
    const codec = message(() => CelebornConf.load({ env: { [variable]: 'snappy' } }))
    expect(codec).toContain(`environment variable ${variable}`)
    expect(codec).toContain('one of LZ4, ZSTD, NONE')
    const older = message(() => new CelebornConf({ 'celeborn.push.maxReqsInFlight': 'many' }))
    expect(older).toContain(
      'celeborn.push.maxReqsInFlight (older name of celeborn.client.push.maxReqsInFlight.total)',
    )
  })

  it('of ranges', () => {
    for (const entries of [
      { 'celeborn.client.push.timeout': 0 },
      { 'celeborn.client.push.maxReqsInFlight.total': 0 },
      { 'celeborn.client.shuffle.manager.port': 65536 },
      { 'celeborn.client.shuffle.compression.zstd.level': 23 },
      { 'celeborn.client.push.buffer.max.size': '2g' },
      { 'celeborn.master.endpoints': '' },
      { 'celeborn.master.endpoints': 'h1:9097,h2:x' },
      { 'celeborn.data.io.numConnectionsPerPeer': 0 },
      { 'celeborn.client.push.timeout': '' },
    ])
      message(() => new CelebornConf(entries))
  })

  it('that a stronger source replaces harm nothing', () => {
    const path = file('celeborn.client.push.timeout nonsense')
    const entries = { 'celeborn.client.push.timeout': '1s' }
    expect(CelebornConf.load({ file: path, env: {}, entries }).get(CLIENT_PUSH_TIMEOUT)).toBe(1000)
  })

  it('keys and values of the wrong kind', () => {
    expect(message(() => new CelebornConf({ 'client.push.timeout': '1s' }))).toContain('client.push.timeout')
    const wrong = { 'celeborn.client.push.timeout': null } as unknown as Record<string, string>
    expect(message(() => new CelebornConf(wrong))).toContain('not null')
    expect(new CelebornConf({ 'spark.executor.memory': '1g' }).unknownKeys()).toEqual([])
  })
})

describe('unknown keys', () => {
  it('are kept and reported, those of other programs are not', () => {
    const path = file('celeborn.worker.monitor.disk.enabled true\nspark.executor.memory 1g\nother 1')
    const loaded = CelebornConf.load({
      file: path,
      env: { CELEBORN__CLIENT__PUSH__TIMEOOT: '1s', 'celeborn.data.io.maxRetries': '1' },
      entries: { 'spark.celeborn.client.puhs.timeout': '1s' },
    })
    expect(loaded.unknownKeys()).toEqual([
      'celeborn.client.puhs.timeout',
      'celeborn.client.push.timeoot',
      'celeborn.worker.monitor.disk.enabled',
    ])
  })
})

describe('keys', () => {
  it('have one name each, and defaults that can be read', () => {
    const defaults = new CelebornConf()
    const names = new Set<string>()
    for (const entry of ALL_ENTRIES) {
      expect(names.has(entry.key), entry.key).toBe(false)
      names.add(entry.key)
      expect(entry.key).toMatch(/^celeborn\.[\w.-]+$/)
      expect(entry.doc.length, entry.key).toBeGreaterThan(5)
      expect(() => defaults.get(entry)).not.toThrow()
      if (
        !/[^\w<>:.]/.test(entry.defaultText) &&
        entry.defaultText !== '' &&
        entry.defaultText !== 'derived'
      ) {
        const set = new CelebornConf({ [entry.key]: entry.defaultText })
        expect(set.get(entry), entry.key).toEqual(defaults.get(entry))
      }
    }
    expect(names.size).toBeGreaterThan(150)
  })

  it('are exported under their own names', () => {
    for (const [name, exported] of Object.entries(conf)) {
      if (!(exported instanceof ConfigEntry)) continue
      const upper = exported.key
        .replace(/^celeborn\./, '')
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replace(/[.-]/g, '_')
        .toUpperCase()
      expect(name, exported.key).toBe(upper)
    }
  })

  it('a few defaults of Celeborn 0.6.3', () => {
    const defaults = new CelebornConf()
    expect(defaults.get(MASTER_ENDPOINTS)).toEqual(['localhost:9097'])
    expect(defaults.get(conf.CLIENT_PUSH_BUFFER_MAX_SIZE)).toBe(65536)
    expect(defaults.get(conf.CLIENT_SHUFFLE_PARTITION_SPLIT_THRESHOLD)).toBe(1 << 30)
    expect(defaults.get(conf.CLIENT_PUSH_LIMIT_IN_FLIGHT_TIMEOUT)).toBe(1_200_000)
    expect(defaults.get(conf.CLIENT_RPC_COMMIT_FILES_ASK_TIMEOUT)).toBe(60_000)
    expect(defaults.get(conf.MODULE_IO_CONNECT_TIMEOUT('data'))).toBe(10_000)
    expect(defaults.get(conf.CLIENT_PUSH_STAGE_END_TIMEOUT)).toBe(240_000)
    expect(defaults.get(conf.NODE_RPC_FORM)).toBe('V1')
    expect(defaults.get(conf.WORKER_STORAGE_DIRS)).toBeUndefined()
  })
})

describe('derived defaults', () => {
  const get = <T>(entry: ConfigEntry<T>, entries: Record<string, string | number | boolean>): T =>
    new CelebornConf(entries).get(entry)

  it('the wait for room in flight follows the push time-out', () => {
    const entry = conf.CLIENT_PUSH_LIMIT_IN_FLIGHT_TIMEOUT
    const entries = { 'celeborn.client.push.timeout': '1s', 'celeborn.client.push.revive.maxRetries': 3 }
    expect(get(entry, entries)).toBe(6000)
    expect(get(entry, { ...entries, 'celeborn.client.push.replicate.enabled': true })).toBe(12_000)
    expect(get(entry, { ...entries, 'celeborn.client.push.limit.inFlight.timeout': '7s' })).toBe(7000)
    expect(get(entry, { 'celeborn.client.push.revive.maxRetries': 0 })).toBe(240_000)
    expect(get(entry, { 'celeborn.client.push.timeout': '24d' })).toBe(2147483647)
  })

  it('ask time-outs follow celeborn.rpc.askTimeout', () => {
    const asked = { 'celeborn.rpc.askTimeout': '5s' }
    expect(get(conf.CLIENT_RPC_REGISTER_SHUFFLE_ASK_TIMEOUT, asked)).toBe(5000)
    expect(get(conf.MASTER_CLIENT_RPC_ASK_TIMEOUT, asked)).toBe(5000)
    const own = { ...asked, 'celeborn.rpc.registerShuffle.askTimeout': '6s' }
    expect(get(conf.CLIENT_RPC_REGISTER_SHUFFLE_ASK_TIMEOUT, own)).toBe(6000)
  })

  it('modules: own value, rpc for its two halves, then the general key', () => {
    const entries = { 'celeborn.network.connect.timeout': '1s', 'celeborn.rpc.io.connectTimeout': '2s' }
    expect(get(conf.MODULE_IO_CONNECT_TIMEOUT('data'), entries)).toBe(1000)
    expect(get(conf.MODULE_IO_CONNECT_TIMEOUT('rpc_app'), entries)).toBe(2000)
    const own = { ...entries, 'celeborn.rpc_app.io.connectTimeout': '3s' }
    expect(get(conf.MODULE_IO_CONNECT_TIMEOUT('rpc_app'), own)).toBe(3000)
    expect(get(conf.MODULE_IO_CONNECT_TIMEOUT('rpc_service'), own)).toBe(2000)
    expect(get(conf.MODULE_SSL_ENABLED('data'), { 'celeborn.ssl.enabled': true })).toBe(true)
    expect(conf.MODULE_IO_CONNECT_TIMEOUT('data')).toBe(conf.MODULE_IO_CONNECT_TIMEOUT('data'))
    expect(() => conf.MODULE_IO_CONNECT_TIMEOUT('none' as conf.TransportModule)).toThrow(RangeError)
  })

  it('one older name may stand for every module', () => {
    const threshold = { 'spark.storage.memoryMapThreshold': '4m', 'spark.shuffle.io.lazyFD': 'false' }
    expect(get(conf.MODULE_STORAGE_MEMORY_MAP_THRESHOLD('fetch'), threshold)).toBe(4 << 20)
    expect(get(conf.MODULE_IO_LAZY_FD('data'), threshold)).toBe(false)
    expect(message(() => new CelebornConf({ 'celeborn.client.heartbeat.interval': 'x' }))).toContain(
      'duration',
    )
  })

  it('bytes in flight: ours, then Celeborn’s, then 64m, half of it per worker', () => {
    const both = (entries: Record<string, string>): [number, number] => [
      get(conf.NODE_MAX_IN_FLIGHT_BYTES, entries),
      get(conf.NODE_MAX_IN_FLIGHT_BYTES_PER_WORKER, entries),
    ]
    const MIB = 1 << 20
    expect(both({})).toEqual([64 * MIB, 32 * MIB])
    expect(both({ 'celeborn.client.push.maxBytesSizeInFlight.total': '16m' })).toEqual([16 * MIB, 8 * MIB])
    expect(both({ 'celeborn.client.push.maxBytesSizeInFlight.perWorker': '2m' })).toEqual([64 * MIB, 2 * MIB])
    expect(
      both({
        'celeborn.client.push.maxBytesSizeInFlight.total': '16m',
        'celeborn.node.maxInFlightBytes': '8m',
      }),
    ).toEqual([8 * MIB, 4 * MIB])
    expect(
      both({
        'celeborn.node.maxInFlightBytes': '8m',
        'celeborn.client.push.maxBytesSizeInFlight.perWorker': '9m',
      }),
    ).toEqual([8 * MIB, 8 * MIB])
    expect(both({ 'celeborn.node.maxInFlightBytes': '1' })).toEqual([1, 1])
  })
})
