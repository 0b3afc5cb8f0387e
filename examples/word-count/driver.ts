/**
 * A word count in three processes: this one, the driver, with the LifecycleManager, and two executors with a ShuffleClient
 * each. The executors write a shuffle, each from its own text, and read it back, each its half of the partitions.
 *
 *     npm run example                              with an embedded cluster, in this process
 *     npm run example -- --master host:port,…      with the masters of a Celeborn cluster
 *     npm run example -- --lines 1000000           with more text for each executor
 */
import { parseArgs } from 'node:util'
import { CelebornConf, EmbeddedCluster, LifecycleManager } from 'celeborn-node'
import { ExecutorProcess } from './executor-process'
import { type Job, WORDS_PER_LINE } from './job'

const EXECUTORS = 2
const PARTITIONS = 8

async function main(master: string | undefined, lines: number, signal: AbortSignal): Promise<void> {
  // Each thing that is started says how it is stopped; all of it happens in reverse order, whatever went wrong.
  const cleanups: (() => Promise<void>)[] = []
  try {
    let endpoints = master
    if (endpoints === undefined) {
      const cluster = await EmbeddedCluster.start({ workers: 2 })
      cleanups.push(() => cluster.stop())
      endpoints = cluster.masterEndpoint
    }
    console.log(`cluster:    ${endpoints}${master === undefined ? ', embedded, 2 workers' : ''}`)

    const manager = new LifecycleManager({
      appId: `word-count-${process.pid}-${Date.now()}`,
      conf: new CelebornConf({ 'celeborn.master.endpoints': endpoints }),
    })
    await manager.start()
    cleanups.push(() => manager.stop())
    const { appId, host, port } = manager
    console.log(`driver:     process ${process.pid}, LifecycleManager at ${host}:${port}`)

    const job: Job = {
      appId,
      lifecycleManager: { host, port },
      shuffleId: 0,
      numMappers: EXECUTORS,
      numPartitions: PARTITIONS,
      lines,
    }
    const executors = Array.from({ length: EXECUTORS }, (_, n) => new ExecutorProcess(`executor ${n}`, job))
    for (const [n, executor] of executors.entries()) {
      cleanups.push(() => executor.stop())
      console.log(`executor ${n}: process ${executor.pid}`)
    }

    const mapped = await Promise.all(
      executors.map((executor, mapId) => executor.order({ kind: 'map', mapId }, signal)),
    )
    let written = 0
    for (const [n, answer] of mapped.entries()) {
      if (answer.kind !== 'mapped') throw new Error(`executor ${n} answered ${answer.kind}`)
      written += answer.words
      console.log(`map:        executor ${n} pushed ${answer.words} words`)
    }

    const halves = executors.map((_, n) =>
      Array.from({ length: PARTITIONS }, (__, id) => id).filter((id) => id % EXECUTORS === n),
    )
    const reduced = await Promise.all(
      executors.map((executor, n) =>
        executor.order({ kind: 'reduce', partitionIds: halves[n] ?? [] }, signal),
      ),
    )
    const counts: (readonly [string, number])[] = []
    for (const [n, answer] of reduced.entries()) {
      if (answer.kind !== 'reduced') throw new Error(`executor ${n} answered ${answer.kind}`)
      counts.push(...answer.counts)
      console.log(`reduce:     executor ${n} counted ${answer.counts.length} words of its partitions`)
    }
    counts.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    for (const [word, count] of counts.slice(0, 3)) console.log(`            ${word.padEnd(10)} ${count}`)

    const counted = counts.reduce((sum, [, count]) => sum + count, 0)
    const expected = EXECUTORS * lines * WORDS_PER_LINE
    if (written !== expected || counted !== expected)
      throw new Error(`${expected} words, ${written} written, ${counted} counted`)
    console.log(`verified:   ${counted} words counted, as many as were written`)
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort())

try {
  const { values } = parseArgs({
    options: { master: { type: 'string' }, lines: { type: 'string', default: '20000' } },
  })
  const lines = Number(values.lines)
  if (!Number.isInteger(lines) || lines < 1) throw new Error(`--lines ${values.lines} is no number of lines`)
  main(values.master, lines, interruption.signal).catch(fail)
} catch (error) {
  fail(error)
}

function fail(error: unknown): void {
  const interrupted = interruption.signal.aborted
  console.error(
    interrupted ? 'interrupted' : `failed: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exitCode = interrupted ? 130 : 1
}
