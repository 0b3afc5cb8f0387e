import { describe, expect, it } from 'vitest'
import { GatherWriter } from '../../src/network'

function wire(w: GatherWriter): string {
  w.closeHeader()
  return Buffer.concat(w.segments).toString('latin1')
}

function header(w: GatherWriter, text: string): void {
  const at = w.reserve(text.length)
  w.buffer.write(text, at, 'latin1')
}

describe('GatherWriter', () => {
  it('keeps the order of reserved and appended bytes', () => {
    const w = new GatherWriter()
    header(w, 'one')
    header(w, 'two')
    w.append(Buffer.from('PAYLOAD'))
    header(w, 'three')
    expect(wire(w)).toBe('onetwoPAYLOADthree')
    expect(w.bytes).toBe('onetwoPAYLOADthree'.length)
  })

  it('appends foreign memory where it lies and joins neighbouring headers', () => {
    const w = new GatherWriter()
    const payload = Buffer.from('PAYLOAD')
    header(w, 'a')
    header(w, 'b')
    w.append(payload)
    w.closeHeader()
    expect(w.segments).toHaveLength(2)
    expect(w.segments[1]).toBe(payload)
  })

  it('takes headers that do not fit into its arena', () => {
    const w = new GatherWriter(8)
    header(w, 'abcdef')
    header(w, 'ghijkl')
    header(w, 'a header longer than the arena')
    header(w, 'x')
    expect(wire(w)).toBe('abcdefghijkla header longer than the arenax')
    w.reset()
    header(w, 'again')
    expect(wire(w)).toBe('again')
  })

  it('takes a failed message back, and nothing of the ones before it', () => {
    for (const arena of [4, 64 * 1024]) {
      const w = new GatherWriter(arena)
      header(w, 'abc')
      w.beginMessage()
      header(w, 'def')
      w.append(Buffer.from('lost'))
      header(w, 'ghi')
      w.abortMessage()
      header(w, 'jkl')
      w.append(Buffer.from('kept'))
      expect(wire(w)).toBe('abcjklkept')
      expect(w.bytes).toBe(10)
    }
  })

  it('sends no empty pieces', () => {
    const w = new GatherWriter()
    w.append(new Uint8Array(0))
    w.reserve(0)
    expect(wire(w)).toBe('')
    expect(w.segments).toHaveLength(0)
  })
})
