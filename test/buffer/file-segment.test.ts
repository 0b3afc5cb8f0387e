import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  openSync,
  closeSync,
  ftruncateSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FileSegmentManagedBuffer } from '../../src/buffer'
import { CelebornError, ClosedError } from '../../src/errors'
import { mapStats } from '../../src/memory'
import { collectUntil } from '../memory/gc'
import { confOf, descriptorsOf, directory, KIB, MIB, openDescriptors, pattern, patternFile } from './files'

const PAGE = 4096
const MAPPED = { 'celeborn.fetch.storage.memoryMapThreshold': '1' }
const EAGER = { 'celeborn.fetch.io.lazyFD': false }

async function failure(work: Promise<unknown> | (() => unknown)): Promise<CelebornError> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof CelebornError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe.each([
  ['mapped', MAPPED],
  ['read', {}],
] as const)('a segment that is %s', (state, entries) => {
  it.each([
    [0, 1],
    [1, PAGE],
    [PAGE - 1, 2],
    [PAGE, 3 * PAGE],
    [12_345, 40_000],
    [99_999, 1],
    [0, 100_000],
  ])('has the bytes at %d, %d of them', async (offset, length) => {
    const segment = new FileSegmentManagedBuffer(confOf(entries), patternFile(100_000), offset, length)
    expect(segment.state).toBe('not loaded')
    const bytes = await segment.bytes()
    expect(segment.state).toBe(state)
    expect(bytes.length).toBe(length)
    expect(Buffer.compare(bytes, pattern(length, offset))).toBe(0)
    expect(await segment.bytes()).toBe(bytes)
    const streamed = Buffer.concat(await segment.stream().toArray())
    expect(Buffer.compare(streamed, bytes)).toBe(0)
    const body = await segment.toNetwork()
    expect(body.length).toBe(length)
    expect(Buffer.compare(Buffer.concat(body.parts), bytes)).toBe(0)
    segment.release()
    // The socket still reads.
    expect(bytes.length).toBe(length)
    body.written()
    body.written()
    expect(bytes.length).toBe(0)
  })

  it('lives as long as somebody references it, and not longer', async () => {
    const conf = confOf(entries)
    const segment = new FileSegmentManagedBuffer(conf, patternFile(100), 10, 50)
    const bytes = await segment.retain().bytes()
    segment.release()
    expect(bytes.length).toBe(50)
    segment.release()
    expect(bytes.length).toBe(0)
    expect(() => segment.release()).toThrow(ClosedError)
    expect(() => segment.retain()).toThrow(/the segment at 10 of .* has been released/)
    await expect(segment.bytes()).rejects.toThrow(ClosedError)
    await expect(segment.toNetwork()).rejects.toThrow(ClosedError)
    expect(() => segment.stream()).toThrow(ClosedError)
    expect(conf.frames.stats().framesAlive).toBe(0)
    expect(mapStats().mapsAlive).toBe(0)
  })

  it('that is released while it loads is loaded for whoever asked, and freed at once', async () => {
    const conf = confOf(entries)
    const segment = new FileSegmentManagedBuffer(conf, patternFile(1000), 0, 1000)
    const loading = [segment.bytes(), segment.bytes()]
    segment.release()
    const [first, second] = await Promise.all(loading)
    expect(first).toBe(second)
    await setImmediate()
    expect(first?.length).toBe(0)
    expect(conf.frames.stats().framesAlive).toBe(0)
    expect(mapStats().mapsAlive).toBe(0)
  })

  it('survives the removal and the replacement of its file once it is loaded', async () => {
    const path = patternFile(9000)
    const segment = new FileSegmentManagedBuffer(confOf(entries), path, 4000, 5000)
    const bytes = await segment.bytes()
    rmSync(path)
    writeFileSync(path, Buffer.alloc(9000))
    expect(Buffer.compare(bytes, pattern(5000, 4000))).toBe(0)
    segment.release()
  })

  it('of no bytes needs no memory, but its file', async () => {
    const path = patternFile(10)
    const segment = new FileSegmentManagedBuffer(confOf(entries), path, 10, 0)
    expect((await segment.bytes()).length).toBe(0)
    expect(await segment.stream().toArray()).toEqual([])
    segment.release()
    const missing = new FileSegmentManagedBuffer(confOf(entries), `${path}-missing`, 0, 0)
    await expect(missing.bytes()).rejects.toThrow('no such file or directory')
    missing.release()
  })
})

describe('the threshold', () => {
  it.each([
    [999, 'read'],
    [1000, 'mapped'],
  ] as const)('decides: %d bytes are %s', async (length, state) => {
    const conf = confOf({ 'celeborn.storage.memoryMapThreshold': '1000' })
    const segment = new FileSegmentManagedBuffer(conf, patternFile(2000), 0, length)
    await segment.bytes()
    expect(segment.state).toBe(state)
    segment.release()
  })
})

