/**
 * The whole push path in one process, for a run under AddressSanitizer or valgrind: what matters is what they see. Names of
 * scenarios as arguments run those only. The last line is `N passed, N failed`.
 */
import { setPoison } from '../../src/memory/detach'
import { readBack } from './embedded'
import * as scenarios from './scenarios'
import { balanced, type Codec } from './world'

const ALL: Record<string, scenarios.Scenario> = { ...scenarios, readBack }

async function main(): Promise<void> {
  setPoison(true)
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !(name in ALL))
  if (unknown !== undefined) {
    console.log(`there is no scenario ${unknown}; there are: ${Object.keys(ALL).join(', ')}`)
    process.exitCode = 1
    return
  }
  let passed = 0
  let failed = 0
  for (const [name, scenario] of Object.entries(ALL)) {
    if (names.length > 0 && !names.includes(name)) continue
    for (const codec of ['NONE', 'LZ4'] satisfies Codec[]) {
      const started = performance.now()
      try {
        await balanced(() => scenario(codec))
        passed++
        console.log(`ok ${name} ${codec} (${Math.round(performance.now() - started)} ms)`)
      } catch (error) {
        failed++
        console.log(`not ok ${name} ${codec}:`, error)
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

process.on('unhandledRejection', (error) => {
  console.log('not ok: unhandled rejection', error)
  process.exit(1)
})
void main()
