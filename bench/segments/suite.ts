import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileSegmentManagedBuffer, TransportConf } from '../../src/buffer'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { type Row, Samples } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import { PerCallConf, ThrowingConf } from './confs'
import { SHIFT_BYTES } from './messages'
import { METRICS, type Progress } from './metrics'
import { type ServeOptions, serving } from './serving'
import { turned } from './turns'

export interface SegmentOptions extends ServeOptions {
  /** Segment reads of each sample of the first part; 0: the part is left out. */
  readonly reads: number
  /** Sizes of the second part. */
  readonly sizes: readonly number[]
}

export const SMALL_BYTES = 1024
/** Bytes of the file that are read; a segment is at most all of them. */
export const FILE_BYTES = 64 * 1024 ** 2
/** Bytes that each sample of the second part reads. */
const SAMPLE_BYTES = 256 * 1024 ** 2

export async function runSegmentSuite(
  options: SegmentOptions,
  signal: AbortSignal,
  progress: Progress,
): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-bench-'))
  const samples = new Samples('segments')
  try {
    const file = writeFile(dir)
    for (let round = -options.warmRounds; round < options.rounds; round++) {
      const said = round < 0 ? 'warming up' : `round ${round + 1} of ${options.rounds}`
      if (options.reads > 0)
        await resolving(options, file, round, samples, signal, (text) => progress(`${said}: ${text}`))
      for (const size of options.sizes) {
        progress(`${said}: ${sizeName(size)}`)
        await mapping(size, file, round, samples, signal)
      }
    }
    await serving(options, samples, signal, progress)
    return samples.rows()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function writeFile(dir: string): string {
  const path = join(dir, 'data')
  const descriptor = openSync(path, 'wx')
  const block = Buffer.alloc(1024 ** 2, 'celeborn')
  for (let at = 0; at < FILE_BYTES + SHIFT_BYTES; at += block.length) writeSync(descriptor, block)
  closeSync(descriptor)
  return path
}

/** Small segments, made, read and released; the two variants take turns at being the first. */
async function resolving(
  options: SegmentOptions,
  file: string,
  round: number,
  samples: Samples,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const variants = [
    ['resolved-once', (conf: ThrowingConf) => new TransportConf('fetch', conf)],
    ['per-call', (conf: ThrowingConf) => new PerCallConf(conf)],
  ] as const
  for (const [variant, make] of turned(variants, round)) {
    progress(variant)
    const provider = new ThrowingConf()
    const conf = make(provider)
    // PerCallConf's constructor is that of the other one, and counts for nothing.
    if (variant === 'per-call') provider.lookups = 0
    const started = process.hrtime.bigint()
    for (let i = 0; i < options.reads; i++) {
      const segment = new FileSegmentManagedBuffer(conf, file, (i % 1000) * SMALL_BYTES, SMALL_BYTES)
      const bytes = await segment.bytes()
      if (bytes.length !== SMALL_BYTES) throw new CelebornError('CELEBORN_INTERNAL', 'a segment was cut')
      segment.release()
      if (i % 1024 === 0) signal.throwIfAborted()
    }
    const ns = Number(process.hrtime.bigint() - started)
    if (round < 0) continue
    const at = { case: String(SMALL_BYTES), variant }
    samples.add(at, METRICS.lookups, provider.lookups)
    samples.add(at, METRICS.nsPerRead, ns / options.reads)
  }
}

/** The same bytes, mapped and read: every page is touched, as whoever sends or decodes them does. */
async function mapping(
  size: number,
  file: string,
  round: number,
  samples: Samples,
  signal: AbortSignal,
): Promise<void> {
  const variants = [
    ['mapped', '1'],
    ['read', '1g'],
  ] as const
  const count = Math.max(1, Math.floor(SAMPLE_BYTES / size))
  for (const [variant, threshold] of turned(variants, round)) {
    const entries = { 'celeborn.fetch.storage.memoryMapThreshold': threshold }
    const conf = new TransportConf('fetch', new CelebornConf(entries))
    const cpu = process.cpuUsage()
    const started = process.hrtime.bigint()
    let sum = 0
    for (let i = 0; i < count; i++) {
      const offset = SHIFT_BYTES + ((i * size) % (FILE_BYTES - size + 1))
      const segment = new FileSegmentManagedBuffer(conf, file, offset, size)
      sum += touched(await segment.bytes())
      segment.release()
      signal.throwIfAborted()
    }
    const us = Number(process.hrtime.bigint() - started) / 1000
    const { user, system } = process.cpuUsage(cpu)
    if (sum === 0) throw new CelebornError('CELEBORN_INTERNAL', 'the file is empty')
    if (round < 0) continue
    const mib = (count * size) / 1024 ** 2
    samples.add({ case: String(size), variant }, METRICS.cpuPerMib, (user + system) / mib)
    samples.add({ case: String(size), variant }, METRICS.wallPerMib, us / mib)
  }
}

function touched(bytes: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4096) sum += bytes[at] ?? 0
  return sum
}
