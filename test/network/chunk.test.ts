import { type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ConnectionError, ProtocolError, TimeoutError } from '../../src/errors'
import { type ConnectionPool } from '../../src/network'
import {
  CHUNK_FETCH_SUCCESS_HEADER_BYTES,
  chunkFetchFailureLength,
  MessageType,
  type StreamChunkSlice,
  WHOLE_CHUNK,
  writeChunkFetchFailure,
  writeChunkFetchSuccessHeader,
} from '../../src/protocol/framing'
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
  TestChunk,
  TestPush,
  turns,
} from './support'

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

function fetch(chunk: TestChunk): TestChunk {
  pool.connection('127.0.0.1', peer.port).fetchChunk(chunk)
  return chunk
}

function slice(streamId: number | { high: number; low: number }, chunkIndex: number): StreamChunkSlice {
  return { streamId, chunkIndex, offset: 0, length: WHOLE_CHUNK }
}

function chunkBytes(of: StreamChunkSlice, body: Uint8Array, announced = body.length): Buffer {
  const head = Buffer.alloc(CHUNK_FETCH_SUCCESS_HEADER_BYTES)
  writeChunkFetchSuccessHeader(head, 0, of, announced)
  return Buffer.concat([head, body])
}

function chunkFailureBytes(of: StreamChunkSlice, error: string): Buffer {
  const bytes = Buffer.alloc(chunkFetchFailureLength(error))
  writeChunkFetchFailure(bytes, 0, of, error)
  return bytes
}

/** The peer answers the n-th request with the n-th of these. */
function answering(...answers: Buffer[]): (socket: Socket) => void {
  return (socket) => onFrames(socket, () => void socket.write(answers.shift() ?? Buffer.alloc(0)))
}

async function answered(): Promise<void> {
  const push = new TestPush(Buffer.from('is the connection still good?'))
  pool.connection('127.0.0.1', peer.port).send(push)
  const socket = peer.sockets.at(-1)
  socket?.removeAllListeners('data')
  if (socket !== undefined) {
    onFrames(socket, (frame) => {
      if (frame.type === MessageType.PUSH_DATA) socket.write(responseBytes(requestIdOf(frame)))
    })
  }
  await push.until('ended')
  expect(push.error).toBeNull()
}

