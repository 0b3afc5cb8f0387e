import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import { type Body, type ConnectionPool, MessageServer } from '../../src/network'
import { MessageType, writeFrameHeader } from '../../src/protocol/framing'
import {
  eventually,
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

/** A frame header that says anything, and what follows it. */
function raw(
  fieldsSize: number,
  type: number,
  bodySize: number,
  rest: Uint8Array = new Uint8Array(0),
): Buffer {
  const header = Buffer.alloc(9)
  header.writeInt32BE(fieldsSize, 0)
  header.writeUInt8(type, 4)
  header.writeInt32BE(bodySize, 5)
  return Buffer.concat([header, rest])
}

const HOSTILE: [string, Buffer][] = [
  ['a body of 2 GiB less one', raw(12, MessageType.RPC_RESPONSE, 0x7fff_ffff - 12, Buffer.alloc(12))],
  ['a body of 1 GiB', raw(12, MessageType.RPC_RESPONSE, 1 << 30, Buffer.alloc(12))],
  ['fields of 2 GiB', raw(0x7fff_fffe, MessageType.RPC_FAILURE, 0)],
  ['fields of 100 MiB', raw(100 * MIB, MessageType.RPC_FAILURE, 0)],
  ['a negative body size', raw(12, MessageType.RPC_RESPONSE, -1)],
  ['a negative fields size', raw(-1, MessageType.RPC_RESPONSE, 100)],
  ['sizes that overflow', raw(0x7fff_ffff, MessageType.RPC_RESPONSE, 0x7fff_ffff)],
  ['an empty frame', raw(0, MessageType.RPC_RESPONSE, 0)],
  ['an unknown type', raw(1, 99, 0, Buffer.alloc(1))],
  ['a type that is only half known', raw(1, MessageType.READ_DATA, 0, Buffer.alloc(1))],
  ['fields that are too short', raw(3, MessageType.RPC_RESPONSE, 0, Buffer.alloc(3))],
  [
    'a string longer than its message',
    raw(
      12,
      MessageType.RPC_FAILURE,
      0,
      Buffer.concat([Buffer.alloc(8), Buffer.from([0x7f, 0xff, 0xff, 0xff])]),
    ),
  ],
  ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
]

describe('hostile answers', () => {
  let pool: ConnectionPool
  let peer: RawPeer

  async function start(onSocket: (socket: Socket) => void): Promise<void> {
    pool = newPool()
    peer = await RawPeer.start(onSocket)
  }

  afterEach(async () => {
    await pool.close()
    await peer.close()
  })

  it.each(HOSTILE)(
    '%s: every request fails with a typed error, the next connection works (B48)',
    async (_, bytes) => {
      let hostile = true
      await start((socket) =>
        onFrames(socket, (frame) => {
          socket.write(hostile ? bytes : responseBytes(requestIdOf(frame)))
        }),
      )
      const pushes = ['a', 'b'].map((text) => new TestPush(Buffer.from(text)))
      for (const push of pushes) pool.connection('127.0.0.1', peer.port).send(push)
      await Promise.all(pushes.map((push) => push.until('ended')))
      for (const push of pushes) {
        expect(push.error).toBeInstanceOf(ProtocolError)
        expect(push.error?.context.hostPort).toBe(`127.0.0.1:${peer.port}`)
      }
      hostile = false
      const next = new TestPush(Buffer.from('next'))
      pool.connection('127.0.0.1', peer.port).send(next)
      await next.until('ended')
      expect(next.error).toBeNull()
    },
  )

  it('allocates for what has come, not for what was announced', async () => {
    await start((socket) =>
      onFrames(socket, (frame) => {
        const head = Buffer.alloc(21)
        responseBytes(requestIdOf(frame)).copy(head)
        head.writeInt32BE(200 * MIB, 5)
        socket.write(Buffer.concat([head, new Uint8Array(200_000)]))
      }),
    )
    const before = process.memoryUsage().arrayBuffers
    const push = new TestPush(Buffer.from('x'))
    const connection = pool.connection('127.0.0.1', peer.port)
    connection.send(push)
    await eventually(() => connection.stats.bytesRead >= 200_021, 'the beginning of the answer')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB)
  })

  it('survives a peer that closes in the middle of a frame', async () => {
    await start((socket) =>
      onFrames(socket, () => socket.end(raw(12, MessageType.RPC_RESPONSE, 5, Buffer.alloc(9)))),
    )
    const push = new TestPush(Buffer.from('x'))
    pool.connection('127.0.0.1', peer.port).send(push)
    await push.until('ended')
    expect(push.error?.code).toBe('CELEBORN_CONNECTION_LOST')
  })

  it('refuses requests from the server and echoes its heartbeats', async () => {
    const seen: number[] = []
    await start((socket) => {
      onFrames(socket, (frame) => {
        seen.push(frame.type)
        if (frame.type !== MessageType.PUSH_DATA) return
        const heartbeat = raw(1, MessageType.HEARTBEAT, 0, Buffer.alloc(1))
        const request = raw(12, MessageType.RPC_REQUEST, 3, Buffer.alloc(15))
        const oneWay = raw(4, MessageType.ONE_WAY_MESSAGE, 3, Buffer.alloc(7))
        socket.write(Buffer.concat([heartbeat, request, oneWay, responseBytes(requestIdOf(frame))]))
      })
    })
    const push = new TestPush(Buffer.from('x'))
    pool.connection('127.0.0.1', peer.port).send(push)
    await push.until('ended')
    await eventually(() => seen.length === 3, 'an echo and a refusal')
    expect(seen).toEqual([MessageType.PUSH_DATA, MessageType.HEARTBEAT, MessageType.RPC_FAILURE])
  })
})

