import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ALLOCATION_NODE_OPTIONS } from '../../bench/lib/allocations'
import { type Allocations } from '../../bench/lib/allocations'
import { buildBench, DIST } from './build'

const MIB = 1024 * 1024

/** Runs `work` between start and stop of a meter, in a process with the options that the meter needs. */
function measure(work: string, setup = ''): Allocations {
  const script = `
    const { AllocationMeter } = require(${JSON.stringify(resolve(DIST, 'bench/lib/allocations.js'))})
    const { FramePool } = require(${JSON.stringify(resolve(DIST, 'src/memory/index.js'))})
    ${setup}
    const meter = new AllocationMeter(${MIB})
    meter.start()
    ${work}
    process.stdout.write(JSON.stringify(meter.stop()))`
  return JSON.parse(
    execFileSync(process.execPath, [...ALLOCATION_NODE_OPTIONS, '-e', script], { encoding: 'utf8' }),
  ) as Allocations
}

beforeAll(buildBench, 120_000)

describe('AllocationMeter', () => {
  it('counts ArrayBuffers that come and go, through many collections', () => {
    const { arrayBufferBytes, nativeBytes } = measure(
      `for (let i = 0; i < 300; i++) Buffer.allocUnsafeSlow(${MIB})[0] = i`,
    )
    expect(arrayBufferBytes).toBeGreaterThan(299 * MIB)
    expect(arrayBufferBytes).toBeLessThan(301 * MIB)
    expect(nativeBytes).toBe(0)
  })

  it('counts what the heap allocates', () => {
    const { heapBytes, arrayBufferBytes } = measure(
      `let last; for (let i = 0; i < 40; i++) { last = new Array(${MIB / 8}).fill(i) }`,
    )
    expect(heapBytes).toBeGreaterThan(39 * MIB)
    expect(heapBytes).toBeLessThan(46 * MIB)
    expect(arrayBufferBytes).toBeLessThan(MIB)
  })

  it('counts blocks of a pool once, and recycled frames not at all', () => {
    const pool = `const pool = new FramePool({ maxPooledBytes: ${64 * MIB} });`
    const rounds = `for (let i = 0; i < 50; i++) {
      const frames = [pool.acquire(${MIB}), pool.acquire(${MIB})]
      for (const frame of frames) { frame.bytes[0] = 1; frame.release() }
    }`
    expect(measure(rounds, pool)).toMatchObject({ nativeBytes: 2 * MIB })
    const warm = measure(rounds, pool + rounds)
    expect(warm.nativeBytes).toBe(0)
    expect(Math.abs(warm.arrayBufferBytes)).toBeLessThan(MIB / 4)
  })
})

it('the compiled benchmarks are those of the sources', () => {
  const compiled = readFileSync(resolve(DIST, 'bench/lib/allocations.js'), 'utf8')
  for (const option of ALLOCATION_NODE_OPTIONS) expect(compiled).toContain(option)
})
