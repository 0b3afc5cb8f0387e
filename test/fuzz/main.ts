/** One process of the fuzzer; started by scripts/test-fuzz.mjs, which it tells what it has done. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { check, inputOf } from './check'
import { coverage, type FileCoverage } from './coverage'
import { Random } from './random'
import { SocketFuzzer } from './socket'
import { seedsOf, type Target, TARGETS } from './targets'

const DECODERS =
  /\/src\/(protocol\/(?!framing|messages\.js|index|frame-encoders|roaring|message-type|control-message-type)|compress\/(lz4|block|none|zstd|zstd-frame)\.js|read\/batch-filter|network\/client-receiver|embedded\/worker\/push-body)/
/** Whether an input took this long is found out by a thread of its own. */
const HANG_MS = 20_000
const SOCKET_NAMES = ['client-socket', 'server-socket'] as const

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000' },
    'socket-inputs': { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    step: { type: 'string', default: '1' },
    'limit-ms': { type: 'string' },
    target: { type: 'string' },
    index: { type: 'string' },
    input: { type: 'string' },
    out: { type: 'string', default: '.' },
  },
})
const seed = Number(values.seed)

export interface TargetTally {
  inputs: number
  values: number
  errors: number
}

export interface Report {
  readonly tallies: Record<string, TargetTally>
  readonly failures: readonly string[]
  readonly coverage: Record<string, FileCoverage>
}

const tallies: Record<string, TargetTally> = {}
const failures: string[] = []
/** Number of the target, then of the input: what the watching thread sees. */
const position = new Int32Array(new SharedArrayBuffer(8))

function tell(done: boolean, files: Map<string, FileCoverage> = new Map()): void {
  const report: Report = { tallies, failures, coverage: Object.fromEntries(files) }
  process.send?.({ done, report })
}

/** Writes a failing input down; the returned text says how to run it again. */
function fail(name: string, index: number, input: Buffer, problem: string): void {
  const file = join(values.out, `fuzz-${name}-${seed}-${index}.bin`)
  writeFileSync(file, input)
  failures.push(
    `${name}, input ${index} (${input.length} bytes): ${problem}\n  written to ${file}; again: ` +
      `node scripts/test-fuzz.mjs --target ${name} --seed ${seed} --index ${index}`,
  )
}

/** Ends the process with a word about the input that it hangs in. */
function watch(): Worker {
  const script = `
    const { workerData: { position, hangMs, names } } = require('node:worker_threads')
    let last = '', since = Date.now()
    setInterval(() => {
      const now = position.join(' ')
      if (now !== last) { last = now; since = Date.now(); return }
      if (Date.now() - since < hangMs) return
      require('node:fs').writeSync(2, 'no end after ' + hangMs + ' ms: --target ' + names[position[0]] + ' --index ' + position[1] + '\\n')
      process.kill(process.pid, 'SIGKILL')
    }, 500)`
  const names = [...TARGETS.map(({ name }) => name), ...SOCKET_NAMES]
  const worker = new Worker(script, { eval: true, workerData: { position, hangMs: HANG_MS, names } })
  worker.unref()
  return worker
}

function tallyOf(name: string): TargetTally {
  return (tallies[name] ??= { inputs: 0, values: 0, errors: 0 })
}

function runOne(target: Target, targetIndex: number, seeds: readonly Buffer[], index: number): void {
  Atomics.store(position, 0, targetIndex)
  Atomics.store(position, 1, index)
  const input = inputOf(targetIndex, seeds, seed, index)
  const { problem, outcome } = check(target, input)
  const tally = tallyOf(target.name)
  tally.inputs++
  tally[outcome === 'value' ? 'values' : 'errors']++
  if (problem !== null) fail(target.name, index, input, problem)
}

