import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Prepare from '../../scripts/celeborn-java/prepare.mjs' with { 'resolution-mode': 'import' }
import { atExit } from '../../src/cli/last-moments'
import { CelebornError } from '../../src/errors'
import { output } from './processes'

/** A program of bench/java on top of Celeborn's own client, compiled; Maven brings what it needs, once. */
export class CelebornJava {
  private constructor(
    private readonly main: string,
    private readonly options: readonly string[],
    private readonly runDir: string,
    private readonly forget: () => void,
  ) {}

  /**
   * @param program file name without extension, and class of package bench
   * @returns the program, or names of the tools that are missing
   */
  static async prepare(program: string, signal: AbortSignal): Promise<CelebornJava | readonly string[]> {
    const root = repository()
    const script = join(root, 'scripts', 'celeborn-java', 'prepare.mjs')
    const prepare = (await import(pathToFileURL(script).href)) as typeof Prepare
    const missing = prepare.missingJavaTools()
    if (missing.length > 0) return missing
    const runDir = join(prepare.javaCache, `run-${process.pid}`)
    const remove = (): void => rmSync(runDir, { recursive: true, force: true })
    const forget = atExit(remove)
    mkdirSync(runDir, { recursive: true })
    try {
      const how: Prepare.Preparing = {
        runDir,
        run: (what, command, args, env) => output(what, command, args, { cwd: root, env, signal }),
      }
      const { jars } = await prepare.celebornJars(how)
      const sources = [join(root, 'bench', 'java', `${program}.java`)]
      const classpath = await prepare.compiledWith(jars, { name: `bench-${program}`, sources }, how)
      const options = [
        ...[prepare.QUIET_JVM, ...prepare.CELEBORN_JVM_OPTIONS],
        ...[`-Djava.io.tmpdir=${runDir}`, '-cp', classpath],
      ]
      return new CelebornJava(`bench.${program}`, options, runDir, forget)
    } catch (error) {
      forget()
      remove()
      throw error
    }
  }

  /** Runs the program in a fresh virtual machine; what it printed. */
  run(name: string, vm: readonly string[], args: readonly string[], signal: AbortSignal): Promise<string> {
    return output(name, 'java', [...this.options, ...vm, this.main, ...args], {
      // Celeborn asks the system for its host's name otherwise, and listens there.
      env: { CELEBORN_LOCAL_HOSTNAME: '127.0.0.1' },
      signal,
    })
  }

  /** Removes what runs have left. */
  remove(): void {
    this.forget()
    rmSync(this.runDir, { recursive: true, force: true })
  }
}

/** Upwards from this file: compiled or not, the Java sources stay where they are. */
function repository(): string {
  for (let dir = __dirname, i = 0; i < 5; dir = dirname(dir), i++) {
    if (existsSync(join(dir, 'bench', 'java')) && existsSync(join(dir, 'scripts', 'celeborn-java')))
      return dir
  }
  throw new CelebornError(
    'CELEBORN_IO',
    'bench/java is missing: run the benchmarks in a clone of the repository',
  )
}
