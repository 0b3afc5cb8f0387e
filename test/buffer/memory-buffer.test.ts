import { describe, expect, it } from 'vitest'
import { NativeManagedBuffer, NetworkManagedBuffer } from '../../src/buffer'
import { ClosedError } from '../../src/errors'
import { FramePool } from '../../src/memory'
import { Body } from '../../src/network'
import { pattern } from './files'

describe('NativeManagedBuffer', () => {
  it('owns its frame and gives it back with the last reference', async () => {
    const pool = new FramePool()
    const frame = pool.acquire(200_000)
    frame.bytes.set(pattern(200_000))
    frame.trim(150_000)
    const buffer = new NativeManagedBuffer(frame)
    expect(buffer.size).toBe(150_000)
    const bytes = await buffer.bytes()
    const body = await buffer.toNetwork()
    expect(body.parts[0]?.buffer).toBe(bytes.buffer)
    const stream = buffer.stream()
    buffer.release()
    expect(Buffer.compare(Buffer.concat(await stream.toArray()), pattern(150_000))).toBe(0)
    expect(pool.stats().framesAlive).toBe(1)
    body.written()
    expect(pool.stats().framesAlive).toBe(0)
    expect(bytes.length).toBe(0)
    await expect(buffer.bytes()).rejects.toThrow(ClosedError)
  })

  it('is freed when its stream is destroyed', async () => {
    const pool = new FramePool()
    const buffer = new NativeManagedBuffer(pool.acquire(500_000))
    const stream = buffer.stream()
    buffer.release()
    const closed = new Promise((resolve) => stream.once('close', resolve))
    for await (const piece of stream) {
      expect(piece).toBeInstanceOf(Buffer)
      break
    }
    await closed
    expect(pool.stats().framesAlive).toBe(0)
  })
})

describe('NetworkManagedBuffer', () => {
  it('gives the body back to its connection once, whatever was asked of it', async () => {
    let released = 0
    const parts = [pattern(10), pattern(20, 10), pattern(5, 30)]
    const buffer = new NetworkManagedBuffer(new Body(parts, 35, () => released++))
    expect(buffer.size).toBe(35)
    const body = await buffer.toNetwork()
    expect(body).toMatchObject({ parts, length: 35 })
    const whole = await buffer.bytes()
    expect(Buffer.compare(whole, pattern(35))).toBe(0)
    expect(await buffer.bytes()).toBe(whole)
    buffer.release()
    expect(released).toBe(0)
    body.written()
    expect(released).toBe(1)
    expect(() => buffer.retain()).toThrow('the buffer of a received body of 35 bytes has been released')
  })
})