describe('fetching chunks', () => {
  it('asks for the whole chunk and reads it into the memory that was allocated for it', async () => {
    const body = randomBytes(randomizer(1), 3 * MIB)
    const requests: { type: number; body: string }[] = []
    await start((socket) =>
      onFrames(socket, (frame) => {
        requests.push({ type: frame.type, body: frame.body.toString('hex') })
        socket.write(chunkBytes(slice(77, 5), body))
      }),
    )
    const chunk = fetch(new TestChunk(77, 5))
    await chunk.until('released')
    expect(chunk.events).toEqual(['allocate', 'chunk', 'released'])
    expect(chunk.size).toBe(body.length)
    expect(Buffer.compare(chunk.target ?? Buffer.alloc(0), body)).toBe(0)
    // TransportMessage 63, PbChunkFetchRequest { slice { streamId 77, chunkIndex 5, len 0x7fffffff } }
    expect(requests).toEqual([
      { type: MessageType.RPC_REQUEST, body: '0000003f0000000c' + '0a0a084d100520ffffffff07' },
    ])
  })

  it('is exact for every fragmentation, between and beside other answers', async () => {
    const random = randomizer(11)
    await start((socket) => socket.setNoDelay(true))
    const first = new TestPush(Buffer.from('x'))
    pool.connection('127.0.0.1', peer.port).send(first)
    const socket = await peer.accepted()
    for (let round = 0; round < 60; round++) {
      const size = round < 30 ? 1 + random(400) : 1 + random(300_000)
      const body = randomBytes(random, size)
      const chunk = fetch(new TestChunk(round, round))
      const push = new TestPush(Buffer.from('y'))
      pool.connection('127.0.0.1', peer.port).send(push)
      await push.until('writeStarted')
      const bytes = Buffer.concat([
        chunkBytes(slice(round, round), body),
        responseBytes(push.requestId, Buffer.from('next')),
      ])
      const piece = round < 10 ? 1 : round < 30 ? 1 + random(60) : 1 + random(100_000)
      for (let at = 0; at < bytes.length; at += piece) {
        socket.write(bytes.subarray(at, at + piece))
        if (round < 30 || at % 3 === 0) await turns(1)
      }
      await Promise.all([chunk.until('released'), push.until('settled')])
      expect(Buffer.compare(chunk.target ?? Buffer.alloc(0), body)).toBe(0)
      expect(push.answer?.toString()).toBe('next')
    }
  })

  it('fills the front of larger memory, and asks for none for an empty chunk', async () => {
    const body = Buffer.from('a few bytes')
    await start(answering(chunkBytes(slice(1, 0), body), chunkBytes(slice(1, 1), Buffer.alloc(0))))
    const larger = new TestChunk(1, 0)
    larger.target = new Uint8Array(20).fill(9)
    fetch(larger)
    const empty = fetch(new TestChunk(1, 1))
    await Promise.all([larger.until('released'), empty.until('settled')])
    expect(Buffer.from(larger.target).toString('latin1')).toBe('a few bytes' + '\t'.repeat(9))
    expect(empty.events).toEqual(['chunk'])
    expect(empty.size).toBe(0)
  })

  it('matches a stream id that no number can hold', async () => {
    const wide = { high: -0x4000_0000, low: 77 }
    await start(answering(chunkBytes(slice(wide, 3), Buffer.from('wide'))))
    const chunk = fetch(new TestChunk(wide, 3))
    await chunk.until('settled')
    expect(chunk.size).toBe(4)
  })

  it('passes the peer’s failures on, also those of a peer that serves no RPC at all', async () => {
    await start((socket) => {
      let count = 0
      onFrames(socket, (frame) => {
        if (count++ === 0) socket.write(chunkFailureBytes(slice(1, 0), 'Stream 1 is not registered'))
        else socket.write(failureBytes(requestIdOf(frame), 'Worker Not Registered!'))
      })
    })
    const chunks = [fetch(new TestChunk(1, 0)), fetch(new TestChunk(1, 1))]
    await Promise.all(chunks.map((chunk) => chunk.until('settled')))
    expect(chunks.map(({ failure }) => failure)).toEqual([
      'Stream 1 is not registered',
      'Worker Not Registered!',
    ])
    expect(chunks.map(({ events }) => events)).toEqual([['failure'], ['failure']])
    expect(pool.stats().pending).toBe(0)
  })

  it('skips a chunk for which no memory is given, and goes on', async () => {
    const body = randomBytes(randomizer(5), 400_000)
    await start(answering(chunkBytes(slice(1, 0), body), chunkBytes(slice(1, 1), body)))
    const unlucky = new TestChunk(1, 0)
    unlucky.hook = (event) => {
      if (event === 'allocate') throw new RangeError('the pool is exhausted')
    }
    fetch(unlucky)
    const short = new TestChunk(1, 1)
    short.target = new Uint8Array(10)
    fetch(short)
    await Promise.all([unlucky.until('settled'), short.until('settled')])
    expect(unlucky.error?.message).toContain('the pool is exhausted')
    expect(unlucky.events).toEqual(['allocate', 'error'])
    expect(short.error?.message).toContain('gave 10 bytes')
    expect(short.events).toEqual(['allocate', 'error', 'released'])
    await answered()
  })

  it('forgets a cancelled chunk before, while and after it arrives', async () => {
    const body = randomBytes(randomizer(6), 2 * MIB)
    await start()
    const before = fetch(new TestChunk(1, 0))
    const connection = pool.connection('127.0.0.1', peer.port)
    expect(connection.cancelChunk(before)).toBe(true)
    expect(connection.cancelChunk(before)).toBe(false)
    const during = fetch(new TestChunk(1, 1))
    const socket = await peer.accepted()
    const bytes = chunkBytes(slice(1, 1), body)
    await turns(3)
    socket.write(chunkBytes(slice(1, 0), body))
    socket.write(bytes.subarray(0, MIB))
    await during.until('allocate')
    await turns(5)
    connection.cancelChunk(during)
    await turns(5)
    // The socket is idle and still points into the memory.
    expect(during.events).toEqual(['allocate'])
    socket.write(bytes.subarray(MIB))
    await during.until('released')
    expect(before.events).toEqual([])
    expect(during.events).toEqual(['allocate', 'released'])
    expect(pool.stats().strayAnswers).toBe(1)
    await answered()
  })

  it('reports the memory as released only when the socket does not point to it any more', async () => {
    const body = randomBytes(randomizer(8), 300_000)
    await start()
    const chunk = fetch(new TestChunk(1, 0))
    const socket = await peer.accepted()
    const bytes = chunkBytes(slice(1, 0), body)
    socket.write(bytes)
    let poisoned: Uint8Array | null = null
    const order: string[] = []
    chunk.hook = (event) => {
      order.push(event)
      // The socket gets its next buffer when the callback that completes the chunk has returned.
      if (event === 'chunk') queueMicrotask(() => order.push('after the callback'))
      if (event === 'released') poisoned = chunk.target?.fill(0xee) ?? null
    }
    await chunk.until('released')
    // What comes next must not be written into memory that was given back.
    await answered()
    expect(poisoned).not.toBeNull()
    expect(order).toEqual(['allocate', 'chunk', 'after the callback', 'released'])
    expect(chunk.target?.every((byte) => byte === 0xee)).toBe(true)
  })

  it('times out a chunk that never comes, and closes a connection that stops in the middle of one', async () => {
    await start((socket) => socket.resume())
    const never = fetch(new TestChunk(1, 0, 60))
    await never.until('settled')
    expect(never.error).toBeInstanceOf(TimeoutError)
    expect(never.events).toEqual(['error'])
    const socket = await peer.accepted()
    const half = fetch(new TestChunk(1, 1, 200))
    const behind = fetch(new TestChunk(1, 2))
    socket.write(chunkBytes(slice(1, 1), new Uint8Array(1000), 5000))
    await Promise.all([half.until('settled'), behind.until('settled')])
    expect(half.error).toBeInstanceOf(TimeoutError)
    expect(half.events).toEqual(['allocate', 'released', 'error'])
    expect(behind.error?.message).toContain('sent nothing more of a chunk')
    expect(pool.stats().connections).toEqual([])
  })

  it('does not time out a chunk whose bytes keep coming', async () => {
    await start()
    const chunk = fetch(new TestChunk(1, 0, 250))
    const socket = await peer.accepted()
    const bytes = chunkBytes(slice(1, 0), randomBytes(randomizer(9), 20))
    for (let at = 0; at < bytes.length; at++) {
      socket.write(bytes.subarray(at, at + 1))
      if (at > 30) await new Promise((resolve) => setTimeout(resolve, 40))
    }
    await chunk.until('settled')
    expect(chunk.size).toBe(20)
  })

  it('fails with the connection in the middle of a chunk, the memory first', async () => {
    await start()
    const chunk = fetch(new TestChunk(1, 0))
    const socket = await peer.accepted()
    socket.write(chunkBytes(slice(1, 0), new Uint8Array(100_000), 200_000))
    await chunk.until('allocate')
    await turns(3)
    socket.destroy()
    await chunk.until('settled')
    expect(chunk.error).toBeInstanceOf(ConnectionError)
    expect(chunk.events).toEqual(['allocate', 'released', 'error'])
  })

  it('refuses a second request for the same chunk while the first waits', async () => {
    await start()
    const first = fetch(new TestChunk(1, 0))
    const second = fetch(new TestChunk(1, 0))
    await second.until('settled')
    expect(second.events).toEqual(['error'])
    expect(first.events).toEqual([])
  })

  it('refuses a chunk that is larger than accepted, before any memory is asked for', async () => {
    await start(answering(chunkBytes(slice(1, 0), Buffer.from('x'), 0x7fff_0000)))
    const chunk = fetch(new TestChunk(1, 0))
    await chunk.until('settled')
    expect(chunk.error).toBeInstanceOf(ProtocolError)
    expect(chunk.events).toEqual(['error'])
  })

  it.each(['allocate', 'chunk', 'released'])('may be closed inside %s (B53)', async (where) => {
    await start(answering(chunkBytes(slice(1, 0), new Uint8Array(200_000))))
    const chunk = new TestChunk(1, 0)
    chunk.hook = (event) => {
      if (event !== where) return
      pool.connection('127.0.0.1', peer.port).cancelChunk(chunk)
      fetch(new TestChunk(1, 1))
      void pool.close()
    }
    fetch(chunk)
    await chunk.until('released')
    await pool.close()
    await turns(2)
    expect(chunk.events.filter((event) => event === 'released')).toHaveLength(1)
  })
})
