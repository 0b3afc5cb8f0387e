/**
 * After `npm run build`: one partition, larger than all the memory that its readers may have, is written and read back by a
 * consumer that is slower than the disk; the reading process's memory is watched. By async iteration and as a Readable,
 * fetched and read from the worker's file, with codec NONE and LZ4, each in a process of its own.
 *
 *   node test/read/streaming-rss.mjs [--bytes 4g] [--budget 24m] [--codec NONE,LZ4] [--split 64m] [--json]
 *
 * With --split the partition has several locations, a new one after so many bytes. A line for each reading; the exit
 * status is 0 if all bytes came back and no growth went beyond the bound. It needs that many bytes in the directory for
 * temporary files, once per codec.
 */
import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { crc32 } from 'node:zlib'

const require = createRequire(import.meta.url)
const { CelebornConf, EmbeddedCluster, LifecycleManager, ShuffleClient } = require('../../dist')

const MIB = 1024 ** 2
const SELF = fileURLToPath(import.meta.url)
const APP = 'streaming'
const ATTEMPT = { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 1 }
const BATCH_BYTES = 256 * 1024
/** The consumer rests a millisecond after so many bytes. */
const REST_BYTES = MIB
/**
 * Beyond the budget: free blocks that wait for the next chunk (64 MiB at most), what the collector has not looked at yet
 * (decoded batches, Buffers of a Readable), code that is compiled meanwhile.
 */
const MARGIN = 96 * MIB

const ROLES = { cluster, write, read }
const role = process.argv[2]
if (role !== undefined && role in ROLES) await ROLES[role]()
else await main()

function size(text) {
  const [, number, unit = ''] = /^(\d+)([kmg]?)$/i.exec(text) ?? []
  if (number === undefined) throw new Error(`${text} is no size`)
  return Number(number) * { '': 1, k: 1024, m: MIB, g: 1024 * MIB }[unit.toLowerCase()]
}

/** Runs a part of this in a process of its own; it says one thing, and ends when it is told to. */
async function part(name, options) {
  const child = fork(SELF, [name, JSON.stringify(options)], { execArgv: [] })
  const said = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  const end = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.send('end')
    await ended
  }
  return { said, end }
}

async function once(name, options) {
  const { said, end } = await part(name, options)
  await end()
  return said
}

/** In a part: what it was given. */
function given() {
  return JSON.parse(process.argv[3])
}

/** In a part: says it, and waits until nobody needs the process any more. */
async function say(what) {
  const told = new Promise((resolve) => process.once('message', resolve))
  process.send(what)
  await told
  process.disconnect()
}

async function main() {
  const { values } = parseArgs({
    options: {
      bytes: { type: 'string', default: '256m' },
      budget: { type: 'string', default: '24m' },
      codec: { type: 'string', default: 'NONE,LZ4' },
      split: { type: 'string', default: '1t' },
      json: { type: 'boolean', default: false },
    },
  })
  const bytes = size(values.bytes)
  const rows = []
  for (const codec of values.codec.split(',')) {
    const entries = {
      'celeborn.client.shuffle.compression.codec': codec,
      'celeborn.client.shuffle.partitionSplit.threshold': values.split,
      'celeborn.worker.shuffle.partitionSplit.max': '1t',
      'celeborn.node.maxReadBytes': values.budget,
    }
    const { said: address, end } = await part('cluster', { entries })
    try {
      const of = { entries, ...address, bytes }
      const written = await once('write', of)
      for (const local of [false, true]) {
        for (const readable of [false, true]) {
          const row = await once('read', { ...of, local, readable })
          const right = row.batches === written.batches && row.sum === written.sum && row.bytes === bytes
          const bound = size(values.budget) + MARGIN
          const bounded = row.rssGrowth <= bound && row.heapGrowth + row.externalGrowth <= bound
          const clean = row.framesAlive === 0 && row.budgetUsed === 0 && row.mapsAlive === 0
          rows.push({ codec, local, readable, ...row, bound, ok: right && bounded && clean })
          if (!values.json) print(rows.at(-1))
        }
      }
    } finally {
      await end()
    }
  }
  if (values.json) console.log(JSON.stringify(rows))
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
}

function print(row) {
  const mib = (value) => `${(value / MIB).toFixed(0)} MiB`
  console.log(
    `${row.ok ? 'ok    ' : 'FAILED'} ${row.codec}, ${row.local ? 'local' : 'fetched'}, ` +
      `${row.readable ? 'Readable' : 'iteration'}: ${mib(row.bytes)} in ${(row.ms / 1000).toFixed(1)} s; ` +
      `RSS ${mib(row.rssBefore)} + ${mib(row.rssGrowth)} (bound ${mib(row.bound)}), heap + ${mib(row.heapGrowth)}, ` +
      `external + ${mib(row.externalGrowth)}; budget peak ${mib(row.budgetPeak)} of ${mib(row.budgetMax)}, ` +
      `${row.localReads} local reads`,
  )
}

