import { type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  AbortedError,
  type CelebornError,
  ConnectionError,
  ProtocolError,
  RpcError,
  TimeoutError,
} from '../../src/errors'
import {
  type ConnectionPool,
  MasterNotLeaderError,
  MessageServer,
  RpcClient,
  RpcFailureText,
  RpcServer,
} from '../../src/network'
import { MessageType } from '../../src/protocol/framing'
import { encodeRpcEnvelope } from '../../src/protocol/rpc-envelope'
import { decodeBare, encodeBare, encodeContent } from '../../src/protocol/transport-message'
import { eventually, failureBytes, newPool, onFrames, RawPeer, requestIdOf, responseBytes } from './support'

let server: RpcServer
let pool: ConnectionPool
let peer: RawPeer | null = null

async function start(): Promise<RpcServer> {
  pool = newPool()
  server = new RpcServer({ name: 'test endpoint' })
  await server.listen()
  return server
}

async function startPeer(onSocket: (socket: Socket) => void): Promise<RawPeer> {
  peer = await RawPeer.start(onSocket)
  return peer
}

async function thrownBy(promise: Promise<unknown>): Promise<CelebornError> {
  const outcome: unknown = await promise.then(
    () => new Error('did not throw'),
    (thrown: unknown) => thrown,
  )
  return outcome as CelebornError
}

afterEach(async () => {
  await pool.close()
  await server.close()
  await peer?.close()
  peer = null
})

