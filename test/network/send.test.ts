import { once } from 'node:events'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConnectionError } from '../../src/errors'
import { type ConnectionPool, type GatherWriter } from '../../src/network'
import {
  failureBytes,
  MIB,
  newPool,
  onFrames,
  randomBytes,
  randomizer,
  RawPeer,
  requestIdOf,
  responseBytes,
  TestPush,
  turns,
} from './support'

let pool: ConnectionPool
let peer: RawPeer

async function start(o: Parameters<typeof newPool>[0] = {}, onSocket?: (s: Socket) => void): Promise<void> {
  pool = newPool(o)
  peer = await RawPeer.start(onSocket)
}

afterEach(async () => {
  vi.restoreAllMocks()
  await pool.close()
  await peer.close()
})

function send(push: TestPush): TestPush {
  pool.connection('127.0.0.1', peer.port).send(push)
  return push
}

function answerAll(socket: Socket): void {
  onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame))))
}

describe('sending', () => {
  it('sends what one turn collects in one gather write, without touching it', async () => {
    await start({}, answerAll)
    await send(new TestPush(Buffer.from('first'))).until('ended')
    const uncork = vi.spyOn(Socket.prototype, 'uncork')
    const pushes = Array.from({ length: 100 }, (_, i) => send(new TestPush(Buffer.from(`payload ${i}`))))
    // Promises and ticks that follow are of the same turn.
    await Promise.resolve()
    pushes.push(send(new TestPush(Buffer.from('from a promise'))))
    await new Promise<void>((resolve) => process.nextTick(resolve))
    pushes.push(send(new TestPush(Buffer.from('from a tick'))))
    expect(uncork).not.toHaveBeenCalled()
    await turns(1)
    expect(uncork).toHaveBeenCalledTimes(1)
    await Promise.all(pushes.map((push) => push.until('ended')))
    expect(pool.stats().connections[0]?.gatherWrites).toBe(2)
  })

  it('tells each message of its encoding, its writing, its end and its answer, once and in order', async () => {
    await start({}, answerAll)
    const push = send(new TestPush(Buffer.from('payload')))
    expect(push.events).toEqual([])
    await push.until('ended')
    expect(push.events.slice(0, 2)).toEqual(['encode', 'writeStarted'])
    expect([...push.events].sort()).toEqual(['encode', 'response', 'writeEnded', 'writeStarted'])
  })

  it('matches answers by id in any order, with and without a body', async () => {
    const frames: number[] = []
    await start({}, (socket) =>
      onFrames(socket, (frame) => {
        frames.push(requestIdOf(frame))
        if (frames.length < 3) return
        const [a = 0, b = 0, c = 0] = frames
        socket.write(
          Buffer.concat([responseBytes(c, Buffer.from([22])), failureBytes(a, 'no room'), responseBytes(b)]),
        )
      }),
    )
    const pushes = ['a', 'b', 'c'].map((text) => send(new TestPush(Buffer.from(text))))
    await Promise.all(pushes.map((push) => push.until('settled')))
    expect(pushes[0]?.failure).toBe('no room')
    expect(pushes[1]?.answer).toEqual(Buffer.alloc(0))
    expect(pushes[2]?.answer).toEqual(Buffer.from([22]))
  })

  it('takes answers in any fragmentation, and large ones', async () => {
    const random = randomizer(3)
    const bodies = [0, 1, 17, 300, 100_000, 3 * MIB].map((size) => Buffer.from(randomBytes(random, size)))
    const ids: number[] = []
    await start({}, (socket) => {
      socket.setNoDelay(true)
      onFrames(socket, (frame) => {
        ids.push(requestIdOf(frame))
        if (ids.length === bodies.length) void trickle(socket)
      })
    })
    async function trickle(socket: Socket): Promise<void> {
      const bytes = Buffer.concat(bodies.map((body, i) => responseBytes(ids[i] ?? -1, body)))
      // The small answers byte by byte, the large ones in pieces.
      for (let at = 0; at < bytes.length; ) {
        const size = at < 500 ? 1 : 1 + random(200_000)
        socket.write(bytes.subarray(at, at + size))
        at += size
        await turns(1)
      }
    }
    const pushes = bodies.map(() => send(new TestPush(Buffer.from('?'))))
    await Promise.all(pushes.map((push) => push.until('settled')))
    pushes.forEach((push, i) => expect(push.answer?.equals(bodies[i] ?? Buffer.alloc(0))).toBe(true))
  })

  it('ignores and counts late, duplicate and unknown answers (B26)', async () => {
    await start({}, (socket) =>
      onFrames(socket, (frame) => {
        const answer = responseBytes(requestIdOf(frame))
        const unknown = responseBytes(0x1234_5678_9abc, Buffer.from('for nobody'))
        socket.write(Buffer.concat([unknown, answer, answer, failureBytes(requestIdOf(frame), 'twice')]))
      }),
    )
    const first = send(new TestPush(Buffer.from('x')))
    await first.until('ended')
    await send(new TestPush(Buffer.from('y'))).until('ended')
    expect(first.events).toHaveLength(4)
    expect(pool.stats().strayAnswers).toBeGreaterThanOrEqual(4)
    expect(pool.stats().pending).toBe(0)
  })

  it('takes no answer for a request that was not sent yet', async () => {
    await start()
    const first = send(new TestPush(new Uint8Array(32 * MIB)))
    const socket = await peer.accepted()
    await first.until('writeStarted')
    await turns(5)
    const waiting = send(new TestPush(Buffer.from('waits behind the first')))
    await turns(2)
    socket.write(Buffer.concat([responseBytes(waiting.requestId), responseBytes(first.requestId)]))
    await first.until('settled')
    expect(waiting.events).toEqual([])
    expect(pool.stats().strayAnswers).toBe(1)
  })

  it.each([1, 1000, 64 * 1024, MIB])(
    'writes exactly the bytes of the messages to a peer that takes a few at a time, gathers of %d bytes (B23)',
    async (maxGatherBytes) => {
      const random = randomizer(maxGatherBytes + 7)
      const many = maxGatherBytes > 1 ? 500 : 20
      const largest = maxGatherBytes > 1000 ? 60_000 : maxGatherBytes > 1 ? 5000 : 40
      const pushes = Array.from({ length: many }, () => new TestPush(randomBytes(random, random(largest))))
      const model = Buffer.concat(pushes.map((push) => push.wire()))
      const received: Buffer[] = []
      let size = 0
      await start({ maxGatherBytes }, (socket) => {
        // Paused mode with a tiny buffer: the system is asked for more only when this much was consumed.
        socket.on('readable', () => setImmediate(() => take(socket)))
      })
      function take(socket: Socket): void {
        for (let i = 0; i < 20; i++) {
          const piece = socket.read(Math.min(1 + random(3000), socket.readableLength)) as Buffer | null
          if (piece === null) break
          received.push(piece)
          size += piece.length
        }
        if (size === model.length) socket.destroy()
        else if (socket.readableLength > 0) setImmediate(() => take(socket))
      }
      pushes.forEach(send)
      await Promise.all(pushes.map((push) => push.until('ended')))
      expect(Buffer.concat(received).equals(model)).toBe(true)
      for (const push of pushes) {
        expect(push.count('encode')).toBe(1)
        expect(push.count('writeStarted')).toBe(1)
        expect(push.count('writeEnded')).toBe(1)
      }
    },
  )

  it('takes no snapshot: a stalled peer sees what was written into the memory afterwards', async () => {
    await start()
    const payload = new Uint8Array(48 * MIB).fill(1)
    const push = send(new TestPush(payload))
    const socket = await peer.accepted()
    await push.until('writeStarted')
    await turns(20)
    expect(push.count('writeEnded')).toBe(0)
    payload.fill(2)
    let overwritten = 0
    onFrames(socket, (frame) => {
      for (const byte of frame.body) if (byte === 2) overwritten++
      socket.write(responseBytes(requestIdOf(frame)))
    })
    await push.until('ended')
    expect(overwritten).toBeGreaterThan(16 * MIB)
  })

  it('copies nothing of what waits for a stalled peer (B21, B24)', async () => {
    await start()
    const payload = new Uint8Array(4 * MIB).fill(3)
    const before = process.memoryUsage()
    const pushes = Array.from({ length: 64 }, () => send(new TestPush(payload)))
    await pushes[0]?.until('writeStarted')
    await turns(50)
    const after = process.memoryUsage()
    expect(pool.stats().connections[0]?.unsentBytes).toBeGreaterThan(200 * MIB)
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(4 * MIB)
    expect(after.rss - before.rss).toBeLessThan(48 * MIB)
  })

  it('bears the answer before the end of the write, and after it', async () => {
    await start()
    const early = send(new TestPush(new Uint8Array(32 * MIB)))
    const socket = await peer.accepted()
    await early.until('writeStarted')
    socket.write(responseBytes(early.requestId))
    await early.until('settled')
    expect(early.count('writeEnded')).toBe(0)
    socket.resume()
    await early.until('ended')
    expect(early.events).toEqual(['encode', 'writeStarted', 'response', 'writeEnded'])

    const late = send(new TestPush(Buffer.from('small')))
    await late.until('writeEnded')
    socket.write(responseBytes(late.requestId))
    await late.until('ended')
    expect(late.events).toEqual(['encode', 'writeStarted', 'writeEnded', 'response'])
  })

  it('ends everything once when the connection is reset in the middle of a write (B20)', async () => {
    await start({ maxGatherBytes: MIB })
    const pushes = Array.from({ length: 20 }, () => send(new TestPush(new Uint8Array(4 * MIB))))
    const socket = await peer.accepted()
    const [first, last] = [pushes[0] as TestPush, pushes[19] as TestPush]
    await first.until('writeStarted')
    await once(socket, 'readable')
    socket.resetAndDestroy()
    await Promise.all(pushes.map((push) => push.until('ended')))
    for (const push of pushes) {
      expect(push.count('writeEnded')).toBe(1)
      expect(push.count('error')).toBe(1)
      expect(push.error).toBeInstanceOf(ConnectionError)
      expect(push.error?.code).toBe('CELEBORN_CONNECTION_LOST')
      expect(push.error?.message).toContain(`127.0.0.1:${peer.port}`)
      // No memory is read any more when the request learns of it.
      expect(push.events.indexOf('writeEnded')).toBeLessThan(push.events.indexOf('error'))
    }
    expect(last.events).toEqual(['writeEnded', 'error'])
    expect(pool.stats().connections).toEqual([])
  })

  it('fails a request whose encoder throws, and sends the others untouched (B31)', async () => {
    await start({}, answerAll)
    class Broken extends TestPush {
      override encode(w: GatherWriter): void {
        w.reserve(100)
        w.append(Buffer.from('half a message'))
        throw new TypeError('cannot encode this')
      }
    }
    const before = send(new TestPush(Buffer.from('before')))
    const broken = send(new Broken(Buffer.from('broken')))
    const after = send(new TestPush(Buffer.from('after')))
    await Promise.all([before, broken, after].map((push) => push.until('ended')))
    expect(broken.error?.message).toContain('cannot encode this')
    expect(broken.events).toEqual(['writeEnded', 'error'])
    expect(before.answer).not.toBeNull()
    expect(after.answer).not.toBeNull()
  })

  it('refuses an id that is already waiting', async () => {
    await start()
    const push = send(new TestPush(Buffer.from('x')))
    class Twin extends TestPush {
      override readonly requestId = push.requestId
    }
    const twin = send(new Twin(Buffer.from('y')))
    await twin.until('ended')
    expect(twin.error?.message).toContain('already under way')
    expect(push.settled).toBe(false)
  })

  it('cancels: nothing but the end of the write is heard any more', async () => {
    await start({}, answerAll)
    const unsent = send(new TestPush(Buffer.from('never sent')))
    expect(pool.connection('127.0.0.1', peer.port).cancel(unsent)).toBe(true)
    expect(pool.connection('127.0.0.1', peer.port).cancel(unsent)).toBe(false)
    const sent = send(new TestPush(Buffer.from('sent')))
    await sent.until('writeStarted')
    pool.connection('127.0.0.1', peer.port).cancel(sent)
    await send(new TestPush(Buffer.from('next'))).until('ended')
    expect(unsent.events).toEqual(['writeEnded'])
    expect(sent.events).toEqual(['encode', 'writeStarted', 'writeEnded'])
    expect(pool.stats().strayAnswers).toBe(1)
  })

  it('keeps the heap flat over many small acknowledgements (B62)', async () => {
    await start({}, answerAll)
    const payload = Buffer.from('x')
    async function rounds(count: number): Promise<void> {
      for (let i = 0; i < count; i++) {
        const last = Array.from({ length: 500 }, () => send(new TestPush(payload))).at(-1)
        await last?.until('ended')
      }
    }
    await rounds(20)
    global.gc?.()
    const before = process.memoryUsage().heapUsed
    await rounds(100)
    global.gc?.()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 * MIB)
    expect(pool.stats().pending).toBe(0)
  })
})
