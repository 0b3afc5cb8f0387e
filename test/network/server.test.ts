import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { CelebornError, ClosedError } from '../../src/errors'
import {
  type Body,
  type ConnectionPool,
  MessageServer,
  type MessageServerOptions,
  type ServerConnection,
} from '../../src/network'
import {
  type DecodedMessage,
  HEARTBEAT_BYTES,
  MessageType,
  WHOLE_CHUNK,
  writeHeartbeat,
} from '../../src/protocol/framing'
import {
  eventually,
  MIB,
  newPool,
  onFrames,
  randomBytes,
  randomizer,
  TestChunk,
  TestPush,
  turns,
} from './support'
import { expectCallbackWarnings } from '../setup/warnings'

let server: MessageServer
let pool: ConnectionPool
let sockets: Socket[] = []

async function start(
  onMessage: MessageServerOptions['onMessage'],
  o: Partial<MessageServerOptions> = {},
): Promise<void> {
  pool = newPool()
  server = new MessageServer({ name: 'test server', ...o, onMessage })
  await server.listen()
}

function send(push: TestPush): TestPush {
  pool.connection('127.0.0.1', server.port).send(push)
  return push
}

async function rawClient(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

function acknowledge(conn: ServerConnection, message: DecodedMessage, body: Body): void {
  if (message.type === MessageType.PUSH_DATA) conn.reply(message.requestId)
  body.release()
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await pool.close()
  await server.close()
})