describe.each([
  ['when it is made', EAGER],
  ['at the first read', {}],
] as const)('a file that is opened %s', (_, entries) => {
  const make = (path: string, offset: number, length: number, more = {}): Promise<CelebornError> =>
    failure(async () => {
      const segment = new FileSegmentManagedBuffer(confOf({ ...entries, ...more }), path, offset, length)
      try {
        await segment.bytes()
      } finally {
        segment.release()
      }
    })

  it.each([
    ['is missing', (dir: string) => join(dir, 'missing'), 'no such file or directory'],
    ['is a directory', (dir: string) => dir, 'it is a directory'],
    ['lies below a file', (dir: string) => join(dir, 'file', 'x'), 'not a directory'],
    ['is a device', () => '/dev/null', 'it is not a regular file'],
  ])('and %s is a typed error', async (_name, pathIn, words) => {
    const dir = directory()
    writeFileSync(join(dir, 'file'), 'x')
    const path = pathIn(dir)
    const error = await make(path, 5, 7)
    expect(error.code).toBe('CELEBORN_IO')
    expect(error.message).toBe(`cannot read 7 bytes at 5 of ${path}: ${words}`)
    expect(error.context).toEqual({ path, offset: 5, length: 7 })
  })

  it.each([[{}], [MAPPED]])('and is too short is a typed error (%j)', async (more) => {
    const path = patternFile(100)
    expect((await make(path, 50, 51, more)).message).toMatch(/: it has only 100 bytes, 1 too few$/)
    expect((await make(path, 101, 1, more)).message).toMatch(
      /: the offset lies behind its end, it has 100 bytes$/,
    )
    expect((await make(path, Number.MAX_SAFE_INTEGER - 1, 1, more)).message).toMatch(/lies behind its end/)
  })

  it('leaves no descriptor and no memory behind', async () => {
    const before = openDescriptors()
    const path = patternFile(100)
    for (let i = 0; i < 50; i++) await make(path, 50, 51)
    await setImmediate()
    expect(openDescriptors()).toBeLessThanOrEqual(before + 1)
  })
})

describe('lazyFD', () => {
  it('true: nothing is opened when a segment is made, and nothing stays open between its uses', async () => {
    const missing = new FileSegmentManagedBuffer(confOf(), join(directory(), 'missing'), 0, 1)
    missing.release()
    const path = patternFile(100)
    const segment = new FileSegmentManagedBuffer(confOf(), path, 0, 100)
    expect(descriptorsOf(path)).toBe(0)
    await segment.bytes()
    await segment.stream().toArray()
    while (descriptorsOf(path) > 0) await setImmediate()
    segment.release()
  })

  it('false: the file is opened when the segment is made, and stays open until the last release', async () => {
    const missing = join(directory(), 'missing')
    expect(() => new FileSegmentManagedBuffer(confOf(EAGER), missing, 0, 1)).toThrow(
      'no such file or directory',
    )
    const path = patternFile(100)
    const segment = new FileSegmentManagedBuffer(confOf(EAGER), path, 0, 100)
    expect(descriptorsOf(path)).toBe(1)
    const body = await segment.toNetwork()
    segment.release()
    expect(descriptorsOf(path)).toBe(1)
    body.written()
    expect(descriptorsOf(path)).toBe(0)
  })
})

describe('a file that somebody changes', () => {
  it.each([[{}], [MAPPED]])('after it was opened, cut: a typed error, no crash (%j)', async (more) => {
    const path = patternFile(100)
    const segment = new FileSegmentManagedBuffer(confOf({ ...EAGER, ...more }), path, 0, 100)
    truncateSync(path, 60)
    const error = await failure(segment.bytes())
    expect(error.message).toMatch(/: it has only 60 bytes, 40 too few$/)
    await expect(segment.stream().toArray()).rejects.toThrow('40 too few')
    segment.release()
  })

  it('replaced between two reads', async () => {
    const path = patternFile(600_000)
    const segment = new FileSegmentManagedBuffer(confOf(), path, 0, 600_000)
    const stream = segment.stream()
    const pieces = stream[Symbol.asyncIterator]()
    await pieces.next()
    writeFileSync(`${path}-new`, Buffer.alloc(600_000))
    renameSync(`${path}-new`, path)
    const error = await failure(async () => {
      while ((await pieces.next()).done !== true);
    })
    expect(error.message).toMatch(/: it was replaced since it was first opened$/)
    segment.release()
  })

  it('written to between two reads', async () => {
    const path = patternFile(100)
    const segment = new FileSegmentManagedBuffer(confOf(), path, 0, 100)
    await segment.stream().toArray()
    await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(path, Buffer.alloc(100))
    expect((await failure(segment.bytes())).message).toMatch(/: it was changed since it was first opened$/)
    segment.release()
  })

  it('that is open already is read to its end although it was replaced', async () => {
    const path = patternFile(100)
    const segment = new FileSegmentManagedBuffer(confOf(EAGER), path, 0, 100)
    rmSync(path)
    writeFileSync(path, Buffer.alloc(100))
    expect(Buffer.compare(await segment.bytes(), pattern(100))).toBe(0)
    segment.release()
  })

  it('that appears later is read: a failed load is not kept', async () => {
    const path = join(directory(), 'later')
    const segment = new FileSegmentManagedBuffer(confOf(), path, 1, 3)
    expect((await failure(segment.bytes())).message).toMatch(/no such file/)
    writeFileSync(path, pattern(4))
    expect(Buffer.compare(await segment.bytes(), pattern(3, 1))).toBe(0)
    segment.release()
  })
})

