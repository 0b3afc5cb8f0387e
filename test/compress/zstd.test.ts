import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCodec, type EncodedBlock } from '../../src/compress'
import { ZstdCodec } from '../../src/compress/zstd'
import { builtinZstd } from '../../src/compress/zstd-builtin'
import { zstdLibrary } from '../../src/compress/zstd-library'
import { wasmZstd } from '../../src/compress/zstd-wasm'
import { CelebornError, ConfigError } from '../../src/errors'

const LIMIT = 64 * 1024 * 1024
const HEADER = 22
const LEVELS = [-5, -1, 0, 1, 3, 9, 19, 22]
const GREETING = 'hello celeborn hello celeborn hello celeborn hello celeborn'
/** Both as Celeborn's Java client wrote them. */
const JAVA_COMPRESSED =
  '5a535444426c6f636b301e0000003b0000006ff5d99a28b52ffd203bad00007868656c6c6f2063656c65626f726e2001008939eb'
const JAVA_STORED = '5a535444426c6f636b100300000003000000c2412435616263'

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

/** A block around `data`, with everything right in its header but what `data` is. */
function block(data: Uint8Array, original: number, checksum = 0, method = 0x30): Buffer {
  const header = Buffer.alloc(HEADER)
  header.write('ZSTDBlock', 'latin1')
  header.writeUInt8(method, 9)
  header.writeInt32LE(data.byteLength, 10)
  header.writeInt32LE(original, 14)
  header.writeUInt32LE(checksum, 18)
  return Buffer.concat([header, data])
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex')
}

const builtin = builtinZstd()
const libraries = builtin === null ? [wasmZstd()] : [wasmZstd(), builtin]

it('Node’s own zstd is taken where it has one', () => {
  const { zstdCompressSync } = process.getBuiltinModule('node:zlib') as { zstdCompressSync?: unknown }
  expect(zstdLibrary().name).toBe(zstdCompressSync === undefined ? '@bokuweb/zstd-wasm' : 'node:zlib')
})

it('where there is none, the error says what to install', () => {
  const load = (): unknown => wasmZstd(join(tmpdir(), 'no-packages-here', 'index.js'))
  expect(load).toThrow(ConfigError)
  expect(load).toThrow(/codec = ZSTD.*Run: npm install @bokuweb\/zstd-wasm@\d+\.\d+\.\d+$/)
})

it('a WebAssembly that has no memory for a result says so, and goes on', () => {
  const wasm = wasmZstd()
  const frame = wasm.compress(Buffer.alloc(5000, 'ab'), 1)
  if (frame === null) throw new Error('not compressed')
  expect(() => wasm.decompress(frame, 0x7fff0000)).toThrow(
    expect.objectContaining({ code: 'CELEBORN_OUT_OF_MEMORY' }),
  )
  expect(wasm.decompress(frame, 5000)).toHaveLength(5000)
})

