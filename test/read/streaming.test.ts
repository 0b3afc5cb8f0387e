import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const DIST = join(__dirname, '../../dist/index.js')
const SCRIPT = join(__dirname, 'streaming-rss.mjs')

interface Row {
  readonly codec: string
  readonly local: boolean
  readonly readable: boolean
  readonly ok: boolean
  readonly localReads: number
  readonly budgetPeak: number
  readonly budgetMax: number
}

// Each reading has a process of its own, whose memory is nobody else's.
it('a partition of 256 MiB is read in less than half of that memory, however it is read', async () => {
  if (!existsSync(DIST)) throw new Error(`${DIST} is missing: run npm run build first`)
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    ...['--bytes', '256m', '--split', '32m', '--json'],
  ])
  const rows = JSON.parse(stdout) as Row[]
  expect(rows.filter(({ ok }) => !ok)).toEqual([])
  const read = rows.map(({ codec, local, readable }) => [codec, local, readable])
  expect(read).toEqual(
    ['NONE', 'LZ4'].flatMap((codec) =>
      [false, true].flatMap((local) => [false, true].map((readable) => [codec, local, readable])),
    ),
  )
  for (const { local, localReads, budgetPeak, budgetMax } of rows) {
    // Several locations.
    if (local) expect(localReads).toBeGreaterThan(1)
    else expect(localReads).toBe(0)
    expect(budgetPeak).toBeLessThanOrEqual(budgetMax)
  }
}, 120_000)
