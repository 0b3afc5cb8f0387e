import { createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ShuffleReport } from '../../src/cli/job/report'
import { ProgramTest } from './program'

const MIB = 1024 * 1024

let program: ProgramTest
beforeAll(() => {
  program = new ProgramTest()
})
afterAll(() => program.remove())

/** Resident memory of a process, from outside; undefined once it is gone. */
function residentBytes(pid: number): number | undefined {
  try {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return match === null ? undefined : Number(match[1]) * 1024
  } catch {
    return undefined
  }
}

async function peakOf(input: string): Promise<{ peak: number; report: ShuffleReport }> {
  const run = program.start([
    'shuffle',
    input,
    '--key',
    'line',
    '--partitions',
    '8',
    '--max-in-flight',
    '32m',
    '--json',
  ])
  let peak = 0
  while (run.child.exitCode === null) {
    peak = Math.max(peak, residentBytes(run.child.pid ?? 0) ?? 0)
    await sleep(20)
  }
  const { status, stdout } = await run.result
  expect(status).toBe(0)
  return { peak, report: JSON.parse(stdout) as ShuffleReport }
}

// /proc is Linux's. What is measured does not depend on the system.
test.runIf(process.platform === 'linux')(
  'memory does not grow with the input',
  { timeout: 180_000 },
  async () => {
    const small = program.directory.file('small', 'a\n').path
    const big = program.directory.join('big')
    const file = createWriteStream(big)
    for (let megabyte = 0, n = 0; megabyte < 320; megabyte++) {
      const lines: string[] = []
      for (let bytes = 0; bytes < MIB; n++) {
        const line = `${n} ${Math.imul(n, 2654435761) >>> 0} the quick brown fox jumps over the lazy dog\n`
        lines.push(line)
        bytes += line.length
      }
      if (!file.write(lines.join(''))) await once(file, 'drain')
    }
    file.end()
    await once(file, 'finish')

    const base = await peakOf(small)
    const { peak, report } = await peakOf(big)
    expect(report.verified).toBe(true)
    expect(report.inputBytes).toBeGreaterThan(320 * MIB)
    expect(report.framesAlive).toBe(0)
    // With 32 MiB in flight, frames, chunks and codec output together are well below 150 MiB, however long the input.
    expect(peak - base.peak).toBeLessThan(150 * MIB)
  },
)