it('a file without permission is a typed error', () => {
  const dir = directory()
  const path = join(dir, 'secret')
  writeFileSync(path, 'secret')
  chmodSync(path, 0o000)
  chmodSync(dir, 0o755)
  const script = `
    const { FileSegmentManagedBuffer, TransportConf } = require(${JSON.stringify(join(__dirname, '../../dist/buffer/index.js'))})
    const { CelebornConf } = require(${JSON.stringify(join(__dirname, '../../dist/conf/index.js'))})
    const conf = new TransportConf('fetch', new CelebornConf())
    // Root may read everything.
    if (process.getuid() === 0) process.setuid(65534)
    new FileSegmentManagedBuffer(conf, ${JSON.stringify(path)}, 0, 3).bytes().catch((e) => console.log(e.code, e.message))`
  const child = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  expect(child.stdout.trim()).toBe(`CELEBORN_IO cannot read 3 bytes at 0 of ${path}: permission denied`)
})

it.each([
  [-1, 0],
  [0, -1],
  [0.5, 1],
  [0, Number.NaN],
  [Number.MAX_SAFE_INTEGER, 1],
])('an offset of %d with a length of %d is refused', (offset, length) => {
  expect(() => new FileSegmentManagedBuffer(confOf(), 'any', offset, length)).toThrow(
    'must be a whole number',
  )
})

describe('many segments', () => {
  it('of 1 KiB are read, not mapped, and leave no descriptor (B68, B72)', async () => {
    const conf = confOf()
    const path = patternFile(70_000 + KIB)
    const made = mapStats().mapsMade
    const descriptors = openDescriptors()
    let most = 0
    for (let i = 0; i < 7_000; i++) {
      const segment = new FileSegmentManagedBuffer(conf, path, i * 10, KIB)
      const bytes = await segment.bytes()
      if (bytes[0] !== pattern(1, i * 10)[0]) throw new Error(`segment ${i} has other bytes`)
      if (i % 500 === 0) most = Math.max(most, openDescriptors())
      segment.release()
    }
    expect(mapStats().mapsMade).toBe(made)
    expect(most).toBeLessThanOrEqual(descriptors + 8)
    expect(conf.frames.stats().framesAlive).toBe(0)
  })

  it('of 64 MiB are mapped in turn, one at a time (B68)', async () => {
    const path = join(directory(), 'sparse')
    const descriptor = openSync(path, 'w')
    ftruncateSync(descriptor, 65 * MIB)
    closeSync(descriptor)
    const conf = confOf()
    for (let i = 0; i < 100; i++) {
      const segment = new FileSegmentManagedBuffer(conf, path, i * KIB, 64 * MIB)
      const bytes = await segment.bytes()
      expect(bytes[64 * MIB - 1]).toBe(0)
      expect(mapStats().mapsAlive).toBe(1)
      segment.release()
    }
    expect(mapStats()).toMatchObject({ mapsAlive: 0, bytesMapped: 0, finalizedWithoutRelease: 0 })
  })

  it('that nobody released give descriptors and mappings back when they are collected (B72)', async () => {
    const path = patternFile(10 * PAGE)
    const descriptors = openDescriptors()
    const lost = mapStats().finalizedWithoutRelease
    await (async () => {
      for (let i = 0; i < 50; i++) {
        const segment = new FileSegmentManagedBuffer(confOf({ ...EAGER, ...MAPPED }), path, i, PAGE)
        if (i % 2 === 0) await segment.bytes()
      }
    })()
    await collectUntil(() => openDescriptors() <= descriptors, 'all descriptors are closed')
    await collectUntil(() => mapStats().mapsAlive === 0, 'all files are unmapped')
    expect(mapStats().finalizedWithoutRelease - lost).toBe(25)
  })
})
