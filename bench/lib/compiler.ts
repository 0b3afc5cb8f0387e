import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CelebornError } from '../../src/errors'
import { atExit } from '../../src/cli/last-moments'
import { output } from './processes'

/** Programs in C++ that a benchmark compares with or needs as peers; compiled into a folder that goes with us. */
export class NativePrograms {
  readonly #compiler: readonly string[]
  readonly #dir: string
  readonly #forget: () => void
  readonly #built = new Map<string, Promise<string>>()

  /** @throws CelebornError when there is no compiler */
  constructor() {
    this.#compiler = findCompiler()
    this.#dir = mkdtempSync(join(tmpdir(), 'celeborn-bench-'))
    this.#forget = atExit(() => this.#remove())
  }

  /** Path of the program that bench/native/NAME.cc makes. */
  path(name: string): Promise<string> {
    let built = this.#built.get(name)
    if (built === undefined) {
      built = this.#build(name)
      this.#built.set(name, built)
    }
    return built
  }

  remove(): void {
    this.#forget()
    this.#remove()
  }

  async #build(name: string): Promise<string> {
    const path = join(this.#dir, name)
    const [program = 'c++', ...first] = this.#compiler
    const args = [...first, '-std=c++17', '-O2', '-o', path, join(sourceFolder(), `${name}.cc`)]
    await output(`the compiler (${program})`, program, args)
    return path
  }

  #remove(): void {
    rmSync(this.#dir, { recursive: true, force: true })
  }
}

function findCompiler(): string[] {
  const candidates = process.env['CXX'] === undefined ? ['c++', 'g++', 'clang++'] : [process.env['CXX']]
  for (const candidate of candidates) {
    const words = candidate.trim().split(/\s+/)
    const [program = ''] = words
    if (program !== '' && spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0) return words
  }
  throw new CelebornError(
    'CELEBORN_IO',
    `no C++ compiler (${candidates.join(', ')}) for the sink and the floor: install g++ or clang++, or set CXX`,
  )
}

/** Upwards from this file: compiled or not, the C++ sources stay where they are. */
function sourceFolder(): string {
  for (let dir = __dirname, i = 0; i < 5; dir = dirname(dir), i++) {
    const folder = join(dir, 'bench', 'native')
    if (existsSync(join(folder, 'wire.h'))) return folder
  }
  throw new CelebornError(
    'CELEBORN_IO',
    'bench/native is missing: run the benchmarks in a clone of the repository',
  )
}
