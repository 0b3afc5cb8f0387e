import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import {
  hostPort,
  isStatusCode,
  mapKey,
  parseHostPort,
  parsePartitionFileName,
  parsePartitionUniqueId,
  parseShuffleKey,
  parseWorkerUniqueId,
  partitionFileName,
  partitionUniqueId,
  shuffleKey,
  StatusCode,
  statusName,
  workerUniqueId,
} from '../../src/protocol'
import { valueOrProtocolError } from './support'

const int = fc.nat({ max: 0x7fffffff })

describe('keys', () => {
  it('shuffle keys are split at the last dash', () => {
    expect(shuffleKey('app-2024-x', 3)).toBe('app-2024-x-3')
    expect(parseShuffleKey('app-2024-x-3')).toEqual({ appId: 'app-2024-x', shuffleId: 3 })
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), int, (appId, shuffleId) => {
        expect(parseShuffleKey(shuffleKey(appId, shuffleId))).toEqual({ appId, shuffleId })
      }),
    )
  })

  it('partition ids, file names and map keys', () => {
    expect(partitionUniqueId(4, 1)).toBe('4-1')
    expect(parsePartitionUniqueId('4-1')).toEqual({ partitionId: 4, epoch: 1 })
    expect(partitionFileName(4, 1, 0)).toBe('4-1-0')
    expect(parsePartitionFileName('4-1-1')).toEqual({ partitionId: 4, epoch: 1, mode: 1 })
    expect(mapKey(1, 2, 3)).toBe('1-2-3')
  })

  it('workers are parsed from the right, so that IPv6 hosts may contain colons', () => {
    const worker = { host: 'h1', rpcPort: 1, pushPort: 2, fetchPort: 3, replicatePort: 4 }
    expect(workerUniqueId(worker)).toBe('h1:1:2:3:4')
    expect(parseWorkerUniqueId('h1:1:2:3:4')).toEqual(worker)
    expect(parseWorkerUniqueId('fe80::1:9097:65535:3:4')).toEqual({
      host: 'fe80::1',
      rpcPort: 9097,
      pushPort: 65535,
      fetchPort: 3,
      replicatePort: 4,
    })
  })

  it('addresses', () => {
    expect(hostPort('h', 1)).toBe('h:1')
    expect(parseHostPort('h:1')).toEqual({ host: 'h', port: 1 })
    expect(parseHostPort('fe80::1:9097')).toEqual({ host: 'fe80::1', port: 9097 })
    expect(parseHostPort('[::1]:9097')).toEqual({ host: '::1', port: 9097 })
  })

  it.each([
    [
      parseShuffleKey,
      ['', '-', '-1', 'app', 'app-', 'app-x', 'app-1.5', 'app-99999999999', 'app-2147483648'],
    ],
    [parsePartitionUniqueId, ['', '1', '1-', '-1', '1-2-3', 'a-b', '1-0x2', '4294967296-0', '../../x-1']],
    [parsePartitionFileName, ['', '1-2', '1-2-3', '1-2-0-0', '1-2-', '../1-2-0', '1-2-0/..']],
    [parseWorkerUniqueId, ['', 'h', ':1:2:3:4', 'h:1:2:3', 'h:1:2:3:65536', 'h:1:2:3:x', '1:2:3:4']],
    [parseHostPort, ['', ':1', 'h', 'h:', 'h:65536', 'h:-1', '[]:1']],
  ] as [(text: string) => unknown, string[]][])('%o refuses what is none', (parse, texts) => {
    for (const text of texts) expect(() => parse(text), text).toThrow(ProtocolError)
    fc.assert(fc.property(fc.string(), (text) => valueOrProtocolError(() => parse(text))))
  })

  it('a long wrong key does not fill the error message', () => {
    expect(() => parseShuffleKey('x'.repeat(100_000))).toThrow(/^.{0,300}$/)
  })
})

describe('status codes', () => {
  it('are the 57 of Celeborn, without a gap', () => {
    expect(Object.values(StatusCode).sort((a, b) => a - b)).toEqual(Array.from({ length: 57 }, (_, i) => i))
  })

  it('have names', () => {
    expect(statusName(21)).toBe('HARD_SPLIT')
    expect(statusName(999)).toBe('status 999')
    expect(isStatusCode(56)).toBe(true)
    expect(isStatusCode(57)).toBe(false)
  })
})
