import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import {
  BATCH_HEADER_BYTES,
  iterateBatches,
  peekMapId,
  readBatchHeader,
  writeBatchHeader,
} from '../../src/protocol'
import { fuzz, hex } from './support'

describe('batches', () => {
  it('have a little-endian header', () => {
    const bytes = Buffer.alloc(18, 0xee)
    expect(writeBatchHeader(bytes, 1, 1, 0, 1, 24)).toBe(17)
    expect(bytes).toEqual(hex('ee 01000000 00000000 01000000 18000000 ee'))
    expect(readBatchHeader(bytes, 1)).toEqual({ mapId: 1, attemptId: 0, batchId: 1, size: 24 })
    expect(BATCH_HEADER_BYTES).toBe(16)
  })

  it('keep all bits of their ids', () => {
    const bytes = Buffer.alloc(16)
    writeBatchHeader(bytes, 0, 0x01020304, (5 << 16) | 3, -1, 0)
    expect(bytes).toEqual(hex('04030201 03000500 ffffffff 00000000'))
    expect(readBatchHeader(bytes)).toEqual({ mapId: 0x01020304, attemptId: 0x50003, batchId: -1, size: 0 })
    expect(peekMapId(bytes)).toBe(0x01020304)
  })

  it('come out of a chunk as views, in order', () => {
    const batch = fc.record({
      mapId: fc.nat(),
      attemptId: fc.nat(),
      batchId: fc.nat(),
      payload: fc.uint8Array({ maxLength: 50 }),
    })
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 10 }), (batches) => {
        const chunk = Buffer.concat(
          batches.map(({ mapId, attemptId, batchId, payload }) => {
            const header = Buffer.alloc(16)
            writeBatchHeader(header, 0, mapId, attemptId, batchId, payload.length)
            return Buffer.concat([header, payload])
          }),
        )
        const read = [...iterateBatches(chunk)]
        expect(read.map(({ payload, ...header }) => ({ ...header, payload: [...payload] }))).toEqual(
          batches.map(({ payload, ...ids }) => ({ ...ids, size: payload.length, payload: [...payload] })),
        )
        for (const { payload } of read) expect(payload.buffer).toBe(chunk.buffer)
      }),
    )
  })

  it('must fill their chunk exactly', () => {
    const whole = hex('01000000 00000000 01000000 02000000 6162')
    const next = hex('01000000 00000000 02000000 02000000 6364')
    for (let length = 1; length < next.length; length++) {
      const batches = iterateBatches(Buffer.concat([whole, next.subarray(0, length)]))
      expect(batches.next().value).toMatchObject({ batchId: 1 })
      expect(() => batches.next()).toThrow(ProtocolError)
    }
    expect([...iterateBatches(Buffer.alloc(0))]).toEqual([])
  })

  it('with a size that cannot be are a ProtocolError', () => {
    expect(() => readBatchHeader(hex('01000000 00000000 01000000 ffffffff'))).toThrow('size -1')
    expect(() => [...iterateBatches(hex('01000000 00000000 05000000 ffffff7f 00'))]).toThrow(
      'batch 5 of map 1 attempt 0 wants 2147483647 bytes',
    )
  })

  it('survive damage', () => {
    const chunk = hex('01000000 00000000 01000000 02000000 6162 02000000 00000000 01000000 01000000 63')
    fuzz((bytes) => [...iterateBatches(bytes)], [chunk])
  })
})
