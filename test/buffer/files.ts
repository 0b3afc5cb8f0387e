import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { TransportConf } from '../../src/buffer'
import { CelebornConf } from '../../src/conf'

/** Bytes by which every place of a file can be told from its neighbours. */
export function pattern(length: number, from = 0): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let i = 0; i < length; i++) bytes[i] = ((from + i) * 31 + ((from + i) >> 8) * 7) & 0xff
  return bytes
}

/** A directory that goes with the test. */
export function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-buffer-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A file of the pattern. */
export function patternFile(length: number): string {
  const path = join(directory(), 'data')
  writeFileSync(path, pattern(length))
  return path
}

export function confOf(entries: Record<string, string | boolean> = {}): TransportConf {
  return new TransportConf('fetch', new CelebornConf(entries))
}

/** Descriptors that this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

/** Those of one file. */
export function descriptorsOf(path: string): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(join('/proc/self/fd', name)) === path
    } catch {
      // Closed meanwhile.
      return false
    }
  }).length
}

export const KIB = 1024
export const MIB = 1024 * KIB