describe('MessageServer', () => {
  it('gives messages and their bodies, in pieces, byte by byte the same', async () => {
    const bodies: Buffer[] = []
    await start((conn, message, body) => {
      bodies.push(Buffer.from(body.concat()))
      expect(body.parts.reduce((sum, part) => sum + part.length, 0)).toBe(body.length)
      acknowledge(conn, message, body)
    })
    const random = randomizer(4)
    const pushes = [0, 1, 100, 70_000, 3 * MIB].map((size) => send(new TestPush(randomBytes(random, size))))
    await Promise.all(pushes.map((push) => push.until('ended')))
    pushes.forEach((push, i) => expect(Buffer.compare(push.payload, bodies[i] ?? Buffer.alloc(0))).toBe(0))
    expect(server.stats()).toMatchObject({
      messages: 5,
      unreleasedBytes: 0,
      connections: 1,
      protocolErrors: 0,
    })
  })

  it('takes messages that come one byte at a time', async () => {
    const bodies: string[] = []
    await start((conn, message, body) => {
      bodies.push(Buffer.from(body.concat()).toString())
      acknowledge(conn, message, body)
    })
    const socket = await rawClient()
    socket.setNoDelay(true)
    const wire = Buffer.concat([
      new TestPush(Buffer.from('one')).wire(),
      new TestPush(Buffer.from('two')).wire(),
    ])
    for (const byte of wire) {
      socket.write(Buffer.from([byte]))
      await turns(1)
    }
    await eventually(() => bodies.length === 2, 'both messages')
    expect(bodies).toEqual(['one', 'two'])
  })

  it('does not hold what the socket delivered for the sake of a small piece of it', async () => {
    const parts: Uint8Array[] = []
    let count = 0
    await start((conn, message, body) => {
      // A handler that keeps one in twenty.
      if (count++ % 20 === 0) parts.push(...body.parts)
      acknowledge(conn, message, body)
    })
    const pushes = Array.from({ length: 200 }, () => send(new TestPush(new Uint8Array(500))))
    await Promise.all(pushes.map((push) => push.until('ended')))
    const held = new Map(parts.map((part) => [part.buffer, part.buffer.byteLength]))
    let total = 0
    for (const bytes of held.values()) total += bytes
    expect(parts).toHaveLength(10)
    expect(total).toBeLessThan(4 * 10 * 500)
  })

  it('echoes heartbeats', async () => {
    await start(acknowledge)
    const socket = await rawClient()
    const heartbeat = Buffer.alloc(HEARTBEAT_BYTES)
    writeHeartbeat(heartbeat, 0)
    socket.write(heartbeat)
    const [echo] = (await once(socket, 'data')) as [Buffer]
    expect(echo).toEqual(heartbeat)
    expect(server.stats().messages).toBe(0)
  })

  it('stops reading while a handler holds too much, and goes on when it lets go', async () => {
    const held: [ServerConnection, DecodedMessage, Body][] = []
    await start((...message) => held.push(message), { maxReceivedBytesPerConnection: 4 * MIB })
    const pushes = Array.from({ length: 400 }, () => send(new TestPush(new Uint8Array(256 * 1024))))
    let done = 0
    while (done < pushes.length) {
      await eventually(() => held.length > 0, 'more messages')
      await turns(30)
      // What was in the system's hands when it stopped may come on top.
      expect(server.stats().unreleasedBytes).toBeLessThan(4 * MIB + 512 * 1024)
      for (const [conn, message, body] of held.splice(0)) {
        acknowledge(conn, message, body)
        done++
      }
    }
    await Promise.all(pushes.map((push) => push.until('ended')))
    expect(server.stats().unreleasedBytes).toBe(0)
    expect(server.stats().peakUnreleasedBytes).toBeLessThan(4 * MIB + 512 * 1024)
  })

  it('bounds all connections together, and still lets every message through', async () => {
    const limit = 2 * MIB
    await start(
      (conn, message, body) => {
        // The handler is slow: it lets go a little later.
        setTimeout(() => acknowledge(conn, message, body), 1)
      },
      { maxReceivedBytes: limit },
    )
    // Eight connections each begin a message of 1 MiB at once: their beginnings alone exceed the limit.
    const pools = Array.from({ length: 8 }, () => newPool())
    const pushes = pools.flatMap((other) =>
      Array.from({ length: 6 }, () => {
        const push = new TestPush(new Uint8Array(MIB))
        other.connection('127.0.0.1', server.port).send(push)
        return push
      }),
    )
    await Promise.all(pushes.map((push) => push.until('ended')))
    await Promise.all(pools.map((other) => other.close()))
    for (const push of pushes) expect(push.error).toBeNull()
    expect(server.stats().unreleasedBytes).toBe(0)
    // The limit, one message that is let through, and one read of the system's for each connection.
    expect(server.stats().peakUnreleasedBytes).toBeLessThan(limit + MIB + 8 * 130 * 1024)
  })

  it('takes a single message that is larger than the limits', async () => {
    await start(acknowledge, { maxReceivedBytes: MIB, maxReceivedBytesPerConnection: MIB })
    const push = send(new TestPush(new Uint8Array(8 * MIB)))
    await push.until('ended')
    expect(push.error).toBeNull()
  })

  it('closes a connection that holds up the others with half a message', async () => {
    await start(acknowledge, { maxReceivedBytes: MIB, stallMs: 100 })
    const halves = [await rawClient(), await rawClient(), await rawClient()]
    for (const socket of halves) {
      socket.write(new TestPush(new Uint8Array(4 * MIB)).wire().subarray(0, 700 * 1024))
      socket.resume()
    }
    await eventually(() => server.stats().unreleasedBytes > MIB, 'three beginnings')
    const push = send(new TestPush(new Uint8Array(4 * MIB)))
    await push.until('ended')
    expect(push.error).toBeNull()
    expect(server.stats().stalled).toBeGreaterThan(0)
    expect(server.stats().peakUnreleasedBytes).toBeLessThan(8 * MIB)
  })

  it('stops reading from a peer that does not read its answers, and tells when they are gone', async () => {
    const connections = new Set<ServerConnection>()
    await start(
      (conn, message, body) => {
        connections.add(conn)
        if (message.type === MessageType.PUSH_DATA) conn.reply(message.requestId, [new Uint8Array(MIB)])
        body.release()
      },
      { maxUnsentBytes: 4 * MIB },
    )
    const socket = await rawClient()
    socket.pause()
    for (let i = 0; i < 64; i++) socket.write(new TestPush(new Uint8Array(1000)).wire())
    await eventually(() => server.stats().unsentBytes > 4 * MIB, 'unsent answers')
    await turns(20)
    // A read of 64 KiB holds all 64 requests; they were there before the limit was reached.
    const [conn] = [...connections]
    let drained = false
    const waiting = conn?.drained().then(() => (drained = true))
    await turns(5)
    expect(drained).toBe(false)
    const before = server.stats().bytesReceived
    const flood = new TestPush(new Uint8Array(64 * MIB)).wire()
    socket.write(flood)
    await turns(50)
    expect(server.stats().bytesReceived - before).toBeLessThan(4 * MIB)
    let answers = 0
    onFrames(socket, () => answers++)
    socket.resume()
    await waiting
    await eventually(() => answers === 65, 'all answers')
    expect(server.stats().unsentBytes).toBe(0)
  })

  it('closes a connection whose peer takes nothing', async () => {
    let closed = 0
    let written = 0
    await start(
      (conn, message, body) => {
        if (message.type === MessageType.PUSH_DATA) {
          conn.reply(message.requestId, [new Uint8Array(32 * MIB)], () => written++)
        }
        body.release()
      },
      { stallMs: 100, onConnectionClosed: () => closed++ },
    )
    const socket = await rawClient()
    socket.pause()
    socket.write(new TestPush(Buffer.from('x')).wire())
    await eventually(() => closed === 1, 'the closing of a stuck connection')
    expect(written).toBe(1)
    expect(server.stats()).toMatchObject({ stalled: 1, connections: 0, unsentBytes: 0 })
  })

  it('pauses and resumes when told, nested', async () => {
    let first: ServerConnection | null = null
    let messages = 0
    await start((conn, message, body) => {
      messages++
      if (first === null) {
        first = conn
        conn.pause()
        conn.pause()
      }
      acknowledge(conn, message, body)
    })
    await send(new TestPush(Buffer.from('a'))).until('ended')
    const second = send(new TestPush(Buffer.from('b')))
    await second.until('writeEnded')
    await turns(10)
    const conn = first as ServerConnection | null
    conn?.resume()
    await turns(10)
    expect(messages).toBe(1)
    conn?.resume()
    await second.until('ended')
    expect(messages).toBe(2)
  })

  it('serves chunks from where they lie', async () => {
    const body = randomBytes(randomizer(12), 5 * MIB)
    let written = 0
    await start((conn, message, received) => {
      received.release()
      const slice = { streamId: 9, chunkIndex: written, offset: 0, length: WHOLE_CHUNK }
      if (message.type !== MessageType.RPC_REQUEST) return
      if (written === 0) conn.replyChunk(slice, [body.subarray(0, MIB), body.subarray(MIB)], () => written++)
      else conn.replyChunkFailure(slice, 'no more of that')
    })
    const chunk = new TestChunk(9, 0)
    pool.connection('127.0.0.1', server.port).fetchChunk(chunk)
    await chunk.until('released')
    expect(Buffer.compare(chunk.target ?? Buffer.alloc(0), body)).toBe(0)
    expect(written).toBe(1)
    const failing = new TestChunk(9, 1)
    pool.connection('127.0.0.1', server.port).fetchChunk(failing)
    await failing.until('settled')
    expect(failing.failure).toBe('no more of that')
  })

  it('closes the connection of a handler that throws, not the process', async () => {
    expectCallbackWarnings()
    const warned = once(process, 'warning') as Promise<[Error]>
    await start((_conn, _message, body) => {
      body.release()
      throw new Error('the handler is broken')
    })
    const push = send(new TestPush(Buffer.from('x')))
    await push.until('ended')
    expect(push.error?.code).toBe('CELEBORN_CONNECTION_LOST')
    expect((await warned)[0].message).toContain('the handler is broken')
    expect(server.stats().protocolErrors).toBe(0)
  })

  it('gives answers on a closed connection their end', async () => {
    let conn: ServerConnection | null = null
    await start((c, message, body) => {
      conn = c
      acknowledge(c, message, body)
    })
    await send(new TestPush(Buffer.from('x'))).until('ended')
    await pool.close()
    await eventually(() => server.stats().connections === 0, 'the end of the connection')
    const late = conn as ServerConnection | null
    await new Promise<void>((resolve) => late?.reply(1, [new Uint8Array(10)], resolve))
    await late?.drained()
    expect(late?.closed).toBe(true)
  })

  it('closes with everything it has accepted, once', async () => {
    let closed = 0
    await start(acknowledge, { onConnectionClosed: () => closed++ })
    const push = send(new TestPush(Buffer.from('x')))
    await push.until('ended')
    await rawClient()
    await eventually(() => server.stats().connections === 2, 'two connections')
    await Promise.all([server.close(), server.close()])
    expect(closed).toBe(2)
    await expect(server.listen()).rejects.toBeInstanceOf(ClosedError)
  })

  it('says so when it cannot listen', async () => {
    await start(acknowledge)
    const second = new MessageServer({ name: 'second server', port: server.port, onMessage: acknowledge })
    const error: unknown = await second.listen().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CelebornError)
    expect((error as CelebornError).message).toMatch(
      /second server cannot listen at 127\.0\.0\.1:\d+.*choose another port/,
    )
    await second.close()
  })
})
