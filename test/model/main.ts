/** One process of the model test; started by scripts/test-model.mjs, which it tells what it has done. */
import { parseArgs } from 'node:util'
import { type ProgramKind } from './arbitraries'
import { embeddedWorld } from './embedded-world'
import { newTally, runPrograms, type Tally } from './property'
import { scriptedWorld } from './world'

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'scripted' },
    programs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
    'limit-ms': { type: 'string' },
    'shrink-ms': { type: 'string' },
  },
})

function tell(message: { progress?: Tally; tally?: Tally; failure?: string | null }): void {
  process.send?.(message)
}

async function main(): Promise<void> {
  const kind: ProgramKind = values.kind === 'embedded' ? 'embedded' : 'scripted'
  const world = await (kind === 'embedded' ? embeddedWorld() : scriptedWorld())
  let told = 0
  const { tally, failure } = await runPrograms(world, {
    kind,
    programs: Number(values.programs),
    seed: Number(values.seed),
    path: values.path,
    limitMs: values['limit-ms'] === undefined ? undefined : Number(values['limit-ms']),
    shrinkMs: values['shrink-ms'] === undefined ? undefined : Number(values['shrink-ms']),
    onProgram: (progress) => {
      if (performance.now() - told < 500) return
      told = performance.now()
      tell({ progress })
    },
  })
  tell({ tally, failure: failure?.text ?? null })
  await world.close()
}

main().then(
  () => process.disconnect?.(),
  (error: unknown) => {
    const tally = newTally()
    tally.failed = 1
    tell({ tally, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    // Servers of the world may still listen.
    process.exitCode = 1
    if (process.connected) process.once('disconnect', () => process.exit())
    else process.exit()
    process.disconnect?.()
  },
)
