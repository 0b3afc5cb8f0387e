/**
 * A process whose threads run clients and come to their ends in one of many ways. Its own thread loads the addon last of all, to
 * read the counters of the process. It writes one line of JSON: what the threads said, and what they left behind.
 *
 *   node threads.cjs '{"kind": "terminate", "count": 40, "lifecycle": {"host": ..., "port": ...}}'
 */
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { Worker } = require('node:worker_threads')

const CLIENT = join(__dirname, 'client.cjs')
const given = JSON.parse(process.argv[2])
const { kind, count, seed = 1 } = given

/** Reproducible: a failure's seed runs the same delays again. */
let state = seed
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const codes = {}
const errors = {}
const messages = {}
const tally = (counts, name) => {
  counts[name] = (counts[name] ?? 0) + 1
}

let nextShuffleId = 1
/** The longest time between a thread's last word and its end. */
let lingeredMs = 0

function thread(ends, more = {}) {
  const workerData = {
    lifecycle: given.lifecycle,
    ends,
    shuffleId: nextShuffleId++,
    codec: given.codec,
    ...more,
  }
  const worker = new Worker(CLIENT, { workerData })
  worker.on('message', (text) => tally(messages, text))
  worker.on('error', (error) => tally(errors, error.message))
  let saidAt = Infinity
  worker.on('message', () => (saidAt = performance.now()))
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  void gone.then(() => (lingeredMs = Math.max(lingeredMs, performance.now() - saidAt)))
  return {
    worker,
    gone: gone.then((code) => tally(codes, code)),
    said: new Promise((resolve) => worker.once('message', resolve)),
  }
}

/** One thread's life. */
const KINDS = {
  // At any time of its work: it pushes without end.
  async terminate(i) {
    const { worker, said, gone } = thread('forever', { codec: i % 2 ? 'LZ4' : 'NONE' })
    await Promise.race([said, gone])
    await sleep(random(60))
    await worker.terminate()
    await gone
  },
  // With sockets full, writes under way and pushes that wait.
  async stalled() {
    const { worker, said, gone } = thread('stall', { afterMs: random(80) })
    await Promise.race([said, gone])
    await worker.terminate()
    await gone
  },
  // While modules load, while the addon loads, and at its first lines.
  async loading(i) {
    const loading = new Int32Array(new SharedArrayBuffer(4))
    const stage = i % 2 ? 'addon' : 'modules'
    const { worker, gone } = thread('forever', { loading, stage })
    await new Promise((resolve) => worker.once('online', resolve))
    while (Atomics.load(loading, 0) === 0) await new Promise((resolve) => setImmediate(resolve))
    if (stage === 'modules') await sleep(random(120))
    const until = process.hrtime.bigint() + BigInt(random(800) * 1000)
    while (process.hrtime.bigint() < until);
    await worker.terminate()
    await gone
  },
  // Nothing is closed and nothing is left to do.
  natural: () => thread('acknowledged').gone,
  throw: () => thread('throw').gone,
  exit: () => thread('exit', { code: 7 }).gone,
  complete: (i) => thread('complete', { codec: i % 2 ? 'LZ4' : 'NONE' }).gone,
  // No thread: a client of this one.
  client: (i) =>
    require(CLIENT).start({ ...given, ends: 'complete', shuffleId: i + 1 }, (text) => tally(messages, text)),
}

const descriptors = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
const handles = () =>
  process.getActiveResourcesInfo().filter((name) => !/^(Immediate|PipeWrap|TTYWrap)$/.test(name)).length

async function main() {
  const samples = []
  const at = Math.max(1, Math.floor(count / 4))
  let next = 0
  for (const until of [at, count]) {
    // Two at a time, so that the addon's counters and locks are shared.
    const lanes = [0, 1].map(async () => {
      while (next < until) {
        const i = next++
        await KINDS[kind](i)
      }
    })
    await Promise.all(lanes)
    await sleep(50)
    global.gc()
    samples.push({ descriptors: descriptors(), handles: handles(), rss: process.memoryUsage().rss })
  }
  const { nativeStats } = require(join(__dirname, '..', '..', 'dist', 'memory'))
  for (let i = 0; i < 100 && nativeStats().framesAlive > 0; i++) {
    global.gc()
    await sleep(10)
  }
  const { framesAlive, bytesAlive, pooledBytes, framesAllocated } = nativeStats()
  const native = { framesAlive, bytesAlive, pooledBytes }
  console.log(JSON.stringify({ codes, errors, messages, native, framesAllocated, samples, lingeredMs }))
}

void main()