/** All targets in turns, so that a limit of time cuts them alike. */
async function runDecoders(first: number, step: number, count: number, endMs: number): Promise<void> {
  const all = TARGETS.map((target, index) => ({ target, index, seeds: seedsOf(target) }))
  const TURN = 500
  for (let from = first; from < count; from += TURN * step) {
    for (const { target, index, seeds } of all) {
      for (let i = from; i < Math.min(count, from + TURN * step); i += step) runOne(target, index, seeds, i)
      if (failures.length >= 5 || performance.now() > endMs) return
    }
    tell(false)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function runSocketInput(
  fuzzer: SocketFuzzer,
  which: number,
  seeds: readonly Buffer[],
  index: number,
): Promise<void> {
  const name = SOCKET_NAMES[which] ?? ''
  const frames = TARGETS[0]
  if (frames === undefined) throw new Error('no targets')
  Atomics.store(position, 0, TARGETS.length + which)
  Atomics.store(position, 1, index)
  // Two messages, the second of them whole or damaged, too: connections go on after what is harmless.
  const input = Buffer.concat([
    inputOf(100 + which, seeds, seed, index),
    inputOf(200 + which, seeds, seed, index + 1_000_000),
  ])
  const random = new Random(seed, 300 + which, index)
  const problem = await (which === 0 ? fuzzer.client(input, random) : fuzzer.server(input, random))
  tallyOf(name).inputs++
  if (problem !== null) fail(name, index, input, problem)
}

async function runSockets(first: number, step: number, count: number, endMs: number): Promise<void> {
  const frames = TARGETS[0]
  if (frames === undefined) return
  const seeds = seedsOf(frames)
  const fuzzer = await SocketFuzzer.start()
  const before = process.memoryUsage()
  for (let index = first; index < count && failures.length < 5; index += step) {
    await runSocketInput(fuzzer, 0, seeds, index)
    await runSocketInput(fuzzer, 1, seeds, index)
    if (performance.now() > endMs) break
    if (index % 100 === first) tell(false)
  }
  const growth = process.memoryUsage().external - before.external
  if (growth > 128 << 20) failures.push(`sockets: ${growth >> 20} MiB of buffers are left`)
  const problem = await fuzzer.close()
  if (problem !== null) failures.push(`sockets: ${problem}`)
}

/** One input again, by its number or out of a file. */
async function runAgain(name: string): Promise<void> {
  const index = Number(values.index ?? -1)
  const which = SOCKET_NAMES.indexOf(name as (typeof SOCKET_NAMES)[number])
  if (which >= 0) {
    const fuzzer = await SocketFuzzer.start()
    const frames = TARGETS[0]
    if (frames !== undefined) await runSocketInput(fuzzer, which, seedsOf(frames), index)
    await fuzzer.close()
    return
  }
  const targetIndex = TARGETS.findIndex((target) => target.name === name)
  const target = TARGETS[targetIndex]
  if (target === undefined)
    throw new Error(`no target ${name}; there are ${TARGETS.map((t) => t.name).join(', ')}`)
  if (values.input === undefined) return runOne(target, targetIndex, seedsOf(target), index)
  const input = readFileSync(values.input)
  const { problem, outcome } = check(target, input)
  tallyOf(name)[outcome === 'value' ? 'values' : 'errors']++
  tallyOf(name).inputs++
  if (problem !== null) fail(name, index, input, problem)
}

async function main(): Promise<void> {
  // What nobody catches is a failure of the input that is under way.
  process.on('uncaughtException', (error) =>
    failures.push(`uncaught at input ${position[1]}: ${error.stack ?? error.message}`),
  )
  process.on('unhandledRejection', (reason) =>
    failures.push(`unhandled at input ${position[1]}: ${String(reason)}`),
  )
  process.on('warning', (warning) =>
    failures.push(`warning at input ${position[1]}: ${warning.stack ?? warning.message}`),
  )
  const watcher = watch()
  if (values.target !== undefined) {
    await runAgain(values.target)
    tell(true)
    return
  }
  const limitMs = values['limit-ms'] === undefined ? Infinity : Number(values['limit-ms'])
  const startMs = performance.now()
  const [from, step] = [Number(values.from), Number(values.step)]
  await runSockets(from, step, Number(values['socket-inputs']), startMs + limitMs / 3)
  await runDecoders(from, step, Number(values.inputs), startMs + limitMs)
  await new Promise((resolve) => setImmediate(resolve))
  await watcher.terminate()
  tell(true, await coverage.take(DECODERS))
}

main().then(
  () => process.disconnect?.(),
  (error: unknown) => {
    failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    tell(true)
    process.disconnect?.()
    process.exitCode = 1
  },
)
