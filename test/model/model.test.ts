import { describe, expect, it } from 'vitest'
import { embeddedWorld } from './embedded-world'
import { runPrograms } from './property'
import { scriptedWorld } from './world'

/** The rest is `npm run test:model`, which also runs one program again. */
describe('random programs against the model', () => {
  const seed = Number(process.env['CELEBORN_MODEL_SEED'] ?? Date.now() % 1_000_000)

  it.each([
    ['scripted', scriptedWorld, 50],
    ['embedded', embeddedWorld, 10],
  ] as const)(
    'over %s workers',
    async (kind, start, programs) => {
      const world = await start()
      try {
        const { tally, failure } = await runPrograms(world, { kind, programs, seed, shrinkMs: 20_000 })
        expect(failure?.text ?? '').toBe('')
        expect(tally).toMatchObject({ passed: programs, failed: 0 })
      } finally {
        await world.close()
      }
    },
    120_000,
  )
})
