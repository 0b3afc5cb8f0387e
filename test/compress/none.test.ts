import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createCodec, type EncodedBlock } from '../../src/compress'

const none = createCodec('NONE')

function joined({ header, payload }: EncodedBlock): Buffer {
  return Buffer.concat([header, payload])
}

it.each(['LZ4', 'ZSTD'] as const)('B69: a block of %s is not taken for data', (name) => {
  const codec = createCodec(name)
  for (const source of [Buffer.alloc(500, 'abc'), randomBytes(500), Buffer.alloc(0)]) {
    for (const decode of ['decode', 'decodeReadOnly'] as const) {
      expect(() => none[decode](joined(codec.encode(source)), 1000)).toThrow(
        new RegExp(
          `a batch is a block that was written with ${name}\\. .*celeborn\\.client\\.shuffle\\.compression\\.codec; ` +
            'this reader has NONE',
        ),
      )
    }
  }
})

it('what only begins like one, or has one in it, is data', () => {
  for (const name of ['LZ4', 'ZSTD'] as const) {
    const block = joined(createCodec(name).encode(Buffer.alloc(500, 'abc')))
    const other = Buffer.from(block)
    other[createCodec(name).headerBytes - 13] = 0x25
    for (const data of [
      Buffer.from(`${name}Block is a magic`),
      Buffer.concat([block, Buffer.alloc(1)]),
      Buffer.concat([Buffer.alloc(1), block]),
      Buffer.concat([block, block]),
      block.subarray(0, 15),
      other,
    ])
      expect(none.decode(data, 2000)).toBe(data)
  }
})