async function cluster() {
  const { entries } = given()
  const started = await EmbeddedCluster.start({ workers: 1, conf: new CelebornConf(entries) })
  const conf = new CelebornConf({ ...entries, 'celeborn.master.endpoints': started.masterEndpoint })
  const manager = new LifecycleManager({ appId: APP, conf })
  await manager.start()
  await say({ master: started.masterEndpoint, host: manager.host, port: manager.port })
  await manager.stop()
  await started.stop()
}

function newClient({ entries, master, host, port }, more = {}) {
  const conf = new CelebornConf({ ...entries, ...more, 'celeborn.master.endpoints': master })
  return new ShuffleClient({ appId: APP, conf, lifecycleManager: { host, port } })
}

/** Batches that compress to about half, each another one. */
async function write() {
  const options = given()
  const client = newClient(options)
  const table = Buffer.alloc(4 * MIB)
  for (let at = 0, state = 1; at < table.length; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    // Every other word is the same.
    table.writeInt32LE(at % 8 === 0 ? state : 7, at)
  }
  let batches = 0
  let sum = 0
  for (let left = options.bytes; left > 0; batches++) {
    const length = Math.min(left, BATCH_BYTES)
    const frame = client.pool.acquire(length)
    const from = (batches * 4099) % (table.length - length)
    frame.bytes.set(table.subarray(from, from + length))
    Buffer.from(frame.bytes.buffer, frame.bytes.byteOffset, 8).writeDoubleLE(batches)
    sum = (sum + crc32(frame.bytes)) >>> 0
    await client.pushFrame({ ...ATTEMPT, partitionId: 0 }, frame)
    left -= length
  }
  await client.mapperEnd(ATTEMPT)
  await client.close()
  await say({ batches, sum })
}

async function read() {
  const { local, readable, ...options } = given()
  const client = newClient(options, { 'celeborn.client.readLocalShuffleFile.enabled': local })
  const before = process.memoryUsage()
  const peak = { ...before }
  const look = () => {
    const now = process.memoryUsage()
    for (const key of ['rss', 'heapUsed', 'external']) peak[key] = Math.max(peak[key], now[key])
  }
  const sampler = setInterval(look, 10)
  const reader = client.readPartition(0, 0)
  const seen = { bytes: 0, sum: 0, batches: 0 }
  let unrested = 0
  const consume = async (length) => {
    seen.bytes += length
    unrested += length
    if (unrested < REST_BYTES) return
    unrested = 0
    look()
    await sleep(1)
  }
  const startMs = performance.now()
  if (readable) {
    // A stream's pieces are batches, but whoever reads it may not count on that: they are put together here.
    let batch = Buffer.alloc(0)
    for await (const piece of reader.toReadable()) {
      batch = batch.length === 0 ? piece : Buffer.concat([batch, piece])
      for (; batch.length >= BATCH_BYTES; batch = batch.subarray(BATCH_BYTES))
        add(batch.subarray(0, BATCH_BYTES))
      await consume(piece.length)
    }
    if (batch.length > 0) add(batch)
  } else {
    for await (const batch of reader) {
      add(batch)
      await consume(batch.length)
    }
  }
  const ms = performance.now() - startMs
  clearInterval(sampler)
  // The socket lets go of the last chunk when it has another buffer.
  while (client.stats().readFrames.framesAlive > 0 || client.stats().readBudget.usedBytes > 0) await sleep(1)
  const { readFrames, readBudget } = client.stats()
  await client.close()
  const { mapStats } = require('../../dist/memory')
  await say({
    ...seen,
    ms,
    rssBefore: before.rss,
    rssGrowth: peak.rss - before.rss,
    heapGrowth: peak.heapUsed - before.heapUsed,
    externalGrowth: peak.external - before.external,
    budgetPeak: readBudget.peakBytes,
    budgetMax: readBudget.maxBytes,
    framesAlive: readFrames.framesAlive,
    budgetUsed: readBudget.usedBytes,
    mapsAlive: mapStats().mapsAlive,
    localReads: reader.stats.localReads,
    budgetWaitMs: reader.stats.budgetWaitMs,
    chunkWaitMs: reader.stats.chunkWaitMs,
  })

  function add(batch) {
    seen.batches++
    seen.sum = (seen.sum + crc32(batch)) >>> 0
  }
}
