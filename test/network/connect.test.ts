import { readdirSync } from 'node:fs'
import { createServer, type LookupFunction } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ClosedError, ConnectionError } from '../../src/errors'
import { type ConnectionPool } from '../../src/network'
import {
  eventually,
  newPool,
  onFrames,
  RawPeer,
  requestIdOf,
  responseBytes,
  TestPush,
  turns,
} from './support'

let pools: ConnectionPool[] = []
let peers: RawPeer[] = []

async function startPeer(host?: string): Promise<RawPeer> {
  const peer = await RawPeer.start(
    (socket) => onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame)))),
    host,
  )
  peers.push(peer)
  return peer
}

function startPool(o?: Parameters<typeof newPool>[0]): ConnectionPool {
  const pool = newPool(o)
  pools.push(pool)
  return pool
}

async function push(pool: ConnectionPool, host: string, port: number): Promise<TestPush> {
  const request = new TestPush(Buffer.from('hello'))
  pool.connection(host, port).send(request)
  expect(request.events).toEqual([])
  await request.until('ended')
  return request
}

/** A port where nobody listens. */
async function deadPort(): Promise<number> {
  const peer = await RawPeer.start()
  const { port } = peer
  await peer.close()
  return port
}

function openFiles(): number {
  return readdirSync('/dev/fd').length
}

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await Promise.all(peers.map((peer) => peer.close()))
  pools = []
  peers = []
})

describe('connecting', () => {
  it('says who refused and what to look at', async () => {
    const port = await deadPort()
    const request = await push(startPool(), '127.0.0.1', port)
    expect(request.error).toBeInstanceOf(ConnectionError)
    expect(request.error?.code).toBe('CELEBORN_CONNECT')
    expect(request.error?.context.hostPort).toBe(`127.0.0.1:${port}`)
    expect(request.error?.message).toMatch(
      /cannot connect to 127\.0\.0\.1:\d+: .*ECONNREFUSED.*is the process running/,
    )
    expect(request.events).toEqual(['writeEnded', 'error'])
  })

  it('connects anew after a failure', async () => {
    const pool = startPool()
    const port = await deadPort()
    expect((await push(pool, '127.0.0.1', port)).error?.code).toBe('CELEBORN_CONNECT')
    const server = createServer((socket) =>
      onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame)))),
    )
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    expect((await push(pool, '127.0.0.1', port)).answer).not.toBeNull()
    await pool.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('turns a look-up that throws at once into an error, and works again afterwards (B25)', async () => {
    const peer = await startPeer()
    let broken = true
    const lookup: LookupFunction = (_host, _options, callback) => {
      if (broken) throw new TypeError('the resolver is broken')
      callback(null, [{ address: '127.0.0.1', family: 4 }])
    }
    const pool = startPool({ lookup })
    const failed = await push(pool, 'worker.example', peer.port)
    expect(failed.error?.code).toBe('CELEBORN_CONNECT')
    expect(failed.error?.message).toContain('the resolver is broken')
    broken = false
    expect((await push(pool, 'worker.example', peer.port)).answer).not.toBeNull()
  })

  it.each([0, 65_536, -1, Number.NaN])('reports port %d as an error of the request', async (port) => {
    const request = await push(startPool(), '127.0.0.1', port)
    expect(request.error?.code).toBe('CELEBORN_CONNECT')
  })

  it('tells a name that does not resolve', async () => {
    const lookup: LookupFunction = (_host, _options, callback) => {
      const error: NodeJS.ErrnoException = new Error('getaddrinfo ENOTFOUND nowhere')
      error.code = 'ENOTFOUND'
      callback(error, '')
    }
    const request = await push(startPool({ lookup }), 'nowhere', 9)
    expect(request.error?.message).toContain('does not resolve')
  })

  it('connects by name, by IPv6 address with or without brackets, and to the second of two addresses (B54)', async () => {
    const v4 = await startPeer()
    const v6 = await startPeer('::1')
    const lookup: LookupFunction = (_host, _options, callback) => {
      callback(null, [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])
    }
    const pool = startPool()
    expect((await push(pool, 'localhost', v4.port)).answer).not.toBeNull()
    expect((await push(pool, '::1', v6.port)).answer).not.toBeNull()
    expect((await push(pool, '[::1]', v6.port)).answer).not.toBeNull()
    expect(pool.connection('::1', v6.port).hostPort).toBe(`[::1]:${v6.port}`)
    const twoAddresses = startPool({ lookup })
    expect((await push(twoAddresses, 'two.example', v4.port)).answer).not.toBeNull()
    const nobody = await push(twoAddresses, 'two.example', await deadPort())
    expect(nobody.error?.message).toMatch(/127\.0\.0\.2.*127\.0\.0\.1/)
  })

  it('gives up a connection that is not made in time', async () => {
    // A resolver that never answers stands for a network that swallows packets.
    const pool = startPool({ lookup: () => {}, connectTimeoutMs: 50 })
    const request = await push(pool, 'far.example', 9097)
    expect(request.error?.code).toBe('CELEBORN_CONNECT')
    expect(request.error?.message).toContain('within 50 ms')
    expect(pool.stats().connectFailures).toBe(1)
  })

  it('keeps the number of open files flat over connections refused and reset (B40)', async () => {
    const dead = await deadPort()
    const resetting = await RawPeer.start((socket) => socket.resetAndDestroy())
    peers.push(resetting)
    const pool = startPool()
    await push(pool, '127.0.0.1', dead)
    await push(pool, '127.0.0.1', resetting.port)
    const before = openFiles()
    for (let i = 0; i < 500; i++) {
      const refused = new TestPush(Buffer.from('x'))
      const reset = new TestPush(Buffer.from('x'))
      pool.connection('127.0.0.1', dead).send(refused)
      pool.connection('127.0.0.1', resetting.port).send(reset)
      await Promise.all([refused.until('ended'), reset.until('ended')])
      expect(refused.error?.code).toBe('CELEBORN_CONNECT')
      expect(reset.error).toBeInstanceOf(ConnectionError)
    }
    await eventually(() => openFiles() <= before + 5, 'closed files')
    expect(pool.stats().connections).toEqual([])
  })

  it('opens as many connections to one peer as configured, by index', async () => {
    const peer = await startPeer()
    const pool = startPool({ connectionsPerPeer: 3 })
    const connections = [0, 1, 2, 3, 4, 5].map((index) => pool.connection('127.0.0.1', peer.port, index))
    expect(new Set(connections).size).toBe(3)
    expect(connections[4]).toBe(connections[1])
    const requests = connections.map((connection) => {
      const request = new TestPush(Buffer.from('x'))
      connection.send(request)
      return request
    })
    await Promise.all(requests.map((request) => request.until('ended')))
    expect(peer.sockets).toHaveLength(3)
  })

  it('closes connections that nothing moves on', async () => {
    const peer = await startPeer()
    const pool = startPool({ idleTimeoutMs: 50 })
    await push(pool, '127.0.0.1', peer.port)
    await eventually(() => pool.stats().connections.length === 0, 'an idle connection closed')
    expect(pool.stats().connectionsLost).toBe(0)
    expect((await push(pool, '127.0.0.1', peer.port)).answer).not.toBeNull()
  })
})

