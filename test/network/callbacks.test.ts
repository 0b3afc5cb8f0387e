import { once } from 'node:events'
import { type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConnectionPool } from '../../src/network'
import { expectCallbackWarnings } from '../setup/warnings'
import { MIB, newPool, onFrames, RawPeer, requestIdOf, responseBytes, TestPush, turns } from './support'

let pool: ConnectionPool
let peer: RawPeer

async function start(onSocket?: (s: Socket) => void): Promise<void> {
  pool = newPool()
  peer = await RawPeer.start(onSocket)
}

function answerAll(socket: Socket): void {
  onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame))))
}

function send(push: TestPush): TestPush {
  pool.connection('127.0.0.1', peer.port).send(push)
  return push
}

afterEach(async () => {
  await pool.close()
  await peer.close()
})

describe('callbacks', () => {
  it.each(['writeStarted', 'writeEnded', 'response'])(
    'one that throws in %s harms no other message and is reported',
    async (where) => {
      expectCallbackWarnings()
      await start(answerAll)
      const warned = once(process, 'warning') as Promise<[Error]>
      const thrower = new TestPush(Buffer.from('thrower'))
      thrower.hook = (event) => {
        if (event === where) throw new RangeError(`thrown in ${where}`)
      }
      const others = [new TestPush(Buffer.from('before')), new TestPush(Buffer.from('after'))]
      for (const push of [others[0], thrower, others[1]]) if (push !== undefined) send(push)
      await Promise.all([...others, thrower].map((push) => push.until('ended')))
      for (const push of others) expect(push.answer).not.toBeNull()
      const [warning] = await warned
      expect(warning.name).toBe('CelebornCallbackWarning')
      expect(warning.message).toContain(`thrown in ${where}`)
    },
  )

  it('one that throws in onError does not keep the others from theirs', async () => {
    expectCallbackWarnings()
    await start((socket) => socket.destroy())
    const warned = once(process, 'warning')
    const pushes = Array.from({ length: 5 }, () => new TestPush(Buffer.from('x')))
    for (const push of pushes) {
      push.hook = (event) => {
        if (event === 'error') throw new Error('thrown in onError')
      }
    }
    pushes.forEach(send)
    await Promise.all(pushes.map((push) => push.until('ended')))
    await warned
  })

  it('finds the failed connection gone from the pool inside onError (B31)', async () => {
    let refuse = true
    await start((socket) => {
      if (refuse) socket.destroy()
      else answerAll(socket)
    })
    const failed = pool.connection('127.0.0.1', peer.port)
    const first = new TestPush(Buffer.from('first'))
    const retry = new TestPush(Buffer.from('retry'))
    first.hook = (event) => {
      if (event !== 'error') return
      refuse = false
      expect(pool.connection('127.0.0.1', peer.port)).not.toBe(failed)
      expect(pool.stats().connections.filter(({ state }) => state !== 'closed')).not.toContain(failed)
      send(retry)
    }
    send(first)
    await retry.until('ended')
    expect(first.count('error')).toBe(1)
    expect(retry.answer).not.toBeNull()
  })

  it.each(['encode', 'writeStarted', 'writeEnded', 'response', 'error'])(
    'may call every method inside %s (B53)',
    async (where) => {
      await start(where === 'error' ? (socket) => socket.destroy() : answerAll)
      const nested = new TestPush(Buffer.from('nested'))
      const message = new TestPush(Buffer.from('message'))
      const outer = new TestPush(Buffer.from('outer'))
      let closing: Promise<void> = Promise.resolve()
      outer.hook = (event) => {
        if (event !== where) return
        const connection = pool.connection('127.0.0.1', peer.port)
        connection.send(nested)
        connection.sendMessage(message)
        connection.cancel(outer)
        void connection.stats
        void pool.stats()
        connection.close()
        connection.close()
        closing = pool.close()
      }
      const pushes = Array.from({ length: 3 }, () => new TestPush(new Uint8Array(MIB)))
      pushes.forEach(send)
      send(outer)
      await outer.until('writeEnded')
      await nested.until('ended')
      await message.until('writeEnded')
      await Promise.all(pushes.map((push) => push.until('ended')))
      await closing
      await turns(2)
      for (const push of [...pushes, nested]) {
        expect(push.count('writeEnded')).toBe(1)
        expect(push.count('response') + push.count('error')).toBe(1)
      }
      expect(outer.count('writeEnded')).toBe(1)
    },
  )
})
