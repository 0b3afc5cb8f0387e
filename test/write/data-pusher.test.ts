import { describe, expect, it } from 'vitest'
import { AbortedError, CelebornError, ClosedError, ConfigError, FrameStateError } from '../../src/errors'
import { type PushBuffer } from '../../src/write/push-buffer'
import { type PushTask } from '../../src/write/push-task'
import { HeldSide, isOpen, makePusher } from './push-side'

const SIZE = 64 * 1024

describe('1000 buffers, each filled with its own index', () => {
  it('swap: another buffer of the same size each time, never one in flight; the push side sees each payload intact and in order', async () => {
    const { pusher, side, buffers } = makePusher(new HeldSide(), { capacity: 8 })
    const seen: number[] = []
    const checkOldest = (): void => {
      const index = seen.length
      const { partitionId, bytes } = side.releaseOldest()
      expect(partitionId).toBe(index % 7)
      expect(bytes.length).toBe(SIZE)
      expect(bytes.equals(Buffer.alloc(SIZE, index % 251))).toBe(true)
      seen.push(bytes.readUInt8(0))
    }
    let buffer = await pusher.acquireBuffer()
    for (let index = 0; index < 1000; index++) {
      buffer.bytes.fill(index % 251)
      const given = buffer
      const givenBytes = given.bytes
      const swapping = pusher.addTaskAndSwapBuffer(index % 7, given)
      // The push call has returned long ago; only the release makes room.
      if (side.held.length === 8 && (await isOpen(swapping))) checkOldest()
      buffer = await swapping
      expect(buffer).not.toBe(given)
      expect(buffer.bytes).not.toBe(givenBytes)
      expect(buffer.size).toBe(SIZE)
      for (const task of side.held) expect(task.bytes.buffer).not.toBe(buffer.bytes.buffer)
      expect(() => given.bytes).toThrow(FrameStateError)
      // The writer goes on filling while the others are in flight.
      buffer.bytes.fill(0xff)
    }
    buffer.release()
    while (side.held.length > 0) checkOldest()
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => index % 251))
    await pusher.waitOnTermination()
    expect(pusher.stats).toMatchObject({ tasks: 1000, copied: 0, busy: 0, peakBusy: 8 })
    expect(buffers.stats()).toMatchObject({ bytesAlive: 0, buffersAlive: 0, taskBytes: 0 })
  })

  it('copy: the caller keeps its one buffer and overwrites it at once', async () => {
    const { pusher, side } = makePusher(new HeldSide(), { capacity: 4 })
    const seen: number[] = []
    const own = new Uint8Array(SIZE)
    const take = (): void => {
      const { bytes } = side.releaseOldest()
      expect(bytes.equals(Buffer.alloc(SIZE, bytes[0]))).toBe(true)
      seen.push(bytes.readUInt8(0))
    }
    for (let index = 0; index < 1000; index++) {
      own.fill(index % 251)
      const adding = pusher.addTask(index % 7, own)
      if (side.held.length === 4 && (await isOpen(adding))) take()
      await adding
      own.fill(0xff)
    }
    while (side.held.length > 0) take()
    expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => index % 251))
    expect(pusher.stats.copied).toBe(1000)
  })
})

