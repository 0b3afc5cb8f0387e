import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CelebornError, ProtocolError } from '../../src/errors'
import { FrameParser, type FrameLimits, type FrameSink, writeFrameHeader } from '../../src/protocol'
import { hex, mutated, valueOrProtocolError } from './support'

interface Frame {
  readonly type: number
  readonly fields: Uint8Array
  readonly body: Uint8Array
}

const LIMITS: FrameLimits = { maxFieldsBytes: 1 << 20, maxBodyBytes: 1 << 20 }

/** Collects frames; body pieces are also kept as they came. */
class Collector implements FrameSink {
  readonly frames: Frame[] = []
  readonly pieces: Uint8Array[] = []
  private head: { type: number; fields: Uint8Array; bodySize: number } | undefined
  private body: Uint8Array[] = []

  onHeader(type: number, fields: Uint8Array, bodySize: number): void {
    expect(this.head).toBeUndefined()
    this.head = { type, fields: Buffer.from(fields), bodySize }
  }

  onBody(piece: Uint8Array): void {
    expect(this.head).toBeDefined()
    expect(piece.length).toBeGreaterThan(0)
    this.pieces.push(piece)
    this.body.push(Buffer.from(piece))
  }

  onEnd(): void {
    const { head } = this
    if (head === undefined) throw new Error('an end without a beginning')
    const body = Buffer.concat(this.body)
    expect(body.length).toBe(head.bodySize)
    this.frames.push({ type: head.type, fields: head.fields, body })
    this.head = undefined
    this.body = []
  }
}

function encode({ type, fields, body }: Frame): Buffer {
  const header = Buffer.alloc(9)
  writeFrameHeader(header, 0, type, fields.length, body.length)
  return Buffer.concat([header, fields, body])
}

const frame = fc
  .record({
    type: fc.constantFrom(3, 4, 5, 9, 11, 12, 22),
    fields: fc.uint8Array({ maxLength: 600 }),
    body: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 3000 })),
  })
  .filter(({ fields, body }) => fields.length + body.length > 0)

/** Cuts bytes at the given positions. */
function cut(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(positions.map((p) => p % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...sorted, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : sorted[i - 1], end))
}

const plain = (frames: readonly Frame[]) =>
  frames.map(({ type, fields, body }) => ({ type, fields: [...fields], body: [...body] }))

