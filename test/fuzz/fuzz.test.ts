import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check, inputOf } from './check'
import { CORPUS_DIR, KINDS, readCorpus } from './corpus'
import { corpus } from './corpus-source'
import { MESSAGE_DECODERS, seedsOf, type Target, TARGETS } from './targets'

const SEED = 20_261_130
const INPUTS = 500

describe('fuzzing', () => {
  it.each(TARGETS.map((target, index) => [target.name, target, index] as const))(
    '%s: a value or a typed error, within bounds',
    (_, target, index) => {
      const seeds = seedsOf(target)
      for (let i = 0; i < seeds.length + INPUTS; i++) {
        const input = inputOf(index, seeds, SEED, i)
        const { problem } = check(target, input)
        if (problem !== null) throw new Error(`input ${i}, ${input.toString('hex')}: ${problem}`)
      }
    },
  )

  it('notices other exceptions, wrong codes and large allocations', () => {
    const target = (run: Target['run']): Target => ({ name: 'planted', kind: 'frames', codes: [], run })
    const input = Buffer.alloc(8)
    expect(
      check(
        target(() => 1),
        input,
      ).problem,
    ).toBeNull()
    expect(
      check(
        target(() => input.readInt32BE(100)),
        input,
      ).problem,
    ).toContain('RangeError')
    expect(
      check(
        target(() => MESSAGE_DECODERS[0]?.[1](Buffer.from('ff', 'hex'))),
        input,
      ).problem,
    ).toContain('ProtocolError')
    const kept: Buffer[] = []
    // Nothing is left for a collection to take away in the middle of the measurement.
    globalThis.gc?.()
    expect(
      check(
        target(() => kept.push(Buffer.alloc(400 << 20))),
        input,
      ).problem,
    ).toContain('MiB')
  })
})

describe('the corpus', () => {
  const current = corpus()

  // To write it anew: UPDATE_FUZZ_CORPUS=1 npx vitest run test/fuzz
  it.each(KINDS)('%s is what our encoders write', (kind) => {
    const file = join(CORPUS_DIR, `${kind}.json`)
    if (process.env['UPDATE_FUZZ_CORPUS'] === '1')
      writeFileSync(file, `${JSON.stringify(current[kind], null, 2)}\n`)
    expect([...readCorpus(kind).keys()]).toEqual(Object.keys(current[kind]))
    const texts = Object.fromEntries(
      [...readCorpus(kind)].map(([name, bytes]) => [name, bytes.toString('hex')]),
    )
    for (const [name, text] of Object.entries(current[kind])) {
      if (!/[* ]/.test(text)) expect([name, texts[name]]).toEqual([name, text])
    }
  })

  it('has every control message', () => {
    const there = new Set([...readCorpus('messages').keys()].map((name) => name.replace(/, .*/, '')))
    expect(MESSAGE_DECODERS.map(([name]) => name).filter((name) => !there.has(name))).toEqual([])
  })
})