describe('a task’s buffer', () => {
  it('is not reused when the push call returns, nor when the push is admitted, but at its release', async () => {
    const { pusher, side, buffers } = makePusher(new HeldSide(), { capacity: 3, maxBytes: 3 * SIZE })
    const first = await pusher.acquireBuffer()
    const memory = first.bytes.buffer
    first.bytes.fill(7)
    const second = await pusher.addTaskAndSwapBuffer(0, first)
    const third = await pusher.addTaskAndSwapBuffer(0, second)
    // All three are out: two in tasks, one here.
    const fourth = pusher.addTaskAndSwapBuffer(0, third)
    expect(await isOpen(fourth)).toBe(true)
    expect(side.held[0]?.bytes.every((byte) => byte === 7)).toBe(true)
    side.releaseOldest()
    expect((await fourth).bytes.buffer).toBe(memory)
    side.releaseAll()
    ;(await fourth).release()
    expect(buffers.stats().bytesAlive).toBe(0)
  })

  it('of a push that is over at once is not its own successor', async () => {
    const side = { push: (task: PushTask) => Promise.resolve(task.release()) }
    const { pusher } = makePusher(side)
    let buffer = await pusher.acquireBuffer()
    for (let i = 0; i < 10; i++) {
      const { bytes } = buffer
      buffer = await pusher.addTaskAndSwapBuffer(0, buffer)
      expect(buffer.bytes.buffer).not.toBe(bytes.buffer)
    }
  })

  it('cannot be released twice by a push side, nor read after its release', async () => {
    const { pusher, side } = makePusher(new HeldSide())
    const buffer = await pusher.acquireBuffer()
    await pusher.addTaskAndSwapBuffer(0, buffer)
    const [task] = side.held
    side.releaseOldest()
    expect(() => task?.release()).toThrow(FrameStateError)
    expect(() => task?.bytes).toThrow(FrameStateError)
  })

  it('is no writer’s: a second hand-over, a release and a read of the given handle are errors', async () => {
    const { pusher, side, buffers } = makePusher(new HeldSide())
    const buffer = await pusher.acquireBuffer()
    const next = await pusher.addTaskAndSwapBuffer(0, buffer)
    await expect(pusher.addTaskAndSwapBuffer(0, buffer)).rejects.toThrow(/was handed to a push task/)
    expect(() => buffer.release()).toThrow(FrameStateError)
    expect(() => buffer.bytes).toThrow(FrameStateError)
    next.release()
    expect(() => next.release()).toThrow(FrameStateError)
    side.releaseAll()
    expect(pusher.stats.tasks).toBe(1)
    expect(buffers.stats().bytesAlive).toBe(0)
  })

  it('with pieces for several partitions comes back when the last of them is released', async () => {
    const { pusher, side, buffers } = makePusher(new HeldSide())
    const buffer = await pusher.acquireBuffer()
    buffer.bytes.fill(1)
    const pieces = [0, 1, 2].map((partitionId) => ({
      partitionId,
      start: partitionId * 10,
      end: partitionId * 10 + 10,
    }))
    pusher.handOver(0, buffer, 30, false, pieces)
    const [task] = side.held
    for (let released = 0; released < 3; released++) {
      expect(buffers.stats().taskBytes).toBe(SIZE)
      expect(task?.bytes.length).toBe(30)
      task?.release()
    }
    expect(buffers.stats()).toMatchObject({ taskBytes: 0, bytesAlive: 0 })
    await pusher.waitOnTermination()
  })

  it('comes back also with a size that counts in part', async () => {
    const { pusher, side } = makePusher(new HeldSide())
    const buffer = await pusher.acquireBuffer()
    buffer.bytes.fill(3)
    await expect(pusher.addTaskAndSwapBuffer(0, buffer, SIZE + 1)).rejects.toThrow(ConfigError)
    const next = await pusher.addTaskAndSwapBuffer(5, buffer, 1000)
    expect(next.size).toBe(SIZE)
    expect(side.releaseOldest()).toMatchObject({ partitionId: 5, bytes: Buffer.alloc(1000, 3) })
  })
})

describe('tasks', () => {
  it('are as many as the capacity: the next call waits for a release', async () => {
    const { pusher, side } = makePusher(new HeldSide(), { capacity: 2 })
    const bytes = new Uint8Array(10)
    await pusher.addTask(0, bytes)
    await pusher.addTask(1, bytes)
    const third = pusher.addTask(2, bytes)
    const fourth = pusher.addTask(3, bytes)
    expect(await isOpen(third)).toBe(true)
    expect(side.pushes).toBe(2)
    side.releaseOldest()
    await third
    expect(await isOpen(fourth)).toBe(true)
    side.releaseOldest()
    await fourth
    expect(side.held.map(({ partitionId }) => partitionId)).toEqual([2, 3])
    expect(pusher.stats).toMatchObject({ peakBusy: 2 })
    side.releaseAll()
  })

  it('of an idle pusher hold no memory, and none was allocated for them', async () => {
    const { pusher, buffers } = makePusher(new HeldSide(), { capacity: 512 })
    expect(buffers.stats()).toMatchObject({ bytesAlive: 0 })
    expect(buffers.stats().leases.blocksAllocated).toBe(0)
    await pusher.waitOnTermination()
  })

  it('take a copy of what is larger than a buffer', async () => {
    const { pusher, side } = makePusher(new HeldSide())
    await pusher.addTask(1, Buffer.alloc(3 * SIZE + 5, 9))
    expect(side.releaseOldest().bytes.equals(Buffer.alloc(3 * SIZE + 5, 9))).toBe(true)
  })
})

