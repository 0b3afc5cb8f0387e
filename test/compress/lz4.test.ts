import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Codec, createCodec, type EncodedBlock } from '../../src/compress'
import { CelebornError } from '../../src/errors'

const lz4 = createCodec('LZ4')
const LIMIT = 64 * 1024 * 1024

function joined(block: EncodedBlock): Buffer {
  return Buffer.concat([block.header, block.payload])
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text))
}

/** Text-like bytes: compressible, but not trivially. */
function mixed(length: number): Buffer {
  const source = randomBytes(length)
  for (let i = 0; i < length; i++) if (i % 8 < 5) source[i] = 0x61 + (i % 5)
  return source
}

function refused(codec: Codec, block: Uint8Array, limit = LIMIT): CelebornError {
  for (const decode of ['decode', 'decodeReadOnly'] as const) {
    try {
      codec[decode](block, limit)
    } catch (error) {
      if (!(error instanceof CelebornError)) throw error
      expect(error.code).toBe('CELEBORN_CORRUPT_DATA')
      if (decode === 'decodeReadOnly') return error
      continue
    }
    throw new Error(`${decode} accepted the block`)
  }
  throw new Error('unreachable')
}

describe('bytes as the Java client writes them', () => {
  it('compresses', () => {
    const source = bytes('hello celeborn hello celeborn hello celeborn hello celeborn')
    const block = lz4.encode(source)
    expect(block.stored).toBe(false)
    expect(block.header.byteLength).toBe(lz4.headerBytes)
    // Compressors may put the same data together differently: lz4-java takes 26 bytes, lz4_flex 27. The rest is fixed.
    const length = block.payload.byteLength
    expect(length).toBeLessThan(30)
    const [magic, lengths] = ['4c5a34426c6f636b20', `${length.toString(16).padStart(2, '0')}0000003b000000`]
    expect(Buffer.from(block.header).toString('hex')).toBe(`${magic}${lengths}233f320a`)
    expect(Buffer.from(block.payload).toString('latin1')).toContain('hello celeborn ')
    expect(Buffer.compare(lz4.decode(joined(block), LIMIT), source)).toBe(0)
  })

  it('stores what compression does not make smaller', () => {
    const source = bytes('abc')
    const block = lz4.encode(source)
    expect(joined(block).toString('hex')).toBe('4c5a34426c6f636b10030000000300000022b24c0d616263')
    expect(block.stored).toBe(true)
    expect(block.payload).toBe(source)
    expect(block.allocatedBytes).toBe(0)
    block.release()
    expect(source).toEqual(bytes('abc'))
  })

  it('keeps 28 bits of the checksum', () => {
    const checksum = (block: EncodedBlock): string => Buffer.from(block.header.subarray(17)).toString('hex')
    expect(checksum(lz4.encodeStored(bytes('a')))).toBe('14e1b702')
    expect(checksum(lz4.encodeStored(bytes('')))).toBe('d8423b0d')
  })

  it('reads them', () => {
    const compressed =
      '4c5a34426c6f636b201a0000003b000000233f320aff0068656c6c6f2063656c65626f726e200f00145065626f726e'
    expect(Buffer.from(lz4.decode(Buffer.from(compressed, 'hex'), LIMIT)).toString()).toBe(
      'hello celeborn hello celeborn hello celeborn hello celeborn',
    )
    const stored = Buffer.from('4c5a34426c6f636b10030000000300000022b24c0d616263', 'hex')
    expect(Buffer.from(lz4.decode(stored, LIMIT)).toString()).toBe('abc')
  })
})

