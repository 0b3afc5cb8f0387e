import { describe, expect, it } from 'vitest'
import { FrameStateError } from '../../src/errors'
import { StatusCode } from '../../src/protocol/status'
import { releaseProbe, setUp, target, turns } from './harness'

const MIB = 1024 * 1024
const BIG = 64 * MIB

describe('release, exactly once', () => {
  it('after the acknowledgement when the write ended first', async () => {
    const { client, worker } = await setUp()
    worker.onPush = () => undefined
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.alloc(1000, 1), { onRelease: probe.onRelease })
    await worker.received(1)
    await turns(20)
    expect(probe.reasons).toEqual([])
    expect(client.stats().bytesInFlight).toBe(1000)
    worker.pushes[0]?.ack()
    expect(await probe.released).toBe('acked')
    expect(await receipt.settled).toEqual({ outcome: 'acked', batchId: 1 })
    worker.pushes[0]?.ack() // a duplicate answer
    await turns(20)
    expect(probe.reasons).toEqual(['acked'])
    expect(client.stats()).toMatchObject({ bytesInFlight: 0, acked: 1 })
  })

  it('after the write ended when the acknowledgement came first', async () => {
    const { client, worker } = await setUp({ 'celeborn.node.maxInFlightBytes': '256m' })
    // The worker stops reading, and guesses the request id: it answers a push that it has not read whole.
    worker.stall()
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.alloc(BIG, 2), { onRelease: probe.onRelease })
    while (worker.connections.length === 0) await turns(1)
    let requestId = -1
    const connection = worker.connections[0]
    // The request's id is in the head; peek it from the first bytes.
    const head = await new Promise<Buffer>((resolve) => {
      const socket = connection?.socket
      const read = (): void => {
        const bytes: unknown = socket?.read(64)
        if (Buffer.isBuffer(bytes)) resolve(bytes)
        else socket?.once('readable', read)
      }
      socket?.removeAllListeners('data')
      read()
    })
    requestId = Number(head.readBigInt64BE(9))
    connection?.respond(requestId, new Uint8Array(0))
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    await turns(20)
    // Acknowledged, but the kernel still reads the memory: not released, still charged.
    expect(probe.reasons).toEqual([])
    expect(client.stats().bytesInFlight).toBe(BIG)
    connection?.socket.resume()
    expect(await probe.released).toBe('acked')
    expect(client.stats().bytesInFlight).toBe(0)
  })

  it('on a dead socket: after its write ended and the retry was acknowledged, never as acked by the dead one (B20, B27)', async () => {
    const { client, worker } = await setUp({ 'celeborn.node.maxInFlightBytes': '256m' })
    worker.resetAfterBytes = MIB
    worker.onConnection = (connection) => {
      if (connection.index > 0) worker.resetAfterBytes = Number.POSITIVE_INFINITY
    }
    const probe = releaseProbe()
    const bytes = Buffer.alloc(4 * MIB, 3)
    const receipt = await client.pushBuffer(target(), bytes, { onRelease: probe.onRelease })
    expect(await receipt.settled).toMatchObject({ outcome: 'acked' })
    expect(await probe.released).toBe('acked')
    expect(worker.connections.length).toBe(2)
    expect(worker.payloads).toHaveLength(1)
    expect(worker.payloads[0]?.equals(bytes)).toBe(true)
    await turns(20)
    expect(probe.reasons).toEqual(['acked'])
  })

  it('never inside the push call, and any public method may be called inside it (B53)', async () => {
    const { client } = await setUp()
    const order: string[] = []
    const nested: Promise<unknown>[] = []
    await new Promise<void>((resolve) => {
      void client.pushBuffer(target(), Buffer.alloc(10), {
        onRelease: () => {
          order.push('released')
          nested.push(
            client.pushData(target(1), Buffer.alloc(3)).then((receipt) => receipt.settled),
            client.mapperEnd(target()),
          )
          client.stats()
          resolve()
        },
      })
      order.push('returned')
    })
    expect(order).toEqual(['returned', 'released'])
    await Promise.all(nested)
  })

  it('an onRelease that throws is reported and harms nothing', async () => {
    const { client } = await setUp()
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    try {
      const bad = await client.pushBuffer(target(), Buffer.alloc(10), {
        onRelease: () => {
          throw new Error('mine to make')
        },
      })
      await bad.settled
      await turns(5)
      expect(warnings.some((warning) => warning.message.includes('mine to make'))).toBe(true)
      expect(client.stats()).toMatchObject({ bytesInFlight: 0, releaseCallbackFailures: 1 })
      await client.mapperEnd(target())
    } finally {
      process.off('warning', onWarning)
    }
  })

  it('a frame: dead for its writer from the push on, freed at the acknowledgement', async () => {
    const { client, worker } = await setUp()
    worker.onPush = () => undefined
    const frame = client.pool.acquire(5000)
    frame.bytes.fill(7)
    const view = frame.bytes
    const receipt = await client.pushFrame(target(), frame)
    expect(() => frame.bytes).toThrow(FrameStateError)
    expect(() => frame.release()).toThrow(/client/)
    await expect(client.pushFrame(target(), frame)).rejects.toThrow(FrameStateError)
    await worker.received(1)
    expect(client.stats().framesAlive).toBe(1)
    worker.pushes[0]?.ack()
    await receipt.settled
    await turns(5)
    expect(client.stats().framesAlive).toBe(0)
    expect(view.length).toBe(0)
    expect(frame.state).toBe('released')
  })

  it('a rejected push gives the frame back untouched, and never calls onRelease', async () => {
    const { client, lifecycle } = await setUp({ 'celeborn.client.registerShuffle.maxRetries': 0 })
    lifecycle.onRegister = () => 6
    const frame = client.pool.acquire(100)
    frame.bytes.fill(9)
    const push = client.pushFrame(target(), frame)
    expect(frame.state).toBe('pending')
    expect(() => frame.bytes).toThrow(FrameStateError)
    await expect(push).rejects.toMatchObject({ code: 'CELEBORN_REGISTER_FAILED' })
    expect(frame.bytes.every((byte) => byte === 9)).toBe(true)
    const probe = releaseProbe()
    await expect(
      client.pushBuffer(target(), Buffer.alloc(3), { onRelease: probe.onRelease }),
    ).rejects.toMatchObject({ code: 'CELEBORN_REGISTER_FAILED' })
    await expect(client.pushFrame(target(99), frame)).rejects.toMatchObject({ code: 'CELEBORN_CONFIG' })
    await turns(5)
    expect(probe.reasons).toEqual([])
    frame.release()
    expect(client.stats()).toMatchObject({ framesAlive: 0, bytesInFlight: 0 })
  })

  it('cleanup drops what is in flight: queued at once, under way after its write ended; MapperEnd is never sent (B35, B50)', async () => {
    const { client, worker, lifecycle } = await setUp({ 'celeborn.node.maxInFlightBytes': '512m' })
    worker.stall()
    const big = releaseProbe()
    const queued = releaseProbe()
    const first = await client.pushBuffer(target(), Buffer.alloc(BIG), { onRelease: big.onRelease })
    while (worker.connections.length === 0) await turns(1)
    await turns(5)
    const second = await client.pushBuffer(target(), Buffer.alloc(1000), { onRelease: queued.onRelease })
    const cleaned = client.cleanup(target())
    expect(await second.settled).toMatchObject({ outcome: 'dropped', reason: 'aborted' })
    expect(await first.settled).toMatchObject({ outcome: 'dropped', reason: 'aborted' })
    expect(await queued.released).toBe('dropped')
    await turns(20)
    expect(big.reasons).toEqual([])
    expect(client.stats().bytesInFlight).toBe(BIG)
    worker.unstall()
    expect(await big.released).toBe('dropped')
    await cleaned
    expect(client.stats().bytesInFlight).toBe(0)
    await expect(client.mapperEnd(target())).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    await expect(client.pushData(target(), Buffer.alloc(1))).rejects.toMatchObject({
      code: 'CELEBORN_ABORTED',
    })
    expect(lifecycle.mapperEnds).toEqual([])
    await turns(20)
    // The queued batch was never written: the worker saw the big one at most.
    expect(worker.pushes.length).toBeLessThanOrEqual(1)
  })

  it('close drops everything at once, also on a stalled peer', async () => {
    const { client, worker } = await setUp({ 'celeborn.node.maxInFlightBytes': '512m' })
    worker.stall()
    const probes = [releaseProbe(), releaseProbe(), releaseProbe()]
    const receipts = await Promise.all(
      probes.map((probe, i) =>
        client.pushBuffer(target(i), Buffer.alloc(20 * MIB), { onRelease: probe.onRelease }),
      ),
    )
    while (worker.connections.length === 0) await turns(1)
    await client.close()
    for (const receipt of receipts) {
      expect(await receipt.settled).toMatchObject({ outcome: 'dropped', reason: 'closed' })
    }
    expect(probes.map((probe) => probe.reasons)).toEqual([['dropped'], ['dropped'], ['dropped']])
    expect(client.stats().bytesInFlight).toBe(0)
    await expect(client.pushData(target(), Buffer.alloc(1))).rejects.toMatchObject({
      code: 'CELEBORN_CLOSED',
    })
  })

  it.each([
    ['the pause of a slow start', { 'celeborn.client.push.limit.strategy': 'SLOWSTART' }, false],
    ['the pause between two registrations', { 'celeborn.client.registerShuffle.retryWait': '60s' }, true],
  ])('a push that close ends in %s leaves no timer behind', async (_name, entries, refused) => {
    const { client, lifecycle } = await setUp(entries)
    if (refused) lifecycle.onRegister = () => StatusCode.SLOT_NOT_AVAILABLE
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const push = client.pushData(target(), Buffer.alloc(10))
    while (lifecycle.registrations === 0) await turns(1)
    await turns(20)
    const closed = client.close()
    await expect(push).rejects.toMatchObject({ code: 'CELEBORN_CLOSED' })
    await closed
    // Timers of the runner's own come and go, too; a pause that outlives its client lasts for seconds.
    for (let i = 0; i < 50 && timers() > before; i++) await turns(1)
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it('a registration that fails has one code, and its cause', async () => {
    const { client, lifecycle } = await setUp({ 'celeborn.client.registerShuffle.maxRetries': 0 })
    lifecycle.onRegister = () => {
      throw new Error('no luck')
    }
    const error = await client.pushData(target(), Buffer.alloc(10)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CELEBORN_REGISTER_FAILED', cause: { code: 'CELEBORN_RPC' } })
  })

  it('a report that waits to be sent is not sent once the attempt is aborted', async () => {
    const { client, lifecycle } = await setUp()
    await (await client.pushData(target(), Buffer.alloc(10))).settled
    const ended = client.mapperEnd(target())
    // Far enough for the report to be queued; messages are written at the end of the turn.
    for (let i = 0; i < 50; i++) await Promise.resolve()
    const cleaned = client.cleanup(target())
    await expect(ended).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    await cleaned
    // The connection goes on: what was queued before would have arrived before this.
    await client.mapperEnd(target(0, { mapId: 1 }))
    expect(lifecycle.mapperEnds.map(({ mapId }) => mapId)).toEqual([1])
  })
})
