import { type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { TimeoutError } from '../../src/errors'
import { type ConnectionPool } from '../../src/network'
import { MIB, newPool, onFrames, RawPeer, requestIdOf, responseBytes, TestPush } from './support'

let pool: ConnectionPool
let peer: RawPeer

async function start(onSocket?: (s: Socket) => void, o: Parameters<typeof newPool>[0] = {}): Promise<void> {
  pool = newPool(o)
  peer = await RawPeer.start(onSocket)
}

afterEach(async () => {
  await pool.close()
  await peer.close()
})

function send(push: TestPush): TestPush {
  pool.connection('127.0.0.1', peer.port).send(push)
  return push
}

describe('time-outs', () => {
  it('fails a request that nobody answers, and keeps the connection', async () => {
    await start((socket) => socket.resume())
    const quick = send(new TestPush(Buffer.from('x'), { timeoutMs: 60 }))
    const patient = send(new TestPush(Buffer.from('y')))
    await quick.until('ended')
    expect(quick.error).toBeInstanceOf(TimeoutError)
    expect(quick.error?.message).toContain(`127.0.0.1:${peer.port} did not answer within 60 ms`)
    expect(patient.settled).toBe(false)
    expect(pool.stats()).toMatchObject({ timedOut: 1, pending: 1 })
  })

  it('ignores the answers that come too late, with exact counters (B26)', async () => {
    await start()
    const pushes = Array.from({ length: 20 }, () => send(new TestPush(Buffer.from('x'), { timeoutMs: 40 })))
    const socket = await peer.accepted()
    await Promise.all(pushes.map((push) => push.until('ended')))
    expect(pool.stats()).toMatchObject({ timedOut: 20, pending: 0, strayAnswers: 0 })
    socket.write(Buffer.concat(pushes.map((push) => responseBytes(push.requestId))))
    onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame))))
    const last = send(new TestPush(Buffer.from('y')))
    await last.until('ended')
    // The peer answers all of them once more as it reads them.
    expect(pool.stats().pending).toBe(0)
    expect(pool.stats().strayAnswers).toBe(40)
    for (const push of pushes) expect(push.count('error')).toBe(1)
  })

  it('does not count the time that a push waits behind a slow socket (B44)', async () => {
    await start(undefined, { maxGatherBytes: 256 * 1024 })
    // Far more than the system buffers, read slowly enough that the last ones wait much longer than their time-out.
    const timeoutMs = 800
    const payload = new Uint8Array(MIB)
    const pushes = Array.from({ length: 150 }, () => send(new TestPush(payload, { timeoutMs })))
    const socket = await peer.accepted()
    const begun = performance.now()
    onFrames(socket, (frame) => {
      socket.write(responseBytes(requestIdOf(frame)))
      socket.pause()
      setTimeout(() => socket.resume(), 10)
    })
    await Promise.all(pushes.map((push) => push.until('ended')))
    // Otherwise this test would prove nothing.
    expect(performance.now() - begun).toBeGreaterThan(timeoutMs)
    for (const push of pushes) expect(push.events).toContain('response')
  })

  it('does not count the time in which a message is being written, as long as it moves', async () => {
    await start(undefined, { maxGatherBytes: 64 * 1024 })
    const timeoutMs = 1000
    const push = send(new TestPush(new Uint8Array(48 * MIB), { timeoutMs }))
    const socket = await peer.accepted()
    const begun = performance.now()
    onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame))))
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 2)
    })
    await push.until('ended')
    // Otherwise this test would prove nothing.
    expect(performance.now() - begun).toBeGreaterThan(timeoutMs)
    expect(push.error).toBeNull()
  })

  it('destroys a socket that takes no bytes, which ends what waits behind it too', async () => {
    await start((socket) => socket.pause())
    const pushes = Array.from({ length: 40 }, () =>
      send(new TestPush(new Uint8Array(MIB), { timeoutMs: 100 })),
    )
    await Promise.all(pushes.map((push) => push.until('ended')))
    const last = pushes.at(-1)
    expect(last?.events).toEqual(['writeEnded', 'error'])
    expect(last?.error).toBeInstanceOf(TimeoutError)
    expect(last?.error?.message).toContain('took no bytes for 100 ms')
    expect(pool.stats().connections).toEqual([])
  })

  it('starts the clock of an RPC when it is sent', async () => {
    await start((socket) => socket.pause())
    send(new TestPush(new Uint8Array(40 * MIB)))
    const rpc = send(new TestPush(Buffer.from('x'), { timeoutMs: 60, timeoutClock: 'send' }))
    await rpc.until('settled')
    expect(rpc.error).toBeInstanceOf(TimeoutError)
    expect(rpc.events).toEqual(['error'])
  })

  it('does not send what timed out while it waited', async () => {
    await start()
    const slow = send(new TestPush(new Uint8Array(32 * MIB)))
    const socket = await peer.accepted()
    await slow.until('writeStarted')
    const rpc = send(new TestPush(Buffer.from('x'), { timeoutMs: 60, timeoutClock: 'send' }))
    await rpc.until('settled')
    const seen: number[] = []
    onFrames(socket, (frame) => {
      seen.push(requestIdOf(frame))
      socket.write(responseBytes(requestIdOf(frame)))
    })
    const last = send(new TestPush(Buffer.from('y')))
    await last.until('ended')
    expect(seen).toEqual([slow.requestId, last.requestId])
    expect(rpc.events).toEqual(['error', 'writeEnded'])
  })
})
