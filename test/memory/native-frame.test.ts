import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameStateError } from '../../src/errors'
import {
  allocatedBytes,
  FramePool,
  giveBack,
  nativeStats,
  NativeFrame,
  pend,
  setPoison,
  take,
  unpend,
} from '../../src/memory'
import { native } from '../../src/memory/native'
import { collect, turn } from './gc'

const KIB = 1024
const MIB = 1024 * KIB

describe.each([{ copied: false }, { copied: true }])('NativeFrame, copied: $copied', ({ copied }) => {
  const pool = (): FramePool => new FramePool({ copied })

  it('has one view for life: the same object each time (B03, B04)', () => {
    const frame = pool().acquire(64 * KIB)
    const view = frame.bytes
    for (let i = 0; i < 1000; i++) expect(frame.bytes).toBe(view)
    frame.trim(100)
    expect(frame.bytes.buffer).toBe(view.buffer)
    expect(frame.bytes).toBe(frame.bytes)
    pend(frame)
    expect(take(frame)).toMatchObject({ byteLength: 100, byteOffset: 0 })
    giveBack(frame)
  })

  it('drops all its views to length 0 at its release, at once', () => {
    const frame = pool().acquire(64 * KIB)
    const whole = frame.bytes
    frame.trim(1000)
    const views = [whole, frame.bytes, new Uint8Array(whole.buffer, 5, 10), Buffer.from(whole.buffer)]
    frame.release()
    for (const view of views) expect(view.byteLength).toBe(0)
    expect(whole.buffer.byteLength).toBe(0)
    expect(whole[0]).toBeUndefined()
  })

  it('a released frame never shows what the next owner writes (B13)', () => {
    const p = pool()
    const first = p.acquire(64 * KIB)
    const stale = first.bytes
    first.release()
    const second = p.acquire(64 * KIB)
    second.bytes.fill(0x5a)
    expect(stale.byteLength).toBe(0)
    expect(() => (stale[0] = 1)).not.toThrow()
    expect(second.bytes.every((byte) => byte === 0x5a)).toBe(true)
    expect(() => first.bytes).toThrow(/released: its memory belongs to somebody else/)
    second.release()
  })

  it('knows its owner, and tells it to whom does not own it', () => {
    const frame = pool().acquire(10)
    expect(frame.state).toBe('writer')
    pend(frame)
    expect(frame.state).toBe('pending')
    expect(() => frame.bytes).toThrow(/lent to a push that waits for admission/)
    expect(() => frame.trim(1)).toThrow(FrameStateError)
    expect(() => frame.release()).toThrow(/lent to a push/)
    expect(() => pend(frame)).toThrow(FrameStateError)
    expect(() => giveBack(frame)).toThrow(FrameStateError)
    unpend(frame)
    expect(frame.state).toBe('writer')
    frame.bytes[0] = 7
    pend(frame)
    const payload = take(frame)
    expect(frame.state).toBe('client')
    expect(payload[0]).toBe(7)
    for (const touch of [() => frame.bytes, () => frame.trim(1), () => frame.release(), () => pend(frame)]) {
      expect(touch).toThrow(/the client owns the frame/)
    }
    expect(() => unpend(frame)).toThrow(FrameStateError)
    expect(() => take(frame)).toThrow(FrameStateError)
    giveBack(frame)
    expect(frame.state).toBe('released')
    expect(payload.byteLength).toBe(0)
    for (const touch of [() => frame.bytes, () => frame.trim(0), () => pend(frame), () => take(frame)]) {
      expect(touch).toThrow(/is released/)
    }
    expect(() => giveBack(frame)).toThrow(FrameStateError)
  })

  it('a rejected wait gives the frame back untouched: same view, same bytes', () => {
    const frame = pool().acquire(10)
    const view = frame.bytes
    view.fill(3)
    pend(frame)
    unpend(frame)
    expect(frame.bytes).toBe(view)
    expect([...frame.bytes]).toEqual(Array(10).fill(3))
    frame.release()
  })

  it('is released once, whatever is called how often (B66)', async () => {
    const p = pool()
    let frame: NativeFrame | undefined = p.acquire(64 * KIB)
    const other = p.acquire(64 * KIB)
    frame.release()
    frame.release()
    frame.release()
    expect(p.stats()).toMatchObject({
      framesAlive: 1,
      framesAllocated: 2,
      pooledBytes: copied ? 0 : 64 * KIB,
    })
    expect(() => giveBack(frame as NativeFrame)).toThrow(FrameStateError)
    p.close()
    frame = undefined
    for (let i = 0; i < 5; i++) {
      collect() // and the finalizer
      await turn()
    }
    expect(p.stats()).toMatchObject({ framesAlive: 1, finalizedWithoutRelease: 0 })
    other.release()
    expect(p.stats().framesAlive).toBe(0)
  })

  it('trims its length at once and refuses any other', () => {
    const frame = pool().acquire(100)
    for (const wrong of [101, -1, 1.5, NaN, '5' as unknown as number]) {
      expect(() => frame.trim(wrong)).toThrow(RangeError)
    }
    frame.trim(100)
    frame.trim(60)
    expect([frame.length, frame.bytes.byteLength, frame.capacity]).toEqual([60, 60, 100])
    expect(() => frame.trim(61)).toThrow(RangeError)
    frame.trim(0)
    expect(frame.bytes.byteLength).toBe(0)
    frame.release()
  })

  it('postMessage and structuredClone leave the sender intact (B14)', async () => {
    const p = pool()
    const frame = p.acquire(64 * KIB)
    frame.bytes.fill(9)
    const { port1, port2 } = new MessageChannel()
    const received = new Promise<Uint8Array>((resolve) => {
      port2.on('message', (bytes: Uint8Array) => resolve(bytes))
    })
    if (copied) {
      // V8's own memory can be transferred away, like any ArrayBuffer: then it is gone for us, and that is all.
      port1.postMessage(frame.bytes, [frame.bytes.buffer as ArrayBuffer])
      expect(frame.bytes.byteLength).toBe(0)
    } else {
      try {
        port1.postMessage(frame.bytes, [frame.bytes.buffer as ArrayBuffer]) // Node 20 copies in silence
      } catch (error) {
        expect((error as Error).name).toBe('DataCloneError') // newer ones say so
        port1.postMessage(frame.bytes)
      }
      expect(frame.bytes.byteLength).toBe(64 * KIB)
      expect(frame.bytes[0]).toBe(9)
    }
    const bytes = await received
    frame.release()
    p.acquire(64 * KIB).bytes.fill(1)
    expect(bytes.every((byte) => byte === 9)).toBe(true)
    port1.close()
  })

  it('poison: freed memory reads 0xEE for whoever gets it next (B22)', () => {
    const p = pool()
    setPoison(true)
    try {
      const first = p.acquire(64 * KIB)
      first.bytes.fill(1)
      first.release()
      const second = p.acquire(64 * KIB)
      // Copied frames come from V8, zeroed.
      expect(second.bytes.every((byte) => byte === (copied ? 0 : 0xee))).toBe(true)
      second.release()
    } finally {
      setPoison(false)
    }
  })

  it('its accounts balance after any sequence of operations (B60, B61)', () => {
    const operation = fc.record({
      what: fc.constantFrom(
        'acquire',
        'trim',
        'pend',
        'unpend',
        'take',
        'giveBack',
        'release',
        'collect',
        'poolTrim',
      ),
      which: fc.nat(20),
      size: fc.oneof(fc.nat(300 * KIB), fc.nat(3 * MIB)),
    })
    const before = nativeStats()
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const p = new FramePool({ copied, maxBytes: 8 * MIB, maxPooledBytes: MIB })
        const frames: NativeFrame[] = []
        const owned = (): number => frames.reduce((sum, frame) => sum + allocatedBytes(frame), 0)
        const drop = (end: (frame: NativeFrame) => void, frame: NativeFrame): void => {
          end(frame)
          frames.splice(frames.indexOf(frame), 1)
        }
        for (const { what, which, size } of operations) {
          const frame = frames[which % Math.max(1, frames.length)]
          const state = frame?.state
          if (what === 'acquire') {
            try {
              frames.push(p.acquire(size))
            } catch (error) {
              expect((error as { code?: string }).code).toBe('CELEBORN_POOL_EXHAUSTED')
            }
          } else if (what === 'poolTrim') p.trim()
          else if (what === 'collect') {
            if (which === 0) collect()
          } else if (frame !== undefined) {
            if (what === 'trim' && state === 'writer') frame.trim(Math.min(size, frame.length))
            if (what === 'pend' && state === 'writer') pend(frame)
            if (what === 'unpend' && state === 'pending') unpend(frame)
            if (what === 'take' && (state === 'pending' || state === 'writer')) take(frame)
            if (what === 'giveBack' && state === 'client') drop(giveBack, frame)
            if (what === 'release' && state === 'writer') drop((each) => each.release(), frame)
          }
          const stats = p.stats()
          expect(stats.framesAlive).toBe(frames.length)
          expect(stats.bytesAlive).toBe(owned())
          expect(stats.bytesAlive).toBeLessThanOrEqual(8 * MIB)
          expect(stats.pooledBytes).toBeLessThanOrEqual(MIB)
        }
        for (const frame of frames) {
          if (frame.state === 'pending') unpend(frame)
          if (frame.state === 'client') giveBack(frame)
          else frame.release()
        }
        expect(p.stats()).toMatchObject({ framesAlive: 0, bytesAlive: 0 })
        p.close()
        expect(p.stats().pooledBytes).toBe(0)
      }),
      { numRuns: 150 },
    )
    expect(nativeStats().framesAlive).toBe(before.framesAlive)
    expect(nativeStats().pooledBytes).toBe(before.pooledBytes)
  })
})

