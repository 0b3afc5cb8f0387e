import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { lz4AllocatedBytes, lz4MaxAllocatedBytes } from '../../src/compress/lz4-memory'

// A process of its own, so that nothing else moves its resident size: keeps `count` outputs and prints their
// length and the growth per output.
const PROBE = `
const { compressSync } = require('lz4-napi')
const { randomBytes } = require('node:crypto')
const [size, random, count] = process.argv.slice(1).map(Number)
const source = Buffer.alloc(size)
randomBytes(random).copy(source)
compressSync(source)
const before = process.memoryUsage.rss()
const keep = []
for (let i = 0; i < count; i++) keep.push(compressSync(source))
const growth = process.memoryUsage.rss() - before
console.log(JSON.stringify({ length: keep[0].length, growth: growth / count, told: keep[0].buffer.byteLength }))
`

function measure(
  size: number,
  random: number,
  count: number,
): { length: number; growth: number; told: number } {
  const output = execFileSync(process.execPath, ['-e', PROBE, String(size), String(random), String(count)])
  return JSON.parse(output.toString()) as { length: number; growth: number; told: number }
}

describe('what lz4-napi allocates', () => {
  // [source, incompressible part of it]
  const cases: [number, number][] = [
    [16_384, 16_384],
    [56_000, 45_000],
    [65_536, 65_536],
    [65_536, 46_000],
    [65_536, 30_000],
    [262_144, 200_000],
    [1_048_576, 1_048_576],
    [1_048_576, 300_000],
    [4_194_304, 4_194_304],
  ]
  it.each(cases)('is charged: %i bytes, %i of them random', (size, random) => {
    const { length, growth, told } = measure(size, random, Math.ceil((96 << 20) / size))
    const charged = lz4AllocatedBytes(size, length)
    // V8 sees the length alone, the process holds more.
    expect(told).toBe(length)
    expect(charged).toBeGreaterThanOrEqual(length)
    expect(charged).toBeLessThanOrEqual(lz4MaxAllocatedBytes(size))
    // Never less than is resident. Without huge pages the end of a block is not.
    expect(growth).toBeLessThan(charged * 1.15 + 2048)
    expect(growth).toBeGreaterThan(charged * 0.5)
  })

  it('may be more than the source: at most 2.3 times', () => {
    let worst = 0
    for (let size = 1024; size < 64 << 20; size = Math.ceil(size * 1.01)) {
      const most = lz4MaxAllocatedBytes(size)
      expect(most).toBeGreaterThanOrEqual(size)
      worst = Math.max(worst, most / size)
    }
    expect(worst).toBeLessThan(2.3)
  })
})