describe('closing', () => {
  it('fails what is pending, waits for the sockets, and leaves no handle', async () => {
    const peer = await RawPeer.start()
    peers.push(peer)
    const pool = startPool()
    const pending = [new TestPush(Buffer.from('a')), new TestPush(Buffer.from('b'))]
    for (const request of pending) pool.connection('127.0.0.1', peer.port).send(request)
    await pending[1]?.until('writeEnded')
    const queued = new TestPush(Buffer.from('c'))
    pool.connection('127.0.0.1', peer.port).send(queued)
    const socket = await peer.accepted()
    await Promise.all([
      pool.close(),
      pool.close(),
      new Promise((resolve) => socket.once('close', resolve).resume()),
    ])
    for (const request of [...pending, queued]) {
      expect(request.error).toBeInstanceOf(ClosedError)
      expect(request.ended).toBe(true)
    }
    expect(pool.stats().connections).toEqual([])
  })

  it('refuses later messages by their callbacks, not by throwing', async () => {
    const peer = await startPeer()
    const pool = startPool()
    const connection = pool.connection('127.0.0.1', peer.port)
    await pool.close()
    const request = new TestPush(Buffer.from('x'))
    const other = new TestPush(Buffer.from('y'))
    connection.send(request)
    connection.sendMessage(other)
    expect(request.events).toEqual([])
    await request.until('ended')
    await other.until('writeEnded')
    expect(request.error).toBeInstanceOf(ClosedError)
    const after = await push(pool, '127.0.0.1', peer.port)
    expect(after.error).toBeInstanceOf(ClosedError)
    expect(after.events).toEqual(['writeEnded', 'error'])
  })

  it('closes while connecting', async () => {
    const pool = startPool({ lookup: () => {} })
    const request = new TestPush(Buffer.from('x'))
    pool.connection('far.example', 9097).send(request)
    await turns(1)
    await pool.close()
    expect(request.error).toBeInstanceOf(ClosedError)
    expect(request.events).toEqual(['writeEnded', 'error'])
  })

  it('still sends last words that nobody answers', async () => {
    const bodies: string[] = []
    const peer = await RawPeer.start((socket) =>
      onFrames(socket, (frame) => bodies.push(frame.body.toString())),
    )
    peers.push(peer)
    const pool = startPool()
    const first = new TestPush(Buffer.from('first'))
    pool.connection('127.0.0.1', peer.port).sendMessage(first)
    await first.until('writeEnded')
    pool.connection('127.0.0.1', peer.port).sendMessage(new TestPush(Buffer.from('farewell')))
    await pool.close()
    await eventually(() => bodies.length === 2, 'the last message')
    expect(bodies).toEqual(['first', 'farewell'])
  })
})
