/**
 * A client that is in the middle of everything, in a thread or a process of its own, over the compiled package: frames in every
 * state, writes under way, pushes that wait. `init` has the LifecycleManager's address and what to do; see `ends` in harness.ts.
 */
const { join } = require('node:path')

const dist = join(__dirname, '..', '..', 'dist')

async function start(init, say) {
  const { CelebornConf, ShuffleClient } = require(dist)
  const client = new ShuffleClient({
    appId: 'app',
    lifecycleManager: init.lifecycle,
    conf: new CelebornConf({
      'celeborn.client.shuffle.compression.codec': init.codec ?? 'NONE',
      'celeborn.client.push.revive.interval': '5ms',
      'celeborn.client.rpc.retryWait': '5ms',
      'celeborn.node.maxInFlightBytes': '64m',
      'celeborn.node.maxInFlightBytesPerWorker': '64m',
    }),
  })
  const attempt = { shuffleId: init.shuffleId ?? 1, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 8 }
  const kept = []
  const push = (i, size) => {
    const target = { ...attempt, partitionId: i % 8 }
    const frame = client.pool.acquire(size)
    frame.bytes.fill(1 + (i % 100))
    if (i % 5 === 0) return client.mergeFrame(target, frame)
    if (i % 5 === 1) return client.pushBuffer(target, frame.bytes, { onRelease: () => frame.release() })
    if (i % 5 === 2) {
      const copied = client.pushData(target, frame.bytes)
      return copied.finally(() => frame.release())
    }
    if (i % 5 === 3) kept.push(client.pool.acquire(70_000))
    return client.pushFrame(target, frame)
  }
  const ended = (error) => {
    if (init.ends !== 'forever') throw error
  }

  if (init.ends === 'complete') {
    for (let i = 0; i < 20; i++) await push(i, 20_000)
    await client.mapperEnd(attempt)
    kept.forEach((frame) => frame.release())
    await client.close()
    say('done')
    return
  }
  if (init.ends === 'forever') {
    say('ready')
    for (let i = 0; ; i++) {
      await push(i, 1000 + ((i * 7919) % 300_000))
      if (kept.length > 20) kept.splice(0, 10).forEach((frame) => frame.release())
    }
  }
  // Enough that the sockets' buffers are full where nobody reads; the last ones wait for room.
  globalThis.kept = kept
  const waiting = []
  const size = init.ends === 'acknowledged' ? 1 << 16 : 1 << 20
  for (let i = 0; i < 100; i++) waiting.push(push(i, size).catch(ended))
  globalThis.waiting = waiting
  await waiting[0]
  await new Promise((resolve) => setTimeout(resolve, init.afterMs ?? 50))
  if (init.ends === 'throw')
    setImmediate(() => {
      throw new Error('on purpose')
    })
  else if (init.ends === 'exit') process.exit(init.code)
  else if (init.ends === 'acknowledged') await Promise.all(waiting)
  say(init.ends)
}

module.exports = { start }

if (require.main === module) {
  const threads = require('node:worker_threads')
  if (threads.isMainThread) {
    void start(JSON.parse(process.argv[2]), () => undefined)
  } else {
    const { loading, stage } = threads.workerData
    if (stage === 'addon') require(dist)
    if (loading !== undefined) Atomics.store(loading, 0, 1)
    void start(threads.workerData, (text) => threads.parentPort.postMessage(text))
  }
}