describe.each(libraries.map((library) => [library.name, library] as const))('%s', (_, library) => {
  const zstd = new ZstdCodec(1, library)

  function refused(data: Uint8Array, limit = LIMIT): CelebornError {
    const before = Buffer.from(data)
    try {
      zstd.decode(data, limit)
    } catch (error) {
      if (!(error instanceof CelebornError)) throw error
      expect(error.code).toBe('CELEBORN_CORRUPT_DATA')
      expect(Buffer.compare(data, before)).toBe(0)
      return error
    }
    throw new Error('the block was accepted')
  }

  describe('bytes as the Java client writes them', () => {
    it('compresses', () => {
      const encoded = zstd.encode(bytes(GREETING))
      expect(encoded.stored).toBe(false)
      expect(encoded.header.byteLength).toBe(zstd.headerBytes)
      // The frame may differ by version of zstd. Its first bytes are the magic and one segment of 59 bytes.
      const length = encoded.payload.byteLength
      expect(length).toBeLessThan(50)
      expect(Buffer.from(encoded.payload.subarray(0, 6)).toString('hex')).toBe('28b52ffd203b')
      const [magic, checksum] = ['5a535444426c6f636b30', '6ff5d99a']
      const lengths = `${length.toString(16).padStart(2, '0')}0000003b000000`
      expect(Buffer.from(encoded.header).toString('hex')).toBe(`${magic}${lengths}${checksum}`)
      expect(Buffer.from(zstd.decode(joined(encoded), LIMIT)).toString()).toBe(GREETING)
    })

    it('reads them', () => {
      expect(Buffer.from(zstd.decode(hex(JAVA_COMPRESSED), LIMIT)).toString()).toBe(GREETING)
      expect(Buffer.from(zstd.decodeReadOnly(hex(JAVA_COMPRESSED), LIMIT)).toString()).toBe(GREETING)
      expect(Buffer.from(zstd.decode(hex(JAVA_STORED), LIMIT)).toString()).toBe('abc')
    })

    it('stores what compression does not make smaller', () => {
      const source = bytes('abc')
      const encoded = zstd.encode(source)
      expect(joined(encoded).toString('hex')).toBe(JAVA_STORED)
      expect(encoded.payload).toBe(source)
      expect(encoded).toMatchObject({ stored: true, allocatedBytes: 0 })
      encoded.release()
      expect(source).toEqual(bytes('abc'))
    })

    it('the frame says how long its content is, whatever the level', () => {
      for (const level of LEVELS)
        for (const length of [200, 300, 70_000]) {
          const { payload } = new ZstdCodec(level, library).encode(Buffer.alloc(length, 'abcd'))
          // Descriptor: one segment, and the size in 1, 2 or 4 bytes.
          expect(payload[4]).toBe(length < 256 ? 0x20 : length < 65_536 + 256 ? 0x60 : 0xa0)
        }
    })
  })

  describe('round trips', () => {
    it('B52: nothing, one byte and what does not compress are stored with the checksum of the raw bytes', () => {
      for (const level of LEVELS)
        for (const source of [new Uint8Array(0), bytes('x'), randomBytes(65536)]) {
          const codec = new ZstdCodec(level, library)
          const encoded = codec.encode(source)
          expect(encoded.stored).toBe(true)
          expect(encoded.header[9]).toBe(0x10)
          expect(joined(encoded)).toEqual(joined(codec.encodeStored(source)))
          expect(Buffer.from(codec.decode(joined(encoded), LIMIT))).toEqual(Buffer.from(source))
        }
    })

    it('B52: method and checksum do not depend on the level', () => {
      const source = mixed(20_000)
      const headers = LEVELS.map((level) => {
        const encoded = new ZstdCodec(level, library).encode(source)
        expect(Buffer.compare(zstd.decode(joined(encoded), source.length), source)).toBe(0)
        return Buffer.concat([encoded.header.subarray(0, 10), encoded.header.subarray(14)]).toString('hex')
      })
      expect(new Set(headers).size).toBe(1)
    })

    it('the level counts', () => {
      const source = Buffer.concat(Array.from({ length: 40 }, (_, i) => mixed(1000 + i)))
      const at = (level: number): number => new ZstdCodec(level, library).encode(source).payload.byteLength
      expect(at(-5)).toBeGreaterThan(at(19))
    })

    it('of any bytes, in both forms', () => {
      const unit = fc.uint8Array({ minLength: 1, maxLength: 400 })
      const source = fc
        .array(fc.tuple(unit, fc.integer({ min: 1, max: 300 })), { maxLength: 12 })
        .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part))))
      fc.assert(
        fc.property(
          source,
          fc.integer({ min: 0, max: 40 }),
          fc.constantFrom(...LEVELS),
          (original, offset, level) => {
            const codec = new ZstdCodec(level, library)
            // At an odd place of its memory, as a batch in the middle of a chunk is.
            const view = Buffer.concat([Buffer.alloc(offset, 0xee), original]).subarray(offset)
            for (const encoded of [codec.encode(view), codec.encodeStored(view)]) {
              const chunk = Buffer.concat([Buffer.alloc(offset), joined(encoded), Buffer.alloc(7)])
              const before = Buffer.from(chunk)
              const data = chunk.subarray(offset, chunk.byteLength - 7)
              expect(Buffer.compare(codec.decode(data, original.byteLength), original)).toBe(0)
              expect(Buffer.compare(chunk, before)).toBe(0)
              encoded.release()
            }
            expect(Buffer.compare(view, original)).toBe(0)
          },
        ),
        { numRuns: 200 },
      )
    })

    it('of several MiB', () => {
      for (const length of [65_535, 65_536, 65_537, (128 << 10) + 1, 1 << 20, (20 << 20) + 3]) {
        const source = mixed(length)
        const encoded = zstd.encode(source)
        expect(encoded.stored).toBe(false)
        expect(Buffer.compare(zstd.decode(joined(encoded), length), source)).toBe(0)
        encoded.release()
      }
    })

    it('a stored block decodes to a view of itself, a compressed one to memory of its own', () => {
      const stored = joined(zstd.encode(bytes('abc')))
      expect(zstd.decode(stored, LIMIT).buffer).toBe(stored.buffer)
      const compressed = joined(zstd.encode(new Uint8Array(1000)))
      const first = zstd.decode(compressed, LIMIT)
      expect(first.buffer).not.toBe(compressed.buffer)
      zstd.decode(joined(zstd.encode(new Uint8Array(1000).fill(1))), LIMIT)
      expect(first.every((byte) => byte === 0)).toBe(true)
    })
  })

  describe('memory of a compressed block', () => {
    it('is exactly its length, at most what is charged for, and freed at release, once', () => {
      for (const length of [100, 1000, 65_536, 1 << 20]) {
        const encoded = zstd.encode(mixed(length))
        const { payload } = encoded
        expect(encoded.stored).toBe(false)
        expect(payload.buffer.byteLength).toBe(payload.byteLength)
        expect(encoded.allocatedBytes).toBe(payload.byteLength)
        expect(encoded.allocatedBytes).toBeLessThanOrEqual(zstd.maxAllocatedBytes(length))
        encoded.release()
        expect(payload.byteLength).toBe(0)
        expect(encoded.payload.byteLength).toBe(0)
        expect(encoded.allocatedBytes).toBe(0)
        encoded.release()
        expect(encoded.header.byteLength).toBe(HEADER)
      }
    })

    it('B02: nothing is left for the garbage collector, within one turn of the event loop', () => {
      const source = mixed(1 << 20)
      const data = joined(zstd.encode(source))
      globalThis.gc?.()
      const before = process.memoryUsage()
      for (let i = 0; i < 200; i++) zstd.encode(source).release()
      expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(20 << 20)
      // What the library has for itself is used again.
      expect(process.memoryUsage().rss - before.rss).toBeLessThan(100 << 20)
      expect(Buffer.compare(zstd.decode(data, LIMIT), source)).toBe(0)
    })
  })

  describe('damaged blocks', () => {
    const source = mixed(300)
    const good = joined(zstd.encode(source))

    it('every changed byte is an error or changes nothing', () => {
      for (const data of [good, joined(zstd.encodeStored(source))])
        for (let i = 0; i < data.byteLength; i++)
          for (const flip of [0x01, 0x80, 0xff]) {
            const damaged = Buffer.from(data)
            damaged[i] = (damaged[i] ?? 0) ^ flip
            try {
              expect(Buffer.compare(zstd.decode(damaged, LIMIT), source)).toBe(0)
              // Only how the data is put together may be ambiguous, never the header.
              expect(i).toBeGreaterThanOrEqual(zstd.headerBytes)
            } catch (error) {
              expect(error).toMatchObject({ code: 'CELEBORN_CORRUPT_DATA' })
            }
          }
    })

    it('every truncation is an error, with and without a header that says so', () => {
      const large = zstd.encode(mixed(300_000)).payload
      for (let length = 0; length < good.byteLength; length++) refused(good.subarray(0, length))
      for (let length = 0; length < 400; length++) refused(block(good.subarray(HEADER, HEADER + length), 300))
      for (let length = 997; length < large.byteLength; length += 997)
        expect(refused(block(large.subarray(0, length), 300_000)).message).toMatch(/cut off/)
    })

    it('a frame is alone: nothing behind it, no second one, none to skip', () => {
      const frame = good.subarray(HEADER)
      refused(Buffer.concat([good, Buffer.alloc(1)]))
      const behind = (data: Uint8Array, original: number): string => refused(block(data, original)).message
      expect(behind(Buffer.concat([frame, Buffer.alloc(1)]), 300)).toMatch(/1 bytes behind the frame/)
      expect(behind(Buffer.concat([frame, frame]), 600)).toMatch(/claims 600/)
      const skipped = Buffer.concat([hex('502a4d18 04000000 00000000'), frame])
      expect(behind(skipped, 300)).toMatch(/no zstd frame/)
      expect(behind(Buffer.concat([frame, skipped]), 300)).toMatch(/behind the frame/)
    })

    it('random bytes behind a right header are errors', () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 200 }),
          fc.integer({ min: 0, max: 60_000 }),
          fc.boolean(),
          (data, claimed, magic) => {
            refused(block(magic ? Buffer.concat([hex('28b52ffd'), data]) : data, claimed))
          },
        ),
        { numRuns: 1000 },
      )
    })

    it('lengths that cannot be are refused before anything is allocated', () => {
      const payload = good.byteLength - HEADER
      const lie = (compressed: number, original: number, method = 0x30): Buffer => {
        const data = Buffer.from(good)
        data.writeUInt8(method, 9)
        data.writeInt32LE(compressed, 10)
        data.writeInt32LE(original, 14)
        return data
      }
      const before = process.memoryUsage().rss
      for (let i = 0; i < 2; i++) {
        refused(lie(payload, 0x7fffffff), 0x7fffffff)
        refused(lie(payload, payload * 32768 + 1), 0x7fffffff)
        refused(lie(payload, -1))
        refused(lie(-1, 300))
        refused(lie(0x7fffffff, 300))
        refused(lie(payload, 299))
        refused(lie(payload, 300, 0x10))
        refused(lie(payload, 300, 0x20))
        refused(lie(payload, 300, 0x31))
        // A frame that believes in 2 GiB itself, of one block: a run of 128 KiB.
        refused(block(hex('28b52ffd a0 ffffff7f 030010 61'), 0x7fffffff), 0x7fffffff)
        // One that does not say, in a window of 2 GiB.
        expect(refused(block(hex('28b52ffd 00 a8 030010 61'), 131_072)).message).toMatch(
          /a window of 2147483648/,
        )
        // Blocks of runs that are more than the header claims.
        refused(block(hex(`28b52ffd 00 58 ${'020010 61'.repeat(5000)} 030010 61`), 131_072))
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20)
    })

    it('a frame that holds more than the header claims is stopped there', () => {
      // Compressed blocks whose size only decoding tells: one segment, then content of unknown size.
      const one = zstd.encode(Buffer.alloc(100_000, 'ab')).payload
      const blocks = Buffer.from(one.subarray(4 + 1 + 4))
      const unknown = Buffer.concat([hex('28b52ffd 00 58'), blocks])
      const checksum = zstd.encodeStored(Buffer.alloc(100_000, 'ab')).header.subarray(18)
      const sum = Buffer.from(checksum).readUInt32LE()
      expect(zstd.decode(block(unknown, 100_000, sum), LIMIT).byteLength).toBe(100_000)
      expect(refused(block(unknown, 99_999, sum)).message).toMatch(/cannot be decompressed/)
      expect(refused(block(unknown, 100_001, sum)).message).toMatch(/100000 bytes of original data/)
    })

    it('a frame of an unknown kind, with a dictionary, or with blocks that cannot be, is refused', () => {
      const message = (text: string, original = 1): string => refused(block(hex(text), original)).message
      expect(message('28b52ffd 28 01 090000 61')).toMatch(/unknown kind/)
      expect(message('28b52ffd 21 05 01 090000 61')).toMatch(/dictionary/)
      expect(message('28b52ffd 20 01 0f0000 61')).toMatch(/block of an unknown kind/)
      expect(message('28b52ffd 20 01 110000 6161')).toMatch(/block of 2 bytes, its most is 1/)
      expect(message('28b52ffd 20 02 090000 61', 2)).toMatch(/cannot hold 2 bytes/)
      // The same, right.
      const right = hex('28b52ffd 20 01 090000 61')
      expect(Buffer.from(zstd.decode(block(right, 1, 0xe8b7be43), LIMIT)).toString()).toBe('a')
    })

    it('a wrong checksum is an error, of the block and of the frame', () => {
      const right = hex('28b52ffd 20 01 090000 61')
      expect(refused(block(right, 1, 0xe8b7be44)).message).toMatch(/checksum of 1 bytes is 0xe8b7be43/)
      const checked = (checksum: string): Buffer =>
        block(hex(`28b52ffd 24 01 090000 61 ${checksum}`), 1, 0xe8b7be43)
      expect(refused(checked('00000000')).message).toMatch(/cannot be decompressed/)
      expect(refused(checked('000000')).message).toMatch(/cut off/)
      // The low four bytes of the XXH64 of "a".
      expect(zstd.decode(checked('5b6e8ca9'), LIMIT)).toHaveLength(1)
    })

    it('after an error the next block is decoded as ever', () => {
      for (let i = 0; i < 50; i++) {
        refused(block(Buffer.concat([good.subarray(HEADER, HEADER + 60), Buffer.alloc(9)]), 300))
        expect(Buffer.compare(zstd.decode(good, LIMIT), source)).toBe(0)
      }
    })

    it('more than the limit is refused, the limit itself is not', () => {
      expect(refused(good, 299).message).toContain('0 to 299')
      expect(zstd.decode(good, 300).byteLength).toBe(300)
      const stored = joined(zstd.encodeStored(source))
      refused(stored, 299)
      expect(zstd.decode(stored, 300).byteLength).toBe(300)
    })

    it('B69: a block of another codec names the setting on both sides', () => {
      const lz4 = joined(createCodec('LZ4').encode(source))
      expect(refused(lz4).message).toContain('written with LZ4')
      const raw = refused(Buffer.alloc(60)).message
      expect(raw).toContain('written with NONE')
      expect(raw).toContain('celeborn.client.shuffle.compression.codec')
      expect(raw).toContain('this reader has ZSTD')
    })
  })
})