describe('FrameParser', () => {
  it('reads frames out of any fragmentation', () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 8 }),
        fc.array(fc.nat({ max: 50_000 })),
        (frames, positions) => {
          const sink = new Collector()
          const parser = new FrameParser(sink, LIMITS)
          for (const chunk of cut(Buffer.concat(frames.map(encode)), positions)) {
            parser.push(chunk)
            chunk.fill(0xdd) // the parser must not hold on to a chunk
          }
          expect(parser.atBoundary).toBe(true)
          expect(parser.bodyRemaining).toBe(0)
          expect(plain(sink.frames)).toEqual(plain(frames))
        },
      ),
    )
  })

  it('reads a stream byte by byte', () => {
    const frames: Frame[] = [
      { type: 11, fields: Buffer.from('fields'), body: Buffer.from('body') },
      { type: 22, fields: Buffer.alloc(1), body: Buffer.alloc(0) },
      { type: 9, fields: Buffer.alloc(0), body: Buffer.from('x') },
    ]
    const sink = new Collector()
    const parser = new FrameParser(sink, LIMITS)
    for (const byte of Buffer.concat(frames.map(encode))) parser.push(Uint8Array.of(byte))
    expect(plain(sink.frames)).toEqual(plain(frames))
  })

  it('hands body pieces out where they lie', () => {
    const sink = new Collector()
    const parser = new FrameParser(sink, LIMITS)
    const bytes = encode({ type: 1, fields: Buffer.alloc(20), body: Buffer.alloc(1000, 7) })
    parser.push(bytes.subarray(0, 500))
    const rest = bytes.subarray(500)
    parser.push(rest)
    expect(sink.pieces.map((piece) => piece.length)).toEqual([471, 529])
    expect(sink.pieces.every((piece) => piece.buffer === bytes.buffer)).toBe(true)
    expect(sink.pieces[1]).toBe(rest)
  })

  it('lets the caller receive the rest of a body straight into other memory', () => {
    const body = Buffer.from('0123456789')
    const wire = Buffer.concat([
      encode({ type: 1, fields: Buffer.alloc(20), body }),
      encode({ type: 22, fields: Buffer.alloc(1), body: Buffer.alloc(0) }),
    ])
    const destination = Buffer.alloc(body.length)
    let filled = 0
    const events: string[] = []
    const parser = new FrameParser(
      {
        onHeader: (type) => events.push(`header ${type}`),
        onBody: (piece) => {
          destination.set(piece, filled)
          filled += piece.length
        },
        onEnd: () => events.push('end'),
      },
      LIMITS,
    )
    parser.push(wire.subarray(0, 32)) // three bytes of the body have come with the header
    expect(parser.bodyRemaining).toBe(7)
    wire.copy(destination, filled, 32, 36)
    parser.skipBody(4)
    expect(parser.bodyRemaining).toBe(3)
    expect(events).toEqual(['header 1'])
    parser.skipBody(0)
    wire.copy(destination, filled + 4, 36, 39)
    parser.skipBody(3)
    expect(events).toEqual(['header 1', 'end'])
    expect(destination).toEqual(body)
    parser.push(wire.subarray(39))
    expect(events).toEqual(['header 1', 'end', 'header 22', 'end'])
  })

  it('refuses to skip what is not there', () => {
    const parser = new FrameParser(new Collector(), LIMITS)
    expect(() => parser.skipBody(1)).toThrow(CelebornError)
    parser.push(encode({ type: 3, fields: Buffer.alloc(1), body: Buffer.alloc(5) }).subarray(0, 12))
    expect(parser.bodyRemaining).toBe(3)
    expect(() => parser.skipBody(4)).toThrow('4 bytes of a body of which 3 are left')
  })

  it('ends a frame without a body at once', () => {
    const sink = new Collector()
    new FrameParser(sink, LIMITS).push(hex('00000001 16 00000000 00'))
    expect(sink.frames).toHaveLength(1)
  })

  it.each([
    ['an unknown type', '00000001 08 00000000', 'unknown transport message 8'],
    ['a type from the far end', '00000001 ff 00000000', 'unknown transport message 255'],
    ['no fields and no body', '00000000 16 00000000', 'impossible sizes 0 + 0'],
    ['a negative size of fields', 'ffffffff 03 00000002', 'impossible sizes -1 + 2'],
    ['a negative size of the body', '00000002 03 80000000', 'impossible sizes'],
    ['sizes that together overflow', '7fffffff 03 00000001', 'impossible sizes'],
    ['the largest int', '00000000 03 7fffffff', 'impossible sizes'],
    ['fields over the limit', '00100001 03 00000000', '1048577 bytes of fields, 1048576 are accepted'],
    [
      'a body over the limit',
      '00000001 0b 00100001',
      'PUSH_DATA: a body of 1048577 bytes, 1048576 are accepted',
    ],
  ])('refuses %s', (_what, header, message) => {
    for (const cutAt of [0, 5]) {
      const parser = new FrameParser(new Collector(), LIMITS)
      parser.push(hex(header).subarray(0, cutAt))
      expect(() => parser.push(hex(header).subarray(cutAt))).toThrow(ProtocolError)
      expect(() => new FrameParser(new Collector(), LIMITS).push(hex(header))).toThrow(message)
      // Nothing after that is looked at.
      expect(() => parser.push(hex('00000001 16 00000000 00'))).toThrow('bytes after a framing error')
      expect(parser.bodyRemaining).toBe(0)
    }
  })

  it('takes a limit per type', () => {
    const limits: FrameLimits = { maxFieldsBytes: 99, maxBodyBytes: (type) => (type === 11 ? 10 : 0) }
    const push = encode({ type: 11, fields: Buffer.alloc(1), body: Buffer.alloc(10) })
    const rpc = encode({ type: 3, fields: Buffer.alloc(1), body: Buffer.alloc(1) })
    const sink = new Collector()
    new FrameParser(sink, limits).push(push)
    expect(sink.frames).toHaveLength(1)
    expect(() => new FrameParser(sink, limits).push(rpc)).toThrow('0 are accepted')
  })

  it('allocates nothing by an announced size', () => {
    const parser = new FrameParser(new Collector(), { maxFieldsBytes: 0x7ffffff0, maxBodyBytes: 0 })
    const before = process.memoryUsage().arrayBuffers
    parser.push(hex('7ffffff0 0c 00000000 00'))
    for (let i = 0; i < 100; i++) parser.push(Buffer.alloc(1000))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000)
  })

  it('stops where the sink says so', () => {
    const two = Buffer.concat([
      encode({ type: 3, fields: Buffer.alloc(4), body: Buffer.alloc(4) }),
      encode({ type: 9, fields: Buffer.alloc(4), body: Buffer.alloc(4) }),
    ])
    for (const stopIn of ['onHeader', 'onBody', 'onEnd'] as const) {
      const seen: string[] = []
      const parser: FrameParser = new FrameParser(
        {
          onHeader: () => note('onHeader'),
          onBody: () => note('onBody'),
          onEnd: () => note('onEnd'),
        },
        LIMITS,
      )
      const note = (event: string): void => {
        seen.push(event)
        if (event === stopIn) parser.stop()
      }
      parser.push(two)
      parser.push(two)
      parser.skipBody(3)
      const all = ['onHeader', 'onBody', 'onEnd']
      expect(seen).toEqual(all.slice(0, all.indexOf(stopIn) + 1))
      expect(parser.bodyRemaining).toBe(0)
    }
  })

  it('is done after the sink has thrown', () => {
    const wire = encode({ type: 3, fields: Buffer.alloc(4), body: Buffer.alloc(4) })
    for (const throwIn of ['onHeader', 'onBody', 'onEnd'] as const) {
      const sink: FrameSink = { onHeader: () => undefined, onBody: () => undefined, onEnd: () => undefined }
      sink[throwIn] = () => {
        throw new Error('of the sink')
      }
      const parser = new FrameParser(sink, LIMITS)
      expect(() => parser.push(wire)).toThrow('of the sink')
      expect(() => parser.push(wire)).toThrow(ProtocolError)
    }
  })

  it('is done after the sink has thrown at the end of a skipped body', () => {
    const parser = new FrameParser(
      {
        onHeader: () => undefined,
        onBody: () => undefined,
        onEnd: () => {
          throw new Error('of the sink')
        },
      },
      LIMITS,
    )
    parser.push(encode({ type: 3, fields: Buffer.alloc(4), body: Buffer.alloc(4) }).subarray(0, 13))
    expect(() => parser.skipBody(4)).toThrow('of the sink')
    expect(() => parser.push(Buffer.alloc(1))).toThrow(ProtocolError)
  })

  it('knows whether the stream may end', () => {
    const parser = new FrameParser(new Collector(), LIMITS)
    const wire = encode({ type: 3, fields: Buffer.alloc(2), body: Buffer.alloc(2) })
    expect(parser.atBoundary).toBe(true)
    for (const byte of wire.subarray(0, -1)) {
      parser.push(Uint8Array.of(byte))
      expect(parser.atBoundary).toBe(false)
    }
    parser.push(wire.subarray(-1))
    expect(parser.atBoundary).toBe(true)
  })

  it('turns garbage into frames or a ProtocolError', () => {
    const feed = (bytes: Uint8Array) =>
      valueOrProtocolError(() =>
        new FrameParser(
          { onHeader: () => undefined, onBody: () => undefined, onEnd: () => undefined },
          LIMITS,
        ).push(bytes),
      )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), feed))
    const valid = encode({ type: 11, fields: Buffer.alloc(20), body: Buffer.alloc(20) })
    fc.assert(fc.property(mutated(Buffer.concat([valid, valid])), feed))
  })
})
