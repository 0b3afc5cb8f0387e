import { open } from 'node:fs/promises'
import { CelebornError } from '../../errors'
import { type InputFile, unreadable } from './files'
import { createScanner, type KeySpec } from './key'
import { describeProblem } from './line-number'
import { RecordSource, type Slice } from './record-source'
import { NEWLINE, QUOTE, RecordProblem } from './scanner'

/** What one map task reads, in order. Empty if there are more tasks than records. */
export type TaskPlan = readonly Slice[]

export interface PlanOptions {
  readonly key: KeySpec
  readonly tasks: number
  readonly maxRecordBytes: number
  readonly signal?: AbortSignal
}

/**
 * Cuts the inputs, taken as one run of bytes, into `tasks` pieces of nearly equal size. Cuts fall between records, so
 * that every record belongs to exactly one task, whether the inputs are one big file or thousands of small ones.
 */
export async function planTasks(
  files: readonly InputFile[],
  options: PlanOptions,
): Promise<readonly TaskPlan[]> {
  const total = files.reduce((sum, file) => sum + file.size, 0)
  const plans: Slice[][] = [[]]
  let base = 0
  for (const file of files) {
    // Cuts wanted within this file, in its own offsets. One at its very start needs no look at the records.
    const wanted: number[] = []
    for (let k = plans.length + wanted.length; k < options.tasks; k++) {
      const cut = Math.round((total * k) / options.tasks) - base
      if (cut >= file.size) break
      wanted.push(Math.max(0, cut))
    }
    let start = 0
    for (const end of await alignCuts(file, wanted, options)) {
      addSlice(plans, file, start, end)
      plans.push([])
      start = end
    }
    addSlice(plans, file, start, file.size)
    base += file.size
  }
  while (plans.length < options.tasks) plans.push([])
  return plans
}

function addSlice(plans: readonly Slice[][], file: InputFile, start: number, end: number): void {
  if (end > start) plans.at(-1)?.push({ file, start, end })
}

/** For each cut the first place at or after it where a record starts (the file's end, if none does). */
async function alignCuts(
  file: InputFile,
  cuts: readonly number[],
  options: PlanOptions,
): Promise<readonly number[]> {
  if (cuts.every((cut) => cut === 0)) return cuts
  return options.key.kind === 'csv'
    ? alignToCsvRecords(file, cuts, options)
    : alignToLines(file, cuts, options)
}

const PROBE_BYTES = 64 * 1024

async function alignToLines(
  file: InputFile,
  cuts: readonly number[],
  { signal }: PlanOptions,
): Promise<readonly number[]> {
  const aligned: number[] = []
  const probe = Buffer.allocUnsafe(PROBE_BYTES)
  const handle = await open(file.path, 'r').catch((error: unknown) => {
    throw unreadable(file.path, error)
  })
  try {
    let found = 0
    for (const cut of cuts) {
      // The last search may have ended behind this cut already: then no record starts in between.
      let position = cut - 1
      while (found < cut) {
        signal?.throwIfAborted()
        const { bytesRead } = await handle.read(probe, 0, PROBE_BYTES, position)
        const newline = probe.subarray(0, bytesRead).indexOf(NEWLINE)
        if (newline >= 0) found = position + newline + 1
        else if (bytesRead === 0) found = file.size
        position += bytesRead
      }
      aligned.push(Math.min(found, file.size))
    }
  } catch (error) {
    throw signal?.aborted === true ? error : unreadable(file.path, error)
  } finally {
    await handle.close()
  }
  return aligned
}

/**
 * Whether a newline ends a CSV record depends on every quote before it, so the file is read from its start up to the
 * last cut. Stretches without a quote, which is most of most files, cost one search each.
 */
async function alignToCsvRecords(
  file: InputFile,
  cuts: readonly number[],
  { key, maxRecordBytes, signal }: PlanOptions,
): Promise<readonly number[]> {
  const aligned: number[] = []
  const scanner = createScanner(key)
  const source = new RecordSource(maxRecordBytes)
  await source.open({ file, start: 0, end: file.size })
  let at = 0
  try {
    while (aligned.length < cuts.length && (await source.fill(at))) {
      signal?.throwIfAborted()
      const { block, last, offset } = source
      const { length } = block.bytes
      at = 0
      const plain = block.bytes.indexOf(QUOTE) < 0
      for (;;) {
        let cut = cuts[aligned.length]
        while (cut !== undefined && offset + at >= cut) {
          aligned.push(offset + at)
          cut = cuts[aligned.length]
        }
        if (cut === undefined || at >= length) break
        if (plain && offset + length <= cut) {
          at = last ? length : block.bytes.lastIndexOf(NEWLINE) + 1
          break
        }
        // Without quotes every newline ends a record, so that the search can begin just before the cut.
        if (plain && cut - offset > at)
          at = Math.max(at, block.bytes.lastIndexOf(NEWLINE, cut - offset - 1) + 1)
        if (!scanner.skip(block, at, last)) break
        at = scanner.next
      }
    }
  } catch (error) {
    if (!(error instanceof RecordProblem)) throw error
    const message = await describeProblem(file.path, source.offset + at, error.message)
    throw new CelebornError('CELEBORN_IO', message, { path: file.path }, error)
  } finally {
    source.close()
  }
  while (aligned.length < cuts.length) aligned.push(file.size)
  return aligned
}