describe('a failed push', () => {
  const failure = new CelebornError('CELEBORN_PUSH_FAILED', 'the worker is gone')

  it('reaches the writer at its next call, the first one only, and leaves no memory behind', async () => {
    const { pusher, side, buffers } = makePusher(new HeldSide())
    const buffer = await pusher.acquireBuffer()
    side.onPush = (task) => {
      task.release()
      side.held.pop()
      return Promise.reject(failure)
    }
    const next = await pusher.addTaskAndSwapBuffer(0, buffer)
    await Promise.resolve()
    pusher.fail(new Error('a later one'))
    await expect(pusher.addTaskAndSwapBuffer(0, next)).rejects.toBe(failure)
    await expect(pusher.addTask(0, new Uint8Array(1))).rejects.toBe(failure)
    await expect(pusher.acquireBuffer()).rejects.toBe(failure)
    await expect(pusher.waitOnTermination()).rejects.toBe(failure)
    expect(buffers.stats()).toMatchObject({ bytesAlive: 0, buffersAlive: 0 })
  })

  it('wakes whoever waits for a task, and takes its buffer back', async () => {
    const { pusher, side, buffers } = makePusher(new HeldSide(), { capacity: 1 })
    const next = await pusher.addTaskAndSwapBuffer(0, await pusher.acquireBuffer())
    const waiting = pusher.addTaskAndSwapBuffer(0, next)
    expect(await isOpen(waiting)).toBe(true)
    pusher.fail(failure)
    await expect(waiting).rejects.toBe(failure)
    expect(buffers.stats().buffersAlive).toBe(1)
    side.releaseAll()
    expect(buffers.stats().buffersAlive).toBe(0)
  })
})

describe('waitOnTermination', () => {
  it('waits for the release of every task, not for the return of the push', async () => {
    const { pusher, side } = makePusher(new HeldSide())
    await pusher.addTask(0, new Uint8Array(5))
    await pusher.addTask(0, new Uint8Array(5))
    const ended = pusher.waitOnTermination()
    expect(await isOpen(ended)).toBe(true)
    side.releaseOldest()
    expect(await isOpen(ended)).toBe(true)
    side.releaseOldest()
    await ended
  })

  it('ends the pusher: no further task is taken, and the buffer comes back', async () => {
    const { pusher, buffers } = makePusher(new HeldSide())
    const buffer = await pusher.acquireBuffer()
    await pusher.waitOnTermination()
    await expect(pusher.addTaskAndSwapBuffer(0, buffer)).rejects.toThrow(ClosedError)
    await expect(pusher.addTask(0, new Uint8Array(5))).rejects.toThrow(ClosedError)
    expect(buffers.stats().bytesAlive).toBe(0)
  })
})

describe('a signal', () => {
  it('ends waits for a task and for a buffer with its own error', async () => {
    const controller = new AbortController()
    const { pusher, side, buffers } = makePusher(new HeldSide(), {
      capacity: 1,
      maxBytes: SIZE,
      signal: controller.signal,
    })
    const buffer = await pusher.acquireBuffer()
    const swap = pusher.addTaskAndSwapBuffer(0, buffer)
    const copy = pusher.addTask(0, new Uint8Array(5))
    expect(await isOpen(swap)).toBe(true)
    expect(await isOpen(copy)).toBe(true)
    controller.abort()
    await expect(swap).rejects.toThrow(AbortedError)
    await expect(copy).rejects.toThrow(AbortedError)
    side.releaseAll()
    expect(buffers.stats()).toMatchObject({ bytesAlive: 0, waiting: 0 })
  })
})

describe('several pushers on one pool', () => {
  it('share its cap, first come first served, and always go on', async () => {
    const sides = Array.from({ length: 4 }, () => new HeldSide())
    const { buffers } = makePusher(new HeldSide(), { maxBytes: 2 * SIZE })
    const order: number[] = []
    const held: PushBuffer[] = []
    const first = await buffers.take([SIZE])
    const second = await buffers.take([SIZE])
    const waits = sides.map(async (_, index) => {
      const [buffer] = await buffers.take([SIZE])
      order.push(index)
      if (buffer !== undefined) held.push(buffer)
    })
    expect(buffers.tryTake(100)).toBeUndefined()
    for (const buffer of [...first, ...second]) buffer.release()
    while (order.length < 4) {
      await Promise.resolve()
      held.pop()?.release()
    }
    await Promise.all(waits)
    expect(order).toEqual([0, 1, 2, 3])
  })

  it('a pool gives all of several buffers, or none of them', async () => {
    const { buffers } = makePusher(new HeldSide(), { maxBytes: 3 * SIZE })
    const [one] = await buffers.take([SIZE])
    const both = buffers.take([SIZE, 2 * SIZE])
    expect(await isOpen(both)).toBe(true)
    expect(buffers.stats().buffersAlive).toBe(1)
    one?.release()
    expect((await both).map(({ size }) => size)).toEqual([SIZE, 2 * SIZE])
  })

  it('a buffer larger than the cap is had alone', async () => {
    const { buffers } = makePusher(new HeldSide(), { maxBytes: SIZE })
    const [one] = await buffers.take([SIZE])
    const large = buffers.take([3 * SIZE])
    expect(await isOpen(large)).toBe(true)
    one?.release()
    expect((await large)[0]?.size).toBe(3 * SIZE)
  })
})
