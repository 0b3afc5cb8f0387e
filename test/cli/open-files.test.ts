import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorLine, ProgramTest } from './program'

let program: ProgramTest
beforeEach(() => {
  program = new ProgramTest()
})
afterEach(() => program.remove())

const ARGS = ['shuffle', 'in.txt', '--key', 'line', '--partitions']

// Without the check the process hangs with fewer than 32 descriptors, and blames its peers with some more.
test.each([
  [
    29,
    'error: this process may open 29 files and sockets, and 64 or more are needed: raise the limit (ulimit -n 64)',
  ],
  [
    100,
    'error: cannot start the embedded cluster: this process may open 100 files and sockets, and an embedded cluster of ' +
      '2 workers needs 128 or more: raise the limit (ulimit -n 128)',
  ],
])('a limit of %d open files is refused', async (openFileLimit, said) => {
  program.directory.file('in.txt', 'a\nb\n')
  const result = await program.run([...ARGS, '2'], { openFileLimit })
  expect(errorLine(result)).toBe(said)
  expect(program.leftovers()).toEqual([])
  expect(program.processes()).toEqual([])
})

test('more partitions than files that may be open', async () => {
  program.directory.file('in.txt', Array.from({ length: 5_000 }, (_, i) => `line ${i}\n`).join(''))
  const result = await program.run([...ARGS, '500', '--json'], { openFileLimit: 160 })
  expect(result.stderr).toBe('')
  expect(JSON.parse(result.stdout)).toMatchObject({ verified: true, records: 5_000 })
})
