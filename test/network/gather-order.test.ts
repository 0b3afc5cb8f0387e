import { expect, it, onTestFinished } from 'vitest'
import { MIB, newPool, RawPeer, TestPush, turns } from './support'

it('writes exactly the bytes of the messages when more messages come while one is being written (B23)', async () => {
  const pool = newPool()
  const peer = await RawPeer.start()
  onTestFinished(async () => {
    await pool.close()
    await peer.close()
  })
  const send = (push: TestPush): TestPush => {
    pool.connection('127.0.0.1', peer.port).send(push)
    return push
  }
  // More than the system takes at once: its header lies in the arena until the peer reads on.
  const pushes = [send(new TestPush(Buffer.alloc(24 * MIB, 1)))]
  const socket = await peer.accepted()
  await pushes[0]?.until('writeStarted')
  for (let i = 0; i < 200; i++) {
    pushes.push(send(new TestPush(Buffer.from(`payload ${i}`))))
    await turns(1)
  }
  expect(pushes[0]?.count('writeEnded')).toBe(0)
  const model = Buffer.concat(pushes.map((push) => push.wire()))
  const received: Buffer[] = []
  let size = 0
  await new Promise<void>((resolve) => {
    socket.on('data', (data: Buffer) => {
      received.push(data)
      size += data.length
      if (size >= model.length) resolve()
    })
  })
  expect(Buffer.concat(received).equals(model)).toBe(true)
  for (const push of pushes) await push.until('writeEnded')
})
