import fc from 'fast-check'
import { expect } from 'vitest'
import { ProtocolError } from '../../src/errors'
import { type PartitionLocation, type WireId } from '../../src/protocol'

/** Bytes from hex; blanks are ignored. */
export function hex(text: string): Buffer {
  return Buffer.from(text.replace(/\s+/g, ''), 'hex')
}

/** Runs a decoder over bytes that may be anything: it must give a value or a ProtocolError. */
export function valueOrProtocolError(decode: () => unknown): void {
  try {
    decode()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    expect(error.code).toBe('CELEBORN_PROTOCOL')
  }
}

/** Every way to damage valid bytes that a peer or a wire may come up with. */
export function mutated(valid: Uint8Array): fc.Arbitrary<Buffer> {
  const position = fc.nat({ max: Math.max(valid.length - 1, 0) })
  return fc.oneof(
    position.map((length) => Buffer.from(valid.subarray(0, length))),
    fc.tuple(position, fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
      const bytes = Buffer.from(valid)
      if (bytes.length > 0) bytes[at] = byte
      return bytes
    }),
    fc
      .tuple(position, fc.constantFrom(0, 1, -1, 0x7fffffff, -0x80000000, 0x10000000, valid.length))
      .map(([at, value]) => {
        const bytes = Buffer.concat([valid, Buffer.alloc(4)])
        bytes.writeInt32BE(value, Math.min(at, bytes.length - 4))
        return bytes.subarray(0, Math.max(valid.length, 4))
      }),
    fc
      .tuple(position, fc.uint8Array({ maxLength: 8 }))
      .map(([at, extra]) => Buffer.concat([valid.subarray(0, at), extra, valid.subarray(at)])),
    fc
      .tuple(position, fc.nat({ max: 16 }))
      .map(([at, count]) => Buffer.concat([valid.subarray(0, at), valid.subarray(at + count)])),
  )
}

/** Fuzzes a decoder with random bytes and with damaged valid ones. */
export function fuzz(decode: (bytes: Uint8Array) => unknown, valid: readonly Uint8Array[], runs = 300): void {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => valueOrProtocolError(() => decode(bytes))),
    { numRuns: runs },
  )
  for (const bytes of valid) {
    fc.assert(
      fc.property(mutated(bytes), (damaged) => valueOrProtocolError(() => decode(damaged))),
      { numRuns: runs },
    )
  }
}

export const anyWireId: fc.Arbitrary<WireId> = fc.oneof(
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.nat(),
  // Beyond 2^53 in both directions.
  fc.record({
    high: fc.integer({ min: 0x200000, max: 0x7fffffff }),
    low: fc.integer({ min: 0, max: 0xffffffff }),
  }),
  fc.record({
    high: fc.integer({ min: -0x80000000, max: -0x200001 }),
    low: fc.integer({ min: 0, max: 0xffffffff }),
  }),
)

/** A location whose every field has another value. */
export function location(changes: Partial<PartitionLocation> = {}): PartitionLocation {
  return {
    id: 7,
    epoch: 2,
    mode: 0,
    host: 'h1',
    rpcPort: 1,
    pushPort: 2,
    fetchPort: 3,
    replicatePort: 4,
    peer: undefined,
    storage: {
      type: 1,
      mountPoint: '/mnt/a',
      finalResult: true,
      filePath: '/mnt/a/app/0/7-2-0',
      availableStorageTypes: 2,
      fileSize: 5_000_000_000,
      chunkOffsets: [0, 8_388_608, 5_000_000_000],
    },
    mapIdBitmap: Uint8Array.of(58, 48, 1),
    ...changes,
  }
}
