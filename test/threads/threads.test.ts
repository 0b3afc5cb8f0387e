import { afterEach, describe, expect, it } from 'vitest'
import { scene } from './harness'

const here = scene()
const NOTHING = { framesAlive: 0, bytesAlive: 0, pooledBytes: 0 }
const MIB = 1024 * 1024
/** Different in each run, named in failures. */
const seed = Date.now() % 1_000_000

afterEach(() => {
  for (const worker of here().workers) worker.unstall()
})

describe('threads that push', { timeout: 240_000 }, () => {
  it('are terminated at any time of their work (B08)', async () => {
    const { ended, report } = await here().threads('terminate', 40, seed)
    expect(report.native, `seed ${seed}`).toEqual(NOTHING)
    expect(report).toMatchObject({ codes: { 1: 40 }, errors: {} })
    expect(report.framesAllocated).toBeGreaterThan(0)
    expect(ended.stderr).toBe('')
  })

  it('are terminated with writes under way that nobody reads, with pushes that wait', async () => {
    for (const worker of here().workers) worker.stall()
    const { ended, report } = await here().threads('stalled', 20, seed)
    expect(report.native, `seed ${seed}`).toEqual(NOTHING)
    expect(report).toMatchObject({ codes: { 1: 20 }, errors: {}, messages: { stall: 20 } })
    expect(ended.stderr).toBe('')
  })

  it('are terminated while modules and the addon load (fact 13)', async () => {
    const { ended, report } = await here().threads('loading', 60, seed)
    expect(report.native, `seed ${seed}`).toEqual(NOTHING)
    expect(report).toMatchObject({ codes: { 1: 60 }, errors: {} })
    expect(ended.stderr).toBe('')
  })

  it('end by themselves although nothing was closed (B10)', async () => {
    const { ended, report } = await here().threads('natural', 10, seed)
    expect(report.native).toEqual(NOTHING)
    expect(report).toMatchObject({ codes: { 0: 10 }, errors: {}, messages: { acknowledged: 10 } })
    // A second at most; whatever keeps a thread alive does so for a time-out of half a minute or more.
    expect(report.lingeredMs).toBeLessThan(15_000)
    expect(ended.stderr).toBe('')
  })

  it('throw: the error arrives, and nothing else happens (B11)', async () => {
    for (const worker of here().workers) worker.stall()
    const { ended, report } = await here().threads('throw', 10, seed)
    expect(report.native).toEqual(NOTHING)
    expect(report).toMatchObject({ codes: { 1: 10 }, errors: { 'on purpose': 10 } })
    expect(ended.stderr).toBe('')
  })

  it('exit: their code arrives', async () => {
    for (const worker of here().workers) worker.stall()
    const { ended, report } = await here().threads('exit', 10, seed)
    expect(report.native).toEqual(NOTHING)
    expect(report).toMatchObject({ codes: { 7: 10 }, errors: {} })
    expect(ended.stderr).toBe('')
  })
})

describe('200 times', { timeout: 240_000 }, () => {
  it.each([
    ['threads with a client each, that close it', 'complete'],
    ['clients of one thread, closed', 'client'],
  ])('%s: counters, handles, descriptors and memory stay where they were (B19)', async (_, kind) => {
    const { ended, report } = await here().threads(kind, 200, seed)
    expect(report.native).toEqual(NOTHING)
    expect(report).toMatchObject({ errors: {}, messages: { done: 200 } })
    const [early, late] = report.samples
    if (early === undefined || late === undefined) throw new Error('no samples')
    expect(late.handles).toBeLessThanOrEqual(early.handles)
    expect(late.descriptors).toBeLessThanOrEqual(early.descriptors + 2)
    // 150 more of them; one that kept its heap would keep some MiB.
    expect(late.rss - early.rss).toBeLessThan(100 * MIB)
    expect(ended.stderr).toBe('')
  })
})