describe('hostile floods', () => {
  it('of heartbeats do not pile up echoes for a peer that reads none', async () => {
    const pool = newPool()
    const heartbeats = Buffer.concat(
      Array.from({ length: 20_000 }, () => raw(1, MessageType.HEARTBEAT, 0, Buffer.alloc(1))),
    )
    const peer = await RawPeer.start((socket) => {
      socket.pause()
      for (let i = 0; i < 10; i++) socket.write(heartbeats)
    })
    // Behind a message that the peer does not take, every echo waits.
    const push = new TestPush(new Uint8Array(32 * MIB))
    const connection = pool.connection('127.0.0.1', peer.port)
    connection.send(push)
    await eventually(() => connection.stats.bytesRead === 10 * heartbeats.length, 'all heartbeats')
    expect(connection.stats.queuedMessages).toBeLessThanOrEqual(64)
    await pool.close()
    await peer.close()
  })

  it('of tiny requests are bounded like large ones while no handler releases them', async () => {
    const held: Body[] = []
    const server = new MessageServer({
      name: 'test server',
      maxReceivedBytesPerConnection: MIB,
      onMessage: (_conn, _message, body) => held.push(body),
    })
    const { port } = await server.listen()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const request = raw(12, MessageType.RPC_REQUEST, 0, Buffer.alloc(12))
    const total = 50_000
    socket.write(Buffer.concat(Array.from({ length: total }, () => request)))
    await eventually(() => server.stats().unreleasedBytes > MIB, 'too many requests')
    await turns(50)
    // One read of the system's holds some 3,000 of them.
    expect(held.length).toBeLessThan(15_000)
    let released = 0
    await eventually(() => {
      for (const body of held.splice(0)) {
        body.release()
        released++
      }
      return released === total
    }, 'all requests')
    expect(server.stats().unreleasedBytes).toBe(0)
    socket.destroy()
    await server.close()
  })
})

describe('hostile requests', () => {
  it('close their connection, are counted, and leave the others alone', async () => {
    const server = new MessageServer({
      name: 'test server',
      maxMessageBytes: 64 * MIB,
      onMessage(conn, message, body) {
        if (message.type === MessageType.PUSH_DATA) conn.reply(message.requestId)
        body.release()
      },
    })
    const { port } = await server.listen()
    const pool = newPool()
    const random = randomizer(99)
    const cases: Buffer[] = [
      ...HOSTILE.map(([, bytes]) => bytes),
      raw(0x50, MessageType.PUSH_DATA, 10, Buffer.alloc(0x60, 0x7f)),
      raw(17, MessageType.PUSH_MERGED_DATA, 10, Buffer.alloc(27, 0x7f)),
      ...Array.from({ length: 200 }, () => {
        // Random bytes behind a well-formed header of a random type.
        const junk = randomBytes(random, 1 + random(300))
        const frame = Buffer.alloc(9)
        writeFrameHeader(frame, 0, random(26), junk.length, 0)
        return Buffer.concat([frame, junk])
      }),
    ]
    let errors = 0
    for (const bytes of cases) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(bytes)
      socket.end(raw(0, 99, 0)) // ends each with something that is surely wrong
      socket.resume()
      await once(socket, 'close')
      errors++
    }
    await eventually(() => server.stats().connections === 0, 'all hostile connections closed')
    expect(server.stats().protocolErrors).toBe(errors)
    expect(server.lastProtocolError).toBeInstanceOf(ProtocolError)
    const push = new TestPush(Buffer.from('x'))
    pool.connection('127.0.0.1', port).send(push)
    await push.until('ended')
    expect(push.error).toBeNull()
    await pool.close()
    await server.close()
  })
})