describe('NativeFrame in native memory', () => {
  it('a trim that pays lowers the charge; one that does not keeps it', () => {
    const p = new FramePool()
    const large = p.acquire(4 * MIB)
    expect(allocatedBytes(large)).toBe(4 * MIB)
    large.trim(3 * MIB)
    expect(allocatedBytes(large)).toBe(4 * MIB)
    large.bytes.fill(1)
    large.trim(100 * KIB)
    expect(allocatedBytes(large)).toBe(100 * KIB)
    expect(p.stats().bytesAlive).toBe(100 * KIB)
    expect(large.bytes.every((byte) => byte === 1)).toBe(true)
    large.release()
    expect(p.stats().pooledBytes).toBe(100 * KIB)
    const again = p.acquire(4 * MIB)
    expect(allocatedBytes(again)).toBe(4 * MIB)
    again.bytes.fill(2)
    again.release()

    const small = p.acquire(64 * KIB)
    small.trim(1)
    expect(allocatedBytes(small)).toBe(64 * KIB)
    small.release()
  })

  it('a buffer that somebody moved away is not recycled while it can be seen (ArrayBuffer.prototype.transfer)', () => {
    const p = new FramePool()
    const frame = p.acquire(64 * KIB)
    // What transfer() does to the frame's buffer; Node 20 has no transfer().
    native().detach(frame.bytes.buffer as ArrayBuffer)
    frame.release()
    expect(p.stats().pooledBytes).toBe(0)
    frame.release()
  })

  it('cannot be made by hand', () => {
    const Constructor = NativeFrame as unknown as new () => NativeFrame
    expect(() => new Constructor()).toThrow()
  })

  it('where external buffers become forbidden in mid-life, the block is given up and frames go on copied (B01)', () => {
    const p = new FramePool()
    const before = p.acquire(64 * KIB)
    native().forbidExternalBuffers(true)
    try {
      const after = p.acquire(64 * KIB)
      expect(p.zeroCopy).toBe(false)
      expect(p.stats()).toMatchObject({
        framesAlive: 2,
        bytesAlive: 128 * KIB,
        framesAllocated: 2,
        pooledBytes: 0,
      })
      after.bytes.fill(1)
      before.bytes.fill(2)
      expect(after.bytes[0]).toBe(1)
      before.release()
      after.release()
      expect(p.stats()).toMatchObject({ framesAlive: 0, bytesAlive: 0 })
      expect(new FramePool().zeroCopy).toBe(false)
    } finally {
      native().forbidExternalBuffers(false)
    }
    expect(new FramePool().zeroCopy).toBe(true)
  })
})