describe('RPC', () => {
  it.each(['V1', 'V2'] as const)('asks in %s and is answered in the same form', async (form) => {
    await start()
    server.endpoint('Echo', (type, payload, ctx) => {
      expect(ctx).toMatchObject({ form, sender: { host: '10.1.2.3', port: 4567 }, oneWay: false })
      return { type: type + 1, payload: Buffer.concat([payload, Buffer.from('!')]) }
    })
    const client = new RpcClient(pool, { form, senderHost: '10.1.2.3', senderPort: 4567 })
    const answer = await client.ask('127.0.0.1', server.port, 'Echo', 4, Buffer.from('hello'))
    expect(answer.type).toBe(5)
    expect(Buffer.from(answer.payload).toString()).toBe('hello!')
  })

  it('gives payloads that stay as they are when more arrives', async () => {
    await start()
    server.endpoint('Echo', (type, payload) => ({ type, payload }))
    const client = new RpcClient(pool)
    const ask = (text: string): ReturnType<RpcClient['ask']> =>
      client.ask('127.0.0.1', server.port, 'Echo', 1, Buffer.from(text))
    const first = await ask('first')
    const second = await ask('other')
    expect(Buffer.from(first.payload).toString()).toBe('first')
    expect(Buffer.from(second.payload).toString()).toBe('other')
  })

  it('takes replies in the other form', async () => {
    await start()
    const { port } = await startPeer((socket) =>
      onFrames(socket, (frame) => {
        socket.write(responseBytes(requestIdOf(frame), encodeContent('V1', 9, Buffer.from('java'))))
      }),
    )
    const answer = await new RpcClient(pool, { form: 'V2' }).ask('127.0.0.1', port, 'X', 6, Buffer.alloc(0))
    expect(answer.type).toBe(9)
    expect(Buffer.from(answer.payload).toString()).toBe('java')
  })

  it('gives the socket’s address as the sender of a caller that does not listen', async () => {
    await start()
    let sender = { host: '', port: 0 }
    server.endpoint('Who', (type, payload, ctx) => {
      sender = ctx.sender
      return { type, payload }
    })
    await new RpcClient(pool).ask('127.0.0.1', server.port, 'Who', 1, Buffer.alloc(0))
    expect(sender.host).toBe('127.0.0.1')
    expect(sender.port).toBeGreaterThan(0)
  })

  it('answers the endpoint verifier', async () => {
    await start()
    server.endpoint('MasterEndpoint', (type, payload) => ({ type, payload }))
    const client = new RpcClient(pool)
    expect(await client.checkEndpoint('127.0.0.1', server.port, 'MasterEndpoint')).toBe(true)
    expect(await client.checkEndpoint('127.0.0.1', server.port, 'WorkerEndpoint')).toBe(false)
  })

  it('passes failures on with all the peer’s words (B55)', async () => {
    await start()
    server.endpoint('Texts', () => new RpcFailureText('no room on any disk'))
    server.endpoint('Throws', () => {
      throw new RangeError('handler broke')
    })
    server.endpoint('Rejects', () => Promise.reject(new Error('later')))
    const client = new RpcClient(pool)
    for (const [endpoint, text] of [
      ['Texts', 'no room on any disk'],
      ['Throws', 'handler broke'],
      ['Rejects', 'later'],
      ['Nowhere', 'no endpoint Nowhere'],
    ] as const) {
      const error = await thrownBy(client.ask('127.0.0.1', server.port, endpoint, 1, Buffer.alloc(0)))
      expect(error).toBeInstanceOf(RpcError)
      expect(error.message).toContain(text)
      expect(error.message).toContain(`127.0.0.1:${server.port}`)
      expect(error.context.peerMessage).toContain(text)
    }
    expect(server.stats().connections).toBe(1)
  })

  it('puts the first line of a stack trace into the message, and all of it into the context', async () => {
    await start()
    const trace =
      'java.io.IOException: disk is gone\n\tat org.example.A.b(A.java:1)\n\tat org.example.C.d(C.java:2)'
    const { port } = await startPeer((socket) =>
      onFrames(socket, (frame) => socket.write(failureBytes(requestIdOf(frame), trace))),
    )
    const error = await thrownBy(new RpcClient(pool).ask('127.0.0.1', port, 'X', 1, Buffer.alloc(0)))
    expect(error.message).toBe(`X failed at 127.0.0.1:${port}: java.io.IOException: disk is gone`)
    expect(error.context.peerMessage).toBe(trace)
  })

  it('times out, aborts, and loses the connection with typed errors', async () => {
    await start()
    let ends = 0
    server.endpoint('Never', () => new Promise(() => ends++))
    const client = new RpcClient(pool)
    const ask = (o: Parameters<RpcClient['ask']>[5]): Promise<CelebornError> =>
      thrownBy(client.ask('127.0.0.1', server.port, 'Never', 1, Buffer.alloc(0), o))
    expect(await ask({ timeoutMs: 50 })).toBeInstanceOf(TimeoutError)
    const controller = new AbortController()
    const aborted = ask({ signal: controller.signal })
    await eventually(() => ends === 2, 'the second request')
    controller.abort(new Error('changed my mind'))
    const error = await aborted
    expect(error).toBeInstanceOf(AbortedError)
    expect(error.cause).toMatchObject({ message: 'changed my mind' })
    expect(await ask({ signal: controller.signal })).toBeInstanceOf(AbortedError)
    expect(pool.stats().pending).toBe(0)
    const lost = ask({})
    await eventually(() => ends === 3, 'the third request')
    await server.close()
    expect(await lost).toBeInstanceOf(ConnectionError)
    expect(await ask({})).toMatchObject({ code: 'CELEBORN_CONNECT' })
  })

  it('rejects answers that are no answers (B48)', async () => {
    await start()
    const answers = [
      Buffer.alloc(0),
      Buffer.from([0xff, 0, 0]),
      Buffer.from('hello'),
      Buffer.from('aced0005', 'hex'),
    ]
    const { port } = await startPeer((socket) =>
      onFrames(socket, (frame) =>
        socket.write(responseBytes(requestIdOf(frame), answers.shift() ?? Buffer.alloc(0))),
      ),
    )
    const client = new RpcClient(pool)
    for (let i = 0; i < 4; i++) {
      expect(await thrownBy(client.ask('127.0.0.1', port, 'X', 1, Buffer.alloc(0)))).toBeInstanceOf(
        ProtocolError,
      )
    }
  })

  it('survives requests that are none, and tells their sender', async () => {
    await start()
    server.endpoint('X', (type, payload) => ({ type, payload }))
    const client = new RpcClient(pool)
    const junk = [
      Buffer.alloc(0),
      Buffer.from('junk'),
      encodeRpcEnvelope({ endpoint: 'X', content: Buffer.from('junk') }),
      encodeRpcEnvelope({ endpoint: 'X', content: Buffer.alloc(0) }),
    ]
    for (const body of junk) {
      const error = await thrownBy(client.askBare('127.0.0.1', server.port, 1, body))
      expect(error).toBeInstanceOf(RpcError)
    }
    expect(server.stats()).toMatchObject({ badRequests: 4, unreleasedBytes: 0 })
    expect((await client.ask('127.0.0.1', server.port, 'X', 1, Buffer.alloc(0))).type).toBe(1)
  })

  it('delivers one-way messages', async () => {
    await start()
    const seen: string[] = []
    server.endpoint('Mailbox', (type, payload, ctx) => {
      seen.push(`${type} ${Buffer.from(payload).toString()} ${ctx.oneWay}`)
      return { type, payload }
    })
    const client = new RpcClient(pool)
    client.send('127.0.0.1', server.port, 'Mailbox', 78, Buffer.from('note'))
    await client.ask('127.0.0.1', server.port, 'Mailbox', 1, Buffer.from('ask'))
    expect(seen).toEqual(['78 note true', '1 ask false'])
    client.send('127.0.0.1', 1, 'Mailbox', 78, Buffer.from('to nobody'))
  })

  it('asks bare ports, and sends what nobody answers', async () => {
    await start()
    const seen: number[] = []
    const bare = new MessageServer({
      name: 'bare server',
      onMessage(conn, message, body) {
        if (message.type !== MessageType.RPC_REQUEST) throw new ProtocolError('not expected')
        const { type, payload } = decodeBare(body.concat())
        seen.push(type)
        if (type === 51) conn.reply(message.requestId, [encodeBare(52, Buffer.concat([payload, payload]))])
        body.release()
      },
    })
    const { port } = await bare.listen()
    const client = new RpcClient(pool)
    client.sendBare('127.0.0.1', port, 60, Buffer.from('end'))
    const answer = await client.askBare('127.0.0.1', port, 51, Buffer.from('ab'))
    expect(answer.type).toBe(52)
    expect(Buffer.from(answer.payload).toString()).toBe('abab')
    expect(seen).toEqual([60, 51])
    await bare.close()
  })
})

describe('a standby master', () => {
  it('names the leader', async () => {
    const error = new MasterNotLeaderError('a:9097', 'org.apache…MasterNotLeaderException: x', 'b:9097')
    expect(error).toBeInstanceOf(RpcError)
    expect(error.leader).toBe('b:9097')
    expect(error.message).toContain('ask b:9097')
    await start()
  })
})
