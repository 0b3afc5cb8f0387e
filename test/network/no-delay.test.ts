import { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newPool, onFrames, RawPeer, requestIdOf, responseBytes, TestPush } from './support'

// As options of socket.connect() they would be ignored, without an error.
it('sends small messages at once: a client socket runs without Nagle’s delay, and with keep-alive', async () => {
  const noDelay = vi.spyOn(Socket.prototype, 'setNoDelay')
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
  const pool = newPool()
  const peer = await RawPeer.start((socket) =>
    onFrames(socket, (frame) => socket.write(responseBytes(requestIdOf(frame)))),
  )
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await pool.close()
    await peer.close()
  })
  const push = new TestPush(Buffer.from('x'))
  pool.connection('127.0.0.1', peer.port).send(push)
  await push.until('ended')
  expect(push.error).toBeNull()
  expect(noDelay.mock.calls).toEqual([[true]])
  expect(keepAlive.mock.calls.map(([on]) => on)).toEqual([true])
})