describe('round trips', () => {
  it('B52: nothing, one byte and what does not compress are stored with the checksum of the raw bytes', () => {
    for (const source of [new Uint8Array(0), bytes('x'), randomBytes(65536)]) {
      const block = lz4.encode(source)
      expect(block.stored).toBe(true)
      expect(block.header[8]).toBe(0x10)
      expect(joined(block)).toEqual(joined(lz4.encodeStored(source)))
      expect(Buffer.from(lz4.decode(joined(block), LIMIT))).toEqual(Buffer.from(source))
    }
  })

  it('of any bytes, in both forms and both ways to decode', () => {
    const unit = fc.uint8Array({ minLength: 1, maxLength: 400 })
    const source = fc
      .array(fc.tuple(unit, fc.integer({ min: 1, max: 300 })), { maxLength: 12 })
      .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part))))
    fc.assert(
      fc.property(source, fc.integer({ min: 0, max: 40 }), (original, offset) => {
        // At an odd place of its memory, as a batch in the middle of a chunk is.
        const memory = Buffer.concat([Buffer.alloc(offset, 0xee), original])
        const view = memory.subarray(offset)
        for (const block of [lz4.encode(view), lz4.encodeStored(view)]) {
          const chunk = Buffer.concat([Buffer.alloc(offset), joined(block), Buffer.alloc(7)])
          const before = Buffer.from(chunk)
          const encoded = chunk.subarray(offset, chunk.byteLength - 7)
          expect(Buffer.compare(lz4.decode(encoded, original.byteLength), original)).toBe(0)
          expect(Buffer.compare(lz4.decodeReadOnly(encoded, original.byteLength), original)).toBe(0)
          expect(Buffer.compare(chunk, before)).toBe(0)
          block.release()
        }
        expect(Buffer.compare(view, original)).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  it('of several MiB', () => {
    for (const length of [65_535, 65_536, 65_537, 1 << 20, (4 << 20) + 3]) {
      const source = mixed(length)
      const block = lz4.encode(source)
      expect(block.stored).toBe(false)
      expect(Buffer.compare(lz4.decode(joined(block), length), source)).toBe(0)
    }
  })

  it('a stored block decodes to a view of itself, a compressed one to memory of its own', () => {
    const stored = joined(lz4.encode(bytes('abc')))
    expect(lz4.decode(stored, LIMIT).buffer).toBe(stored.buffer)
    const compressed = joined(lz4.encode(new Uint8Array(1000)))
    expect(lz4.decode(compressed, LIMIT).buffer).not.toBe(compressed.buffer)
  })
})

describe('memory of a compressed block', () => {
  it('is pushed from where it lies and freed at release, once', () => {
    const block = lz4.encode(new Uint8Array(100_000))
    const payload = block.payload
    expect(payload.byteOffset).toBe(4)
    expect(payload.buffer.byteLength).toBe(payload.byteLength + 4)
    expect(block.allocatedBytes).toBeGreaterThanOrEqual(payload.buffer.byteLength)
    block.release()
    expect(payload.byteLength).toBe(0)
    expect(block.payload.byteLength).toBe(0)
    expect(block.allocatedBytes).toBe(0)
    block.release()
    expect(block.header.byteLength).toBe(21)
  })
})

describe('damaged blocks', () => {
  const source = mixed(300)
  const good = joined(lz4.encode(source))

  it('every changed byte is an error or changes nothing', () => {
    let harmless = 0
    for (const block of [good, joined(lz4.encodeStored(source))])
      for (let i = 0; i < block.byteLength; i++)
        for (const flip of [0x01, 0x80, 0xff]) {
          const damaged = Buffer.from(block)
          damaged[i] = (damaged[i] ?? 0) ^ flip
          const before = Buffer.from(damaged)
          for (const decode of ['decode', 'decodeReadOnly'] as const)
            try {
              expect(Buffer.compare(lz4[decode](damaged, LIMIT), source)).toBe(0)
              harmless++
              // Only how the data is put together may be ambiguous, never the header.
              expect(i).toBeGreaterThanOrEqual(lz4.headerBytes)
            } catch (error) {
              expect(error).toMatchObject({ code: 'CELEBORN_CORRUPT_DATA' })
            }
          expect(Buffer.compare(damaged, before)).toBe(0)
        }
    expect(harmless).toBeLessThan(good.byteLength)
  })

  it('every truncation is an error, and so is a longer block', () => {
    for (let length = 0; length < good.byteLength; length++) refused(lz4, good.subarray(0, length))
    refused(lz4, Buffer.concat([good, Buffer.alloc(1)]))
  })

  it('random bytes behind a right header are errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 60_000 }), (data, claimed) => {
        const block = Buffer.concat([Buffer.from('LZ4Block'), Buffer.alloc(13), data])
        block.writeUInt8(0x20, 8)
        block.writeInt32LE(data.byteLength, 9)
        block.writeInt32LE(claimed, 13)
        refused(lz4, block)
      }),
      { numRuns: 1000 },
    )
  })

  it('lengths that cannot be are refused before anything is allocated', () => {
    const lie = (compressed: number, original: number, method = 0x20): Buffer => {
      const block = Buffer.from(good)
      block.writeUInt8(method, 8)
      block.writeInt32LE(compressed, 9)
      block.writeInt32LE(original, 13)
      return block
    }
    const payload = good.byteLength - lz4.headerBytes
    const before = process.memoryUsage.rss()
    for (let i = 0; i < 2; i++) {
      refused(lz4, lie(payload, 0x7fffffff), 0x7fffffff)
      refused(lz4, lie(payload, payload * 255 + 1), 0x7fffffff)
      refused(lz4, lie(payload, -1))
      refused(lz4, lie(-1, 300))
      refused(lz4, lie(0x7fffffff, 300))
      refused(lz4, lie(payload, 300, 0x10))
      refused(lz4, lie(payload, 300, 0x21))
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 << 20)
  })

  it('more than the limit is refused, the limit itself is not', () => {
    expect(refused(lz4, good, 299).message).toContain('0 to 299')
    expect(lz4.decode(good, 300).byteLength).toBe(300)
    const stored = joined(lz4.encodeStored(source))
    refused(lz4, stored, 299)
    expect(lz4.decode(stored, 300).byteLength).toBe(300)
  })

  it('B69: a block of another codec names the setting on both sides', () => {
    const zstd = Buffer.concat([Buffer.from('ZSTDBlock'), Buffer.alloc(60)])
    expect(refused(lz4, zstd).message).toContain('written with ZSTD')
    const raw = refused(lz4, Buffer.alloc(60)).message
    expect(raw).toContain('written with NONE')
    expect(raw).toContain('celeborn.client.shuffle.compression.codec')
    expect(raw).toContain('this reader has LZ4')
  })
})

describe('the other codecs', () => {
  const none = createCodec('NONE')

  it('NONE is the bytes themselves', () => {
    const source = randomBytes(100)
    for (const block of [none.encode(source), none.encodeStored(source)]) {
      expect(block.payload).toBe(source)
      expect(block).toMatchObject({ stored: true, allocatedBytes: 0 })
      expect(block.header.byteLength).toBe(none.headerBytes)
      block.release()
    }
    expect(none.decode(source, 100)).toBe(source)
    expect(none.decodeReadOnly(source, 100)).toBe(source)
    refused(none, source, 99)
  })
})
